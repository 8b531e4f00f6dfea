import { app } from 'electron'
import type { App } from '../compose'

/** Lets the app quit only after the core has closed, whoever asks first and however often. */
export function closeBeforeQuit(core: App): void {
  let state: 'open' | 'closing' | 'closed' = 'open'

  app.on('before-quit', (event) => {
    if (state === 'closed') return
    event.preventDefault()
    if (state === 'closing') return
    state = 'closing'
    core
      .close()
      .catch((cause: unknown) => {
        core.log.error('closing failed', { cause })
      })
      .finally(() => {
        state = 'closed'
        app.quit()
      })
  })
}
