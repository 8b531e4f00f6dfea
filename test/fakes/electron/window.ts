import { EventEmitter } from 'node:events'
import type { BrowserWindow, BrowserWindowConstructorOptions, Rectangle } from 'electron'
import { preventable } from './event'
import type { FakeElectron } from './index'
import { FakePage } from './page'
import { FakeWebContents } from './web-contents'

type Calls = Pick<
  BrowserWindow,
  | 'close'
  | 'focus'
  | 'getNormalBounds'
  | 'isDestroyed'
  | 'isMaximized'
  | 'isMinimized'
  | 'loadURL'
  | 'maximize'
  | 'restore'
  | 'show'
>

/** A `BrowserWindow`: loads its page through the registered protocol, and runs its real preload. */
export class FakeWindow extends EventEmitter implements Calls {
  /** What was done to it, in order. */
  readonly history: string[] = []
  /** The document that it shows. */
  document = ''
  bounds: Rectangle
  #isMaximized = false
  #isMinimized = false
  #isDestroyed = false

  constructor(
    private readonly electron: FakeElectron,
    readonly options: BrowserWindowConstructorOptions,
    readonly webContents = new FakeWebContents(),
  ) {
    super()
    const { x = 0, y = 0, width = 800, height = 600 } = options
    this.bounds = { x, y, width, height }
    electron.app.windows.push(this)
    electron.app.emit('web-contents-created', preventable({}), this.webContents)
  }

  async loadURL(url: string): Promise<void> {
    this.history.push(`load ${url.startsWith('data:') ? 'data:' : url}`)
    const response = await this.electron.fetch(url)
    if (!response.ok) throw new Error(`ERR_FAILED (${response.status}) loading '${url}'`)
    this.document = await response.text()
    const { webContents } = this
    // As Chromium serialises the origin of a scheme registered as standard; data: has none.
    const { protocol, host } = new URL(url)
    Object.assign(webContents.mainFrame, { url, origin: protocol === 'data:' ? 'null' : `${protocol}//${host}` })
    const preload = this.options.webPreferences?.preload
    if (preload !== undefined) {
      webContents.page = new FakePage(preload, (channel, args) =>
        this.electron.ipcMain.deliver(webContents.id, webContents.mainFrame, channel, args),
      )
    }
    this.emit('ready-to-show')
  }

  show = (): void => void this.history.push('show')
  focus = (): void => void this.history.push('focus')
  isDestroyed = (): boolean => this.#isDestroyed
  isMaximized = (): boolean => this.#isMaximized
  isMinimized = (): boolean => this.#isMinimized
  getNormalBounds = (): Rectangle => this.bounds

  maximize(): void {
    this.history.push('maximize')
    this.#isMaximized = true
  }

  restore(): void {
    this.history.push('restore')
    this.#isMinimized = false
  }

  /** Knob: the person minimises it. */
  minimize(): void {
    this.#isMinimized = true
  }

  close(): void {
    this.closeForQuit()
    if (this.electron.app.windows.length === 0) this.electron.app.emit('window-all-closed')
  }

  closeForQuit(): void {
    this.emit('close', preventable({}))
    this.#isDestroyed = true
    this.electron.app.windows.splice(this.electron.app.windows.indexOf(this), 1)
    this.emit('closed')
  }
}
