import type { Database } from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ServiceClock, createServiceClock, iso } from '../../../../src-main/core/clock'
import { silentLog } from '../../../../src-main/core/log'
import { mayBeSent } from '../../../../src-main/outbox/moments'
import { Outbox } from '../../../../src-main/outbox/outbox'
import { StationClock } from '../../../../src-main/core/station-clock'
import { openStore } from '../../../../src-main/database/open'
import { tag } from '../../../fakes/ids'
import { complete } from './desk'
import { eventsOf } from '../../../fakes/events'

const minute = 60_000
const hour = 60 * minute
const built = Date.parse('2026-11-10T00:00:00Z')
const now = Date.parse('2026-11-21T14:00:00Z')

describe('whether a report may be sent with its time', () => {
  const right = {
    ...{ at: now - hour, isEntered: false, isEstimate: false, isOurs: false, hasAnswer: true, isReplaced: false },
    ...{ isChecked: true, isNowProven: true, mayAsk: true },
    ...{ confirmedAt: now - 5 * hour, before: now - 2 * hour, now },
  }
  it.each([
    ['a usual one', {}, 'yes'],
    ['one of this process', { isOurs: true, isReplaced: true, before: now }, 'yes'],
    ['an estimate', { isEstimate: true }, 'unknown'],
    ['an estimate before the first answer', { isEstimate: true, hasAnswer: false }, 'later'],
    ['an estimate that a person replaced', { isEstimate: true, isEntered: true }, 'yes'],
    ['one of a clock that may have been set', { isOurs: true, isChecked: false }, 'ask'],
    ['the same, if the service answers without its clock', { isOurs: true, isChecked: false, mayAsk: false }, 'yes'],
    ['one of an earlier process before the first answer', { isChecked: false, hasAnswer: false }, 'ask'],
    ['the future by a clock that may have been set back', { at: now + 3 * minute, isNowProven: false }, 'ask'],
    ['1970', { at: 0 }, 'unknown'],
    ['the future', { at: now + 3 * minute }, 'unknown'],
    ['a minute ahead', { at: now + minute }, 'yes'],
    ['since the clocks last agreed, by a clock that is wrong now', { isReplaced: true }, 'unknown'],
    ['before they last agreed', { isReplaced: true, at: now - 6 * hour, before: null }, 'yes'],
    ['well before an earlier report', { at: now - 3 * hour }, 'unknown'],
    ['the first report', { before: null }, 'yes'],
  ] as const)('%s', (_, change, expected) => {
    expect(mayBeSent({ ...right, ...change })).toBe(expected)
  })
})

