import { Find } from '../../../src-renderer/find/find.svelte'
import type { ScanOutcome } from '../../../src-renderer/scan/strip.svelte'
import { createClient } from '../../../src-shared/ipc/client'
import type { EntityLink, EntityRef } from '../../../src-shared/ipc/contract/find'
import type { OperationView } from '../../../src-shared/ipc/contract/outbox'
import { at, caseId, productId, tagId } from './examples'
import { createFakeWire } from './fake-wire'

export const shown = (ref: EntityRef, name: string, operations: OperationView[] = []) => ({
  ref,
  name,
  knowledge: { source: 'now', knownAt: at },
  unreachable: null,
  missing: [],
  facts: [],
  operations,
})
export const tagView = (number: number, name = `Item ${number}`) => ({
  kind: 'tag',
  ...shown({ kind: 'tag', id: tagId(number) }, name),
  pictureUrl: null,
  product: null,
  batch: null,
  coas: [],
  holders: [],
  pastHolders: [],
  sale: null,
})
export const product = (number: number): EntityLink => ({
  kind: 'product',
  id: productId(number),
  name: 'Sea Salt',
  detail: null,
})
const line = (number: number) => ({
  packagedProductId: productId(number),
  product: product(number),
  batch: null,
  regulatoryId: null,
  packagedOn: null,
  useBy: null,
})
const member = (number: number) => ({
  tagId: tagId(number),
  productName: null,
  packageUid: null,
  addedOn: null,
  removedOn: null,
  importedOn: null,
  soldOn: null,
})
export const caseThing = (products = [1]) => ({
  kind: 'collection',
  ...shown({ kind: 'collection', id: caseId(1) }, 'A case'),
  watched: { ids: [caseId(1)], kinds: [], newSales: true },
  collectionId: caseId(1),
  identifier: caseId(1),
  type: 'case',
  isRemoved: false,
  caseId: caseId(1),
  pictureUrl: null,
  packagedProducts: products.map(line),
  coas: [],
  cases: [],
  regulatorIds: [],
  items: [member(1)],
  itemCount: 1,
  removedItems: [],
  removedItemCount: 0,
})
export const link = (ref: EntityRef, name = 'found'): EntityLink => ({ ...ref, name, detail: null })
export const matches = (things: EntityLink[], orderId: string | null = null) => ({ things, orderId, unreachable: null })
export const tagScan = (number: number, certain = true) => ({ kind: 'tag' as const, tagId: tagId(number), certain })
export const inOrders: ScanOutcome = { tone: 'good', what: { key: 'nav.orders' } }

export function create() {
  const fake = createFakeWire()
  fake.always('find.recent', [])
  fake.always('find.known', null)
  const orders: string[] = []
  const find = new Find({
    client: createClient(fake.wire),
    isInFront: () => true,
    openOrder: (orderId) => {
      orders.push(orderId)
      return Promise.resolve(inOrders)
    },
    showOperation: () => undefined,
    connection: () => 'online',
  })
  return { fake, find, orders }
}

/** A case is open, as a scan opens it. */
export async function withCase(products?: number[]) {
  const made = create()
  void made.find.open({ kind: 'collection', id: caseId(1) })
  await made.fake.next('find.entity').answer(caseThing(products))
  const work = made.find.shown?.work
  if (!work) throw new Error('a collection can be worked at')
  return { ...made, work }
}
