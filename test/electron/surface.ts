import { dirname, resolve } from 'node:path'
import ts from 'typescript'
import { root } from './root'

const folder = resolve(root, 'src-main/electron')

/**
 * Every member of an Electron type that src-main/electron touches, as `browserWindow.show` or `app.on('before-quit')`.
 * Read with the TypeScript compiler, so that no alias or parameter hides one.
 */
export function electronSurface(): Set<string> {
  const config = resolve(root, 'src-main/tsconfig.json')
  const parsed = ts.parseJsonConfigFileContent(
    ts.readConfigFile(config, (file) => ts.sys.readFile(file)).config,
    ts.sys,
    dirname(config),
  )
  const program = ts.createProgram(
    parsed.fileNames.filter((file) => file.startsWith(folder)),
    parsed.options,
  )
  const checker = program.getTypeChecker()
  const surface = new Set<string>()

  const note = (owner: ts.Type, name: string, node: ts.Node) => {
    const member = checker.getNonNullableType(owner).getProperty(name)
    const declaration = member?.declarations?.[0]
    if (!declaration?.getSourceFile().fileName.endsWith('electron/electron.d.ts')) return
    const parent = nameOf(declaration.parent)
    surface.add(`${parent.charAt(0).toLowerCase()}${parent.slice(1)}.${name}${eventOf(node)}`)
  }
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node)) note(checker.getTypeAtLocation(node.expression), node.name.text, node)
    if (ts.isBindingElement(node) && ts.isIdentifier(node.name)) {
      note(checker.getTypeAtLocation(node.parent), node.name.text, node)
    }
    if (ts.isNewExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'BrowserWindow') {
      surface.add('new BrowserWindow')
    }
    ts.forEachChild(node, visit)
  }
  for (const file of program.getSourceFiles()) if (file.fileName.startsWith(folder)) visit(file)
  return surface
}

const nameOf = (node: ts.Node): string =>
  ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node) ? (node.name?.text ?? '') : 'event'

/** `('closed')` if the node is the callee of an `on` or `once` with that name. */
function eventOf(node: ts.Node): string {
  const call = node.parent
  if (!ts.isCallExpression(call) || call.expression !== node) return ''
  const [first] = call.arguments
  return first && ts.isStringLiteral(first) && /\.(on|once)$/.test(node.getText()) ? `('${first.text}')` : ''
}
