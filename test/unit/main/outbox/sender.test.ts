import type { KeychainCode } from '../../../../src-main/credentials/keychain'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Database } from 'better-sqlite3'
import { silentLog } from '../../../../src-main/core/log'
import { type SenderParts, Sender } from '../../../../src-main/outbox/sender'
import { Outbox } from '../../../../src-main/outbox/outbox'
import type { Reply } from '../../../../src-main/service/reply'
import { openStore } from '../../../../src-main/database/open'
import { createServiceClock, systemClock } from '../../../../src-main/core/clock'
import type { AppErrorOf } from '../../../../src-shared/errors'
import { err, ok } from '../../../../src-shared/result'
import { CaseDetail } from '../../../../src-shared/service/collections'
import { handClock } from '../../../fakes/clock'
import { caseOf, order, packageUid, tag, thing } from '../../../fakes/ids'
import { eventsOf } from '../../../fakes/events'

const done: Reply = {
  kind: 'answer',
  status: 200,
  body: { kind: 'json', value: { status: 'success' } },
  retryAfterMs: null,
}
const silence: Reply = { kind: 'no-answer', code: 'ECONNREFUSED', sent: false }

/** A fake service whose next answers the test sets. */
function fakeClient() {
  let answer: () => Promise<Reply> = () => Promise.resolve(done)
  const reports: string[] = []
  const bodies: unknown[] = []
  let onTheWire = 0
  let most = 0
  const unread = () => Promise.reject(new Error('not read here'))
  const client: SenderParts['client'] = {
    collections: { get: unread },
    // Nothing can be read, so the answer to the resent report decides.
    items: { get: (id) => Promise.resolve(err({ code: 'service/not-found', id })) },
    packageUids: { cases: unread },
    cases: { get: (id) => Promise.resolve(err({ code: 'service/not-found', id })) },
    async report({ path, body }) {
      reports.push(path)
      bodies.push(body)
      most = Math.max(most, ++onTheWire)
      try {
        return await answer()
      } finally {
        onTheWire--
      }
    },
  }
  return { client, reports, bodies, most: () => most, answerWith: (next: () => Promise<Reply>) => (answer = next) }
}

/** A fake seal; the test sets whether sealed texts can be opened. */
function fakeSeal() {
  let error: AppErrorOf<KeychainCode | 'outbox/customer-lost'> | undefined
  return {
    seal: { reveal: (text: string) => Promise.resolve(error ? err(error) : ok(`${text} opened`)) },
    refuse: (next: typeof error) => (error = next),
  }
}

