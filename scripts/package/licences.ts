import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'
import { z } from 'zod'

/** The path of the list, in out/ and in the package. */
const licencesName = 'licences.txt'

const Manifest = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string().default('not stated'),
  dependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
})
type Manifest = z.infer<typeof Manifest>

const manifestOf = (folder: string): Manifest =>
  Manifest.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')))

/** The packages that `files.ts` leaves out: types, and headers for compiling. */
const isLeftOut = (name: string) => name.startsWith('@types/') || name === 'node-addon-api'

/** Included inside a native package, with a license of its own. */
const inside: Record<string, string[]> = { 'node-hid': ['hidapi/LICENSE.txt', 'hidapi/LICENSE-bsd.txt'] }

/** The folders of the packages shipped as packages: the dependencies of package.json, recursively, if installed. */
function installed(root: string): string[] {
  const found = new Set<string>()
  const visit = (from: string, names: string[]) => {
    for (const name of names) {
      const folder = [join(from, 'node_modules', name), join(root, 'node_modules', name)].find((one) => existsSync(one))
      // Optional dependencies are installed only for this system.
      if (folder === undefined || isLeftOut(name) || found.has(folder)) continue
      found.add(folder)
      const { dependencies, optionalDependencies } = manifestOf(folder)
      visit(folder, Object.keys({ ...dependencies, ...optionalDependencies }))
    }
  }
  visit(root, Object.keys(manifestOf(root).dependencies))
  return [...found]
}

/**
 * The package folder of a bundled module; undefined for our own modules. The bundler's helpers count as the bundler's.
 */
export function packageOf(root: string, moduleId: string): string | undefined {
  const helper = /^\0?(vite|rolldown)\//.exec(moduleId)?.[1]
  if (helper !== undefined) return join(root, 'node_modules', helper)
  const path = moduleId.replaceAll('\\', '/').replace(/^\0/, '').replace(/\?.*$/, '')
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0]
}

/** A package's own statements: name, version, license, and the included texts. */
function entryOf(folder: string): { line: string; text: string } {
  const { name, version, license } = manifestOf(folder)
  const own = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
  const texts = [...own, ...(inside[name] ?? [])].map((file) => {
    const whole = readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n')
    // Only a few of the bundler's own lines are in a bundle, and none of its dependencies.
    const text = whole.replace(/^#+ Licenses of bundled dependencies[^]*/m, '').trim()
    return file.includes('/') ? `${file}:\n\n${text}` : text
  })
  const said = texts.length > 0 ? texts.join('\n\n') : 'It comes without the text of its licence.'
  return { line: `${name} ${version} (${license})`, text: `${name} ${version}\n${license}\n\n${said}` }
}

const line = '-'.repeat(80)

/** Licenses of everything shipped: a list, followed by the texts. */
export function licencesText(root: string, bundled: Iterable<string>): string {
  const folders = new Set([...bundled, ...installed(root), join(root, 'node_modules/electron')])
  const entries = new Map([...folders].map(entryOf).map((entry) => [entry.line, entry.text]))
  const sorted = [...entries].sort(([one], [other]) => (one < other ? -1 : 1))
  return [
    'Countertag is made with the work of others:',
    sorted.map(([title]) => title).join('\n'),
    'SQLite, inside better-sqlite3, is in the public domain. Licences of what Electron brings along are in\n' +
      'LICENSES.chromium.html: beside the program, on macOS in Contents/Resources of the app.\n',
    ...sorted.map(([, text]) => `${line}\n${text}\n`),
  ].join('\n\n')
}

/** Collects the packages used by each bundle of a build, and writes the list so far into `out`. */
export function licences(root: string): () => Plugin {
  const bundled = new Set<string>()
  return () => ({
    name: 'countertag-licences',
    generateBundle(_options, bundle) {
      for (const part of Object.values(bundle)) {
        for (const id of part.type === 'chunk' ? part.moduleIds : []) {
          const folder = packageOf(root, id)
          if (folder !== undefined) bundled.add(folder)
        }
      }
      const file = join(root, 'out', licencesName)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, licencesText(root, bundled))
    },
  })
}

const permissive = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Python-2.0',
  'Unlicense',
  'X11',
])

/** Whether a license is allowed for shipped code: an OR needs one allowed part, an AND needs all. */
export const isPermissive = (license: string): boolean =>
  license
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((one) => permissive.has(one.trim())))
