import type { Plugin } from 'vite'

/** The names that the program imports; an import of any other fails the build. */
const used = {
  'better-sqlite3': ['SqliteError'],
  keytar: ['AsyncEntry'],
  'node-hid': ['devicesAsync', 'HIDAsync'],
  usb: ['usb'],
} as const
const packages = new Map<string, readonly string[]>(Object.entries(used))
const mark = '\0native:'

/**
 * Leaves native packages outside the bundles, and loads them with `require`. Before Node imports a CommonJS package, it
 * reads its whole text for the names of its exports, which takes longer at the start than loading the database's driver.
 */
export const nativePackages = (): Plugin => ({
  name: 'native-packages',
  enforce: 'pre',
  resolveId: (source) => (packages.has(source) ? `${mark}${source}` : undefined),
  load(id) {
    const name = id.startsWith(mark) ? id.slice(mark.length) : ''
    const names = packages.get(name)
    if (names === undefined) return undefined
    return `import { createRequire } from 'node:module'
const native = createRequire(import.meta.url)('${name}')
export const { ${names.join(', ')} } = native
export default native`
  },
})

/**
 * An import of `node:http` reads every export of the module, and one of them loads Node's own fetch, which nothing in the
 * program uses.
 */
export const withoutFetch = (): Plugin => ({
  name: 'without-fetch',
  transform: {
    filter: { id: /@hono[\\/]node-server/, code: 'node:http' },
    handler: (code) =>
      code.replace(/^import (\{[^}]*\}) from ["']node:http["']/m, "const $1 = process.getBuiltinModule('node:http')"),
  },
})

/** Every request is made without HTTP/2 (`service/routes.ts`): undici's part for it, and Node's, aren't loaded. */
export const withoutHttp2 = (): Plugin => ({
  name: 'without-http2',
  transform: {
    filter: { id: /undici\/lib\/dispatcher\/client-h2\.js$/ },
    handler: () => `module.exports = () => {
  throw new Error('HTTP/2 is left out of the build')
}`,
  },
})
