import { app } from 'electron'
import type { App } from '../compose'

/**
 * Lets the app quit only after the core has closed, whoever asks first and however often. Gives what closes the core
 * without quitting, for whoever has something to do in between.
 */
export function closeBeforeQuit(core: Pick<App, 'close' | 'log'>): (graceMs?: number) => Promise<void> {
  let closing: Promise<void> | undefined
  let isClosed = false
  let isQuitting = false
  let isAwaited = false

  const close = (graceMs?: number) =>
    (closing ??= core
      .close(graceMs)
      .catch((cause: unknown) => {
        core.log.error('closing failed', { cause })
      })
      .finally(() => {
        isClosed = true
      }))

  app.on('before-quit', (event) => {
    if (isClosed) return
    event.preventDefault()
    if (isQuitting) return
    isQuitting = true
    void close().then(() => {
      app.quit()
    })
  })
  // It found us here, left the start to us and is gone: so we are to be there again.
  app.on('second-instance', () => {
    if (!isQuitting || isAwaited) return
    isAwaited = true
    app.relaunch()
  })
  return close
}
