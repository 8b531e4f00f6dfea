import { spawn } from 'node:child_process'
import process from 'node:process'
import { type BrowserWindow, app, powerMonitor } from 'electron'
import type { App } from '../app/compose'

/** How long requests under way may take while the computer shuts down, in ms. */
const sessionGrace = 1_000

/**
 * Lets the app quit only after the core has closed, no matter how often it is asked to. At the end of a session, quitting
 * is only delayed where the system allows it; otherwise the delay would count as a refusal to log out. Unfinished
 * requests are settled at the next start, as after a power cut.
 */
export function closeBeforeQuit(core: Pick<App, 'close' | 'closeAtOnce' | 'log'>) {
  let closing: Promise<void> | undefined
  let isClosed = false
  let isQuitting = false
  let isSessionEnding = false
  const startAgain = createRelaunch()

  const close = (graceMs?: number) =>
    (closing ??= core
      .close(graceMs)
      .catch((cause: unknown) => {
        core.log.error('closing failed', { cause })
      })
      .finally(() => {
        isClosed = true
      }))
  const quit = (graceMs?: number) => {
    if (isQuitting) return
    isQuitting = true
    void close(graceMs).then(() => {
      app.quit()
    })
  }

  app.on('before-quit', (event) => {
    if (isClosed || isSessionEnding) return
    event.preventDefault()
    quit()
  })
  // Linux and macOS. As documented, preventing the event delays the shutdown until the app has quit. The types omit the
  // event.
  powerMonitor.on('shutdown', (...[event]: unknown[]) => {
    if (isPreventable(event)) event.preventDefault()
    if (isSessionEnding) return
    isSessionEnding = true
    core.log.info('the computer goes down')
    quit(sessionGrace)
  })
  // The second process quit because this one is still running, so the app has to start again.
  app.on('second-instance', () => {
    if ((isQuitting || isClosed) && !isSessionEnding) startAgain()
  })

  return {
    /** Closes the core without quitting, so that an update can be installed. */
    close,
    /** Starts the app again after it has quit. */
    startAgain,
    /** Whether the core is closing or closed; then no window is kept open. */
    isClosing: () => closing !== undefined || isClosed,
    /** Closes the core when Windows ends the session, because no `before-quit` is sent then. */
    watchSession(window: BrowserWindow) {
      // The user or another app may still cancel, so nothing is closed yet.
      window.on('query-session-end', ({ reasons }) => {
        core.log.info('the session is about to end', { reasons })
      })
      // Windows may end the process as soon as this returns, so the core is closed synchronously.
      window.on('session-end', ({ reasons }) => {
        if (isClosed) return
        isClosed = true
        core.log.info('the session ends', { reasons })
        try {
          core.closeAtOnce()
        } catch (cause) {
          core.log.error('closing failed', { cause })
        }
        app.exit(0)
      })
    },
  }
}

export type Quitting = ReturnType<typeof closeBeforeQuit>

const isPreventable = (event: unknown): event is { preventDefault: () => void } =>
  typeof event === 'object' && event !== null && 'preventDefault' in event && typeof event.preventDefault === 'function'

/**
 * Returns a function that makes the app start again after it has ended; calling it twice starts one app. An AppImage is
 * unmounted when it ends, so Electron's relaunch would find no program: the AppImage file is started instead. The lock is
 * released first, or the new process would take this one for a running app and quit.
 */
function createRelaunch(): () => void {
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
      // The file was moved or deleted. There is no window left to show the error.
      next.on('error', () => undefined)
      next.unref()
    })
  }
}
