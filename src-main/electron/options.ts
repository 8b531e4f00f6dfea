import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

export interface Options {
  /** Folder of this station's data, if not the usual one of this user. */
  dataDir: string | undefined
}

/**
 * Reads the command line. Lenient, for Chromium's own switches are on it as well. `--profile practice` is understood
 * by being let through: practice is the only profile there is.
 */
export function readOptions(argv: readonly string[]): Options {
  const { values } = parseArgs({
    args: argv.slice(1),
    options: { 'data-dir': { type: 'string' }, profile: { type: 'string' } },
    strict: false,
    allowPositionals: true,
  })
  const dataDir = values['data-dir']
  return { dataDir: typeof dataDir === 'string' && dataDir !== '' ? resolve(dataDir) : undefined }
}
