import type { TagId } from '../../../src-shared/ids'
import type { Entity, HoldingCollection } from '../../../src-shared/ipc/contract/find'
import { err } from '../../../src-shared/result'
import type { BatchDetail } from '../../../src-shared/service/batches'
import type { CaseDetail, Collection } from '../../../src-shared/service/collections'
import { type TagFacts, caseFacts, instant, pictureOf } from '../../../src-shared/service/facts'
import type { Item, ItemV15, ItemWithRemovedCollections } from '../../../src-shared/service/items'
import type { Product, ProductV15 } from '../../../src-shared/service/products'
import { caseOfItem, looseFacts } from '../lookup'
import type { Memory } from '../store'
import {
  type Asked,
  type Asking,
  type EntityBody,
  type Scanned,
  answer,
  createMissing,
  errorsIn,
  judge,
  readCoas,
  valueOf,
} from './asking'
import { relatedOf } from './batch'
import { type AnyCoa, coaLinks } from './certificate'
import { facts, id, text, when, yesNo } from './facts'
import { type WireHolder, filled, joinHolders, link, newestFirst } from './links'

/**
 * An item: what it is (both versions), where it was (v1.5), and its collection with its package and sale (v1.2). Its case
 * has the names. Spec: TagIDs (v1.5); v1.2 endpoints.
 */
export async function askTag(asking: Asking, tagId: TagId): Promise<Asked> {
  const { v12, v15, limit, learn } = asking
  const missing = createMissing()
  const [itemResult, v15Result, removedResult] = await Promise.all([
    limit(() => v12.items.get(tagId)),
    limit(() => v15.items.get(tagId)),
    limit(() => v15.items.removedCollections(tagId)),
  ])
  const [item, itemV15] = [valueOf(itemResult), valueOf(v15Result)]
  if (!item && !itemV15) return err(judge(errorsIn(itemResult, v15Result)) ?? { code: 'service/not-found', id: tagId })
  if (item) learn('tag', item.tagid_url, tagId)
  missing.take('collections', itemResult)
  missing.take('catalogue', v15Result)
  const removed = missing.take('removed-collections', removedResult)

  const home = homeOf(item ?? itemV15)
  const [collectionResult, detailResult] = await Promise.all([
    home && limit(() => v12.collections.get(home.uuid)),
    home?.collection_type === 'case' ? limit(() => v12.cases.get(home.uuid)) : undefined,
  ])
  const collection = collectionResult && missing.take('sale', collectionResult)
  const detail = detailResult && missing.take('case', detailResult)

  const reads = { tagId, item, itemV15, removed, collection, detail }
  const [productId, batchId] = [productIdOf(reads), batchIdOf(reads)]
  const isProductKnown = productId == null || detail?.products?.some(({ uuid }) => uuid === productId) === true
  const isBatchKnown = batchId == null || detail?.batches?.some(({ uuid }) => uuid === batchId) === true
  const [product, batchResult] = await Promise.all([
    isProductKnown ? undefined : limit(() => v12.products.get(productId)),
    isBatchKnown ? undefined : limit(() => v15.batches.get(batchId)),
  ])
  const productV15 =
    isProductKnown || product?.ok !== false ? undefined : await limit(() => v15.products.get(productId))
  if (product && !productV15?.ok) missing.take('product', product)
  const batch = batchResult && missing.take('batch', batchResult)

  const known = new Set<string>(coasOfItem(reads).map(({ uuid }) => uuid))
  const named = itemV15?.digital_coa_uuids ?? batch?.digital_coa_uuids ?? []
  const unknown = named.filter((coaId) => !known.has(coaId))
  const coas = await readCoas(asking, unknown, missing)
  const body = tagBody({ ...reads, product: valueOf(product), productV15: valueOf(productV15), batch, coas })
  return answer(body, missing, detail && relatedOf(detail), scannedOf(reads, valueOf(product)))
}

/** What a scan of the item would have learned from the same answers; undefined if they don't tell enough. */
function scannedOf({ item, detail, collection }: TagReads, product: Product | undefined): Scanned | undefined {
  if (!item) return undefined
  const caseId = caseOfItem(item)
  if (caseId === undefined) return { tag: looseFacts(item, product), caseFacts: undefined }
  if (!detail || detail.uuid !== String(caseId)) return undefined
  // Without the collection, a sale can't be ruled out.
  const caseOfIt = collection && caseFacts(detail, collection)
  const tag = caseOfIt?.tags.find(({ tagId }) => tagId === item.uuid)
  return tag && { tag, caseFacts: caseOfIt }
}

/** The collection that tells most of an item: its case, else a case it was in, else any that holds it. */
function homeOf(item: Item | ItemV15 | undefined) {
  const newest = (entries: readonly WireHolder[]) =>
    entries.toSorted((a, b) => instant(b.added_on) - instant(a.added_on))[0]
  const now: readonly WireHolder[] = item?.collections ?? []
  const past: readonly WireHolder[] = item?.removed_collections ?? []
  const isCase = (one: WireHolder) => one.collection_type === 'case'
  return (
    newest(now.filter((one) => isCase(one) && isHolding(one))) ??
    newest([...now, ...past].filter(isCase)) ??
    newest(now)
  )
}

const isHolding = (one: WireHolder) => one.removed_on == null

/** What was read about an item; what could not be read is left out. Spec: TagID (item). */
interface TagReads {
  tagId: string
  item?: Item | undefined
  itemV15?: ItemV15 | undefined
  /** Paired, claimed, counterfeit: only v1.5 has these. */
  removed?: ItemWithRemovedCollections | undefined
  /** The collection that shows the item's sale; if it is a case, its detail. */
  collection?: Collection | undefined
  detail?: CaseDetail | undefined
  product?: Product | undefined
  productV15?: ProductV15 | undefined
  batch?: BatchDetail | undefined
  /** In addition to those of the case. */
  coas?: readonly AnyCoa[]
}

