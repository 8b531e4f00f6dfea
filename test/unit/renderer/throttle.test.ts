import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { debounce, throttle } from '../../../src-renderer/ui/throttle'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('a throttled run', () => {
  it('happens soon after the first call, and at most twice a second while calls keep coming', () => {
    const run = vi.fn()
    const throttled = throttle(run)
    throttled()
    vi.advanceTimersByTime(99)
    expect(run).not.toHaveBeenCalled()
    for (let ms = 0; ms < 2_000; ms += 10) {
      throttled()
      vi.advanceTimersByTime(10)
    }
    expect(run).toHaveBeenCalledTimes(4)
  })

  it('is skipped if it already ran for another reason, and the interval restarts from that run', () => {
    const run = vi.fn()
    const throttled = throttle(run)
    throttled()
    throttled.reset()
    vi.advanceTimersByTime(1_000)
    expect(run).not.toHaveBeenCalled()
    throttled.reset()
    throttled()
    vi.advanceTimersByTime(499)
    expect(run).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(run).toHaveBeenCalledTimes(1)
  })
})

describe('a debounced run', () => {
  it('happens once calls pause, and not after it was canceled', () => {
    const run = vi.fn()
    const debounced = debounce(run)
    for (let letter = 0; letter < 5; letter++) {
      debounced()
      vi.advanceTimersByTime(200)
    }
    expect(run).not.toHaveBeenCalled()
    vi.advanceTimersByTime(50)
    expect(run).toHaveBeenCalledTimes(1)
    debounced()
    debounced.cancel()
    vi.advanceTimersByTime(1_000)
    expect(run).toHaveBeenCalledTimes(1)
  })
})