describe('the times of reports by a wrong clock', () => {
  let db: Database
  let system: number
  let steady: number
  let outbox: Outbox
  let answer: () => void
  let clock: StationClock
  let serviceClock: ServiceClock

  const start = (lastReport?: number) => {
    clock = new StationClock({ system: { now: () => system }, steady: () => steady, built, lastReport })
    serviceClock = createServiceClock({ station: clock, onAnswer: () => void outbox.correctTimes() })
    outbox = new Outbox({
      db,
      events: eventsOf(db),
      clock,
      stationClock: clock,
      serviceClock,
      caseOf: () => undefined,
      log: silentLog,
    })
    answer = () => {
      serviceClock.seen(new Date(now).toUTCString(), clock.now(), clock.now())
    }
  }
  const pass = (ms: number) => {
    system += ms
    steady += ms
  }
  const sell = (n: number) => {
    const saved = outbox.enqueue(complete(String(n), tag(n)))
    if (!saved.ok) throw new Error(saved.error.code)
    return saved.value
  }
  const one = (seq: number) => outbox.read.bySeq(seq)
  const dayOf = (seq: number) => db.prepare('SELECT at FROM sale_entry WHERE seq = ?').pluck().get(seq)

  beforeEach(() => {
    db = openStore(':memory:').db
    system = 0
    steady = 0
    start()
  })
  afterEach(() => {
    db.close()
  })

  it('corrects them from the first answer on, to the moment and in the day', () => {
    const first = sell(1)
    pass(10 * minute)
    const second = sell(2)
    pass(20 * minute)
    expect(outbox.mayBeSent(first, true)).toBe('later')
    expect(Date.parse(second.performedAt) - Date.parse(first.performedAt)).toBe(10 * minute)
    answer()
    expect([first, second].map(({ seq }) => one(seq).performedAt)).toEqual([
      iso(now + 500 - 30 * minute),
      iso(now + 500 - 20 * minute),
    ])
    expect(dayOf(first.seq)).toBe(now + 500 - 30 * minute)
    expect(outbox.mayBeSent(one(first.seq), true)).toBe('yes')
    const journal = outbox.journalOf(first.id)
    expect(journal.ok && journal.value.map(({ what, actor }) => `${actor} ${what}`)).toEqual([
      'person saved',
      'station dated',
    ])
  })

  it('corrects them when the clock is set while it runs, and again by the service', () => {
    const sale = sell(1)
    pass(10 * minute)
    system = now - hour
    outbox.correctTimes()
    expect(one(sale.seq).performedAt).toBe(iso(now - hour - 10 * minute))
    answer()
    expect(one(sale.seq).performedAt).toBe(iso(now + 500 - 10 * minute))
  })

  it('corrects a sale that was made in 2100 and one three days behind, and not one that was sent', () => {
    system = now - 72 * hour
    start()
    const [behind, sent] = [sell(1), sell(2)]
    system = Date.parse('2100-01-01T00:00:00Z')
    const ahead = sell(3)
    const claimed = [outbox.claim(), outbox.claim()].map((operation) => operation?.seq)
    expect(claimed).toEqual([behind.seq, sent.seq])
    outbox.settle(sent.seq, { kind: 'unknown', reason: { code: 'service/unreachable' }, afterMs: null })
    outbox.settle(behind.seq, { kind: 'retry', reason: { code: 'service/unreachable' }, afterMs: null })
    pass(minute)
    answer()
    expect([behind, ahead].map(({ seq }) => Date.parse(one(seq).performedAt))).toEqual([
      now + 500 - minute,
      now + 500 - minute,
    ])
    expect(one(sent.seq).performedAt).toBe(sent.performedAt)
  })

  it('asks a person after a restart, keeps the order, and sends the time that was entered', () => {
    const first = sell(1)
    pass(minute)
    start(Date.parse(first.performedAt))
    const second = sell(2)
    expect(Date.parse(second.performedAt)).toBeGreaterThanOrEqual(Date.parse(first.performedAt))
    expect(outbox.mayBeSent(one(first.seq), true)).toBe('later')
    answer()
    expect([first, second].map(({ seq }) => outbox.mayBeSent(one(seq), true))).toEqual(['unknown', 'yes'])

    expect(outbox.claim()?.seq).toBe(first.seq)
    outbox.settle(first.seq, { kind: 'rejected', reason: { code: 'outbox/time-unknown' } })
    expect(outbox.actionsOf(one(first.seq))).toEqual(['date', 'reopen', 'dismiss'])
    expect(outbox.date(first.id, now + hour)).toEqual({ ok: false, error: { code: 'outbox/impossible-time' } })
    expect(outbox.date(first.id, 0)).toEqual({ ok: false, error: { code: 'outbox/impossible-time' } })
    expect(outbox.date(first.id, now - hour).ok).toBe(true)
    expect(one(first.seq)).toMatchObject({ state: 'queued', performedAt: iso(now - hour) })
    expect(outbox.mayBeSent(one(first.seq), true)).toBe('yes')
    expect(dayOf(first.seq)).toBe(now - hour)
    expect(outbox.date(first.id, now - hour)).toMatchObject({ ok: false, error: { code: 'outbox/wrong-state' } })
  })

  it('takes the time that a person knows while the clock still shows 1970', () => {
    const sale = sell(1)
    outbox.claim()
    outbox.settle(sale.seq, { kind: 'rejected', reason: { code: 'outbox/time-unknown' } })
    start()
    expect(outbox.date(sale.id, 0)).toEqual({ ok: false, error: { code: 'outbox/impossible-time' } })
    expect(outbox.date(sale.id, now - hour).ok).toBe(true)
    expect(one(sale.seq)).toMatchObject({ state: 'queued', performedAt: iso(now - hour) })
  })

  it('are counted today beside a later report that a person dated days back', () => {
    system = now
    start()
    const sales = [1, 2, 3].map(sell)
    for (const { seq } of sales) {
      outbox.claim()
      outbox.settle(seq, { kind: 'accepted', note: null })
    }
    const last = sell(4)
    outbox.claim()
    outbox.settle(last.seq, { kind: 'rejected', reason: { code: 'outbox/time-unknown' } })
    expect(outbox.date(last.id, now - 72 * hour).ok).toBe(true)
    expect(outbox.read.doneSince(now - hour)).toEqual({ accepted: 3, sales: 3, cancelled: 0 })
  })

  it('corrects a sale after a jump of the clock, however long the answer takes, and leaves one from before the jump alone', () => {
    system = now - 10 * hour
    start()
    const serve = (at: number) => {
      const date = new Date(at).toUTCString()
      serviceClock.seen(date, clock.now(), clock.now())
    }
    serve(system)
    pass(hour)
    const before = sell(1)
    expect(outbox.mayBeSent(before, true)).toBe('yes')
    pass(hour)
    system += 72 * hour
    const after = sell(2)
    pass(hour)
    outbox.correctTimes()
    outbox.correctTimes()
    expect([before, after].map(({ seq }) => outbox.mayBeSent(one(seq), true))).toEqual(['yes', 'ask'])
    serve(now - 7 * hour)
    expect([before, after].map(({ seq }) => one(seq).performedAt)).toEqual([
      before.performedAt,
      iso(now - 8 * hour + 500),
    ])
    expect(outbox.mayBeSent(one(after.seq), true)).toBe('yes')
  })

  it('gives one of an earlier process the present offset if the service was set back, and asks no person', () => {
    system = now - hour
    start()
    const [sale, later] = [sell(1), sell(2)]
    // The service shows two hours less than this computer from now on.
    start()
    pass(hour)
    const serve = (at: number) => {
      serviceClock.seen(new Date(at).toUTCString(), clock.now(), clock.now())
    }
    expect(outbox.mayBeSent(sale, true)).toBe('ask')
    serve(now - 2 * hour)
    db.exec(`CREATE TRIGGER refused BEFORE INSERT ON journal BEGIN SELECT RAISE(ABORT, 'refused by a test'); END`)
    expect(outbox.mayBeSent(one(sale.seq), true)).toBe('later')
    expect(one(sale.seq).performedAt).toBe(sale.performedAt)
    db.exec('DROP TRIGGER refused')
    expect([sale, later].map(({ seq }) => outbox.mayBeSent(one(seq), true))).toEqual(['yes', 'yes'])
    expect(one(sale.seq)).toMatchObject({ state: 'queued', performedAt: iso(now - 3 * hour + 500) })
    expect(dayOf(sale.seq)).toBe(now - 3 * hour + 500)
    const journal = outbox.journalOf(sale.id)
    expect(journal.ok && journal.value.map(({ what, actor }) => `${actor} ${what}`)).toEqual([
      'person saved',
      'station dated',
    ])
  })

  it('asks about one of an earlier process that lies in the future by both clocks', () => {
    system = now + 3 * hour
    start()
    const sale = sell(1)
    system = now
    start()
    answer()
    expect(outbox.mayBeSent(one(sale.seq), true)).toBe('unknown')
    expect(one(sale.seq).performedAt).toBe(sale.performedAt)
  })

  it('corrects one that is being sent until it may be on the wire', () => {
    system = now - 72 * hour
    start()
    const [asking, sent] = [sell(1), sell(2)]
    outbox.claim()
    outbox.claim()
    expect(outbox.mayBeSent(one(asking.seq), true)).toBe('ask')
    expect(outbox.mayBeSent(one(sent.seq), false)).toBe('yes')
    answer()
    expect(one(asking.seq)).toMatchObject({ state: 'sending', performedAt: iso(now + 500) })
    expect(one(sent.seq).performedAt).toBe(sent.performedAt)
    // It came back without having been sent.
    outbox.settle(sent.seq, { kind: 'retry', reason: { code: 'service/unreachable' }, afterMs: null })
    outbox.correctTimes()
    expect(one(sent.seq).performedAt).toBe(iso(now + 500))
  })

  it('leaves right times alone', () => {
    system = now - hour
    start()
    const sale = sell(1)
    pass(hour)
    answer()
    expect(one(sale.seq).performedAt).toBe(sale.performedAt)
    expect(db.prepare(`SELECT count(*) FROM journal WHERE what = 'dated'`).pluck().get()).toBe(0)
  })
})