describe('the sender', () => {
  let db: Database
  let outbox: Outbox
  let sender: Sender
  let service: ReturnType<typeof fakeClient>
  let sealed: ReturnType<typeof fakeSeal>
  /** No pauses, so that tests waiting in real time are fast. */
  let jitter = 0

  beforeEach(() => {
    db = openStore(':memory:').db
    const { serviceClock } = handClock()
    outbox = new Outbox({
      db,
      events: eventsOf(db),
      clock: systemClock,
      serviceClock,
      caseOf: () => undefined,
      log: silentLog,
      random: () => jitter,
    })
    service = fakeClient()
    sealed = fakeSeal()
    sender = new Sender({
      outbox,
      client: service.client,
      caseOf: () => undefined,
      ownDispensaryId: null,
      seal: sealed.seal,
      clock: systemClock,
      serviceClock,
      log: silentLog,
    })
  })
  afterEach(async () => {
    await sender.stop(0)
    db.close()
  })

  const sell = (n: number) => outbox.enqueue({ kind: 'complete', orderId: order(n), tagIds: [tag(n)] })
  const unsent = () => outbox.read.counts().unsent

  it('sends all reports, eight at a time', async () => {
    service.answerWith(async () => {
      await new Promise((resolve) => setTimeout(resolve, 5))
      return done
    })
    for (let n = 0; n < 30; n++) sell(n)
    sender.wake()
    await vi.waitFor(() => {
      expect(unsent()).toBe(0)
    })
    expect(service.reports).toHaveLength(30)
    expect(service.most()).toBe(8)
  })

  it('knows how long a report has been on the wire', async () => {
    let answer: (reply: Reply) => void = () => undefined
    service.answerWith(() => new Promise((resolve) => (answer = resolve)))
    expect(sender.longestOnWireMs()).toBeNull()
    sell(1)
    sender.wake()
    await vi.waitFor(() => {
      expect(sender.longestOnWireMs()).toBeGreaterThan(5)
    })
    answer(done)
    await vi.waitFor(() => {
      expect(sender.longestOnWireMs()).toBeNull()
    })
  })

  const sellTo = (customerId: string, n: number) => {
    const saved = outbox.enqueue({ kind: 'complete', orderId: order(n), tagIds: [tag(n)], customerId })
    if (!saved.ok) throw new Error(saved.error.code)
    return saved.value.id
  }

  it.each(['locked', 'denied', 'failing', 'missing'] as const)(
    'keeps a sale with its customer while the keychain is %s, says why, and sends the other reports',
    async (trouble) => {
      sealed.refuse({ code: `keychain/${trouble}` })
      const id = sellTo('C-1', 1)
      sell(2)
      sender.wake()
      await vi.waitFor(() => {
        expect(unsent()).toBe(1)
        expect(outbox.read.byId(id)).toMatchObject({ state: 'queued', reason: { code: `keychain/${trouble}` } })
      })
      expect(service.reports).toHaveLength(1)
      expect(sender.isHeldUp()).toBe(false)

      sealed.refuse(undefined)
      sender.recovered()
      await vi.waitFor(() => {
        expect(unsent()).toBe(0)
      })
      expect(service.bodies).toMatchObject([{}, { customer_id: 'C-1 opened' }])
    },
  )

  it('lets a person decide whether to send a sale without its lost customer', async () => {
    sealed.refuse({ code: 'outbox/customer-lost' })
    const id = sellTo('C-1', 1)
    sender.wake()
    await vi.waitFor(() => {
      expect(outbox.read.byId(id)).toMatchObject({ state: 'rejected', reason: { code: 'outbox/customer-lost' } })
    })
    expect(service.reports).toEqual([])

    outbox.retry(id)
    sender.wake()
    await vi.waitFor(() => {
      expect(outbox.read.byId(id)?.state).toBe('accepted')
    })
    expect(service.bodies).toHaveLength(1)
    expect(service.bodies[0]).not.toHaveProperty('customer_id')
  })

  it('includes the customer if the key is back, even after a person allowed sending without', async () => {
    sealed.refuse({ code: 'outbox/customer-lost' })
    const id = sellTo('C-1', 1)
    sender.wake()
    await vi.waitFor(() => {
      expect(outbox.read.byId(id)?.state).toBe('rejected')
    })
    sealed.refuse(undefined)
    outbox.retry(id)
    sender.wake()
    await vi.waitFor(() => {
      expect(outbox.read.byId(id)?.state).toBe('accepted')
    })
    expect(service.bodies).toMatchObject([{ customer_id: 'C-1 opened' }])
  })

  it("judges the certificate of an unread case by the service's clock", async () => {
    await sender.stop(0)
    // The computer is two hours slow: for it, the certificate's last day isn't over yet.
    const clock = handClock(new Date(2026, 10, 21, 23).getTime())
    const serviceClock = createServiceClock({ offset: 2 * 3_600_000 })
    const detail = CaseDetail.parse({
      uuid: caseOf(1),
      identifier: 'C',
      collection_type: 'case',
      items: [{ tag_id: tag(1), product_uuid: thing(1) }],
      packaged_products: [{ uuid: thing(1), product_uuid: thing(1), digital_coa_uuids: [thing(2)] }],
      digital_coas: [{ uuid: thing(2), report_expires_on: '2026-11-21T00:00:00Z' }],
    })
    sender = new Sender({
      outbox,
      client: { ...service.client, cases: { get: () => Promise.resolve(ok(detail)) } },
      caseOf: () => undefined,
      ownDispensaryId: null,
      clock,
      serviceClock,
      log: silentLog,
    })
    const saved = outbox.enqueue({
      kind: 'blind-import',
      scanned: 'LABEL',
      caseId: null,
      packageUid: packageUid(1),
      posProductId: 'P',
      posInventoryId: 'I',
    })
    sender.wake()
    await vi.waitFor(() => {
      expect(saved.ok && outbox.read.byId(saved.value.id)).toMatchObject({
        state: 'rejected',
        reason: { code: 'receiving/bad-certificate', caseId: caseOf(1) },
      })
    })
    expect(service.reports).toEqual([])
  })

  it('tries one operation as soon as any request is answered, while the circuit breaker is open', async () => {
    await sender.stop(0)
    // The clock stands still, so no pause of the circuit breaker ends by itself.
    const clock = handClock()
    sender = new Sender({
      outbox,
      client: service.client,
      caseOf: () => undefined,
      ownDispensaryId: null,
      clock,
      serviceClock: clock.serviceClock,
      log: silentLog,
      random: () => 0.1,
    })
    service.answerWith(() => Promise.resolve(silence))
    sell(1)
    sender.wake()
    await vi.waitFor(() => {
      expect(sender.isHeldUp()).toBe(true)
    })
    sell(2)
    sender.wake()
    // Lets everything that is ready run, without a timer, which could elapse early on a busy machine.
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
    expect(service.reports).toHaveLength(1)
    // Only the first report is answered; the ones after it wait.
    let asked = 0
    service.answerWith(() => (++asked === 1 ? Promise.resolve(done) : new Promise(() => undefined)))
    sender.answering()
    await vi.waitFor(() => {
      expect(unsent()).toBe(1)
    })
    expect(sender.isHeldUp()).toBe(false)
  })

  it('claims nothing more once stopped, and waits for reports on the wire', async () => {
    let release: (reply: Reply) => void = () => undefined
    service.answerWith(() => new Promise((resolve) => (release = resolve)))
    sell(1)
    sender.wake()
    await vi.waitFor(() => {
      expect(service.reports).toHaveLength(1)
    })
    const stopped = sender.stop(5_000)
    sell(2)
    sender.wake()
    release(done)
    await stopped
    expect(service.reports).toHaveLength(1)
    expect(outbox.read.counts().unsent).toBe(1)
  })

  it('waits without a limit for reports on the wire if told to', async () => {
    let release: (reply: Reply) => void = () => undefined
    service.answerWith(() => new Promise((resolve) => (release = resolve)))
    sell(1)
    sender.wake()
    await vi.waitFor(() => {
      expect(service.reports).toHaveLength(1)
    })
    let isQuiet = false
    const stopped = sender.stop(Number.POSITIVE_INFINITY).then(() => (isQuiet = true))
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(isQuiet).toBe(false)
    release(done)
    await stopped
    expect(outbox.read.counts().unsent).toBe(0)
  })

  it('never sends an unreadable operation', async () => {
    const saved = sell(1)
    db.prepare(`UPDATE operation SET payload = 'rubbish'`).run()
    sender.wake()
    await vi.waitFor(() => {
      expect(outbox.read.counts()).toMatchObject({ unsent: 0, attention: 1 })
    })
    expect(service.reports).toEqual([])
    expect(saved.ok && outbox.read.byId(saved.value.id)?.reason).toEqual({ code: 'outbox/unreadable' })
  })

  describe('when attempts fail', () => {
    beforeEach(() => {
      vi.useFakeTimers()
      jitter = 0.5
    })
    afterEach(() => {
      vi.useRealTimers()
      jitter = 0
    })

    it('retries after attempts that throw', async () => {
      let failures = 0
      service.answerWith(() => {
        failures++
        return failures < 5 ? Promise.reject(new Error('a bug')) : Promise.resolve(done)
      })
      sell(1)
      sender.wake()
      await vi.advanceTimersByTimeAsync(8_000)
      expect(unsent()).toBe(0)
      expect(failures).toBe(5)
    })

    it('retries saving an outcome that the store refused, without sending twice', async () => {
      sell(1)
      const settle = vi.spyOn(outbox, 'settle').mockImplementationOnce(() => {
        throw new Error('the disk is full')
      })
      sender.wake()
      await vi.advanceTimersByTimeAsync(8_000)
      expect(unsent()).toBe(0)
      expect(settle).toHaveBeenCalledTimes(2)
      expect(service.reports).toHaveLength(1)
    })

    it("retries if the service didn't answer", async () => {
      let asked = 0
      service.answerWith(() => Promise.resolve(++asked < 3 ? silence : done))
      sell(1)
      sender.wake()
      await vi.advanceTimersByTimeAsync(8_000)
      expect(unsent()).toBe(0)
      expect(asked).toBe(3)
    })

    it.each([
      ['by an exception', () => Promise.reject(new Error('a bug'))],
      ['for want of a connection', () => Promise.resolve(silence)],
      ['with 500', () => Promise.resolve<Reply>({ ...done, status: 500 })],
      ['with a web page', () => Promise.resolve<Reply>({ ...done, body: { kind: 'page' } })],
    ])('still retries after 100 s and after an hour, %s, and sends once it works', async (_, answer) => {
      service.answerWith(answer)
      sell(1)
      sender.wake()
      await vi.advanceTimersByTimeAsync(100_000)
      const afterAWhile = service.reports.length
      expect(afterAWhile).toBeGreaterThan(2)
      await vi.advanceTimersByTimeAsync(3_500_000)
      expect(service.reports.length).toBeGreaterThan(afterAWhile + 30)
      service.answerWith(() => Promise.resolve(done))
      await vi.advanceTimersByTimeAsync(65_000)
      expect(unsent()).toBe(0)
    })

    it("sends a single trial while the service can't be reached, and all reports once it can", async () => {
      service.answerWith(() => Promise.resolve(silence))
      for (let n = 0; n < 500; n++) sell(n)
      sender.wake()
      await vi.advanceTimersByTimeAsync(3_600_000)
      // Without the trial, each of 500 would be tried every half a minute: 60,000 attempts.
      expect(service.reports.length).toBeLessThan(300)
      expect(sender.isHeldUp()).toBe(true)
      service.answerWith(() => Promise.resolve(done))
      sender.recovered()
      await vi.advanceTimersByTimeAsync(1_000)
      expect(unsent()).toBe(0)
    })

    it.each([
      ['reports that fail', () => service.answerWith(() => Promise.resolve<Reply>({ ...done, status: 500 }))],
      ['a keychain that denies', () => sealed.refuse({ code: 'keychain/denied' })],
    ])('leaves %s their own pauses after an outage, and no fresh report waits for them', async (_, spoil) => {
      const reveal = vi.spyOn(sealed.seal, 'reveal')
      jitter = 1
      spoil()
      outbox.enqueue({ kind: 'complete', orderId: order(1), tagIds: [tag(1)], customerId: 'sealed' })
      sender.wake()
      await vi.advanceTimersByTimeAsync(60_000)
      reveal.mockClear()
      sender.recovered(3_600_000)
      await vi.advanceTimersByTimeAsync(900_000)
      // Its pauses are a minute long by now; at the pace it would be tried every four seconds.
      expect(reveal.mock.calls.length).toBeGreaterThan(10)
      expect(reveal.mock.calls.length).toBeLessThan(40)
      sender.recovered(3_600_000)
      await vi.advanceTimersByTimeAsync(15_000)
      expect(sender.isHeldUp()).toBe(false)
    })

    it('shows a fresh report as on its way after "too many requests", but not behind a queue', async () => {
      service.answerWith(() => Promise.resolve<Reply>({ ...done, status: 429 }))
      sell(1)
      sender.wake()
      await vi.advanceTimersByTimeAsync(10)
      expect(sender.isHeldUp()).toBe(false)
      for (let n = 2; n < 50; n++) sell(n)
      sender.recovered(3_600_000)
      expect(sender.isHeldUp()).toBe(true)
    })

    it('sends 400 good reports although 30 are answered with a web page', async () => {
      let sold = 0
      for (let n = 0; n < 430; n++) sell(n)
      service.answerWith(() => {
        const isBad = sold++ < 30
        return Promise.resolve<Reply>(isBad ? { ...done, status: 403, body: { kind: 'page' } } : done)
      })
      sender.wake()
      await vi.advanceTimersByTimeAsync(40_000)
      expect(unsent()).toBe(0)
    })

    it('looks for work only when an operation is due', async () => {
      const claim = vi.spyOn(outbox, 'claim')
      service.answerWith(() => new Promise((resolve) => setTimeout(() => resolve(silence), 10_000)))
      for (let n = 0; n < 3; n++) sell(n)
      sender.wake()
      await vi.advanceTimersByTimeAsync(120_000)
      expect(claim.mock.calls.length).toBeLessThan(100)
    })

    it('ignores times written before the clock was set back by less than an hour', async () => {
      service.answerWith(() => Promise.resolve<Reply>({ ...done, status: 500 }))
      for (let n = 0; n < 3; n++) sell(n)
      sender.wake()
      await vi.advanceTimersByTimeAsync(120_000)
      vi.setSystemTime(Date.now() - 50 * 60_000)
      service.answerWith(() => Promise.resolve(done))
      await vi.advanceTimersByTimeAsync(65_000)
      expect(unsent()).toBe(0)
    })

    it('is not delayed by repeated "Send now", and sends at the first attempt that works', async () => {
      service.answerWith(() => Promise.resolve(silence))
      sell(1)
      sender.wake()
      for (let n = 0; n < 50; n++) {
        sender.sendNow()
        await vi.advanceTimersByTimeAsync(100)
      }
      expect(service.reports.length).toBeGreaterThan(40)
      service.answerWith(() => Promise.resolve(done))
      sender.sendNow()
      await vi.advanceTimersByTimeAsync(100)
      expect(unsent()).toBe(0)
    })
  })
})
