import type { BrowserWindowConstructorOptions } from 'electron'
import { preventable } from '../event'
import type { FakeElectron } from '../index'
import { FakeWebContents } from '../web-contents'
import { FakeWindow } from '../window'
import type { Line } from './line'
import { Loaded } from './questions'

/** Chromium's numbers of what a load fails with (net/base/net_error_list.h), those that may be met here. */
const errorNumbers: Readonly<Record<string, number>> = {
  ERR_ABORTED: -3,
  ERR_BLOCKED_BY_CLIENT: -20,
  ERR_NAME_NOT_RESOLVED: -105,
  ERR_INTERNET_DISCONNECTED: -106,
  ERR_UNKNOWN_URL_SCHEME: -302,
  ERR_HTTP_RESPONSE_CODE_FAILURE: -379,
}

class ChromiumContents extends FakeWebContents {
  constructor(private readonly windows: Line) {
    super()
  }

  override send(channel: string, ...args: unknown[]): void {
    this.windows.tell('send', { window: this.id, channel, args })
  }

  override reload(): void {
    super.reload()
    this.windows.tell('reload', { window: this.id })
  }
}

/** A `BrowserWindow` whose page is one of a real Chromium, at the other end of the line. The rest is the fake's. */
export class ChromiumWindow extends FakeWindow {
  readonly #windows: Line
  #wasReady = false

  constructor(electron: FakeElectron, options: BrowserWindowConstructorOptions, windows: Line) {
    super(electron, options, new ChromiumContents(windows))
    this.#windows = windows
    const { id } = this.webContents
    windows.tell('open', { window: id, preload: options.webPreferences?.preload })
    this.on('closed', () => {
      windows.tell('close', { window: id })
    })
  }

  override async loadURL(url: string): Promise<void> {
    this.history.push(`load ${url.startsWith('data:') ? 'data:' : url}`)
    const contents = this.webContents
    const { error, frame } = Loaded.parse(await this.#windows.ask('load', { window: contents.id, url }))
    if (error !== null) {
      const code = error in errorNumbers ? error : 'ERR_FAILED'
      const errno = errorNumbers[code] ?? -2
      contents.emit('did-fail-load', preventable({}), errno, code, url, true)
      throw Object.assign(new Error(`${code} (${errno}) loading '${url}'`), { code, errno, url })
    }
    this.document = frame.url
    Object.assign(contents.mainFrame, frame)
    contents.emit('did-finish-load')
    if (this.#wasReady) return
    this.#wasReady = true
    this.emit('ready-to-show')
  }
}
