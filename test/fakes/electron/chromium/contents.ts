import type { LoadFailure } from '../loading'
import { FakeWebContents, type OpenedPage, type PageSource } from '../web-contents'
import type { Line } from './line'
import { Loaded } from './questions'

/** Chromium's error codes for failed loads (net/base/net_error_list.h), those that may occur here. */
const errorNumbers: Readonly<Record<string, number>> = {
  ERR_ABORTED: -3,
  ERR_BLOCKED_BY_CLIENT: -20,
  ERR_NAME_NOT_RESOLVED: -105,
  ERR_INTERNET_DISCONNECTED: -106,
  ERR_UNKNOWN_URL_SCHEME: -302,
  ERR_HTTP_RESPONSE_CODE_FAILURE: -379,
}

/**
 * The `webContents` of a window whose page runs in a real Chromium, at the other end of the line. The rest is the
 * fake's.
 */
export class ChromiumContents extends FakeWebContents {
  readonly #windows: Line

  constructor(source: PageSource, windows: Line) {
    super(source)
    this.#windows = windows
    windows.tell('open', { window: this.id, preload: source.preload })
    this.on('destroyed', () => {
      windows.tell('close', { window: this.id })
    })
  }

  override send(channel: string, ...args: unknown[]): void {
    this.#windows.tell('send', { window: this.id, channel, args })
  }

  protected override async open(url: string): Promise<OpenedPage | LoadFailure> {
    const { error, frame } = Loaded.parse(await this.#windows.ask('load', { window: this.id, url }))
    // The page's preload has run by then.
    if (error === null) return { document: frame.url, frame, start: () => undefined }
    const code = error in errorNumbers ? error : 'ERR_FAILED'
    return { code, errno: errorNumbers[code] ?? -2 }
  }
}
