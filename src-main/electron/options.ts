import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type ProfileId, practiceId } from '../../src-shared/ipc/connection-view'

export interface Options {
  /** Folder of this station's data, if not the usual one of this user. */
  dataDir: string | undefined
  /** The connection to open with, whatever was in use last. */
  profile: ProfileId | undefined
}

/**
 * Reads the command line. Lenient, for Chromium's own switches are on it as well. `--profile` takes `practice` alone: real
 * connections are chosen in Settings, behind the PIN.
 */
export function readOptions(argv: readonly string[]): Options {
  const { values } = parseArgs({
    args: argv.slice(1),
    options: { 'data-dir': { type: 'string' }, profile: { type: 'string' } },
    strict: false,
    allowPositionals: true,
  })
  const dataDir = values['data-dir']
  const profile = values.profile === practiceId ? practiceId : undefined
  return { profile, dataDir: typeof dataDir === 'string' && dataDir !== '' ? resolve(dataDir) : undefined }
}
