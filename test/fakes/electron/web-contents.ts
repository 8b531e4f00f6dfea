import { EventEmitter } from 'node:events'
import type {
  ContextMenuParams,
  PrintToPDFOptions,
  RenderProcessGoneDetails,
  WebContents,
  WebContentsConsoleMessageEventParams,
  WebContentsWillNavigateEventParams,
  WindowOpenHandlerResponse,
} from 'electron'
import { preventable } from './event'
import type { FakeFrame } from './ipc'
import { type LoadFailure, Loading, aborted, failed } from './loading'
import { FakePage, type Invoke } from './page'

/** A page's attempts that main may refuse. */
export type Attempt = 'will-navigate' | 'will-frame-navigate' | 'will-redirect' | 'will-attach-webview'

type Calls = Pick<
  WebContents,
  | 'forcefullyCrashRenderer'
  | 'getURL'
  | 'getZoomLevel'
  | 'id'
  | 'isCrashed'
  | 'isDestroyed'
  | 'printToPDF'
  | 'reload'
  | 'send'
  | 'setZoomLevel'
>

/** What a page is loaded with. */
export interface PageSource {
  preload: string | undefined
  fetch: (url: string) => Promise<Response>
  invoke: (from: FakeWebContents) => Invoke
  /** Knob: the current load waits for this. */
  hold?: Promise<unknown> | undefined
}

/** A loaded page. */
export interface OpenedPage {
  document: string
  frame: Pick<FakeFrame, 'origin' | 'url'>
  /** Runs the page's preload. */
  start: () => void
}

/** The `webContents` of a window, with a knob for everything that a page could try or that could happen to it. */
export class FakeWebContents extends EventEmitter implements Calls {
  static #lastId = 0
  readonly id = ++FakeWebContents.#lastId
  readonly mainFrame: FakeFrame = { origin: 'null', url: '', parent: null }
  page: FakePage | undefined
  /** The document on display. */
  document = ''
  reloads = 0
  /** How often main ended the page's process. */
  forcedCrashes = 0
  /** With which options the page was made a PDF. */
  readonly printed: PrintToPDFOptions[] = []
  /** Knob: no PDF can be made of the page. */
  cannotPrint = false
  #openHandler: ((details: { url: string }) => WindowOpenHandlerResponse) | undefined
  #loading: Loading | undefined
  #isCrashed = false
  #isDestroyed = false
  #isInGone = false
  #zoomLevel = 0

  constructor(protected readonly source: PageSource) {
    super()
  }

  isDestroyed = (): boolean => this.#isDestroyed
  isCrashed = (): boolean => this.#isCrashed
  getURL = (): string => this.mainFrame.url
  getZoomLevel = (): number => this.#zoomLevel
  setZoomLevel(level: number): void {
    this.#zoomLevel = level
  }

  printToPDF(options: PrintToPDFOptions): Promise<Buffer> {
    if (this.#isCrashed || this.cannotPrint) return Promise.reject(new Error('Failed to generate PDF'))
    this.printed.push(options)
    return Promise.resolve(Buffer.from('%PDF-1.4\n%%EOF'))
  }

  send(channel: string, ...args: unknown[]): void {
    if (this.#isCrashed) throw new Error('Render frame was disposed before WebFrameMain could be accessed')
    this.page?.receive(channel, args)
  }

  /** Another load aborts the current one. */
  load(url: string): Promise<void> {
    this.#loading?.fail(aborted)
    const loading = new Loading(url)
    this.#loading = loading
    void this.#fetch(loading)
    return loading.promise
  }

  reload(): void {
    this.reloads += 1
    // Electron can't start another process for a page while it reports the end of the previous one.
    if (this.#isInGone) return
    // Only a page that was shown can be reloaded.
    if (this.mainFrame.url !== '') void this.load(this.mainFrame.url)
  }

  async #fetch(loading: Loading): Promise<void> {
    await this.source.hold
    const opened = await this.open(loading.url)
    // The load was aborted meanwhile.
    if (loading.isOver) return
    if ('errno' in opened) {
      loading.fail(opened)
      this.emit('did-fail-load', preventable({}), opened.errno, opened.code, loading.url, true, 1, 1)
      return
    }
    this.#isCrashed = false
    this.document = opened.document
    Object.assign(this.mainFrame, opened.frame)
    opened.start()
    loading.finish()
    this.emit('did-finish-load')
  }

  /** Opens an address as the page does; returns the result. */
  protected async open(url: string): Promise<OpenedPage | LoadFailure> {
    const document = await this.#documentAt(url)
    if (document === undefined) return failed
    const { preload, invoke } = this.source
    // As Chromium serializes the origin of a scheme registered as standard; data: has none.
    const { protocol, host } = new URL(url)
    return {
      document,
      frame: { url, origin: protocol === 'data:' ? 'null' : `${protocol}//${host}` },
      start: () => {
        if (preload === undefined) return
        try {
          this.page = new FakePage(preload, invoke(this))
        } catch (cause) {
          this.emit('preload-error', preventable({}), preload, cause)
        }
      },
    }
  }

  async #documentAt(url: string): Promise<string | undefined> {
    try {
      const response = await this.source.fetch(url)
      return response.ok ? await response.text() : undefined
    } catch {
      return undefined
    }
  }

  setWindowOpenHandler(handler: (details: { url: string }) => WindowOpenHandlerResponse): void {
    this.#openHandler = handler
  }

  forcefullyCrashRenderer(): void {
    this.forcedCrashes += 1
    // Like any process, it ends a little later.
    setImmediate(() => {
      this.loseProcess({ reason: 'killed', exitCode: 9 })
    })
  }

  /** Called by the contents' window. */
  destroy(): void {
    this.#isDestroyed = true
    this.#loading?.fail(failed)
    this.emit('destroyed')
  }

  /** Knob: whether the attempt would go through. */
  attempt(what: Attempt, url: string): boolean {
    const params: WebContentsWillNavigateEventParams = { url, isSameDocument: false, isMainFrame: true, frame: null }
    const event = preventable(params)
    this.emit(what, event, url)
    return !event.defaultPrevented
  }

  /** Knob: the page calls `location.reload()`, which is like any other navigation by the page. */
  reloadItself(): void {
    if (this.attempt('will-navigate', this.mainFrame.url)) this.reloads += 1
  }

  /** Knob: whether `window.open(url)` would open a window. Without a handler Electron opens it. */
  openWindow(url: string): boolean {
    return this.#openHandler?.({ url }).action !== 'deny'
  }

  /** Knob: the renderer process ends. A load in progress fails. */
  loseProcess(details: RenderProcessGoneDetails): void {
    if (this.#isDestroyed) return
    this.#isCrashed = true
    this.page = undefined
    this.#isInGone = true
    this.emit('render-process-gone', preventable({}), details)
    this.#isInGone = false
    this.#loading?.fail(failed)
  }

  /** Knob: a right click, or a long press. */
  openContextMenu(params: Partial<ContextMenuParams>): void {
    const { isEditable = false, selectionText = '', x = 0, y = 0, ...rest } = params
    this.emit('context-menu', preventable({}), { isEditable, selectionText, x, y, frame: null, ...rest })
  }

  /** Knob: the page writes to its console. */
  say(params: Pick<WebContentsConsoleMessageEventParams, 'level' | 'message'>): void {
    this.emit('console-message', preventable({ lineNumber: 1, sourceId: 'app://countertag/main.js', ...params }))
  }
}
