import { type BrowserWindow, app, powerMonitor } from 'electron'
import type { App } from '../compose'
import { createRelaunch } from './relaunch'

/** How the app ends. */
export interface Quitting {
  /** Closes the core without quitting, for whoever has something to do in between. */
  close(graceMs?: number): Promise<void>
  /** Has the app start again once it has ended. */
  startAgain(): void
  /** Whether the core is being closed, or is closed: then no window is kept open. */
  isClosing(): boolean
  /** Closes the core when Windows ends the session of this window: no `before-quit` is sent then. */
  watchSession(window: BrowserWindow): void
}

/** For what is on the wire when the computer is going down, in ms. */
const sessionGrace = 1_000

/**
 * Lets the app quit only after the core has closed, whoever asks first and however often. At the end of a session nothing
 * is held up that the system does not offer to hold up: that would be a refusal to log out. What was on the wire is settled
 * at the next start, as after a power cut.
 */
export function closeBeforeQuit(core: Pick<App, 'close' | 'closeAtOnce' | 'log'>): Quitting {
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
  // Linux and macOS. Held up as documented: it goes on when the app has quit. The types leave the event out.
  powerMonitor.on('shutdown', (...[event]: unknown[]) => {
    if (isPreventable(event)) event.preventDefault()
    if (isSessionEnding) return
    isSessionEnding = true
    core.log.info('the computer goes down')
    quit(sessionGrace)
  })
  // It found us here, left the start to us and is gone: so we are to be there again.
  app.on('second-instance', () => {
    if ((isQuitting || isClosed) && !isSessionEnding) startAgain()
  })

  return {
    close,
    startAgain,
    isClosing: () => closing !== undefined || isClosed,
    watchSession(window) {
      // Somebody may still call it off: nothing is closed yet.
      window.on('query-session-end', ({ reasons }) => {
        core.log.info('the session is about to end', { reasons })
      })
      // Windows may end the process as soon as this returns: nothing is waited for.
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

const isPreventable = (event: unknown): event is { preventDefault: () => void } =>
  typeof event === 'object' && event !== null && 'preventDefault' in event && typeof event.preventDefault === 'function'
