import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { silentLog } from '../../../../src-main/core/log'
import { OutageLedger } from '../../../../src-main/outbox/outage-ledger'
import { Outages } from '../../../../src-main/service/outages'
import type { AppError } from '../../../../src-shared/errors'
import type { Result } from '../../../../src-shared/result'
import { order, tag } from '../../../fakes/ids'
import { accepted, complete, importing, rejected, retry, unknown, useDesk } from './desk'

describe('the ledger of outages', () => {
  const desk = useDesk()
  let outages: Outages
  let ledger: OutageLedger
  beforeEach(() => {
    const { db, clock } = desk
    const { serviceClock } = clock
    outages = new Outages({ db, clock, log: silentLog }, serviceClock)
    ledger = new OutageLedger({ db, clock, serviceClock, storeName: 'Store', station: 'till' })
  })
  const span = { from: '2026-11-20T00:00:00.000Z', to: '2026-11-25T00:00:00.000Z' }
  const value = <T>(answer: Result<T, AppError>): T => {
    if (!answer.ok) throw new Error(answer.error.code)
    return answer.value
  }
  const listed = async (of = ledger) => value(await of.list(span))
  const exported = async (of = ledger) => value(await of.export(span))
  const list = async () => (await listed()).outages
  const page = async (after = 0) => {
    const [newest] = await list()
    return value(ledger.page(newest?.id ?? 0, after))
  }
  const settle = (outcome: typeof accepted, ...all: { seq: number }[]) => {
    for (const { seq } of all) {
      desk.outbox.claim()
      desk.outbox.settle(seq, outcome)
    }
  }

  it('counts a refused sale that was taken back as needing attention, not as canceled, until it is sent again', async () => {
    outages.trouble('no-network')
    desk.clock.advance(60_000)
    const refused = desk.put(complete('refused', tag(4)))
    desk.clock.advance(60_000)
    outages.answered()
    settle(rejected, refused)
    desk.outbox.reopen(refused.id, () => undefined)
    expect((await list())[0]?.counts).toMatchObject({ made: 1, attention: 1, canceled: 0 })
    expect((await listed()).sums.open).toBe(1)
    const line = async () => (await page()).lines[0]
    expect(await line()).toMatchObject({ note: 'taken-back', reported: 'no', reason: { code: 'service/refused' } })
    desk.put(complete('again', tag(4)))
    expect((await list())[0]?.counts).toMatchObject({ attention: 0, canceled: 1 })
    expect(await line()).toMatchObject({ note: 'reopened' })
  })

  it('says of everything done when it was done, when it was reported, and where it stands', async () => {
    const before = desk.put(complete('early', tag(1)))
    settle(accepted, before)
    const waits = desk.put(complete('waits', tag(2)))
    settle(retry, waits)
    desk.clock.advance(1_000)
    outages.trouble('no-network')
    desk.clock.advance(60_000)
    const sale = desk.put(complete('sold', tag(3)))
    const refused = desk.put(complete('refused', tag(4)))
    const imported = desk.put(importing(7))
    const withdrawn = desk.put(complete('withdrawn', tag(5)))
    desk.outbox.withdraw(withdrawn.id)
    desk.clock.advance(120_000)
    outages.answered()
    const after = desk.put(complete('after', tag(6)))
    desk.clock.advance(30_000)
    for (const one of [sale, refused, imported, after, waits]) {
      const claimed = desk.outbox.claim()
      desk.outbox.settle(claimed?.seq ?? one.seq, claimed?.seq === refused.seq ? rejected : accepted)
    }

    expect((await list()).map(({ counts }) => counts)).toEqual([
      { made: 4, before: 1, reported: 3, waiting: 0, attention: 1, canceled: 1 },
    ])
    const { lines } = await page()
    const at = (seconds: number) => new Date(Date.parse('2026-11-21T14:00:00Z') + seconds * 1_000).toISOString()
    expect(
      lines.map((line) => [line.orderId ?? line.kind, line.performedAt, line.reportedAt, line.delayMs, line.state]),
    ).toEqual([
      ['waits', at(0), at(211), 211_000, 'accepted'],
      ['sold', at(61), at(211), 150_000, 'accepted'],
      ['refused', at(61), null, null, 'rejected'],
      ['import', at(61), at(211), 150_000, 'accepted'],
      ['withdrawn', at(61), null, null, 'cancelled'],
    ])
    expect(lines.map(({ isBefore }) => isBefore)).toEqual([true, false, false, false, false])
    expect((await listed()).sums).toEqual({ lengthMs: 180_000, reported: 3, open: 1 })
    expect(JSON.stringify(await exported())).not.toContain('early')
  })

  it('lists what is done while it lasts, and has no negative delay after a clock was set back', async () => {
    outages.trouble('refused')
    const sale = desk.put(complete('1', tag(1)))
    expect(await page()).toMatchObject({ outage: { to: null, counts: { made: 1, waiting: 1 } }, hasMore: false })
    desk.clock.advance(-3_600_000)
    settle(accepted, sale)
    const [line] = (await page()).lines
    expect(line).toMatchObject({ delayMs: 0, reportedAt: line?.performedAt, isDoubtful: true })
    outages.answered()
  })

  it('says of a report without a clear answer that it is not known whether the service has it', async () => {
    outages.trouble('timed-out')
    const { outbox } = desk
    const one = (name: string, n: number) => {
      const { seq, id } = desk.put(complete(name, tag(n)))
      return { seq, id }
    }
    const queued = one('queued', 1)
    const lost = one('lost', 2)
    const givenUp = one('given up', 3)
    const refused = one('refused', 4)
    const withdrawn = one('withdrawn', 5)
    const sending = one('sending', 6)
    const unclear = one('unclear', 7)
    outbox.withdraw(withdrawn.id)
    for (let claimed = outbox.claim(); claimed; claimed = outbox.claim()) {
      if (claimed.seq === lost.seq || claimed.seq === unclear.seq || claimed.seq === givenUp.seq)
        outbox.settle(claimed.seq, unknown)
      if (claimed.seq === queued.seq) outbox.settle(claimed.seq, retry)
      if (claimed.seq === refused.seq) outbox.settle(claimed.seq, rejected)
    }
    desk.db.prepare('UPDATE operation SET unsettled = 1 WHERE seq IN (?, ?)').run(unclear.seq, givenUp.seq)
    expect(outbox.dismiss(givenUp.id, 'no longer needed')).toMatchObject({ ok: true })
    const { lines } = await page()
    expect(
      Object.fromEntries(lines.map(({ orderId, reported, reportedAt }) => [orderId, [reported, reportedAt]])),
    ).toEqual({
      queued: ['no', null],
      lost: ['unknown', null],
      'given up': ['unknown', null],
      refused: ['no', null],
      withdrawn: ['no', null],
      sending: ['unknown', null],
      unclear: ['unknown', null],
    })
    expect(lines.find(({ seq }) => seq === sending.seq)?.state).toBe('sending')
  })

  describe('whose clock is set', () => {
    const hour = 3_600_000
    const half = hour / 2
    beforeEach(() => {
      vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] })
    })
    afterEach(() => {
      vi.useRealTimers()
    })
    let trueNow = 0
    const pass = (ms: number) => {
      trueNow += ms
      desk.clock.advance(ms)
      vi.advanceTimersByTime(ms)
    }
    const answer = () => {
      const { clock } = desk
      clock.serviceClock.seen(new Date(trueNow).toUTCString(), clock.now(), clock.now())
      outages.answered()
    }
    /** A sale in an outage of an hour, at a station whose clock is known to be off and is set right in the middle. */
    const soldWhileOff = (off: number) => {
      const { clock } = desk
      trueNow = clock.now()
      clock.advance(off)
      answer()
      outages.trouble('no-network')
      const sale = desk.put(complete('1', tag(1)))
      pass(half)
      clock.advance(-off)
      pass(half)
      return sale
    }
    /** The first line with its times in seconds after the sale: the service's clock is known to a second. */
    const line = async () => {
      const { outage, lines } = await page()
      const [first] = lines
      const after = (at: string | null | undefined) =>
        Math.round((Date.parse(at ?? '') - Date.parse(first?.performedAt ?? '')) / 1_000)
      const { delayMs = null, isDoubtful } = first ?? {}
      const delay = Math.round((delayMs ?? Number.NaN) / 1_000)
      return { ended: after(outage.to), reported: after(first?.reportedAt), delay, isDoubtful }
    }

    it.each([hour, -hour])('gives the right time of a report whose clock was off by %i ms until then', async (off) => {
      const sale = soldWhileOff(off)
      answer()
      settle(accepted, sale)
      expect(await line()).toEqual({ ended: 3_600, reported: 3_600, delay: 3_600, isDoubtful: false })
      pass(3 * hour)
      desk.put(complete('2', tag(2)))
      // Nothing tells any more that a clock that was slow was not set right only after the report.
      const ambiguous = { ended: 3_600, reported: 7_200, delay: 7_200, isDoubtful: true }
      const known = { ended: 3_600, reported: 3_600, delay: 3_600, isDoubtful: false }
      expect(await line()).toEqual(off > 0 ? known : ambiguous)
    })

    it.each([-5 * hour, 20 * hour])(
      'says that a time is not certain, if the clock was off by %i ms only then',
      async (off) => {
        const sale = soldWhileOff(0)
        answer()
        desk.clock.advance(off)
        settle(accepted, sale)
        desk.clock.advance(-off)
        expect(await line()).toEqual({ ended: 3_600, reported: 3_600, delay: 3_600, isDoubtful: true })
      },
    )

    it('was reported after the outage, also a report that waited when that began', async () => {
      desk.clock.advance(hour)
      trueNow = desk.clock.now() - hour
      answer()
      settle(retry, desk.put(complete('1', tag(1))))
      pass(half)
      outages.trouble('no-network')
      desk.clock.advance(-hour)
      pass(hour)
      answer()
      desk.outbox.retryAll()
      const claimed = desk.outbox.claim()
      desk.outbox.settle(claimed?.seq ?? 0, accepted)
      expect(await line()).toEqual({ ended: 5_400, reported: 5_400, delay: 5_400, isDoubtful: false })
    })

    it('may have been reported during the outage only if a person said so', async () => {
      const sale = soldWhileOff(0)
      desk.outbox.claim()
      desk.outbox.settle(sale.seq, unknown)
      desk.db.exec('UPDATE operation SET unsettled = 1')
      expect(desk.outbox.confirm(sale.id)).toMatchObject({ ok: true })
      pass(half)
      answer()
      expect(await line()).toEqual({ ended: 5_400, reported: 3_600, delay: 3_600, isDoubtful: false })
    })
  })

  it('says nothing of a report that was refused before it began', async () => {
    const refused = desk.put(complete('1', tag(1)))
    settle(rejected, refused)
    outages.trouble('refused')
    expect((await list())[0]?.counts).toMatchObject({ before: 0, attention: 0 })
  })

  it('gives thousands of reports page by page, each once, and all of them in the file', async () => {
    outages.trouble('no-network')
    desk.outbox.enqueueMany(
      Array.from({ length: 3_000 }, (_, n) => ({ payload: complete(`order ${n}`, tag(1_000 + n)) })),
    )
    desk.clock.advance(600_000)
    outages.answered()
    const seqs: number[] = []
    for (let more = true; more;) {
      const { lines, hasMore } = await page(seqs.at(-1) ?? 0)
      expect(lines.length).toBeLessThanOrEqual(200)
      seqs.push(...lines.map(({ seq }) => seq))
      more = hasMore
    }
    expect(seqs).toHaveLength(3_000)
    expect(new Set(seqs).size).toBe(3_000)
    const file = await exported()
    expect(file.outages[0]?.lines).toHaveLength(3_000)
    expect(file.left).toBe(0)
  })

  it('never names a customer, and refuses an outage that there is not', async () => {
    outages.trouble('refused')
    desk.put({ kind: 'complete', orderId: order('1'), tagIds: [tag(1)], customerId: 'sealed:customer' })
    expect(JSON.stringify([await page(), await exported()])).not.toContain('sealed:customer')
    expect(ledger.page(7, 0)).toEqual({ ok: false, error: { code: 'outbox/no-outage' } })
  })

  it('shows a report that this version cannot read', async () => {
    outages.trouble('refused')
    desk.put(complete('1', tag(1)))
    desk.db.exec(`UPDATE operation SET payload = '{'`)
    desk.db.exec(`UPDATE operation SET kind = 'teleport'`)
    expect((await page()).lines).toMatchObject([{ kind: 'unreadable', reportedAt: null }])
  })

  it('has all outages of the span in the file, and sums over all of them, each report once', async () => {
    const waits = desk.put(complete('waits', tag(1)))
    settle(retry, waits)
    for (let n = 0; n < 150; n++) {
      outages.trouble('no-network')
      desk.clock.advance(10_000)
      outages.answered()
      desk.clock.advance(60_000)
    }
    const { outages: shown, total, sums } = await listed()
    expect([shown.length, total]).toEqual([100, 150])
    expect(sums).toEqual({ lengthMs: 1_500_000, reported: 0, open: 1 })
    const file = await exported()
    expect([file.outages.length, file.leftOutages, file.left]).toEqual([150, 0, 0])
    const began = file.outages.map(({ outage }) => outage.id)
    expect(began).toEqual([...began].sort((one, other) => one - other))
    expect(file.outages.every(({ lines }) => lines.length === 1)).toBe(true)
  })

  it('lets other work run while it reads, and says what does not fit into the file', async () => {
    outages.trouble('no-network')
    desk.outbox.enqueueMany(Array.from({ length: 1_200 }, (_, n) => ({ payload: complete(`order ${n}`, tag(n)) })))
    desk.clock.advance(600_000)
    outages.answered()
    let turns = 0
    const { db, clock } = desk
    const pausing = new OutageLedger({
      ...{ db, clock, serviceClock: clock.serviceClock, storeName: 'Store', station: 'till' },
      pause: () => Promise.resolve(turns++),
    })
    const [outage] = (await exported(pausing)).outages
    expect(new Set(outage?.lines.map(({ seq }) => seq)).size).toBe(1_200)
    expect(turns).toBeGreaterThanOrEqual(3)
    turns = 0
    expect((await listed(pausing)).sums.open).toBe(1_200)
    expect(turns).toBeGreaterThanOrEqual(3)
    const insert = db.prepare(
      `INSERT INTO outage (began_at, seen_at, ended_at, cause, last_seq) VALUES (?, ?, ?, 'refused', 0)`,
    )
    db.transaction(() => {
      for (let n = 1; n <= 5_010; n++) insert.run(clock.now() + n, clock.now() + n, clock.now() + n + 1)
    })()
    const file = await exported(pausing)
    // The oldest are left out, and counted.
    expect([file.outages.length, file.leftOutages]).toEqual([5_000, 11])
    expect(file.outages[0]?.outage.id).toBe(clock.now() + 11)
  })

  it('has the reports of the newest outages if not all of them fit, in order', async () => {
    for (const [n, many] of [3, 4, 5].entries()) {
      outages.trouble('no-network')
      for (let k = 0; k < many; k++) settle(accepted, desk.put(complete(`order ${n} ${k}`, tag(10 * n + k))))
      desk.clock.advance(60_000)
      outages.answered()
      desk.clock.advance(60_000)
    }
    const { db, clock } = desk
    const small = { db, clock, serviceClock: clock.serviceClock, storeName: 'Store', station: 'till', mostLines: 7 }
    const file = await exported(new OutageLedger(small))
    expect(file.outages.map(({ lines }) => lines.map(({ orderId }) => orderId?.slice(6)))).toEqual([
      [],
      ['1 0', '1 1'],
      ['2 0', '2 1', '2 2', '2 3', '2 4'],
    ])
    expect(file.left).toBe(5)
  })

  it('says in its file whose outages it lists, if the store has other stations', async () => {
    const { db, clock } = desk
    const alone = await exported(ledger)
    expect([alone.fileName, alone.station, alone.isOfMany]).toEqual([
      expect.stringMatching(/^outages-\d{4}-\d\d-\d\d\.csv$/),
      'till',
      false,
    ])
    const shared = await exported(
      new OutageLedger({
        ...{ db, clock, serviceClock: clock.serviceClock, storeName: 'Store', station: 'till' },
        stationInStore: () => 'Front 1/2',
      }),
    )
    expect([shared.fileName, shared.station, shared.isOfMany]).toEqual([
      expect.stringMatching(/^outages-Front-1-2-\d{4}-\d\d-\d\d\.csv$/),
      'Front 1/2',
      true,
    ])
  })

  it('breaks off if the station is closed while it reads', async () => {
    outages.trouble('refused')
    const { db, clock } = desk
    const closing = new OutageLedger({
      ...{ db, clock, serviceClock: clock.serviceClock, storeName: 'Store', station: 'till' },
      pause: () => Promise.resolve(db.close()),
    })
    expect(await closing.export(span)).toEqual({ ok: false, error: { code: 'app/reopened' } })
  })
})
