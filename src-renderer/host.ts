import type { Wire } from '../src-shared/ipc/client'

/** `starting`: not reached yet; `lost`: it was, and is tried again; `refused`: the link's one use is over. */
export type Reach = 'starting' | 'open' | 'lost' | 'refused'

/** The page's connection to main: Electron's preload, or a WebSocket to the browser host. */
export interface Host {
  wire: Wire
  /** Calls back at once with the current state, and on every change, until the returned function is called. */
  onReach(listener: (reach: Reach) => void): () => void
}

declare global {
  interface Window {
    /** Set by Electron's preload. */
    countertag?: Wire
  }
}

/** Uses Electron's preload if there is one, otherwise a WebSocket to the browser host. */
export function openHost(page: Window): Host {
  const preload = page.countertag
  if (isWire(preload)) {
    return {
      wire: preload,
      onReach(listener) {
        listener('open')
        return () => undefined
      },
    }
  }
  return new BrowserHost({
    pageUrl: page.location.href,
    forgetToken: () => page.history.replaceState(null, '', page.location.pathname),
    fetch: (url, options) => page.fetch(url, options),
    open: (url) => new WebSocket(url),
  })
}

function isWire(value: unknown): value is Wire {
  return (
    typeof value === 'object' &&
    value !== null &&
    'invoke' in value &&
    typeof value.invoke === 'function' &&
    'subscribe' in value &&
    typeof value.subscribe === 'function'
  )
}

/** The parts of the page that the wire uses. */
export interface BrowserPage {
  pageUrl: string
  /** Removes the one-time token from the address bar, so that no bookmark or history keeps it. */
  forgetToken(): void
  fetch(url: string, options: RequestInit): Promise<{ status: number }>
  open(url: string): Pick<WebSocket, 'addEventListener' | 'send' | 'close'>
}

const sessionRefused = 4401
const shortestPause = 500
const longestPause = 5_000

interface Pending {
  resolve(answer: unknown): void
  reject(reason: Error): void
}

/**
 * The wire to the browser host: gets a session for the link's one-time token, then opens a WebSocket and reopens it
 * whenever it closes. Calls in flight are then rejected: only main knows whether they were done.
 */
export class BrowserHost implements Host {
  readonly wire: Wire = {
    invoke: (call, input) => this.#invoke(call, input),
    subscribe: (event, listener) => this.#subscribe(event, listener),
  }
  readonly #page: BrowserPage
  readonly #address: URL
  readonly #token: string
  readonly #pending = new Map<number, Pending>()
  readonly #listeners = new Map<string, Set<(payload: unknown) => void>>()
  readonly #watchers = new Set<(reach: Reach) => void>()
  #reach: Reach = 'starting'
  #socket: ReturnType<BrowserPage['open']> | undefined
  #lastId = 0
  #pause = shortestPause

  constructor(page: BrowserPage) {
    this.#page = page
    this.#address = new URL(page.pageUrl)
    this.#token = decodeURIComponent(this.#address.hash.slice(1))
    void this.#start()
  }

  onReach(listener: (reach: Reach) => void): () => void {
    this.#watchers.add(listener)
    listener(this.#reach)
    return () => void this.#watchers.delete(listener)
  }

  async #start(): Promise<void> {
    if (this.#token !== '') {
      await this.#askForSession()
      this.#page.forgetToken()
    }
    this.#connect()
  }

  /** Whether this browser has a session, or gets one now; `undefined` if the host does not answer. */
  async #askForSession(): Promise<boolean | undefined> {
    try {
      const body = JSON.stringify({ token: this.#token })
      const headers = { 'content-type': 'application/json' }
      const answer = await this.#page.fetch('/session', { method: 'POST', credentials: 'same-origin', headers, body })
      return answer.status === 401 ? false : answer.status < 400
    } catch {
      return undefined
    }
  }

  #connect(): void {
    const { protocol, host } = this.#address
    const opened = this.#page.open(`${protocol === 'https:' ? 'wss' : 'ws'}://${host}/ipc`)
    let wasOpen = false
    opened.addEventListener('open', () => {
      wasOpen = true
      this.#socket = opened
      this.#pause = shortestPause
      this.#setReach('open')
    })
    opened.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (typeof data === 'string') this.#receive(data)
    })
    opened.addEventListener('close', ({ code }) => void this.#closed(code, wasOpen))
  }

  async #closed(code: number, wasOpen: boolean): Promise<void> {
    this.#socket = undefined
    for (const asked of this.#pending.values()) asked.reject(new Error('The line to main closed'))
    this.#pending.clear()
    if (code === sessionRefused) {
      this.#setReach('refused')
      return
    }
    this.#setReach('lost')
    // A refused upgrade looks like a host that is down; the session's address tells them apart.
    if (!wasOpen && (await this.#askForSession()) === false) {
      this.#setReach('refused')
      return
    }
    setTimeout(() => this.#connect(), this.#pause)
    this.#pause = Math.min(this.#pause * 2, longestPause)
  }

  #setReach(next: Reach): void {
    if (next === this.#reach) return
    this.#reach = next
    for (const watcher of this.#watchers) watcher(next)
  }

  #receive(text: string): void {
    // Not by a schema: this file is loaded before the rest of the page, without zod. What is inside is parsed by the client.
    const message = readJson(text)
    if (typeof message !== 'object' || message === null) return
    if ('id' in message && 'answer' in message && typeof message.id === 'number') {
      this.#pending.get(message.id)?.resolve(message.answer)
      this.#pending.delete(message.id)
    } else if ('event' in message && 'payload' in message && typeof message.event === 'string') {
      for (const listener of this.#listeners.get(message.event) ?? []) listener(message.payload)
    }
  }

  #invoke(call: string, input: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (!this.#socket) {
        reject(new Error('No line to main'))
        return
      }
      const id = ++this.#lastId
      this.#pending.set(id, { resolve, reject })
      this.#socket.send(JSON.stringify({ id, call, input }))
    })
  }

  #subscribe(event: string, listener: (payload: unknown) => void): () => void {
    const ofEvent = this.#listeners.get(event) ?? new Set()
    this.#listeners.set(event, ofEvent.add(listener))
    return () => void ofEvent.delete(listener)
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
