import { describe, expect, it } from 'vitest'
import { DeliveryId } from '../../../src-shared/ids'
import type { DeliveryCase } from '../../../src-shared/ipc/delivery-view'
import {
  at,
  caseAdded,
  caseId,
  caseView,
  deliveryCase,
  deliveryHead,
  operation,
  operationId,
  packageAdded,
  product,
} from './examples'
import { createReceiving, importOf, receivingPackage, uid } from './deliveries'

describe('the delivery', () => {
  const view = (cases = [deliveryCase(caseView(1), uid)]) => ({
    ...deliveryHead,
    packages: [packageAdded(uid, []).package],
    cases,
    blind: [],
    undoable: 0,
  })

  it('comes back as main keeps it, the first case selected', async () => {
    const { fake, receiving } = createReceiving()
    const loading = receiving.load()
    await fake.next('receiving.delivery').answer(view())
    await loading
    expect(receiving.items.map(({ kind }) => kind)).toEqual(['package', 'case'])
    expect(receiving.selected?.caseId).toBe(caseId(1))
  })

  it('keeps the selection and the ticks of rows that stay, and forgets those of rows that are gone', async () => {
    const { fake, receiving } = await receivingPackage()
    receiving.select(caseId(2))
    receiving.selection.tick(caseId(1))
    receiving.selection.tick(caseId(2))
    const loading = receiving.load()
    await fake.next('receiving.delivery').answer(view([deliveryCase(caseView(2), uid)]))
    await loading
    expect(receiving.selected?.caseId).toBe(caseId(2))
    expect([...receiving.selection.ticked]).toEqual([caseId(2)])
  })

  it('takes in cases that main has read, and none of another delivery', async () => {
    const { receiving } = await receivingPackage()
    const read = deliveryCase(caseView(1, { tagCount: 22, requiredCount: 24 }), uid)
    receiving.casesRead({ deliveryId: deliveryHead.id, cases: [read] })
    expect(receiving.selected?.view?.tagCount).toBe(22)
    const other = DeliveryId.parse('00000000-0000-4000-8000-00000000000e')
    receiving.casesRead({ deliveryId: other, cases: [deliveryCase(caseView(3), uid)] })
    expect(receiving.delivery.rows).toHaveLength(2)
  })

  it('lists cases of no package of the delivery after the packages, and blind imports last', async () => {
    const { receiving } = await receivingPackage()
    receiving.delivery.put([deliveryCase(caseView(3), 'elsewhere'), deliveryCase(caseView(4))])
    receiving.delivery.putBlind(operation({ kind: 'blind-import', state: 'queued' }))
    const kinds = receiving.items.map(({ kind }) => kind)
    expect(kinds).toEqual(['package', 'case', 'case', 'singles', 'case', 'case', 'unseen', 'blind'])
  })

  it('moves the selection by keys over all rows, and stops at the ends', async () => {
    const { receiving } = await receivingPackage()
    const { selection } = receiving
    selection.move(1)
    selection.move(1)
    expect(selection.id).toBe(caseId(2))
    selection.toEnd('first')
    selection.move(-1)
    expect(selection.id).toBe(caseId(1))
  })

  it('takes a package off the list and shows what main then keeps', async () => {
    const { fake, receiving } = await receivingPackage()
    const [found] = receiving.delivery.packages
    if (!found) throw new Error('there is no package')
    const dropping = receiving.steps.dropPackage(found.packageUid)
    await fake.next('receiving.dropPackage').answer(null)
    await fake.next('receiving.delivery').answer({ ...view([]), packages: [] })
    await dropping
    expect(receiving.items).toEqual([])
    expect(receiving.selected).toBeNull()
  })

  it('takes back what can be, and says how much', async () => {
    const imported = {
      kind: 'imported-here' as const,
      at,
      packageUid: uid,
      operation: importOf(1, { state: 'accepted', undo: 'inverse' }),
    }
    const { fake, receiving } = await receivingPackage([
      caseView(1, { packagedProducts: [product(1, imported)] }),
      caseView(2),
    ])
    expect(receiving.delivery.mayUndo).toBe(true)
    const undoing = receiving.steps.undoAll()
    const removal = operation({
      id: operationId(9),
      seq: 9,
      kind: 'import-removal',
      caseId: caseId(1),
      state: 'queued',
    })
    const refused = { caseId: caseId(2), productName: null, error: { code: 'store/not-saved' } }
    await fake.next('receiving.undoDelivery').answer({ saved: [removal], refused: [refused] })
    await undoing
    expect(receiving.steps.undone).toEqual({ saved: 1, refused: 1 })
    expect(receiving.selected?.importState.kind).toBe('pending')
  })
})

