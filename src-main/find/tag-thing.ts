import type { Thing, ThingLink } from '../../src-shared/ipc/find-view'
import type { BatchDetail } from '../../src-shared/service/batches'
import type { CaseDetail, Collection } from '../../src-shared/service/collections'
import type { Item, ItemV15, ItemWithRemovedCollections } from '../../src-shared/service/items'
import { pictureOf } from '../../src-shared/service/facts'
import type { Product, ProductV15 } from '../../src-shared/service/products'
import type { Body } from './body'
import { facts, id, text, when, yesNo } from './facts'
import { type WireHolder, joinHolders, newestFirst } from './holders'
import { type AnyCoa, coaLinks, filled, link } from './links'

/** All that was read about an item; what could not be had is undefined. Spec: TagID (item). */
export interface TagReads {
  tagId: string
  item: Item | undefined
  itemV15: ItemV15 | undefined
  /** With what only v1.5 tells: paired, claimed, counterfeit. */
  removed: ItemWithRemovedCollections | undefined
  /** The collection that tells of its sale, and the same as a case. */
  collection: Collection | undefined
  detail: CaseDetail | undefined
  product: Product | undefined
  productV15: ProductV15 | undefined
  batch: BatchDetail | undefined
  /** Beside those of the case. */
  coas: readonly AnyCoa[]
}

/** What an item is and where it is. `sale` is what the service says: our own orders are for `asOf` to add. */
export function tagBody(reads: TagReads): Body<'tag'> {
  const { tagId, item, removed, collection, detail } = reads
  const member = [...(collection?.items ?? []), ...(collection?.removed_items ?? [])].find(
    (one) => one.tag_id === tagId,
  )
  const product = productOf(reads)
  const brandId = item?.brand_uuid ?? reads.itemV15?.brand_uuid ?? product?.brand_uuid
  const brandName =
    (brandId == null ? undefined : detail?.brands?.find(({ uuid }) => uuid === brandId)?.name) ??
    reads.productV15?.brand?.name
  const { holders, pastHolders } = holdersOf(reads)
  const soldOn = filled(member?.sold_at_dispensary_on)
  return {
    kind: 'tag',
    ref: { kind: 'tag', id: tagId },
    name: product?.name ?? null,
    facts: facts(
      id('id', tagId),
      text('address', item?.tagid_url ?? member?.tagid_url),
      text('brand', brandName),
      text('package-uid', member?.pos_package_uid ?? packageIn(holders)),
      when('created-on', item?.created ?? reads.itemV15?.created),
      when('paired-on', removed?.paired_on ?? member?.paired_on),
      when('imported-on', member?.imported_to_inventory_on),
      when('audited-on', member?.last_audited_on),
      when('claimed-on', removed?.claimed_on ?? member?.claimed_on),
      // Said of an item without a day: that it is one must not get lost.
      when('counterfeit-on', removed?.counterfeit_on) ??
        (removed?.is_counterfeit === true ? yesNo('counterfeit-on', true) : undefined),
      when('sold-on', soldOn),
    ),
    pictureUrl: pictureOf(product?.images),
    product: product
      ? link('product', product.uuid, product.name, brandName)
      : unnamed('product', reads, 'product_uuid'),
    batch: batchLink(reads),
    coas: coaLinks([...ofItem(reads), ...reads.coas]),
    holders,
    pastHolders,
    sale: soldOn === null ? null : { orderId: null, at: soldOn, by: 'service' },
  }
}

/** Which certificates are of an item: those that v1.5 names, else those of its packaged product or batch in the case. */
export function ofItem({ item, itemV15, detail }: Pick<TagReads, 'item' | 'itemV15' | 'detail'>): AnyCoa[] {
  const all = detail?.digital_coas ?? []
  const named = new Set<string>(itemV15?.digital_coa_uuids ?? [])
  if (named.size > 0) return all.filter((coa) => named.has(coa.uuid))
  const batchId = item?.batch_uuid ?? itemV15?.batch_uuid
  return batchId == null ? [] : all.filter((coa) => coa.batch_uuid === batchId)
}

function productOf({ item, itemV15, detail, product, productV15 }: TagReads): Product | ProductV15 | undefined {
  const productId = item?.product_uuid ?? itemV15?.product_uuid
  return (
    (productId == null ? undefined : detail?.products?.find(({ uuid }) => uuid === productId)) ?? product ?? productV15
  )
}

function batchLink(reads: TagReads): ThingLink | null {
  const batchId = reads.item?.batch_uuid ?? reads.itemV15?.batch_uuid
  const batch = reads.detail?.batches?.find(({ uuid }) => uuid === batchId) ?? reads.batch
  return batch ? link('batch', batch.uuid, batch.name, batch.regulatory_id) : unnamed('batch', reads, 'batch_uuid')
}

/** It is of something that nobody would tell the name of. */
function unnamed(kind: 'product' | 'batch', { item, itemV15 }: TagReads, key: 'product_uuid' | 'batch_uuid') {
  const thingId = item?.[key] ?? itemV15?.[key]
  return thingId == null ? null : link(kind, thingId)
}

/** Where it is now, and where it was: an answer may name both in one list. */
function holdersOf({ item, itemV15, removed }: TagReads) {
  const isNow = (one: WireHolder) => one.removed_on == null
  const now = [item?.collections, itemV15?.collections].map((list) => list?.filter(isNow))
  const past = [
    ...[item?.collections, itemV15?.collections].map((list) => list?.filter((one) => !isNow(one))),
    item?.removed_collections,
    itemV15?.removed_collections,
    removed?.removed_collections,
  ]
  const holders = newestFirst(joinHolders(...now))
  const here = new Set(holders.map((one) => one.link.id))
  return { holders, pastHolders: newestFirst(joinHolders(...past)).filter((one) => !here.has(one.link.id)) }
}

/** The newest package that holds it: its inventory's, else its regulator's. */
const packageIn = (holders: Thing<'tag'>['holders']) => {
  const newest = (type: string) => holders.find((one) => one.type === type)?.link
  const found = newest('inventory') ?? newest('regulator')
  return found && (found.detail ?? found.id)
}
