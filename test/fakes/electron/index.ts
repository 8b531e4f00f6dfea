import type { BrowserWindowConstructorOptions, Dialog, MenuItemConstructorOptions, Rectangle, Shell } from 'electron'
import { type AppKnobs, FakeApp } from './app'
import { Readiness } from './event'
import { FakeIpcMain } from './ipc'
import { FakeProtocol, FakeScreen, FakeSession } from './session'
import { FakeWindow } from './window'

export interface ElectronKnobs extends AppKnobs {
  /** What of each connected display the desktop leaves to windows. */
  workAreas: Rectangle[]
  /** Knob: so many windows can't be made, the first ones. */
  refusedWindows?: number
  /** Makes other windows than the fake's own. */
  createWindow?: (options: BrowserWindowConstructorOptions) => FakeWindow
}

/**
 * Stands in for the electron module where its runtime cannot be had. It holds what Electron documents of the calls we
 * make, the moments at which they are allowed included, and knobs for what people, pages and systems do.
 */
export class FakeElectron {
  readonly #readiness = new Readiness()
  readonly app: FakeApp
  readonly ipcMain = new FakeIpcMain()
  readonly protocol: FakeProtocol
  readonly session = new FakeSession()
  /** What was shown in error boxes. */
  readonly errorBoxes: { title: string; content: string }[] = []
  /** Addresses that were given to the person's own browser. */
  readonly openedOutside: string[] = []
  /** Undefined: Electron's default menu; null: none. */
  menu: readonly MenuItemConstructorOptions[] | null | undefined
  /** What `import ... from 'electron'` gives in main. */
  readonly module: object

  constructor(knobs: ElectronKnobs) {
    const readiness = this.#readiness
    this.app = new FakeApp(knobs, readiness)
    this.protocol = new FakeProtocol(readiness)

    let { refusedWindows = 0 } = knobs
    const openWindow = (options: BrowserWindowConstructorOptions) => {
      readiness.after('new BrowserWindow')
      if (refusedWindows-- > 0) throw new Error('no window can be made')
      return knobs.createWindow?.(options) ?? new FakeWindow(this, options)
    }
    const { app, ipcMain, protocol, session, errorBoxes } = this
    const setMenu = (menu: readonly MenuItemConstructorOptions[] | null) => {
      this.menu = menu
    }
    this.module = {
      app,
      ipcMain,
      protocol,
      // A constructor may give back another object than itself.
      BrowserWindow: function BrowserWindow(options: BrowserWindowConstructorOptions) {
        return openWindow(options)
      },
      Menu: {
        buildFromTemplate: (template: MenuItemConstructorOptions[]) => template,
        setApplicationMenu: setMenu,
      },
      dialog: {
        showErrorBox: (title, content) => void errorBoxes.push({ title, content }),
      } satisfies Pick<Dialog, 'showErrorBox'>,
      screen: new FakeScreen(
        knobs.workAreas.map((workArea) => ({ workArea })),
        readiness,
      ),
      shell: {
        openExternal: (url) => {
          this.openedOutside.push(url)
          return Promise.resolve()
        },
      } satisfies Pick<Shell, 'openExternal'>,
      session: {
        get defaultSession() {
          readiness.after('session.defaultSession')
          return session
        },
      },
    }
  }

  /** The window there is. */
  get window(): FakeWindow {
    const [window] = this.app.windows
    if (!window) throw new Error('There is no window')
    return window
  }

  /** Knob: asks the handler of the URL's scheme, as Chromium would. */
  async fetch(url: string, method = 'GET'): Promise<Response> {
    // Which Chromium reads by itself.
    if (url.startsWith('data:')) return fetch(url)
    const handler = this.protocol.handlers.get(new URL(url).protocol.slice(0, -1))
    if (!handler) throw new Error(`ERR_UNKNOWN_URL_SCHEME: ${url}`)
    return handler(new Request(url, { method }))
  }
}
