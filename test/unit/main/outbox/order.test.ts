import { describe, expect, it } from 'vitest'
import { Locks } from '../../../../src-main/outbox/locks'
import { tag } from '../../../fakes/ids'
import { accepted, complete, importing, rejected, removing, retry, returning, seqs, useDesk, voiding } from './desk'

describe('the order of the outbox', () => {
  const desk = useDesk()

  it('follows the order of saving, even if the clock jumps', () => {
    const first = desk.put(complete('A', tag(1)))
    desk.clock.advance(-86_400_000)
    const second = desk.put(complete('B', tag(2)))
    expect(seqs(desk.claimAll())).toEqual([first.seq, second.seq])
  })

  it('makes a void wait for its sale, and a return for the void', () => {
    const sale = desk.put(complete('A', tag(1)))
    const back = desk.put(voiding('A', tag(1)))
    const returned = desk.put(returning('A', tag(1)))
    expect(seqs(desk.claimAll())).toEqual([sale.seq])
    desk.outbox.settle(sale.seq, accepted)
    expect(seqs(desk.claimAll())).toEqual([back.seq])
    desk.outbox.settle(back.seq, accepted)
    expect(seqs(desk.claimAll())).toEqual([returned.seq])
  })

  it('makes sales wait for the import of their case but not for each other; its removal waits for all of them', () => {
    const arrived = desk.put(importing(1))
    const one = desk.put(complete('A', tag(11)))
    const two = desk.put(complete('B', tag(12)))
    const other = desk.put(complete('C', tag(21)))
    const removed = desk.put(removing(1))
    expect(seqs(desk.claimAll())).toEqual([arrived.seq, other.seq])
    desk.outbox.settle(arrived.seq, accepted)
    expect(seqs(desk.claimAll())).toEqual([one.seq, two.seq])
    desk.outbox.settle(two.seq, accepted)
    expect(desk.claimAll()).toEqual([])
    desk.outbox.settle(one.seq, accepted)
    expect(seqs(desk.claimAll())).toEqual([removed.seq])
  })

  it('holds back only operations that wait for a rejected one', () => {
    const sale = desk.put(complete('A', tag(1)))
    desk.put(voiding('A', tag(1)))
    const other = desk.put(complete('B', tag(2)))
    expect(desk.outbox.claim()?.seq).toBe(sale.seq)
    desk.outbox.settle(sale.seq, rejected)
    expect(seqs(desk.claimAll())).toEqual([other.seq])
    expect(desk.outbox.read.counts()).toMatchObject({ unsent: 2, attention: 1 })
  })

  it('lets the import of a case overtake the sale that was refused without it; the resent sale waits for the import', () => {
    const sale = desk.put(complete('A', tag(11)))
    desk.outbox.claim()
    const waiting = desk.put(importing(1))
    expect(desk.claimAll()).toEqual([])
    desk.outbox.settle(sale.seq, rejected)
    expect(desk.outbox.read.byId(waiting.id)?.blockers).toBe(0)
    desk.outbox.retry(sale.id)
    expect(seqs(desk.claimAll())).toEqual([waiting.seq])
    desk.outbox.settle(waiting.seq, accepted)
    expect(seqs(desk.claimAll())).toEqual([sale.seq])
  })

  it('never makes two operations wait for each other', () => {
    const sale = desk.put(complete('A', tag(11)))
    desk.outbox.claim()
    const back = desk.put(voiding('A', tag(11)))
    const arrived = desk.put(importing(1))
    desk.outbox.settle(sale.seq, rejected)
    // The import waits for the void, which waits for the refused sale: when resent, the sale must not wait for the import.
    desk.outbox.retry(sale.id)
    expect(seqs(desk.claimAll())).toEqual([sale.seq])
    desk.outbox.settle(sale.seq, accepted)
    expect(seqs(desk.claimAll())).toEqual([back.seq])
    desk.outbox.settle(back.seq, accepted)
    expect(seqs(desk.claimAll())).toEqual([arrived.seq])
  })

  it('frees waiting operations once a person dismisses the rejected one with a reason', () => {
    const sale = desk.put(complete('A', tag(1)))
    const next = desk.put(complete('B', tag(1)))
    desk.outbox.claim()
    desk.outbox.settle(sale.seq, rejected)
    expect(desk.outbox.dismiss(sale.id, 'rung up twice')).toMatchObject({
      ok: true,
      value: { state: 'cancelled', dismissedBecause: 'rung up twice' },
    })
    expect(seqs(desk.claimAll())).toEqual([next.seq])
  })

  it('is kept when an operation leaves the middle of a chain', () => {
    const first = desk.put(complete('A', tag(1), tag(2)))
    const middle = desk.put(returning('A', tag(1)))
    const last = desk.put(voiding('A', tag(1), tag(2)))
    expect(desk.outbox.claim()?.seq).toBe(first.seq)
    desk.db.prepare(`UPDATE operation SET state = 'cancelled' WHERE seq = ?`).run(middle.seq)
    new Locks(desk.db).release(middle.seq)
    // If the last one were freed now, it would overtake the sale that is still being sent.
    expect(desk.claimAll()).toEqual([])
    desk.outbox.settle(first.seq, accepted)
    expect(seqs(desk.claimAll())).toEqual([last.seq])
  })

  it('never lets a removal overtake a sale that was resent after an import', () => {
    const sale = desk.put(complete('E', tag(11)))
    desk.outbox.claim()
    desk.outbox.settle(sale.seq, rejected)
    const imported = desk.put(importing(1))
    desk.outbox.retry(sale.id)
    const removal = desk.put(removing(1))
    expect(seqs(desk.claimAll())).toEqual([imported.seq])
    desk.outbox.settle(imported.seq, accepted)
    expect(seqs(desk.claimAll())).toEqual([sale.seq])
    desk.outbox.settle(sale.seq, accepted)
    expect(seqs(desk.claimAll())).toEqual([removal.seq])
  })

  it('alternates between new operations and retried ones', () => {
    for (let n = 0; n < 8; n++) desk.put(complete(String(n), tag(100 + n)))
    for (const { seq } of desk.claimAll()) desk.outbox.settle(seq, retry)
    for (let n = 8; n < 12; n++) desk.put(complete(String(n), tag(100 + n)))
    desk.clock.advance(60_000)
    const next = [desk.outbox.claim(), desk.outbox.claim(), desk.outbox.claim(), desk.outbox.claim()]
    expect(next.filter((one) => one !== undefined && one.attempts > 1)).toHaveLength(2)
  })

  it('links a long chain between neighbors only', () => {
    for (let n = 0; n < 200; n++) desk.put(returning('A', tag(n)))
    expect(desk.db.prepare('SELECT count(*) AS n FROM operation_wait').get()).toEqual({ n: 199 })
  })
})
