import { type Event, app, session } from 'electron'

const refuse = (event: Event) => {
  event.preventDefault()
}

/**
 * Our page is one document that never leaves app://countertag/: whatever a page, link, frame or script wants beyond
 * that is refused for every web contents there will ever be. To be called before the first window is made.
 */
export function refuseNavigation(): void {
  app.on('web-contents-created', (_event, contents) => {
    contents.on('will-navigate', refuse)
    contents.on('will-frame-navigate', refuse)
    contents.on('will-redirect', refuse)
    contents.on('will-attach-webview', refuse)
    contents.setWindowOpenHandler(() => ({ action: 'deny' }))
  })
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
