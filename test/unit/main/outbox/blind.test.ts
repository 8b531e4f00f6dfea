import { describe, expect, it } from 'vitest'
import type { Payload } from '../../../../src-main/outbox/payload'
import { chanceOf } from '../../../crash/chance'
import { caseOf, packageUid, tag } from '../../../fakes/ids'
import { accepted, complete, importing, rejected, removing, retry, seqs, useDesk } from './desk'

const blind = (scanned: string, caseNumber?: number): Payload => ({
  kind: 'blind-import',
  scanned,
  caseId: caseNumber === undefined ? null : caseOf(caseNumber),
  packageUid: packageUid(1),
  posProductId: 'P',
  posInventoryId: 'I',
})
const found = (n: number) => {
  const payload = importing(n)
  if (payload.kind !== 'import') throw new Error('no import')
  return { payload, tagIds: [tag(n * 10 + 1), tag(n * 10 + 2), tag(500 + n)] }
}

describe('a blind import', () => {
  const desk = useDesk()
  const held = (seq: number) =>
    desk.db.prepare('SELECT key, is_exclusive FROM operation_key WHERE seq = ? ORDER BY key').all(seq)
  const now = (one: { id: Parameters<typeof desk.outbox.retry>[0] }) => desk.outbox.read.byId(one.id)

  it('locks its case if the label gave it, else the scanned code, so that it is not imported twice at once', () => {
    const known = desk.put(blind('X', 1))
    const sale = desk.put(complete('A', tag(11)))
    const unknown = desk.put(blind('LABEL'))
    const twice = desk.put(blind('LABEL'))
    const another = desk.put(blind('OTHER'))
    expect([known, sale, unknown, twice, another].map((one) => one.blockers)).toEqual([0, 1, 0, 1, 0])
  })

  it('becomes an import with the same id, place and time, and locks its case from then on', () => {
    const one = desk.put(blind('LABEL'))
    desk.clock.advance(60_000)
    desk.outbox.claim()
    const identified = desk.outbox.identify(one.seq, found(1))
    const { id, seq, performedAt } = one
    expect(identified).toMatchObject({ id, seq, performedAt, kind: 'import', state: 'sending', blockers: 0 })
    expect(identified.payload).toEqual(importing(1))
    expect(held(one.seq)).toEqual([{ key: `case:${caseOf(1)}`, is_exclusive: 1 }])
    expect(desk.put(blind('LABEL')).blockers).toBe(0)
    expect(desk.put(complete('A', tag(11))).blockers).toBe(1)
    const journal = desk.outbox.journalOf(one.id)
    expect(journal.ok && journal.value.map(({ what, to }) => [what, to])).toEqual([
      ['saved', 'queued'],
      ['claimed', 'sending'],
      ['identified', 'sending'],
    ])
  })

  it('precedes all later operations of its case, even those not known to be of that case', () => {
    const one = desk.put(blind('LABEL'))
    const ofCase = desk.put(complete('A', tag(11)))
    const ofUnknown = desk.put(complete('B', tag(501)))
    const removal = desk.put(removing(1))
    const other = desk.put(complete('C', tag(21)))
    const claimed = desk.outbox.claim()
    desk.outbox.identify(one.seq, found(1))
    expect(claimed?.seq).toBe(one.seq)
    expect(seqs(desk.claimAll())).toEqual([other.seq])
    desk.outbox.settle(one.seq, accepted)
    expect(seqs(desk.claimAll())).toEqual([ofCase.seq, ofUnknown.seq])
    desk.outbox.settle(ofCase.seq, accepted)
    expect(desk.claimAll()).toEqual([])
    desk.outbox.settle(ofUnknown.seq, accepted)
    expect(seqs(desk.claimAll())).toEqual([removal.seq])
  })

  it('returns to the queue after all earlier operations of its case', () => {
    const sale = desk.put(complete('A', tag(11)))
    const removal = desk.put(removing(1))
    const one = desk.put(blind('LABEL'))
    expect(seqs([desk.outbox.claim(), desk.outbox.claim()].flatMap((each) => each ?? []))).toEqual([sale.seq, one.seq])
    expect(desk.outbox.identify(one.seq, found(1))).toMatchObject({ kind: 'import', state: 'queued', blockers: 1 })
    expect(desk.claimAll()).toEqual([])
    desk.outbox.settle(sale.seq, accepted)
    expect(seqs(desk.claimAll())).toEqual([removal.seq])
    desk.outbox.settle(removal.seq, accepted)
    expect(desk.claimAll()).toMatchObject([{ seq: one.seq, kind: 'import' }])
  })

  it('never waits for an operation that waits for it', () => {
    // A resent sale waits for the later import; the blind import would otherwise have to precede that import.
    const sale = desk.put(complete('A', tag(11)))
    desk.outbox.claim()
    desk.outbox.settle(sale.seq, rejected)
    const one = desk.put(blind('LABEL'))
    const later = desk.put(importing(1))
    desk.outbox.retry(sale.id)
    expect(now(sale)?.blockers).toBe(1)
    expect(desk.outbox.claim()?.seq).toBe(one.seq)
    desk.outbox.identify(one.seq, found(1))
    const order: number[] = []
    for (let next = desk.outbox.claim(); next; next = desk.outbox.claim()) {
      order.push(next.seq)
      desk.outbox.settle(next.seq, accepted)
    }
    expect(order).toEqual([later.seq, sale.seq, one.seq])
  })

  it('is queued again if the process ended during the look-up', () => {
    const one = desk.put(blind('LABEL'))
    desk.outbox.claim()
    desk.restart()
    expect(now(one)).toMatchObject({ kind: 'blind-import', state: 'queued', isUncertain: false })
    expect(desk.outbox.undoOf(one)).toBe('withdraw')
  })

  it('is unknown if the process ended after it became an import', () => {
    const one = desk.put(blind('LABEL'))
    desk.outbox.claim()
    desk.outbox.identify(one.seq, found(1))
    desk.restart()
    expect(now(one)).toMatchObject({ kind: 'import', state: 'unknown', isUncertain: true })
  })

  it('stays unchanged if a power cut comes between two writes', () => {
    const one = desk.put(blind('LABEL'))
    desk.outbox.claim()
    desk.db.exec(`CREATE TRIGGER cut BEFORE INSERT ON operation_key BEGIN SELECT RAISE(ABORT, 'cut'); END`)
    expect(() => desk.outbox.identify(one.seq, found(1))).toThrow('cut')
    desk.db.exec('DROP TRIGGER cut')
    expect(now(one)).toMatchObject({ kind: 'blind-import', state: 'sending' })
    expect(held(one.seq)).toEqual([{ key: 'scanned:LABEL', is_exclusive: 1 }])
  })

  it('can be withdrawn, even after a failed look-up', () => {
    const one = desk.put(blind('LABEL'))
    desk.outbox.claim()
    desk.outbox.settle(one.seq, retry)
    expect(desk.outbox.withdraw(one.id)).toMatchObject({ ok: true, value: { state: 'cancelled' } })
  })

  it('can be retried, corrected to an import with its keys, or dismissed after a refusal', () => {
    const [again, corrected, dismissed] = [desk.put(blind('A')), desk.put(blind('B')), desk.put(blind('C'))]
    for (const one of desk.claimAll()) desk.outbox.settle(one.seq, rejected)
    expect(desk.outbox.retry(again.id)).toMatchObject({ ok: true, value: { kind: 'blind-import', state: 'queued' } })
    expect(desk.outbox.correct(corrected.id, importing(1))).toMatchObject({
      ok: true,
      value: { kind: 'import', state: 'queued', seq: corrected.seq },
    })
    expect(held(corrected.seq)).toEqual([{ key: `case:${caseOf(1)}`, is_exclusive: 1 }])
    expect(desk.put(complete('S', tag(11))).blockers).toBe(1)
    expect(desk.outbox.dismiss(dismissed.id, 'not ours')).toMatchObject({ ok: true, value: { state: 'cancelled' } })
  })

  it('gets the key of its case once the case is known, even without a choice of product', () => {
    const one = desk.put(blind('LABEL'))
    desk.outbox.claim()
    const payload = { ...blind('LABEL', 1) }
    if (payload.kind !== 'blind-import') throw new Error('not blind')
    desk.outbox.identify(one.seq, { payload, tagIds: [] })
    desk.outbox.settle(one.seq, { kind: 'rejected', reason: { code: 'receiving/choose-product', caseId: caseOf(1) } })
    expect(desk.outbox.read.byKey(`case:${caseOf(1)}`)).toMatchObject([{ seq: one.seq, kind: 'blind-import' }])
  })

  it.each(Array.from({ length: 60 }, (_, seed) => seed))(
    'never blocks the queue, whichever cases are found, in any order (seed %i)',
    (seed) => {
      const chance = chanceOf('blind', seed, 0)
      const made = Array.from({ length: 4 + chance.below(12) }, (_, at): Payload => {
        const n = chance.pick([1, 2])
        const tagId = tag(chance.hits(0.4) ? 500 + n : n * 10 + 1 + chance.below(2))
        switch (chance.pick(['blind', 'blind', 'import', 'removal', 'sale', 'change'] as const)) {
          case 'blind':
            return blind(`L${chance.below(4)}`, chance.hits(0.3) ? n : undefined)
          case 'import':
            return importing(n)
          case 'removal':
            return removing(n)
          case 'sale':
            return complete(`R${at}`, tagId)
          case 'change':
            return { kind: 'remove-item', caseId: caseOf(n), productName: null, tagId }
        }
      })
      const put = made.map((payload) => desk.put(payload))
      for (let step = 0; step < 120; step++) {
        const isLate = step > 60
        // Sometimes two are in progress at once.
        for (const one of [desk.outbox.claim(), chance.hits(0.5) ? desk.outbox.claim() : undefined]) {
          if (!one) continue
          if (one.payload?.kind === 'blind-import') {
            const isOfTwo = one.payload.caseId === null ? chance.hits(0.5) : one.payload.caseId === caseOf(2)
            if (desk.outbox.identify(one.seq, found(isOfTwo ? 2 : 1)).state !== 'sending') continue
          }
          desk.outbox.settle(one.seq, !isLate && chance.hits(0.3) ? rejected : accepted)
        }
        // A person retries refused operations.
        if (isLate || chance.hits(0.3)) for (const { id } of desk.outbox.read.attention(50)) desk.outbox.retry(id)
      }
      expect(put.map((one) => now(one)?.state)).toEqual(put.map(() => 'accepted'))
    },
  )
})
