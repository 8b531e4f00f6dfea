import { performance } from 'node:perf_hooks'
import { type Event, app, dialog, session, shell } from 'electron'
import type { Answer } from '../../src-shared/ipc/client'
import { ThingView } from '../../src-shared/ipc/contract/find'
import { addressesIn } from '../memory/find/addresses'

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

/** Switches of Chromium that open the page or the computer to others. */
const refusedSwitches = [
  'remote-debugging-port',
  'remote-debugging-pipe',
  'remote-allow-origins',
  'no-sandbox',
  'disable-web-security',
]

/**
 * Ends a package that is started with one of these switches, with an error box. A debugger could read the PIN and the client
 * secret as they are typed; without the sandbox a page could reach the computer. Call it first of all.
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

/** No camera, no USB, no notifications: without handlers Electron would grant them all. Needs a ready app. */
export function refusePermissions(): void {
  const { defaultSession } = session
  defaultSession.setPermissionRequestHandler((_contents, _permission, callback) => {
    callback(false)
  })
  defaultSession.setPermissionCheckHandler(() => false)
  defaultSession.setDevicePermissionHandler(() => false)
}

/** What our page may load: itself, what it made, and in development the developer tools. */
const ownSchemes = new Set(['app:', 'data:', 'blob:', 'devtools:'])

/** Beside the page's own policy (CSP): nothing that it asks for leaves the computer. Needs a ready app. */
export function refuseNetwork(): void {
  session.defaultSession.webRequest.onBeforeRequest(({ url }, callback) => {
    callback({ cancel: !ownSchemes.has(URL.parse(url)?.protocol ?? '') })
  })
}

/** The last ones given: a page of products may name a hundred. */
const mostAddresses = 2_000
/** Shortest time between two, in ms: a person who is asked each time is slower. */
const rest = 1_000

/** Only addresses that main gave to the page may be opened outside of the app. `now`: monotonic clock, in ms. */
export function createOutside(now = () => performance.now()) {
  const given = new Set<string>()
  let openedAt = Number.NEGATIVE_INFINITY

  return {
    /** Called with every answer that the page gets. */
    answered(call: unknown, answer: Answer) {
      if (call !== 'find.thing' || !answer.ok) return
      const view = ThingView.safeParse(answer.value)
      for (const address of view.success ? addressesIn(view.data) : []) {
        given.delete(address)
        given.add(address)
      }
      for (const oldest of given) {
        if (given.size <= mostAddresses) break
        given.delete(oldest)
      }
    },
    /** The address as it is to be opened; null: not now, or not at all. */
    take(url: string): string | null {
      const href = URL.parse(url)?.href
      if (href === undefined || !given.has(href) || now() - openedAt < rest) return null
      openedAt = now()
      return href
    },
  }
}

export type Outside = ReturnType<typeof createOutside>
