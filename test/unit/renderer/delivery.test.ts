import { describe, expect, it } from 'vitest'
import { DeliveryId, PackageUid } from '../../../src-shared/ids'
import { at, caseId, caseView, deliveryCase, deliveryHead, operation, packageView, product } from './examples'
import { rowIdOf } from '../../../src-renderer/receiving/delivery.svelte'
import { itemByKey, placesOf } from '../../../src-renderer/ui/places'
import { announce, createReceiving, importOf, receivingPackage, uid } from './deliveries'

const otherDelivery = DeliveryId.parse('00000000-0000-4000-8000-00000000000e')

describe('the delivery', () => {
  const view = (cases = [deliveryCase(caseView(1), uid)]) => ({
    ...deliveryHead,
    packages: [packageView(uid)],
    cases,
    blind: [],
    undoable: 0,
    revision: 0,
  })

  it('is restored from main, with the first case selected', async () => {
    const { fake, receiving } = createReceiving()
    const loading = receiving.load()
    await fake.next('receiving.delivery').answer(view())
    await loading
    expect(receiving.items.map(({ kind }) => kind)).toEqual(['package', 'case'])
    expect(receiving.selected?.caseId).toBe(caseId(1))
  })

  it('shows a change that overtook the whole view, and none that the view holds', async () => {
    const { fake, receiving } = createReceiving()
    const loading = receiving.load()
    const other = (number: number) => deliveryCase(caseView(number), uid)
    await announce(fake, { cases: [other(1), other(9)], revision: 4 })
    await announce(fake, { cases: [other(2)], undoable: 3, revision: 5 })
    await fake.next('receiving.delivery').answer({ ...view(), revision: 4 })
    await loading
    expect(receiving.delivery.rows.map((row) => row.caseId)).toEqual([caseId(1), caseId(2)])
    expect(receiving.delivery.undoable).toBe(3)
    // A delivery that began after the answer "none" was given.
    const again = receiving.load()
    await announce(fake, {
      delivery: { id: otherDelivery, startedAt: at, stations: [] },
      cases: [other(3)],
      revision: 6,
    })
    await fake.next('receiving.delivery').answer(null)
    await again
    expect(receiving.delivery.rows.map((row) => row.caseId)).toEqual([caseId(3)])
  })

  it('keeps the selection and ticks of rows that stay, and forgets those of removed rows', async () => {
    const { fake, receiving } = await receivingPackage()
    receiving.select(caseId(2))
    receiving.selection.tick(caseId(1), true)
    receiving.selection.tick(caseId(2), true)
    const loading = receiving.load()
    await fake.next('receiving.delivery').answer(view([deliveryCase(caseView(2), uid)]))
    await loading
    expect(receiving.selected?.caseId).toBe(caseId(2))
    expect([1, 2].map((number) => receiving.selection.tickOf(caseId(number)))).toEqual([undefined, true])
  })

  it('shows the cases that main announces, and starts over with another delivery', async () => {
    const { fake, receiving } = await receivingPackage()
    await announce(fake, { cases: [deliveryCase(caseView(1, { tagCount: 22, requiredCount: 24 }), uid)] })
    expect(receiving.selected?.view?.tagCount).toBe(22)
    expect(receiving.delivery.rows).toHaveLength(2)
    const other = { id: otherDelivery, startedAt: at, stations: [] }
    await announce(fake, { delivery: other, cases: [deliveryCase(caseView(3))] })
    expect(receiving.items.map(({ kind }) => kind)).toEqual(['singles', 'case'])
    await announce(fake, { delivery: null })
    expect([receiving.delivery.head, receiving.items]).toEqual([null, []])
  })

  it('lists cases from packages outside the delivery after the packages, and blind imports last', async () => {
    const { fake, receiving } = await receivingPackage()
    await announce(fake, {
      cases: [deliveryCase(caseView(3), 'elsewhere'), deliveryCase(caseView(4))],
      blind: [operation({ kind: 'blind-import', state: 'queued' })],
    })
    const kinds = receiving.items.map(({ kind }) => kind)
    expect(kinds).toEqual(['package', 'case', 'case', 'singles', 'case', 'case', 'unseen', 'blind'])
  })

  it('moves the selection by keys through all rows, and stops at the ends', async () => {
    const { receiving } = await receivingPackage()
    const { selection } = receiving
    const places = placesOf(receiving.items, (item) => rowIdOf(item) === null)
    const press = (key: string) => {
      const from = receiving.items.findIndex((item) => rowIdOf(item) === selection.id)
      selection.select(rowIdOf(receiving.items[itemByKey(key, places, from, 9) ?? -1]))
    }
    press('ArrowDown')
    press('ArrowDown')
    expect(selection.id).toBe(caseId(2))
    press('Home')
    press('ArrowUp')
    expect(selection.id).toBe(caseId(1))
  })

  it('removes rows that main reports as dropped', async () => {
    const { fake, receiving } = await receivingPackage([caseView(1), caseView(2), caseView(3)])
    const packageUids = [PackageUid.parse(uid)]
    await announce(fake, {
      dropped: { packageUids, caseIds: [caseId(1), caseId(2)] },
      cases: [deliveryCase(caseView(3), 'U2')],
      packages: [packageView('U2')],
    })
    expect(receiving.items.map(({ key }) => key)).toEqual(['package U2', caseId(3)])
    expect(receiving.selected?.caseId).toBe(caseId(3))
  })

  it('shows why a row could not be removed', async () => {
    const { fake, receiving } = await receivingPackage()
    const dropping = receiving.steps.dropCase(caseId(1))
    await fake.next('receiving.dropCase').refuse({ code: 'store/not-saved' })
    await dropping
    expect(receiving.steps.error?.code).toBe('store/not-saved')
    expect(receiving.delivery.rows).toHaveLength(2)
  })

  it('shows why one row could not be removed, although another was removed meanwhile', async () => {
    const { fake, receiving } = await receivingPackage()
    const [first, second] = [receiving.steps.dropCase(caseId(1)), receiving.steps.dropCase(caseId(2))]
    await fake.next('receiving.dropCase').refuse({ code: 'store/not-saved' })
    await fake.next('receiving.dropCase').answer(null)
    expect([(await first)?.code, await second]).toEqual(['store/not-saved', null])
    expect(receiving.steps.error?.code).toBe('store/not-saved')
  })

  it('undoes what can be undone, and says how much', async () => {
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
    const undoing = receiving.steps.undoAll()
    const removal = importOf(9, { kind: 'import-removal', caseId: caseId(1) })
    const refused = {
      caseId: caseId(2),
      packagedProductId: null,
      productName: null,
      error: { code: 'store/not-saved' },
    }
    await fake.next('receiving.undoDelivery').answer({ saved: [removal], refused: [refused] })
    await undoing
    expect(receiving.steps.undone).toEqual({ saved: 1, refused: 1 })
  })
})

describe('undoing everything', () => {
  it('is offered for as many imports as main told last', async () => {
    const { fake, receiving } = await receivingPackage()
    expect(receiving.delivery.undoable).toBe(0)
    await announce(fake, { cases: [deliveryCase(caseView(1), uid)], undoable: 7 })
    await announce(fake, { cases: [deliveryCase(caseView(2), uid)], undoable: null })
    expect(receiving.delivery.undoable).toBe(7)
    await announce(fake, { delivery: { id: otherDelivery, startedAt: at, stations: [] } })
    expect(receiving.delivery.undoable).toBe(0)
  })
})
