import { performance } from 'node:perf_hooks'
import process from 'node:process'
import { type Event, type WebContents, app, dialog, session, shell, systemPreferences } from 'electron'
import type { CallAnswer } from '../../src-shared/ipc/client'
import { EntityView } from '../../src-shared/ipc/contract/find'
import { addressesIn } from '../memory/find/entities'
import { isOfApp } from './protocol'

const refuse = (event: Event) => {
  event.preventDefault()
}

/**
 * The page is a single document that never leaves app://countertag/: any other navigation by a page, link, frame or
 * script is refused for every web contents. No other window is ever opened. Instead, the URL is opened in the person's
 * browser if main itself gave it to the page (https only), at most one per second. Call before the first window is
 * created.
 */
export function refuseNavigation(outside: Pick<Outside, 'take'>): void {
  app.on('web-contents-created', (_event, contents) => {
    contents.on('will-navigate', refuse)
    contents.on('will-frame-navigate', refuse)
    contents.on('will-redirect', refuse)
    contents.on('will-attach-webview', refuse)
    contents.setWindowOpenHandler(({ url }) => {
      const address = outside.take(url)
      // Failing to open is harmless: the page shows the full URL beside the button.
      if (address !== null) shell.openExternal(address).catch(() => undefined)
      return { action: 'deny' }
    })
  })
}

/** Chromium switches that expose the page or the computer to other programs. */
const refusedSwitches = [
  'remote-debugging-port',
  'remote-debugging-pipe',
  'remote-allow-origins',
  'no-sandbox',
  'disable-web-security',
]

/**
 * Quits a packaged app that is started with one of these switches, with an error box. A debugger could read the PIN and
 * the client secret as they are typed; without the sandbox, a page could access the computer. Call this before anything
 * else.
 */
export function refuseWeakening(): void {
  const asked = refusedSwitches.filter((name) => app.commandLine.hasSwitch(name))
  if (!app.isPackaged || asked.length === 0) return
  const flags = asked.map((name) => `--${name}`).join(', ')
  dialog.showErrorBox(
    'Countertag cannot start',
    `Countertag does not start with ${flags}.\nCountertag no se abre con ${flags}.`,
  )
  app.exit(1)
}

/**
 * No microphone, no USB, no notifications: without handlers Electron would grant them all. The one exception is the camera,
 * for photos of damage, in the main frame of the app's own page. `ownPage`: the page of the app's window, once there is one.
 * Needs a ready app.
 */
export function refusePermissions(ownPage: () => WebContents | undefined): void {
  const { defaultSession } = session
  const isOwn = (contents: WebContents | null, isMainFrame: boolean, url: string) =>
    contents !== null && contents.id === ownPage()?.id && isMainFrame && isOfApp(url)

  defaultSession.setPermissionRequestHandler((contents, permission, callback, details) => {
    const types = permission === 'media' && 'mediaTypes' in details ? (details.mediaTypes ?? []) : []
    // Not together with the microphone.
    const isCamera = types.length === 1 && types[0] === 'video'
    if (isCamera && isOwn(contents, details.isMainFrame, details.requestingUrl)) void cameraOfSystem().then(callback)
    else callback(false)
  })
  defaultSession.setPermissionCheckHandler(
    (contents, permission, origin, { mediaType, isMainFrame }) =>
      permission === 'media' && mediaType === 'video' && isOwn(contents, isMainFrame, origin),
  )
  defaultSession.setDevicePermissionHandler(() => false)
}

/** macOS asks the person once, and remembers the answer; elsewhere the system refuses by giving no picture. */
const cameraOfSystem = (): Promise<boolean> =>
  process.platform === 'darwin'
    ? systemPreferences.askForMediaAccess('camera').catch(() => false)
    : Promise.resolve(true)

/** What the page may load: its own files, its own data and blobs, and in development the developer tools. */
const ownSchemes = new Set(['app:', 'data:', 'blob:', 'devtools:'])

/** In addition to the page's CSP: no request of the page leaves the computer. Needs a ready app. */
export function refuseNetwork(): void {
  session.defaultSession.webRequest.onBeforeRequest(({ url }, callback) => {
    callback({ cancel: !ownSchemes.has(URL.parse(url)?.protocol ?? '') })
  })
}

/** Most recent URLs kept; one screen of products may have a hundred. */
const mostAddresses = 2_000
/** Shortest time between two openings, in ms; a person clicks more slowly. */
const rest = 1_000

/** Only URLs that main gave to the page may be opened outside the app. `now`: monotonic clock, in ms. */
export function createOutside(now = () => performance.now()) {
  const given = new Set<string>()
  let openedAt = Number.NEGATIVE_INFINITY

  return {
    /** Call with every answer sent to the page. */
    answered(call: unknown, answer: CallAnswer) {
      if (call !== 'find.entity' || !answer.ok) return
      const view = EntityView.safeParse(answer.value)
      for (const address of view.success ? addressesIn(view.data) : []) {
        given.delete(address)
        given.add(address)
      }
      for (const oldest of given) {
        if (given.size <= mostAddresses) break
        given.delete(oldest)
      }
    },
    /** The URL to open; null if it isn't allowed or comes too soon after the last one. */
    take(url: string): string | null {
      const href = URL.parse(url)?.href
      if (href === undefined || !given.has(href) || now() - openedAt < rest) return null
      openedAt = now()
      return href
    },
  }
}

export type Outside = ReturnType<typeof createOutside>
