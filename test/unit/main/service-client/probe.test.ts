import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { err } from '../../../../src-shared/result'
import { silentLog } from '../../../../src-main/core/log'
import { createConnection, createProbe } from '../../../../src-main/service/connection'
import type { Reply } from '../../../../src-main/service/reply'
import { createV12 } from '../../../../src-main/service/v12'
import { handClock } from '../../../fakes/clock'

const answered: Reply = { kind: 'answer', status: 200, body: { kind: 'none' }, retryAfterMs: null }
const cutOff: Reply = { kind: 'no-answer', code: 'ECONNREFUSED', sent: false }

const unasked = {
  list: () => {
    throw new Error('not asked')
  },
  write: () => Promise.reject(new Error('not asked')),
  report: () => Promise.reject(new Error('not asked')),
  send: () => Promise.reject(new Error('not asked')),
  askNow: () => undefined,
}

describe('the probe', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('asks less and less often during an outage, and soon again in the next one', async () => {
    const asked: number[] = []
    let isWatched = false
    const connection = createConnection({
      clock: handClock(),
      onChange: () => undefined,
      onAnswering: () => undefined,
      onRecovery: () => undefined,
      log: silentLog,
    })
    const cut = () => {
      connection.note(cutOff)
    }
    const client = createV12({
      ...unasked,
      read: () => {
        asked.push(Date.now())
        connection.note(isWatched ? answered : cutOff)
        return Promise.resolve(err({ code: 'service/unreachable' }))
      },
    })
    const pausesAfter = async (ms: number) => {
      asked.length = 0
      await vi.advanceTimersByTimeAsync(ms)
      return asked.slice(1).map((at, index) => at - (asked[index] ?? 0))
    }
    cut()
    // So soon after another reply it asks nothing.
    await vi.advanceTimersByTimeAsync(1_000)
    const probe = createProbe(connection, client, silentLog, () => isWatched, { random: () => 1 })
    probe.start()
    expect((await pausesAfter(60_000)).slice(0, 6)).toEqual([3_000, 4_500, 6_750, 10_000, 10_000, 10_000])
    connection.note(answered)
    await vi.advanceTimersByTimeAsync(20_000)
    await pausesAfter(60_000)
    expect(asked).toEqual([])
    // An open page needs to know: an idle station asks about every 10 s, and not while other requests are answered.
    isWatched = true
    const idle = await pausesAfter(60_000)
    expect(idle.length).toBeGreaterThan(3)
    expect(Math.min(...idle)).toBeGreaterThanOrEqual(10_000)
    // "Too many requests", once: a minute of rest, and then as before.
    connection.note({ ...answered, status: 429 })
    const rested = Date.now()
    const afterBusy = await pausesAfter(120_000)
    expect((asked[0] ?? 0) - rested).toBeGreaterThanOrEqual(60_000)
    expect((asked[0] ?? 0) - rested).toBeLessThan(63_000)
    expect(Math.max(...afterBusy)).toBeLessThan(13_000)
    asked.length = 0
    for (let second = 0; second < 30; second++) {
      connection.note(answered)
      await vi.advanceTimersByTimeAsync(1_000)
    }
    expect(asked).toEqual([])
    isWatched = false
    await pausesAfter(60_000)
    expect(asked).toEqual([])
    cut()
    expect((await pausesAfter(20_000)).slice(0, 2)).toEqual([2_000, 3_000])
    probe.stop()
    expect(await pausesAfter(60_000)).toEqual([])
  })

  it('asks soon after a late answer, until one comes in time', async () => {
    const connection = createConnection({
      clock: handClock(),
      onChange: () => undefined,
      onAnswering: () => undefined,
      onRecovery: () => undefined,
      log: silentLog,
    })
    let isLate = true
    const states: string[] = []
    const client = createV12({
      ...unasked,
      read: () => {
        connection.note(answered, isLate)
        states.push(connection.view().state)
        return Promise.resolve(err({ code: 'service/unreachable' }))
      },
    })
    // The rest after "too many requests" is for idle stations.
    connection.note({ ...answered, status: 429 })
    connection.note(answered, true)
    const probe = createProbe(connection, client, silentLog, () => false, { random: () => 1 })
    probe.start()
    await vi.advanceTimersByTimeAsync(6_000)
    expect(states).toEqual(['slow', 'slow'])
    isLate = false
    await vi.advanceTimersByTimeAsync(8_000)
    expect(states).toEqual(['slow', 'slow', 'online'])
    probe.stop()
  })
})
