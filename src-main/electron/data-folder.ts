import process from 'node:process'
import { app } from 'electron'
import { localFolderFor } from '../station/data-folder'
import { moveData, moveDue } from '../station/data-move'
import { makeFolder } from '../store/start-error'

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
