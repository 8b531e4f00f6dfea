import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { settleWithin, singleFlight, sleep, withDeadline, withTimeout } from '../../../src-main/async'

const never = new Promise<string>(() => undefined)
const long = 600_000

describe('settleWithin', () => {
  it('says what the promise came to', async () => {
    expect(await settleWithin(Promise.resolve('here'), long)).toEqual({ status: 'fulfilled', value: 'here' })
    const reason = new Error('gone')
    expect(await settleWithin(Promise.reject(reason), long)).toEqual({ status: 'rejected', reason })
  })

  it('gives up after its time, and when the signal aborts or has aborted', async () => {
    expect(await settleWithin(never, 1)).toEqual({ status: 'timeout' })
    const abort = new AbortController()
    const settled = settleWithin(never, Number.POSITIVE_INFINITY, abort.signal)
    abort.abort()
    expect(await settled).toEqual({ status: 'timeout' })
    expect(await settleWithin(never, long, abort.signal)).toEqual({ status: 'timeout' })
  })
})

describe('withTimeout', () => {
  it('gives the value, the rejection, or what stands for a late answer', async () => {
    expect(await withTimeout(Promise.resolve(1), long, () => 2)).toBe(1)
    await expect(withTimeout(Promise.reject(new Error('gone')), long, () => 2)).rejects.toThrow('gone')
    expect(await withTimeout(never, 1, () => 2)).toBe(2)
  })
})

describe('withDeadline', () => {
  it('rejects after its time with a code, and aborts the work', async () => {
    let signal: AbortSignal | undefined
    const work = withDeadline(1, (given) => {
      signal = given
      return never
    })
    await expect(work).rejects.toMatchObject({ code: 'DEADLINE' })
    expect(signal?.aborted).toBe(true)
  })

  it('lets work that ends in time be, and never aborts it', async () => {
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
  it('ends with its time, and early when the signal aborts', async () => {
    await sleep(1, new AbortController().signal)
    const abort = new AbortController()
    const sleeping = sleep(long, abort.signal)
    abort.abort()
    await sleeping
    await sleep(long, abort.signal)
  })
})

describe('singleFlight', () => {
  it('runs once more after a run in which it was asked again, however often', async () => {
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

  it('goes on after a run that failed, and starts nothing once it is stopped', async () => {
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
