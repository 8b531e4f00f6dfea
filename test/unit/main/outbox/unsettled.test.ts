import { describe, expect, it } from 'vitest'
import type { Outcome } from '../../../../src-main/outbox/operation'
import { unsettled } from '../../../../src-main/outbox/reconcile'
import { viewOperation } from '../../../../src-main/outbox/views'
import { tag } from '../../../fakes/ids'
import { operationOf } from '../../../fakes/operations'
import { accepted, complete, rejected, returning, seqs, unknown, useDesk, voiding } from './desk'

const doubtful: Outcome = {
  kind: 'unknown',
  reason: { code: 'outbox/unsettled', status: 200, said: 'Blocked' },
  afterMs: null,
  shown: 'other-time',
}

describe('an operation settled neither by answers nor by reading', () => {
  const desk = useDesk()

  /** A sale that needs a person's decision. */
  const put = () => {
    const sale = desk.put(complete('A', tag(1)))
    desk.outbox.claim()
    desk.outbox.settle(sale.seq, doubtful)
    return sale
  }
  const read = (sale: { id: ReturnType<typeof put>['id'] }) => desk.outbox.read.byId(sale.id)
  const viewed = (sale: ReturnType<typeof put>) => {
    const now = read(sale)
    return now && viewOperation(now, desk.outbox, desk.clock)
  }

  it('needs a person and no longer counts as unsent, but is still retried', () => {
    const sale = put()
    expect(desk.outbox.read.counts()).toMatchObject({ unsent: 0, attention: 1, oldestUnsentAt: null })
    expect(seqs(desk.outbox.read.attention(10))).toEqual([sale.seq])
    expect(desk.outbox.read.waiting(10)).toEqual([])
    expect(viewed(sale)).toMatchObject({ state: 'unknown', unsettled: { shown: 'other-time' }, undo: null })
    desk.clock.advance(120_000)
    expect(desk.outbox.claim()?.seq).toBe(sale.seq)
  })

  it('keeps the reason shown to the person through later faults', () => {
    const sale = put()
    desk.clock.advance(120_000)
    desk.outbox.claim()
    desk.outbox.settle(sale.seq, unknown)
    expect(read(sale)).toMatchObject({ isUnsettled: true, shown: 'other-time', reason: { code: 'outbox/unsettled' } })
    desk.restart()
    expect(read(sale)).toMatchObject({ isUnsettled: true, shown: 'other-time' })
  })

  it.each([
    ['the service says yes', accepted, 'accepted'],
    ['the service says no', rejected, 'rejected'],
  ] as const)('no longer needs a person once %s', (_, outcome, state) => {
    const sale = put()
    desk.clock.advance(120_000)
    desk.outbox.claim()
    desk.outbox.settle(sale.seq, outcome)
    expect(read(sale)).toMatchObject({ state, isUnsettled: false })
    expect(desk.outbox.read.counts().attention).toBe(state === 'rejected' ? 1 : 0)
  })

  it('is accepted if a person saw that the service has it, and unblocks waiting operations', () => {
    const sale = put()
    const back = desk.put(returning('A', tag(1)))
    expect(desk.outbox.claim()).toBeUndefined()
    expect(desk.outbox.confirm(sale.id, 'seen in the portal')).toMatchObject({ ok: true, value: { state: 'accepted' } })
    expect(viewed(sale)).toMatchObject({ note: 'confirmed', unsettled: null })
    expect(desk.outbox.claim()?.seq).toBe(back.seq)
    const journal = desk.outbox.journalOf(sale.id)
    expect(journal.ok && journal.value.slice(-1)).toMatchObject([
      { actor: 'person', what: 'confirmed', from: 'unknown', to: 'accepted', because: 'seen in the portal' },
    ])
  })

  it("is resent at once, after one more reading, if a person saw that the service doesn't have it", () => {
    const sale = put()
    expect(desk.outbox.retry(sale.id)).toMatchObject({ ok: true })
    expect(read(sale)).toMatchObject({ state: 'unknown', isUncertain: true, isUnsettled: false, faults: 0 })
    expect(desk.outbox.claim()?.seq).toBe(sale.seq)
    const journal = desk.outbox.journalOf(sale.id)
    expect(journal.ok && journal.value.map(({ what }) => what)).toContain('sent again')
  })

  it('is dismissed together with its undo', () => {
    const sale = put()
    const undoing = desk.outbox.enqueue(voiding('A', tag(1)), { undoes: sale.id })
    expect(desk.outbox.dismiss(sale.id, 'rung up twice')).toMatchObject({ ok: true, value: { state: 'cancelled' } })
    expect(undoing.ok && read(undoing.value)).toMatchObject({ state: 'cancelled' })
    expect(read(sale)).toMatchObject({ isUnsettled: false, dismissedBecause: 'rung up twice' })
    expect(desk.outbox.read.counts()).toMatchObject({ unsent: 0, attention: 0 })
  })

  it('is decided by the answer while it is being sent, not by a person', () => {
    const sale = put()
    desk.clock.advance(120_000)
    desk.outbox.claim()
    for (const step of [desk.outbox.confirm(sale.id), desk.outbox.retry(sale.id), desk.outbox.dismiss(sale.id, 'x')]) {
      expect(step).toEqual({ ok: false, error: { code: 'outbox/wrong-state', state: 'sending' } })
    }
  })

  it('can be confirmed by a person, like "already" after a lost attempt, but nothing else can', () => {
    const sale = desk.put(complete('B', tag(2)))
    expect(desk.outbox.confirm(sale.id).ok).toBe(false)
    desk.outbox.claim()
    desk.outbox.settle(sale.seq, rejected)
    expect(desk.outbox.confirm(sale.id).ok).toBe(false)
    const echoed = desk.put(complete('C', tag(3)))
    desk.outbox.claim()
    desk.outbox.settle(echoed.seq, unknown)
    desk.clock.advance(120_000)
    desk.outbox.claim()
    desk.outbox.settle(echoed.seq, { kind: 'rejected', reason: { code: 'service/already-processed', detail: 'x' } })
    expect(viewed(echoed)).toMatchObject({ state: 'rejected', unsettled: { shown: null } })
    expect(desk.outbox.confirm(echoed.id)).toMatchObject({ ok: true, value: { state: 'accepted' } })
  })

  it.each([{ code: 'service/forbidden' }, { code: 'outbox/customer-lost' }, { code: 'outbox/unreadable' }] as const)(
    'stays open after $code, which says nothing about an earlier attempt',
    (reason) => {
      const sale = desk.put(complete('D', tag(4)))
      desk.outbox.claim()
      desk.outbox.settle(sale.seq, unknown)
      desk.clock.advance(120_000)
      desk.outbox.claim()
      desk.outbox.settle(sale.seq, { kind: 'rejected', reason })
      expect(viewed(sale)?.unsettled).not.toBeNull()
      // Reopened and sold under another number, it could be reported twice.
      expect(desk.outbox.reopen(sale.id, () => undefined).ok).toBe(false)
      expect(desk.outbox.confirm(sale.id)).toMatchObject({ ok: true })
    },
  )

  it('needs a person only after a reading and several answers that prove nothing', () => {
    const unproven: Outcome = {
      kind: 'unknown',
      reason: { code: 'service/unproven', status: 200, said: 'Blocked' },
      afterMs: 5,
    }
    const page: Outcome = { kind: 'unknown', reason: { code: 'service/unreadable', path: null }, afterMs: null }
    const after = (faults: number, outcome: Outcome) => unsettled(operationOf(null, { faults }), outcome, 'free')
    expect(after(4, unproven)).toEqual({ ...unproven, shown: 'free' })
    expect(after(5, unproven)).toEqual({
      kind: 'unknown',
      reason: { code: 'outbox/unsettled', status: 200, said: 'Blocked' },
      afterMs: 5,
      shown: 'free',
    })
    expect(after(5, page)).toMatchObject({ reason: { code: 'outbox/unsettled', status: null, said: '' } })
    // If readings are repeatedly answered but this report isn't, the fault isn't a general outage.
    for (const reason of [
      { code: 'service/unreachable' },
      { code: 'service/failing', status: 500 },
      { code: 'service/busy' },
    ] as const) {
      expect(after(11, { kind: 'unknown', reason, afterMs: null })).toMatchObject({ reason })
      expect(after(12, { kind: 'unknown', reason, afterMs: null })).toMatchObject({
        reason: { code: 'outbox/unsettled', status: reason.code === 'service/failing' ? 500 : null },
      })
    }
    for (const outcome of [accepted, rejected]) expect(after(99, outcome)).toBe(outcome)
  })
})