const productIdOf = ({ item, itemV15 }: TagReads) => item?.product_uuid ?? itemV15?.product_uuid
const batchIdOf = ({ item, itemV15 }: TagReads) => item?.batch_uuid ?? itemV15?.batch_uuid

/** What an item is and where it is. `sale` is what the service says; `asOf` adds our own orders. */
export function tagBody(reads: TagReads): EntityBody<'tag'> {
  const { tagId, item, itemV15, removed, collection, detail } = reads
  const member = [...(collection?.items ?? []), ...(collection?.removed_items ?? [])].find(
    (one) => one.tag_id === tagId,
  )
  const [productId, batchId] = [productIdOf(reads), batchIdOf(reads)]
  const product = detail?.products?.find(({ uuid }) => uuid === productId) ?? reads.product ?? reads.productV15
  const batch = detail?.batches?.find(({ uuid }) => uuid === batchId) ?? reads.batch
  const brandId = item?.brand_uuid ?? itemV15?.brand_uuid ?? product?.brand_uuid
  const brandName = detail?.brands?.find(({ uuid }) => uuid === brandId)?.name ?? reads.productV15?.brand?.name
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
      when('created-on', item?.created ?? itemV15?.created),
      when('paired-on', removed?.paired_on ?? member?.paired_on),
      when('imported-on', member?.imported_to_inventory_on),
      when('audited-on', member?.last_audited_on),
      when('claimed-on', removed?.claimed_on ?? member?.claimed_on),
      // Kept even if the service names no day.
      when('counterfeit-on', removed?.counterfeit_on) ??
        (removed?.is_counterfeit === true ? yesNo('counterfeit-on', true) : undefined),
      when('sold-on', soldOn),
    ),
    pictureUrl: pictureOf(product?.images),
    // A link without a name, if no answer has one.
    product: product
      ? link('product', product.uuid, product.name, brandName)
      : productId == null
        ? null
        : link('product', productId),
    batch: batch
      ? link('batch', batch.uuid, batch.name, batch.regulatory_id)
      : batchId == null
        ? null
        : link('batch', batchId),
    coas: coaLinks([...coasOfItem(reads), ...(reads.coas ?? [])]),
    holders,
    pastHolders,
    sale: soldOn === null ? null : { orderId: null, at: soldOn, by: 'service' },
  }
}

/** The certificates of an item in its case: those that v1.5 names, else those of its batch. */
function coasOfItem(reads: TagReads): AnyCoa[] {
  const all = reads.detail?.digital_coas ?? []
  const named = new Set<string>(reads.itemV15?.digital_coa_uuids ?? [])
  const batchId = batchIdOf(reads)
  return all.filter((coa) => (named.size > 0 ? named.has(coa.uuid) : batchId != null && coa.batch_uuid === batchId))
}

/** The collections that hold it and that held it: an answer may name both in one list. */
function holdersOf({ item, itemV15, removed }: TagReads) {
  const lists: (readonly WireHolder[] | null | undefined)[] = [item?.collections, itemV15?.collections]
  const holders = newestFirst(joinHolders(...lists.map((list) => list?.filter(isHolding))))
  const past = joinHolders(
    ...lists.map((list) => list?.filter((one) => !isHolding(one))),
    item?.removed_collections,
    itemV15?.removed_collections,
    removed?.removed_collections,
  )
  const here = new Set(holders.map((one) => one.link.id))
  return { holders, pastHolders: newestFirst(past).filter((one) => !here.has(one.link.id)) }
}

/** The newest package that holds it: its inventory's, else its regulator's. */
const packageIn = (holders: readonly HoldingCollection[]) => {
  const newest = (type: string) => holders.find((one) => one.type === type)?.link
  const found = newest('inventory') ?? newest('regulator')
  return found && (found.detail ?? found.id)
}

/** Our own order replaces the day that the service shows, because it says more. */
export function withOwnSale(view: Entity<'tag'>, own: { orderId: string; at: string } | undefined): Entity<'tag'> {
  if (!own) return view
  const { orderId, at } = own
  const others = view.facts.filter(({ name }) => name !== 'sold-on')
  return {
    ...view,
    sale: { orderId, at, by: 'this-station' },
    facts: [...others, ...facts(when('sold-on', at), text('sold-in-order', orderId))],
  }
}

/** Whether an item was marked as counterfeit when Find last read it. */
export const isMarkedCounterfeit = ({ views }: Pick<Memory, 'views'>, tagId: TagId): boolean =>
  views.find('tag', tagId)?.view.facts.some(({ name }) => name === 'counterfeit-on') === true

/** An item that Find never showed, from what a scan left of it. */
export function tagFromFacts(tag: TagFacts): EntityBody<'tag'> {
  return {
    kind: 'tag',
    ref: { kind: 'tag', id: tag.tagId },
    name: tag.productName,
    facts: facts(id('id', tag.tagId), text('brand', tag.brandName), when('sold-on', tag.soldOn)),
    pictureUrl: tag.pictureUrl,
    product: tag.productId === null ? null : link('product', tag.productId, tag.productName, tag.brandName),
    batch: null,
    coas: [],
    holders:
      tag.caseId === null ? [] : joinHolders([{ uuid: tag.caseId, identifier: tag.caseId, collection_type: 'case' }]),
    pastHolders: [],
    sale: tag.soldOn === null ? null : { orderId: null, at: tag.soldOn, by: 'service' },
  }
}
