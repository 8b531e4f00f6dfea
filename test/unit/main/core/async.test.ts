import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { settleWithin, singleFlight, sleep, withDeadline, withTimeout } from '../../../../src-main/core/async'

const never = new Promise<string>(() => undefined)
const long = 600_000

describe('settleWithin', () => {
  it('returns the outcome of the promise', async () => {
    expect(await settleWithin(Promise.resolve('here'), long)).toEqual({ status: 'fulfilled', value: 'here' })
    const reason = new Error('gone')
    expect(await settleWithin(Promise.reject(reason), long)).toEqual({ status: 'rejected', reason })
  })

  it('gives up after the timeout, and when the signal aborts or is already aborted', async () => {
    expect(await settleWithin(never, 1)).toEqual({ status: 'timeout' })
    const abort = new AbortController()
    const settled = settleWithin(never, Number.POSITIVE_INFINITY, abort.signal)
    abort.abort()
    expect(await settled).toEqual({ status: 'timeout' })
    expect(await settleWithin(never, long, abort.signal)).toEqual({ status: 'timeout' })
  })
})

describe('withTimeout', () => {
  it('returns the value, the rejection, or the fallback for a late answer', async () => {
    expect(await withTimeout(Promise.resolve(1), long, () => 2)).toBe(1)
    await expect(withTimeout(Promise.reject(new Error('gone')), long, () => 2)).rejects.toThrow('gone')
    expect(await withTimeout(never, 1, () => 2)).toBe(2)
  })
})

describe('withDeadline', () => {
  it('rejects with a code after the deadline, and aborts the work', async () => {
    let signal: AbortSignal | undefined
    const work = withDeadline(1, (given) => {
      signal = given
      return never
    })
    await expect(work).rejects.toMatchObject({ code: 'DEADLINE' })
    expect(signal?.aborted).toBe(true)
  })

  it('never aborts work that ends in time', async () => {
    let signal: AbortSignal | undefined
    const work = withDeadline(long, (given) => {
      signal = given
      return Promise.resolve('done')
    })
    expect(await work).toBe('done')
    expect(signal?.aborted).toBe(false)
  })
})

describe('sleep', () => {
  it('ends after its time, or early when the signal aborts', async () => {
    await sleep(1, new AbortController().signal)
    const abort = new AbortController()
    const sleeping = sleep(long, abort.signal)
    abort.abort()
    await sleeping
    await sleep(long, abort.signal)
  })
})

describe('singleFlight', () => {
  it('runs only once more after the current run, however often it was requested meanwhile', async () => {
    const ends: (() => void)[] = []
    const flight = singleFlight(
      () => new Promise((resolve) => ends.push(resolve)),
      () => undefined,
    )
    flight.ask()
    flight.ask()
    flight.ask()
    expect(ends).toHaveLength(1)
    ends[0]?.()
    await setImmediate()
    expect(ends).toHaveLength(2)
    ends[1]?.()
    await setImmediate()
    expect(ends).toHaveLength(2)
    flight.ask()
    expect(ends).toHaveLength(3)
  })

  it('continues after a failed run, and starts nothing once stopped', async () => {
    const errors: unknown[] = []
    let runs = 0
    const flight = singleFlight(
      () => {
        runs += 1
        return Promise.reject(new Error('failed'))
      },
      (cause) => errors.push(cause),
    )
    flight.ask()
    await setImmediate()
    flight.ask()
    await flight.stop()
    flight.ask()
    expect([runs, errors.length]).toEqual([2, 2])
  })
})
