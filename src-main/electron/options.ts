import { resolve } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { app } from 'electron'
import { type ProfileId, practiceId } from '../../src-shared/ipc/contract/station'
import { localFolderFor, moveData, moveDue } from '../station/data-folder'
import { makeFolder } from '../store/start-error'

interface Options {
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

/**
 * Keeps the data where it doesn't roam: a profile that follows its user to another till would take the reports that wait
 * along, and both would send them. On Windows that is the local AppData; what an earlier version left in the roaming one is
 * moved. To be called before the single-instance lock is taken, which is one for each folder. False while an earlier
 * version still runs there: it comes to the front, and this one has nothing to do.
 * Throws AppStartError.
 */
export function useLocalDataFolder(): boolean {
  const from = app.getPath('userData')
  const to = localFolderFor(from, { platform: process.platform, environment: process.env })
  if (to === from) return true
  if (moveDue({ from, to }) !== undefined) {
    // With the lock of the folder that is left: an earlier version that is started meanwhile finds it taken.
    if (!app.requestSingleInstanceLock()) return false
    moveData({ from, to })
    app.releaseSingleInstanceLock()
  }
  makeFolder(to)
  app.setPath('userData', to)
  // Cookies and caches as well, where a version of the runtime keeps them apart.
  app.setPath('sessionData', to)
  return true
}
