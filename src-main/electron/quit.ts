import { type BrowserWindow, app, powerMonitor } from 'electron'
import type { App } from '../compose'
import { createRelaunch } from './relaunch'

/** How the app ends. */
export interface Quitting {
  /** Closes the core without quitting, for whoever has something to do in between. */
  close(graceMs?: number): Promise<void>
  /** Has the app start again once it has ended. */
  startAgain(): void
  /** Closes the core when Windows ends the session of this window: no `before-quit` is sent then. */
  watchSession(window: BrowserWindow): void
}

/** For what is on the wire when the computer is going down, in ms. Windows ends the process after five seconds. */
const sessionGrace = 1_000

/**
 * Lets the app quit only after the core has closed, whoever asks first and however often. At the end of a session nothing
 * is held up: an app that holds it up is one that refuses the log-out. What is not closed by then is as it is after a power
 * cut: saved, and settled at the next start.
 */
export function closeBeforeQuit(core: Pick<App, 'close' | 'log'>): Quitting {
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
  const endSession = (reasons: readonly string[]) => {
    if (isSessionEnding) return
    isSessionEnding = true
    core.log.info('the session ends', { reasons })
    quit(sessionGrace)
  }

  app.on('before-quit', (event) => {
    if (isClosed || isSessionEnding) return
    event.preventDefault()
    quit()
  })
  // Linux and macOS. Held up as documented: it goes on when the app has quit. The types leave the event out.
  powerMonitor.on('shutdown', (...[event]: unknown[]) => {
    if (isPreventable(event)) event.preventDefault()
    endSession(['shutdown'])
  })
  // It found us here, left the start to us and is gone: so we are to be there again.
  app.on('second-instance', () => {
    if ((isQuitting || isClosed) && !isSessionEnding) startAgain()
  })

  return {
    close,
    startAgain,
    watchSession(window) {
      // Somebody may still call it off: nothing is closed yet.
      window.on('query-session-end', ({ reasons }) => {
        core.log.info('the session is about to end', { reasons })
      })
      window.on('session-end', ({ reasons }) => {
        endSession(reasons)
      })
    },
  }
}

const isPreventable = (event: unknown): event is { preventDefault: () => void } =>
  typeof event === 'object' && event !== null && 'preventDefault' in event && typeof event.preventDefault === 'function'
