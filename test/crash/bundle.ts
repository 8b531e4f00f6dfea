import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'

export interface Bundle {
  file: string
  /** Where V8 keeps the compiled bundle from one life to the next. */
  cache: string
  remove(): void
}

/** One file of a suite's station and its core: a life begins in a fifth of a second, not in two. */
export async function bundleStation(root: string, entry = 'test/crash/station.ts'): Promise<Bundle> {
  // Inside the repository, for what is native stays outside the bundle and is looked up from there.
  mkdirSync(join(root, 'out'), { recursive: true })
  const outDir = mkdtempSync(join(root, 'out', 'station-'))
  const remove = () => {
    rmSync(outDir, { recursive: true, force: true })
  }
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: entry,
      outDir,
      target: 'node22',
      // An import of node:http reads every export of it, and one of those loads a browser's worth of fetch: require doesn't.
      rolldownOptions: { output: { format: 'cjs', entryFileNames: 'station.cjs' } },
    },
    ssr: { noExternal: true, external: ['better-sqlite3', 'node-hid', 'usb'] },
  }).catch((cause: unknown) => {
    remove()
    throw cause
  })
  return {
    file: join(outDir, 'station.cjs'),
    cache: join(outDir, 'cache'),
    remove,
  }
}