describe('undoing all', () => {
  const withUndoable = (undoable: number) => ({ ...deliveryHead, packages: [], cases: [], blind: [], undoable })

  it('shows the number that main counted, and asks again as operations change while somebody decides', async () => {
    const { fake, receiving } = await receivingPackage()
    const stop = receiving.steps.watchUndoable()
    expect(receiving.steps.isCounted).toBe(false)
    const first = fake.next('receiving.delivery')
    // Both while the first is asked: one more asking is enough.
    receiving.operationChanged(importOf(1, { state: 'accepted' }))
    receiving.operationChanged(importOf(2, { state: 'accepted' }))
    await first.answer(withUndoable(7))
    expect([receiving.steps.isCounted, receiving.delivery.undoable]).toEqual([true, 7])
    await fake.next('receiving.delivery').answer(withUndoable(9))
    expect(receiving.delivery.undoable).toBe(9)
    stop()
    receiving.operationChanged(importOf(1, { state: 'accepted' }))
    expect(fake.asked).toEqual([])
  })

  it('leaves the list as it is, and takes no number of another delivery', async () => {
    const { fake, receiving } = await receivingPackage()
    receiving.steps.watchUndoable()
    const id = DeliveryId.parse('00000000-0000-4000-8000-00000000000e')
    await fake.next('receiving.delivery').answer({ ...withUndoable(5), id })
    expect([receiving.steps.isCounted, receiving.delivery.undoable]).toEqual([false, 0])
    expect(receiving.delivery.rows).toHaveLength(2)
  })
})

describe('what main answers late', () => {
  const kept = (cases: DeliveryCase[]) => ({ ...deliveryHead, packages: [], cases, blind: [], undoable: 0 })

  it('is outdated when a newer answer was there first, and when a scan added a case meanwhile', async () => {
    const { fake, receiving } = await receivingPackage([caseView(1)])
    const loads = [receiving.load(), receiving.load()]
    const older = fake.next('receiving.delivery')
    const added = receiving.add({ kind: 'case', identifier: 'x' })
    await fake.next('receiving.addCase').answer(caseAdded(caseView(2)))
    await added
    await fake.next('receiving.delivery').answer(kept([deliveryCase(caseView(1), uid)]))
    await older.answer(kept([]))
    expect(receiving.delivery.rows.map((row) => row.caseId)).toEqual([caseId(1), caseId(2)])
    const both = [deliveryCase(caseView(1), uid), deliveryCase(caseView(2))]
    await fake.next('receiving.delivery').answer(kept(both))
    await Promise.all(loads)
    expect(receiving.delivery.rows).toHaveLength(2)
    expect(fake.asked).toEqual([])
  })

  it('of two readings of a case never takes the place of the newer one', async () => {
    const { fake, receiving } = await receivingPackage([caseView(1)])
    const adjusted = operation({ kind: 'remove-item', caseId: caseId(1), state: 'accepted' })
    receiving.operationChanged(adjusted)
    receiving.operationChanged({ ...adjusted, id: operationId(2), seq: 2 })
    const older = fake.next('receiving.case')
    await fake.next('receiving.case').answer(caseView(1, { tagCount: 10 }))
    await older.answer(caseView(1, { tagCount: 11 }))
    expect(receiving.selected?.view?.tagCount).toBe(10)
  })

  it('is asked for when the removal of an import is given up: the case may still be imported', async () => {
    const removal = operation({ kind: 'import-removal', caseId: caseId(1), state: 'rejected', undo: null })
    const { fake, receiving } = await receivingPackage([
      caseView(1, { packagedProducts: [product(1, { kind: 'refused', operation: removal })] }),
    ])
    receiving.operationChanged({ ...removal, state: 'cancelled', dismissedBecause: 'it stays' })
    const imported = { kind: 'imported-here' as const, at: null, packageUid: uid, operation: null }
    await fake.next('receiving.case').answer(caseView(1, { packagedProducts: [product(1, imported)] }))
    expect(receiving.product?.importState.kind).toBe('imported-here')
  })
})
