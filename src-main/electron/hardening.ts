import { type Event, app, session, shell } from 'electron'
import type { Outside } from './outside'

const refuse = (event: Event) => {
  event.preventDefault()
}

/**
 * Our page is one document that never leaves app://countertag/: whatever a page, link, frame or script wants beyond
 * that is refused for every web contents there will ever be. A further window is never opened; what it was to show is
 * given to the person's own browser when it is one of the addresses (https, each) that main itself gave to the page, one a
 * second at the most. To be called before the first window is made.
 */
export function refuseNavigation(outside: Pick<Outside, 'take'>): void {
  app.on('web-contents-created', (_event, contents) => {
    contents.on('will-navigate', refuse)
    contents.on('will-frame-navigate', refuse)
    contents.on('will-redirect', refuse)
    contents.on('will-attach-webview', refuse)
    contents.setWindowOpenHandler(({ url }) => {
      const address = outside.take(url)
      // Where nothing opens addresses, nothing opens: the page shows it in full beside the button.
      if (address !== null) shell.openExternal(address).catch(() => undefined)
      return { action: 'deny' }
    })
  })
}

/**
 * A package that is started with a port for debugging ends at once: whoever asks there reads the PIN and the client secret as
 * they are typed. To be called first of all.
 */
export function refuseDebugging(): void {
  const isAsked = ['remote-debugging-port', 'remote-debugging-pipe'].some((name) => app.commandLine.hasSwitch(name))
  if (app.isPackaged && isAsked) app.exit(1)
}

/** No camera, no USB, no notifications: without handlers Electron would grant them all. Needs a ready app. */
export function refusePermissions(): void {
  const { defaultSession } = session
  defaultSession.setPermissionRequestHandler((_contents, _permission, callback) => {
    callback(false)
  })
  defaultSession.setPermissionCheckHandler(() => false)
  defaultSession.setDevicePermissionHandler(() => false)
}
