import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { silentLog } from '../../../../src-main/core/log'
import { createConnection } from '../../../../src-main/service/connection'
import type { Reply } from '../../../../src-main/service/reply'
import { type HandClock, handClock } from '../../../fakes/clock'

const answered: Reply = { kind: 'answer', status: 200, body: { kind: 'none' }, retryAfterMs: null }
const failing: Reply = { ...answered, status: 502 }
const refused: Reply = { ...answered, status: 401 }
const page: Reply = { ...answered, body: { kind: 'page' } }
const cut: Reply = { kind: 'no-answer', code: 'ECONNRESET', sent: true }

describe('the connection state, derived from requests', () => {
  let clock: HandClock
  let told: string[]
  let outages: number[]
  const start = (onChange: (now: string) => void = () => undefined) =>
    createConnection({
      clock,
      onChange: ({ now }) => {
        onChange(now)
      },
      onAnswering: () => told.push('answering'),
      onRecovery: (outageMs) => {
        told.push('recovery')
        outages.push(outageMs)
      },
      log: silentLog,
    })

  beforeEach(() => {
    clock = handClock()
    told = []
    outages = []
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('is slow from 2.5 s without an answer, and until an answer comes in time', () => {
    vi.useFakeTimers()
    const connection = start()
    const state = () => connection.view().state
    connection.asked(false)(answered)
    const late = connection.asked(false)
    vi.advanceTimersByTime(2_499)
    expect(state()).toBe('online')
    vi.advanceTimersByTime(1)
    expect(state()).toBe('slow')
    expect([connection.isAnswering(), connection.isOutOfReach()]).toEqual([true, false])
    late(answered)
    expect(state()).toBe('slow')
    connection.asked(false)(answered)
    expect(state()).toBe('online')
    // A slow answer ends an outage too, and slowness alone is none.
    connection.asked(false)(cut)
    const first = connection.asked(false)
    vi.advanceTimersByTime(3_000)
    expect(state()).toBe('unreachable')
    first(answered)
    expect(state()).toBe('slow')
    expect(told).toEqual(['answering'])
    // An upload takes long on any line, and the account of another product says nothing of the line.
    connection.asked(false)(answered)
    connection.asked(true)
    connection.asked(false)(null)
    vi.advanceTimersByTime(60_000)
    expect(state()).toBe('online')
  })

  it('announces nothing for the first answer', () => {
    start().note(answered)
    expect(told).toEqual([])
  })

  it('announces a recovery after a long outage, but only an answer after a short one', () => {
    const connection = start()
    connection.note(cut)
    clock.advance(1_999)
    connection.note(answered)
    expect(told).toEqual(['answering'])
    connection.note(cut)
    clock.advance(2_000)
    connection.note(answered)
    expect(told).toEqual(['answering', 'answering', 'recovery'])
  })

  it('measures an outage from its start, however often its cause changes', () => {
    const connection = start()
    for (const trouble of [cut, failing, page, cut]) {
      connection.note(trouble)
      clock.advance(500)
    }
    connection.note(answered)
    expect(told).toEqual(['answering', 'recovery'])
  })

  it("counts this station's own sign-in as no outage of the service", () => {
    const connection = start()
    connection.note(cut)
    clock.advance(60_000)
    connection.note(answered)
    clock.advance(60_000)
    connection.note(refused)
    clock.advance(60_000)
    connection.note(answered)
    expect(outages).toEqual([60_000, 0])
  })

  it('announces at most one recovery in 20 s, but every answer', () => {
    const connection = start()
    for (let outage = 0; outage < 4; outage++) {
      connection.note(cut)
      clock.advance(6_000)
      connection.note(answered)
    }
    expect(told.filter((one) => one === 'answering')).toHaveLength(4)
    expect(told.filter((one) => one === 'recovery')).toHaveLength(1)
    clock.advance(20_000)
    connection.note(cut)
    clock.advance(2_000)
    connection.note(answered)
    expect(told.at(-1)).toBe('recovery')
  })

  it('announces a recovery at once when credentials are accepted again', () => {
    const connection = start()
    connection.note(refused)
    connection.note(answered)
    expect(told).toEqual(['answering', 'recovery'])
  })

  it.each([
    ['an outage', (connection: ReturnType<typeof start>) => connection.note(cut)],
    ['the time since a recovery', () => undefined],
  ])('counts %s as long if the clock is set back meanwhile', (_, before) => {
    const connection = start()
    connection.note(cut)
    clock.advance(2_000)
    connection.note(answered)
    told = []
    clock.advance(30_000)
    before(connection)
    clock.advance(-3_600_000)
    connection.note(failing)
    clock.advance(2_000)
    connection.note(answered)
    expect(told).toEqual(['answering', 'recovery'])
  })

  it.each(['too-large', 'too-deep', 'encoding', 'broken'] as const)('is failing after an answer that is %s', (why) => {
    const connection = start()
    connection.note({ ...answered, body: { kind: 'unusable', why } })
    expect(connection.view().state).toBe('failing')
  })

  it('keeps working if a listener throws', () => {
    const connection = start((now) => {
      if (now === 'unreachable') throw new Error('disk full')
    })
    expect(() => {
      connection.note(cut)
    }).not.toThrow()
    expect(connection.view().state).toBe('unreachable')
    clock.advance(2_000)
    connection.note(answered)
    expect(told).toContain('recovery')
  })
})
