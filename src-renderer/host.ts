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
  return createBrowserWire({
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
export function createBrowserWire(page: BrowserPage): Host {
  const address = new URL(page.pageUrl)
  const token = decodeURIComponent(address.hash.slice(1))
  const pending = new Map<number, Pending>()
  const listeners = new Map<string, Set<(payload: unknown) => void>>()
  const watchers = new Set<(reach: Reach) => void>()
  let reach: Reach = 'starting'
  let socket: ReturnType<BrowserPage['open']> | undefined
  let lastId = 0
  let pause = shortestPause

  const setReach = (next: Reach) => {
    if (next === reach) return
    reach = next
    for (const watcher of watchers) watcher(next)
  }

  /** Whether this browser has a session, or gets one now; `undefined` if the host does not answer. */
  async function askForSession(): Promise<boolean | undefined> {
    try {
      const body = JSON.stringify({ token })
      const headers = { 'content-type': 'application/json' }
      const answer = await page.fetch('/session', { method: 'POST', credentials: 'same-origin', headers, body })
      return answer.status === 401 ? false : answer.status < 400
    } catch {
      return undefined
    }
  }

  function connect() {
    const opened = page.open(`${address.protocol === 'https:' ? 'wss' : 'ws'}://${address.host}/ipc`)
    let wasOpen = false
    opened.addEventListener('open', () => {
      wasOpen = true
      socket = opened
      pause = shortestPause
      setReach('open')
    })
    opened.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (typeof data === 'string') receive(data)
    })
    opened.addEventListener('close', ({ code }) => void closed(code, wasOpen))
  }

  async function closed(code: number, wasOpen: boolean) {
    socket = undefined
    for (const asked of pending.values()) asked.reject(new Error('The line to main closed'))
    pending.clear()
    if (code === sessionRefused) {
      setReach('refused')
      return
    }
    setReach('lost')
    // A refused upgrade looks like a host that is down; the session's address tells them apart.
    if (!wasOpen && (await askForSession()) === false) {
      setReach('refused')
      return
    }
    setTimeout(connect, pause)
    pause = Math.min(pause * 2, longestPause)
  }

  function receive(text: string) {
    // Not by a schema: this file is loaded before the rest of the page, without zod. What is inside is parsed by the client.
    const message = readJson(text)
    if (typeof message !== 'object' || message === null) return
    if ('id' in message && 'answer' in message && typeof message.id === 'number') {
      pending.get(message.id)?.resolve(message.answer)
      pending.delete(message.id)
    } else if ('event' in message && 'payload' in message && typeof message.event === 'string') {
      for (const listener of listeners.get(message.event) ?? []) listener(message.payload)
    }
  }

  async function start() {
    if (token !== '') {
      await askForSession()
      page.forgetToken()
    }
    connect()
  }

  void start()

  return {
    wire: {
      invoke: (call, input) =>
        new Promise((resolve, reject) => {
          if (!socket) {
            reject(new Error('No line to main'))
            return
          }
          const id = ++lastId
          pending.set(id, { resolve, reject })
          socket.send(JSON.stringify({ id, call, input }))
        }),
      subscribe(event, listener) {
        const ofEvent = listeners.get(event) ?? new Set()
        listeners.set(event, ofEvent.add(listener))
        return () => void ofEvent.delete(listener)
      },
    },
    onReach(listener) {
      watchers.add(listener)
      listener(reach)
      return () => void watchers.delete(listener)
    },
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
