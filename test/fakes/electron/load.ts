import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'
import type { FakeElectron } from './index'

const key = 'countertagFakeElectron'
let start = 0

/**
 * Evaluates a built main script as Electron would, in Node itself and not through the test runner's transforms, with
 * that fake as `electron`. The main script itself is evaluated again each time, as in a new process.
 */
export async function loadMain(script: string, electron: FakeElectron): Promise<void> {
  start += 1
  Reflect.set(globalThis, key, electron.module)
  const url = pathToFileURL(script).href
  const source = `export const { ${Object.keys(electron.module).join(', ')} } = globalThis.${key}`
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      if (specifier === 'electron') return { url: `electron-fake:${start}`, format: 'module', shortCircuit: true }
      const resolved = next(specifier, context)
      // Chunks are shared with the browser host and don't use Electron: loading them once is enough.
      return resolved.url === url ? { ...resolved, url: `${url}?start=${start}` } : resolved
    },
    load: (url, context, next) =>
      url.startsWith('electron-fake:') ? { format: 'module', source, shortCircuit: true } : next(url, context),
  })
  try {
    await importNatively(url)
  } finally {
    hooks.deregister()
  }
}

/** The test runner leaves data: modules, and their imports, to Node. */
async function importNatively(url: string): Promise<void> {
  const importer: string = `data:text/javascript,import ${JSON.stringify(url)} // ${start}`
  await import(importer)
}
