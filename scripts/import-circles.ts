import './require-node.mjs'
import { readFileSync, globSync } from 'node:fs'
import { dirname, join, normalize, relative, sep } from 'node:path'
import ts from 'typescript'

/**
 * Prints every import circle of the project, type imports included, and ends with code 1 if there is one. Only the
 * TypeScript parser reads the imports, so that .svelte files and their type imports count as well.
 */
const root = join(import.meta.dirname, '..')
const files = globSync(['{src-*,scripts,bench,test}/**/*.{ts,svelte}', '*.config.ts'], {
  cwd: root,
  exclude: ['**/node_modules/**'],
}).map((file) => file.split(sep).join('/'))
const known = new Set(files)

function imported(from: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined
  const target = normalize(join(dirname(from), specifier))
    .split(sep)
    .join('/')
  return [target, `${target}.ts`, `${target}/index.ts`].find((file) => known.has(file))
}

const imports = new Map(
  files.map((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    // A component's imports are in its script; the parser skips the markup around it.
    const script = file.endsWith('.svelte')
      ? [...text.matchAll(/<script[^>]*>([^]*?)<\/script>/g)].map((m) => m[1]).join('\n')
      : text
    const targets = ts.preProcessFile(script).importedFiles.map(({ fileName }) => imported(file, fileName))
    return [file, targets.filter((target) => target !== undefined)] as const
  }),
)

/** Depth-first: a file met again on its own import path closes a circle. */
const done = new Set<string>()
const circles: string[][] = []
function visit(file: string, way: string[]): void {
  const at = way.indexOf(file)
  if (at >= 0) circles.push([...way.slice(at), file])
  if (at >= 0 || done.has(file)) return
  for (const target of imports.get(file) ?? []) visit(target, [...way, file])
  done.add(file)
}
for (const file of files) visit(file, [])

for (const circle of circles) console.error(circle.map((file) => relative('', file)).join('\n  -> '))
console.log(`${String(files.length)} files, ${String(circles.length)} import circles`)
process.exitCode = circles.length > 0 ? 1 : 0
