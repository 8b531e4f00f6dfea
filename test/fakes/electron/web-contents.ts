import { EventEmitter } from 'node:events'
import type {
  RenderProcessGoneDetails,
  WebContents,
  WebContentsWillNavigateEventParams,
  WindowOpenHandlerResponse,
} from 'electron'
import { preventable } from './event'
import type { FakeFrame } from './ipc'
import type { FakePage } from './page'

let lastId = 0

/** What a page tries, and main may refuse. */
export type Attempt = 'will-navigate' | 'will-frame-navigate' | 'will-redirect' | 'will-attach-webview'

/** The `webContents` of a window, with a knob for everything a page could try. */
export class FakeWebContents extends EventEmitter implements Pick<WebContents, 'id' | 'reload' | 'send'> {
  readonly id = ++lastId
  readonly mainFrame: FakeFrame = { origin: 'null', url: '', parent: null }
  page: FakePage | undefined
  reloads = 0
  #openHandler: ((details: { url: string }) => WindowOpenHandlerResponse) | undefined

  send(channel: string, ...args: unknown[]): void {
    this.page?.receive(channel, args)
  }

  reload(): void {
    this.reloads += 1
  }

  setWindowOpenHandler(handler: (details: { url: string }) => WindowOpenHandlerResponse): void {
    this.#openHandler = handler
  }

  /** Knob: whether the attempt would go through. */
  attempt(what: Attempt, url: string): boolean {
    const params: WebContentsWillNavigateEventParams = { url, isSameDocument: false, isMainFrame: true, frame: null }
    const event = preventable(params)
    this.emit(what, event, url)
    return !event.defaultPrevented
  }

  /** Knob: the page calls `location.reload()`, which is a navigation as any other of its own. */
  reloadItself(): void {
    if (this.attempt('will-navigate', this.mainFrame.url)) this.reloads += 1
  }

  /** Knob: whether `window.open(url)` would open a window. Without a handler Electron opens it. */
  openWindow(url: string): boolean {
    return this.#openHandler?.({ url }).action !== 'deny'
  }

  /** Knob: the renderer process ends. */
  loseProcess(details: RenderProcessGoneDetails): void {
    this.emit('render-process-gone', preventable({}), details)
  }
}
