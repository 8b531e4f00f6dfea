import { spawn } from 'node:child_process'
import process from 'node:process'
import { app } from 'electron'

/**
 * Gives what has the app start again once it has ended, however often it is called. The program of an AppImage lies in a
 * file system that goes away with it, so that Electron's own relaunch finds nothing there: its file is started instead. The
 * lock is let go of first, or the new process would find it taken, hand over to this one and vanish.
 */
export function createRelaunch(): () => void {
  let isAsked = false
  return () => {
    if (isAsked) return
    isAsked = true
    const { APPIMAGE } = process.env
    if (!app.isPackaged || process.platform !== 'linux' || !APPIMAGE) {
      app.relaunch()
      return
    }
    app.on('quit', () => {
      app.releaseSingleInstanceLock()
      const next = spawn(APPIMAGE, process.argv.slice(1), { detached: true, stdio: 'ignore' })
      // Moved or deleted meanwhile: there is nobody left to tell.
      next.on('error', () => undefined)
      next.unref()
    })
  }
}
