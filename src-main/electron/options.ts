import { resolve } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { app } from 'electron'
import { type ProfileId, practiceId } from '../../src-shared/ipc/contract/station'
import { localFolderFor, moveData, moveDue } from '../station/data-folder'
import { makeFolder } from '../database/start-error'

interface Options {
  /** Folder for this station's data, if not the user's default folder. */
  dataDir: string | undefined
  /** The connection to open instead of the last one used. */
  profile: ProfileId | undefined
}

/**
 * Parses the command line. Lenient, because it also has Chromium's switches. `--profile` only accepts `practice`: real
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

/**
 * Keeps the data in a folder that doesn't roam: a profile that follows its user to another till would bring along its
 * waiting reports, and both tills would send them. On Windows this is the local AppData; data that an earlier version
 * left in the roaming folder is moved. Call before taking the single-instance lock, which is per folder. Returns false
 * while an earlier version still runs there; that version comes to the front. Throws AppStartError.
 */
export function useLocalDataFolder(): boolean {
  const from = app.getPath('userData')
  const to = localFolderFor(from, { platform: process.platform, environment: process.env })
  if (to === from) return true
  if (moveDue({ from, to }) !== undefined) {
    // Holds the old folder's lock, so that an earlier version can't start during the move.
    if (!app.requestSingleInstanceLock()) return false
    moveData({ from, to })
    app.releaseSingleInstanceLock()
  }
  makeFolder(to)
  app.setPath('userData', to)
  // Cookies and caches move too: some versions of the runtime keep them separately.
  app.setPath('sessionData', to)
  return true
}
