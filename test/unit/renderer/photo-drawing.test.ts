import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { drawInWorker } from '../../../src-renderer/receiving/photos/photo-drawing'

/** A worker that does what a test says. */
class FakeWorker extends EventTarget {
  static readonly all: FakeWorker[] = []
  isEnded = false
  constructor() {
    super()
    FakeWorker.all.push(this)
  }
  postMessage = () => undefined
  terminate() {
    this.isEnded = true
  }
}

const photo = () => ({ bytes: new ArrayBuffer(8), type: 'jpeg', pixels: 4, most: { side: 2, bytes: 100 } }) as const
const worker = () => {
  const one = FakeWorker.all.at(-1)
  if (!one) throw new Error('no worker was started')
  return one
}

describe('a photo that is drawn in a worker', () => {
  beforeEach(() => {
    FakeWorker.all.length = 0
    vi.useFakeTimers()
    vi.stubGlobal('Worker', FakeWorker)
  })
  afterEach(() => {
    vi.unstubAllGlobals()
    vi.useRealTimers()
  })

  it('is given up after a minute without an answer, and the worker is ended', async () => {
    const drawn = drawInWorker(photo())
    await vi.advanceTimersByTimeAsync(59_999)
    expect(worker().isEnded).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(await drawn).toEqual({ ok: false, error: 'time' })
    expect(worker().isEnded).toBe(true)
  })

  it('comes back from the worker, which is ended then too', async () => {
    const drawn = drawInWorker(photo())
    const value = new Blob(['small'])
    worker().dispatchEvent(new MessageEvent('message', { data: { ok: true, value } }))
    expect(await drawn).toEqual({ ok: true, value })
    expect([worker().isEnded, vi.getTimerCount()]).toEqual([true, 0])
  })

  it.each(['error', 'messageerror'])('is damaged if the worker fails: %s', async (event) => {
    const drawn = drawInWorker(photo())
    worker().dispatchEvent(new Event(event))
    expect(await drawn).toEqual({ ok: false, error: 'damaged' })
    expect([worker().isEnded, vi.getTimerCount()]).toEqual([true, 0])
  })
})
