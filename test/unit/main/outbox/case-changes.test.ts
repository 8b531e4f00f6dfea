import { describe, expect, it } from 'vitest'
import { requestOf } from '../../../../src-main/outbox/kinds/kinds'
import type { Payload } from '../../../../src-main/outbox/payload'
import { viewOperation } from '../../../../src-main/outbox/views'
import { createUndo } from '../../../../src-main/receiving/import/undo'
import type { OperationId } from '../../../../src-shared/ids'
import { toUuid } from '../../../../src-shared/ids'
import { caseOf, packageUid, tag } from '../../../fakes/ids'
import { accepted, complete, importing, rejected, removing, seqs, useDesk } from './desk'

const of = (n: number) => ({ caseId: caseOf(n), productName: 'P' })
const adding = (n: number, ...numbers: number[]): Payload => ({ kind: 'add-items', ...of(n), tagIds: numbers.map(tag) })
const taking = (n: number, one: number): Payload => ({ kind: 'remove-item', ...of(n), tagId: tag(one) })
const restoring = (n: number, one: number): Payload => ({ kind: 'restore-item', ...of(n), tagId: tag(one) })

const pos = { packageUid: packageUid(1), posProductId: 'P', posInventoryId: 'I' }

describe("a change of a case's contents", () => {
  const desk = useDesk()

  it('is a request of v1.5, with long ids in path and body', () => {
    const [here, one, two] = [caseOf(1), tag(1), tag(2)].map(toUuid)
    const members = `/api/v1.5/collections/${here}/tag-ids/${one}`
    const made = ([adding(1, 1, 2), taking(1, 1), restoring(1, 1)] as const).map((payload) =>
      payload.kind === 'blind-import' ? null : requestOf(payload, ''),
    )
    expect(made).toEqual([
      { version: 'v1.5', method: 'POST', path: `/api/v1.5/collections/case/${here}/add-items/`, body: [one, two] },
      { version: 'v1.5', method: 'DELETE', path: `${members}/remove/`, body: null },
      { version: 'v1.5', method: 'GET', path: `${members}/restore/`, body: null },
    ])
    // Other operations use v1.2.
    const sale = complete('A', tag(1))
    expect(sale.kind === 'complete' && requestOf(sale, '2026-11-21T14:00:00Z')).toEqual({
      version: 'v1.2',
      method: 'POST',
      path: '/api/v1.2/transactions/complete/',
      body: { performed_at: '2026-11-21T14:00:00Z', order_id: 'A', items: [tag(1)] },
    })
  })

  it('waits for the import of the case, and the removal of the import waits for the change', () => {
    const imported = desk.put(importing(1))
    const added = desk.put(adding(1, 501))
    const removal = desk.put(removing(1))
    expect([added.blockers, removal.blockers]).toEqual([1, 1])
    expect(seqs(desk.claimAll())).toEqual([imported.seq])
    desk.outbox.settle(imported.seq, accepted)
    expect(seqs(desk.claimAll())).toEqual([added.seq])
  })

  it('runs alongside sales and changes of other items, and in order with those of the same item', () => {
    const one = desk.put(taking(1, 11))
    const others = [desk.put(complete('A', tag(12))), desk.put(taking(1, 13)), desk.put(adding(1, 501, 502))]
    const same = [desk.put(complete('B', tag(11))), desk.put(adding(2, 11)), desk.put(taking(1, 502))]
    expect([one, ...others].map(({ blockers }) => blockers)).toEqual([0, 0, 0, 0])
    expect(same.map(({ blockers }) => blockers)).toEqual([1, 1, 1])
  })

  it('blocks no import or sale of the case and no later changes of its item once refused', () => {
    const refused = desk.put(taking(1, 11))
    const waiting = [desk.put(importing(1)), desk.put(complete('A', tag(12)))]
    const ofItem = desk.put(complete('B', tag(11)))
    desk.outbox.claim()
    desk.outbox.settle(refused.seq, rejected)
    const [first] = desk.claimAll()
    expect(first?.seq).toBe(waiting[0]?.seq)
    desk.outbox.settle(waiting[0]?.seq ?? 0, accepted)
    expect(seqs(desk.claimAll())).toEqual([waiting[1]?.seq, ofItem.seq])
  })

  it('locks its item again when it is resent, so that later changes wait', () => {
    const refused = desk.put(adding(1, 11))
    const sale = desk.put(complete('A', tag(11)))
    desk.outbox.claim()
    desk.outbox.settle(refused.seq, rejected)
    expect(seqs(desk.claimAll())).toEqual([sale.seq])
    desk.outbox.settle(sale.seq, accepted)
    desk.outbox.retry(refused.id)
    const later = desk.put(complete('B', tag(11)))
    expect(seqs(desk.claimAll())).toEqual([refused.seq])
    desk.outbox.settle(refused.seq, accepted)
    expect(seqs(desk.claimAll())).toEqual([later.seq])
  })

  it('is shown with its case, product and item count', () => {
    const added = desk.put(adding(1, 1, 2, 2))
    expect(viewOperation(added, desk.outbox, desk.clock)).toMatchObject({
      kind: 'add-items',
      caseId: caseOf(1),
      productName: 'P',
      itemCount: 2,
      orderId: null,
      packageUid: null,
      undo: 'withdraw',
    })
    expect(viewOperation(desk.put(taking(1, 3)), desk.outbox, desk.clock).itemCount).toBe(1)
    const blind = desk.put({ kind: 'blind-import', scanned: 'LABEL', caseId: null, ...pos })
    expect(viewOperation(blind, desk.outbox, desk.clock)).toMatchObject({
      caseId: null,
      productName: 'LABEL',
      packageUid: pos.packageUid,
      itemCount: 0,
    })
  })

  describe('undone', () => {
    const undo = (id: OperationId) => createUndo(desk.outbox).undo(id)

    it('is withdrawn while it is unsent', () => {
      const added = desk.put(adding(1, 1))
      expect(undo(added.id)).toMatchObject({ ok: true, value: { id: added.id, state: 'cancelled' } })
    })

    it.each<[string, Payload, Payload[]]>([
      ['items put in', adding(1, 1, 2), [taking(1, 1), taking(1, 2)]],
      ['an item taken out', taking(1, 1), [restoring(1, 1)]],
      ['an item put back', restoring(1, 1), [taking(1, 1)]],
      ['an import', importing(1), [removing(1)]],
    ])('is followed by its inverse once it was sent: %s', (_, payload, opposites) => {
      const one = desk.put(payload)
      desk.outbox.claim()
      expect(undo(one.id)).toMatchObject({ ok: true, value: { undoes: one.id, payload: opposites[0] } })
      const behind = desk.outbox.read.waiting(9).filter(({ seq }) => seq !== one.seq)
      expect(behind.map((each) => each.payload)).toEqual(opposites)
      expect(behind.every((each) => each.undoes === one.id && each.blockers === 1)).toBe(true)
      // It can be undone only once.
      expect(undo(one.id)).toEqual({ ok: false, error: { code: 'outbox/wrong-state', state: 'sending' } })
    })

    it('is not possible for a refused change, a sale, a sent blind import, or an unknown id', () => {
      const refused = desk.put(taking(1, 1))
      const blind = desk.put({ kind: 'blind-import', scanned: 'LABEL', caseId: null, ...pos })
      desk.claimAll()
      desk.outbox.settle(refused.seq, rejected)
      const sale = desk.put(complete('A', tag(5)))
      expect(undo(refused.id)).toEqual({ ok: false, error: { code: 'outbox/wrong-state', state: 'rejected' } })
      expect(undo(blind.id)).toEqual({ ok: false, error: { code: 'outbox/wrong-state', state: 'sending' } })
      expect(undo(sale.id)).toEqual({ ok: false, error: { code: 'outbox/not-found' } })
    })
  })
})

