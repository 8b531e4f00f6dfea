import type {
  BrowserWindowConstructorOptions,
  Clipboard,
  CrashReporterStartOptions,
  Dialog,
  MenuItemConstructorOptions,
  Rectangle,
  Shell,
  SystemPreferences,
} from 'electron'
import { type AppKnobs, FakeApp } from './app'
import { Readiness } from './event'
import { FakeIpcMain } from './ipc'
import { FakePowerMonitor } from './power'
import { FakeProtocol, FakeScreen, FakeSession } from './session'
import { FakeWebContents, type PageSource } from './web-contents'
import { FakeWindow, type WindowKnobs } from './window'

export interface ElectronKnobs extends AppKnobs, WindowKnobs {
  /** The work area of each connected display. */
  workAreas: Rectangle[]
  /** Knob: the number of windows, counted from the first, that fail to open. */
  refusedWindows?: number
  /** Creates other pages than the fake's own. */
  createContents?: (source: PageSource) => FakeWebContents
}

/**
 * Stands in for the electron module where its runtime isn't available. It follows Electron's documentation of the calls
 * we make, including when they are allowed, and has knobs for the actions of people, pages and systems.
 */
export class FakeElectron {
  readonly #readiness = new Readiness()
  readonly app: FakeApp
  readonly ipcMain = new FakeIpcMain()
  readonly protocol: FakeProtocol
  readonly session = new FakeSession()
  readonly screen: FakeScreen
  readonly powerMonitor = new FakePowerMonitor()
  /** The crash dump settings; undefined if dumps are off. */
  crashReports: CrashReporterStartOptions | undefined
  /** Menus that were opened at the pointer. */
  readonly popups: MenuItemConstructorOptions[][] = []
  /** Text shown in error boxes. */
  readonly errorBoxes: { title: string; content: string }[] = []
  /** Addresses opened in the person's default browser. */
  readonly openedOutside: string[] = []
  /** The text on the computer's clipboard. */
  clipboard = ''
  /** What macOS was asked for, and the knob for its answer. */
  readonly askedOfSystem: string[] = []
  systemAnswer: () => Promise<boolean> = () => Promise.resolve(true)
  /** Undefined: Electron's default menu; null: none. */
  menu: readonly MenuItemConstructorOptions[] | null | undefined
  /** The exports of `import ... from 'electron'` in main. */
  readonly module: object

  constructor(knobs: ElectronKnobs) {
    const readiness = this.#readiness
    this.app = new FakeApp(knobs, readiness)
    this.protocol = new FakeProtocol(readiness)

    let { refusedWindows = 0 } = knobs
    const { createContents = (source: PageSource) => new FakeWebContents(source) } = knobs
    const openWindow = (options: BrowserWindowConstructorOptions) => {
      readiness.after('new BrowserWindow')
      if (refusedWindows-- > 0) throw new Error('no window can be made')
      return new FakeWindow(this, options, knobs, createContents).asSeenByMain
    }
    this.screen = new FakeScreen(knobs.workAreas, readiness)
    const { app, ipcMain, protocol, session, errorBoxes, screen, powerMonitor } = this
    const setMenu = (menu: readonly MenuItemConstructorOptions[] | null) => {
      this.menu = menu
    }
    this.module = {
      app,
      ipcMain,
      protocol,
      // A constructor may return another object than itself.
      BrowserWindow: Object.assign(
        function BrowserWindow(options: BrowserWindowConstructorOptions) {
          return openWindow(options)
        },
        { getAllWindows: () => app.windows.map((window) => window.asSeenByMain) },
      ),
      Menu: {
        buildFromTemplate: (template: MenuItemConstructorOptions[]) =>
          Object.assign(template, { popup: () => void this.popups.push(template) }),
        setApplicationMenu: setMenu,
      },
      crashReporter: {
        start: (options: CrashReporterStartOptions) => {
          this.crashReports = options
        },
      },
      powerMonitor,
      clipboard: {
        writeText: (text) => {
          this.clipboard = text
          return Promise.resolve()
        },
        readText: () => Promise.resolve(this.clipboard),
        clear: () => void (this.clipboard = ''),
      } satisfies Pick<Clipboard, 'writeText' | 'readText' | 'clear'>,
      dialog: {
        showErrorBox: (title, content) => void errorBoxes.push({ title, content }),
      } satisfies Pick<Dialog, 'showErrorBox'>,
      screen,
      shell: {
        openExternal: (url) => {
          this.openedOutside.push(url)
          return Promise.resolve()
        },
      } satisfies Pick<Shell, 'openExternal'>,
      systemPreferences: {
        askForMediaAccess: (type) => {
          // Only there is it a function.
          if (process.platform !== 'darwin') throw new TypeError('askForMediaAccess is not a function')
          this.askedOfSystem.push(type)
          return this.systemAnswer()
        },
      } satisfies Pick<SystemPreferences, 'askForMediaAccess'>,
      session: {
        get defaultSession() {
          readiness.after('session.defaultSession')
          return session
        },
      },
    }
  }

  /** The app's window. */
  get window(): FakeWindow {
    const [window] = this.app.windows
    if (!window) throw new Error('There is no window')
    return window
  }

  /** Knob: asks the handler of the URL's scheme, as Chromium would. */
  async fetch(url: string, method = 'GET'): Promise<Response> {
    // Chromium reads data: URLs by itself.
    if (url.startsWith('data:')) return fetch(url)
    const handler = this.protocol.handlers.get(new URL(url).protocol.slice(0, -1))
    if (!handler) throw new Error(`ERR_UNKNOWN_URL_SCHEME: ${url}`)
    return handler(new Request(url, { method }))
  }
}
