import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { BrowserHost } from '../../../src-renderer/host'
import type { Reach } from '../../../src-renderer/host'

/** A socket whose other end is played by the test. */
class FakeSocket extends EventTarget {
  sent: string[] = []
  send(text: string) {
    this.sent.push(text)
  }
  close() {
    this.drop()
  }
  accept() {
    this.dispatchEvent(new Event('open'))
  }
  say(message: unknown) {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) }))
  }
  drop(code = 1006) {
    this.dispatchEvent(Object.assign(new Event('close'), { code }))
  }
}

async function open(hash = '#secret', status: number | 'down' = 204) {
  const sockets: FakeSocket[] = []
  const sessions: string[] = []
  const forgotten: true[] = []
  const reached: Reach[] = []
  const knobs = { status }
  const host = new BrowserHost({
    pageUrl: `http://127.0.0.1:4000/${hash}`,
    forgetToken: () => forgotten.push(true),
    fetch(_url, options) {
      sessions.push(typeof options.body === 'string' ? options.body : '')
      return knobs.status === 'down' ? Promise.reject(new TypeError('down')) : Promise.resolve({ status: knobs.status })
    },
    open() {
      const socket = new FakeSocket()
      sockets.push(socket)
      return socket
    },
  })
  host.onReach((reach) => reached.push(reach))
  await vi.advanceTimersByTimeAsync(0)
  const socket = () => {
    const last = sockets.at(-1)
    if (!last) throw new Error('no socket was opened')
    return last
  }
  return { host, sockets, socket, sessions, forgotten, reached, knobs }
}

describe('the browser wire', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it("exchanges the link's token for a session once, and removes it from the address", async () => {
    const { sessions, forgotten, socket, reached } = await open()
    socket().accept()
    expect(sessions).toEqual(['{"token":"secret"}'])
    expect(forgotten).toHaveLength(1)
    expect(reached).toEqual(['starting', 'open'])
  })

  it('needs no token if the browser already has a session', async () => {
    const { sessions, socket, reached } = await open('')
    socket().accept()
    expect(sessions).toEqual([])
    expect(reached.at(-1)).toBe('open')
  })

  it('matches answers to calls, in any order', async () => {
    const { host, socket } = await open()
    socket().accept()
    const first = host.wire.invoke('app.status', undefined)
    const second = host.wire.invoke('checkout.cart', { mode: 'sale' })
    socket().say({ id: 2, answer: 'second' })
    socket().say({ id: 1, answer: 'first' })
    expect(await Promise.all([first, second])).toEqual(['first', 'second'])
    expect(socket().sent[1]).toBe('{"id":2,"call":"checkout.cart","input":{"mode":"sale"}}')
  })

  it('passes events to current listeners, and ignores unreadable messages', async () => {
    const { host, socket } = await open()
    socket().accept()
    const heard: unknown[] = []
    const stop = host.wire.subscribe('app.status', (payload) => heard.push(payload))
    socket().say({ event: 'app.status', payload: 1 })
    socket().say('nonsense')
    stop()
    socket().say({ event: 'app.status', payload: 2 })
    expect(heard).toEqual([1])
  })

  it('rejects calls in flight when the socket closes, and reopens it with growing pauses', async () => {
    const { host, sockets, socket, reached } = await open()
    socket().accept()
    const asked = host.wire.invoke('app.status', undefined)
    const rejected = expect(asked).rejects.toThrow()
    socket().drop()
    await rejected
    expect(reached.at(-1)).toBe('lost')
    await vi.advanceTimersByTimeAsync(500)
    expect(sockets).toHaveLength(2)
    socket().drop()
    await vi.advanceTimersByTimeAsync(999)
    expect(sockets).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(1)
    expect(sockets).toHaveLength(3)
    socket().accept()
    expect(reached.at(-1)).toBe('open')
  })

  it('gives up when the session is refused', async () => {
    const { socket, reached, sockets } = await open()
    socket().accept()
    socket().drop(4401)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(reached.at(-1)).toBe('refused')
    expect(sockets).toHaveLength(1)
  })

  it('distinguishes a refused link from a host that is down', async () => {
    const used = await open('#used', 401)
    used.socket().drop()
    await vi.advanceTimersByTimeAsync(0)
    expect(used.reached.at(-1)).toBe('refused')

    const down = await open('#new', 'down')
    down.socket().drop()
    await vi.advanceTimersByTimeAsync(0)
    expect(down.reached.at(-1)).toBe('lost')
  })

  it('rejects a call while there is no connection', async () => {
    const { host } = await open()
    await expect(host.wire.invoke('app.status', undefined)).rejects.toThrow()
  })
})