describe('saving many operations at once', () => {
  const desk = useDesk()

  it('saves them in order with their local state, and announces them afterwards', () => {
    const told: number[] = []
    desk.events.on('operation.changed', 'test', (operation) => {
      // An announced operation is already stored.
      expect(desk.outbox.read.byId(operation.id)?.seq).toBe(operation.seq)
      told.push(operation.seq)
    })
    const linked: number[] = []
    const entries = Array.from({ length: 1_203 }, (_, n) => ({
      payload: complete(`S${n}`, tag(5_000 + n)),
      alongside: ({ seq }: { seq: number }) => void linked.push(seq),
    }))
    const saved = desk.outbox.enqueueMany(entries).map((one) => one.ok && one.value.seq)
    expect(saved).toEqual(told)
    expect(linked).toEqual(told)
    expect(told).toHaveLength(1_203)
    expect(desk.outbox.read.counts().unsent).toBe(1_203)
  })

  it('makes operations of the same case in the same call wait for each other', () => {
    const saved = desk.outbox.enqueueMany([importing(1), importing(1), importing(2)].map((payload) => ({ payload })))
    expect(saved.map((one) => one.ok && one.value.blockers)).toEqual([0, 1, 0])
  })

  it('answers "not saved" for each when the disk is full, and saves none', () => {
    desk.put(complete('A', tag(1)))
    desk.db.pragma(`max_page_count = ${Number(desk.db.pragma('page_count', { simple: true }))}`)
    const saved = desk.outbox.enqueueMany(
      Array.from({ length: 400 }, (_, n) => ({ payload: complete(`S${n}`, tag(5_000 + n)) })),
    )
    expect(saved).toEqual(Array.from({ length: 400 }, () => ({ ok: false, error: { code: 'store/not-saved' } })))
    desk.db.pragma('max_page_count = 100000')
    expect(desk.outbox.read.counts().unsent).toBe(1)
  })

  it('returns nothing for an empty list', () => {
    expect(desk.outbox.enqueueMany([])).toEqual([])
  })
})
