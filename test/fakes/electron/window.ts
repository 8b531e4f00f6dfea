import { EventEmitter } from 'node:events'
import type { BrowserWindow, BrowserWindowConstructorOptions, Rectangle, WindowSessionEndEvent } from 'electron'
import { untilDestroyed } from './destroyed'
import { preventable } from './event'
import type { FakeIpcMain } from './ipc'
import type { FakeWebContents, PageSource } from './web-contents'

type Calls = Pick<
  BrowserWindow,
  | 'close'
  | 'destroy'
  | 'focus'
  | 'getBounds'
  | 'getNormalBounds'
  | 'isDestroyed'
  | 'isFocused'
  | 'isFullScreen'
  | 'isKiosk'
  | 'isMaximized'
  | 'isMinimized'
  | 'isVisible'
  | 'loadURL'
  | 'maximize'
  | 'restore'
  | 'setBounds'
  | 'setFullScreen'
  | 'setKiosk'
  | 'setMenuBarVisibility'
  | 'setMinimumSize'
  | 'show'
>

/** What a window needs from the module that opens it. */
interface Host {
  readonly app: EventEmitter & { readonly windows: FakeWindow[]; endBySystem(): void }
  readonly ipcMain: FakeIpcMain
  fetch(url: string): Promise<Response>
}

/** Window behavior that differs between systems. */
export interface WindowKnobs {
  /** `ready-to-show` is not sent, as with some graphics hardware. */
  isNeverReady?: boolean
  /** The first load waits for this. */
  holdLoad?: Promise<unknown>
}

/** A `BrowserWindow`: loads its page through the registered protocol, and runs its real preload. */
export class FakeWindow extends EventEmitter implements Calls {
  /** The window as a test sees it; main gets `asSeenByMain`. */
  readonly contents: FakeWebContents
  readonly webContents: FakeWebContents
  /** This window as main gets it. */
  readonly asSeenByMain: FakeWindow
  /** The calls made on the window, in order. */
  readonly history: string[] = []
  bounds: Rectangle
  minimumSize: [number, number]
  #isMaximized = false
  #isMinimized = false
  #isDestroyed = false
  #isVisible: boolean
  #isFullScreen = false
  #isKiosk = false
  #isFocused = false

  constructor(
    private readonly electron: Host,
    readonly options: BrowserWindowConstructorOptions,
    { isNeverReady = false, holdLoad }: WindowKnobs,
    createContents: (source: PageSource) => FakeWebContents,
  ) {
    super()
    const { x = 0, y = 0, width = 800, height = 600, minWidth = 0, minHeight = 0, show = true } = options
    this.minimumSize = [minWidth, minHeight]
    this.bounds = { x, y, width: Math.max(width, minWidth), height: Math.max(height, minHeight) }
    this.#isVisible = show
    this.contents = createContents({
      preload: options.webPreferences?.preload,
      fetch: (url) => electron.fetch(url),
      invoke: (from) => (channel, args) => electron.ipcMain.deliver(from.id, from.mainFrame, channel, args),
      hold: holdLoad,
    })
    this.webContents = untilDestroyed(this.contents, this.contents.isDestroyed)
    this.asSeenByMain = untilDestroyed(this, this.isDestroyed)
    this.contents.on('did-finish-load', () => {
      if (!isNeverReady) this.emit('ready-to-show')
    })
    electron.app.windows.push(this)
    electron.app.emit('web-contents-created', preventable({}), this.webContents)
  }

  /** The document on display. */
  get document(): string {
    return this.contents.document
  }

  loadURL(url: string): Promise<void> {
    this.history.push(`load ${url.startsWith('data:') ? 'data:' : url}`)
    return this.contents.load(url)
  }

  show(): void {
    this.history.push('show')
    this.#isVisible = true
  }
  focus(): void {
    this.history.push('focus')
    this.#isFocused = true
  }
  isDestroyed = (): boolean => this.#isDestroyed
  isFocused = (): boolean => this.#isFocused
  isFullScreen = (): boolean => this.#isFullScreen
  /** On Windows and Linux kiosk mode is the same as full screen. */
  isKiosk = (): boolean => (process.platform === 'darwin' ? this.#isKiosk : this.#isFullScreen)
  isMaximized = (): boolean => this.#isMaximized
  isMinimized = (): boolean => this.#isMinimized
  isVisible = (): boolean => this.#isVisible
  getBounds = (): Rectangle => this.bounds
  getNormalBounds = (): Rectangle => this.bounds

  /** Shows a hidden window as well, as Electron documents. */
  maximize(): void {
    this.history.push('maximize')
    this.#isMaximized = true
    this.#isVisible = true
  }
  restore(): void {
    this.history.push('restore')
    this.#isMinimized = false
  }
  setFullScreen(is: boolean): void {
    const was = this.#isFullScreen
    this.#isFullScreen = is
    if (was && !is) this.emit('leave-full-screen')
  }
  setKiosk(is: boolean): void {
    this.#isKiosk = is
    if (process.platform !== 'darwin') this.setFullScreen(is)
  }
  setMenuBarVisibility(isVisible: boolean): void {
    this.history.push(isVisible ? 'menu bar' : 'no menu bar')
  }
  setMinimumSize(width: number, height: number): void {
    this.minimumSize = [width, height]
  }
  /** Never smaller than the minimum size. */
  setBounds(bounds: Partial<Rectangle>): void {
    const { width, height, ...place } = { ...this.bounds, ...bounds }
    const [minWidth, minHeight] = this.minimumSize
    this.bounds = { ...place, width: Math.max(width, minWidth), height: Math.max(height, minHeight) }
  }

  /** Knob: the person minimizes the window. */
  minimize(): void {
    this.#isMinimized = true
  }
  /** Knob: another program has the keyboard. */
  loseFocus(): void {
    this.#isFocused = false
  }
  /** Knob: the person drags the window away. */
  drag(to: Partial<Rectangle>): void {
    this.bounds = { ...this.bounds, ...to }
    this.emit('moved')
  }
  /** Knob, Windows: the session is about to end, or ends. Returns whether the app refused. */
  sessionEnds(event: 'query-session-end' | 'session-end', reasons: WindowSessionEndEvent['reasons']): boolean {
    const told = preventable({ reasons })
    this.emit(event, told)
    // Windows ends a process that is still running when the last handler returns.
    if (event === 'session-end') this.electron.app.endBySystem()
    return told.defaultPrevented
  }

  close(): void {
    if (!this.closeForQuit()) return
    if (this.electron.app.windows.length === 0) this.electron.app.emit('window-all-closed')
  }

  /** Returns whether the window did close. */
  closeForQuit(): boolean {
    if (this.#isDestroyed) return true
    const event = preventable({})
    this.emit('close', event)
    if (event.defaultPrevented) return false
    this.#end()
    return true
  }

  /** Closes without asking the page. */
  destroy(): void {
    if (this.#isDestroyed) return
    this.#end()
    if (this.electron.app.windows.length === 0) this.electron.app.emit('window-all-closed')
  }

  #end(): void {
    this.#isDestroyed = true
    this.electron.app.windows.splice(this.electron.app.windows.indexOf(this), 1)
    this.contents.destroy()
    this.emit('closed')
  }
}
