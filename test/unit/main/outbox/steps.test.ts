import { describe, expect, it } from 'vitest'
import { OperationId } from '../../../../src-shared/ids'
import { tag } from '../../../fakes/ids'
import { accepted, rejected, retry, unknown, complete, returning, importing, removing, seqs, useDesk } from './desk'

describe("a person's actions in the outbox", () => {
  const desk = useDesk()

  it('can resend a corrected operation in its old place, before those that wait for it', () => {
    const refused = desk.put(importing(1))
    const sale = desk.put(complete('A', tag(11)))
    desk.outbox.claim()
    desk.outbox.settle(refused.seq, rejected)
    expect(desk.outbox.correct(refused.id, importing(1, 'corrected'))).toMatchObject({
      ok: true,
      value: { seq: refused.seq },
    })
    expect(desk.outbox.claim()).toMatchObject({ seq: refused.seq, payload: { posProductId: 'corrected' } })
    desk.outbox.settle(refused.seq, accepted)
    expect(seqs(desk.claimAll())).toEqual([sale.seq])
  })

  it('keep the mark of an earlier attempt that may have been accepted', () => {
    const sale = desk.put(complete('A', tag(1)))
    desk.outbox.claim()
    desk.outbox.settle(sale.seq, unknown)
    desk.outbox.retryAll()
    desk.outbox.claim()
    desk.outbox.settle(sale.seq, rejected)
    desk.outbox.retry(sale.id)
    expect(desk.outbox.read.byId(sale.id)).toMatchObject({ state: 'unknown', isUncertain: true })
    expect(desk.outbox.withdraw(sale.id).ok).toBe(false)
  })

  it('can reopen a refused sale together with the local state, or not at all', () => {
    const sale = desk.put(complete('A', tag(1)))
    desk.outbox.claim()
    desk.outbox.settle(sale.seq, rejected)
    const failing = () =>
      desk.outbox.reopen(sale.id, () => {
        throw new Error('the cart could not be filled')
      })
    expect(failing).toThrow('the cart could not be filled')
    expect(desk.stateOf(sale)).toBe('rejected')
    expect(desk.outbox.reopen(sale.id, () => undefined)).toMatchObject({
      ok: true,
      value: { state: 'cancelled', note: 'reopened' },
    })
    expect(desk.outbox.dismiss(sale.id, 'Stayed in the store').ok).toBe(true)
    expect(desk.outbox.reopen(sale.id, () => undefined)).toEqual({
      ok: false,
      error: { code: 'outbox/wrong-state', state: 'cancelled' },
    })
  })

  it('are kept even if a listener throws', () => {
    const stop = desk.events.on('operation.changed', 'test', () => {
      throw new Error('a listener is broken')
    })
    const sale = desk.put(complete('A', tag(1)))
    expect(desk.outbox.claim()?.seq).toBe(sale.seq)
    expect(() => {
      desk.outbox.settle(sale.seq, accepted)
    }).not.toThrow()
    stop()
    expect(desk.stateOf(sale)).toBe('accepted')
  })

  it("can't withdraw an operation that others wait for", () => {
    const sale = desk.put(complete('A', tag(1)))
    desk.put(returning('A', tag(1)))
    expect(desk.outbox.undoOf(sale)).toBeNull()
    expect(desk.outbox.withdraw(sale.id)).toEqual({ ok: false, error: { code: 'outbox/wrong-state', state: 'queued' } })
  })

  it("can't withdraw a claimed operation, and return its state", () => {
    const sale = desk.put(complete('A', tag(1)))
    desk.outbox.claim()
    expect(desk.outbox.withdraw(sale.id)).toEqual({
      ok: false,
      error: { code: 'outbox/wrong-state', state: 'sending' },
    })
    desk.outbox.settle(sale.seq, unknown)
    expect(desk.outbox.withdraw(sale.id)).toEqual({
      ok: false,
      error: { code: 'outbox/wrong-state', state: 'unknown' },
    })
    expect(desk.outbox.withdraw(OperationId.parse('9af49740-96f5-40ee-9e25-02420ae59635'))).toEqual({
      ok: false,
      error: { code: 'outbox/not-found' },
    })
  })

  it("can withdraw an operation that certainly wasn't sent, even after attempts", () => {
    const sale = desk.put(complete('A', tag(1)))
    desk.outbox.claim()
    desk.outbox.settle(sale.seq, retry)
    expect(desk.outbox.undoOf(desk.outbox.read.byId(sale.id) ?? sale)).toBe('withdraw')
    expect(desk.outbox.withdraw(sale.id).ok).toBe(true)
    desk.clock.advance(120_000)
    expect(desk.claimAll()).toEqual([])
  })

  it('can undo a sent import by its removal, once', () => {
    const arrived = desk.put(importing(1))
    desk.outbox.claim()
    desk.outbox.settle(arrived.seq, accepted)
    const done = desk.outbox.read.byId(arrived.id) ?? arrived
    expect(desk.outbox.undoOf(done)).toBe('inverse')
    expect(desk.outbox.enqueue(removing(1), { undoes: arrived.id }).ok).toBe(true)
    expect(desk.outbox.undoOf(done)).toBeNull()
  })

  it('can retry only a rejected operation', () => {
    const sale = desk.put(complete('A', tag(1)))
    expect(desk.outbox.retry(sale.id)).toEqual({ ok: false, error: { code: 'outbox/wrong-state', state: 'queued' } })
    desk.outbox.claim()
    desk.outbox.settle(sale.seq, rejected)
    expect(desk.outbox.retry(sale.id).ok).toBe(true)
    expect(desk.outbox.claim()?.seq).toBe(sale.seq)
  })
})
