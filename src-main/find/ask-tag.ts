import type { TagId } from '../../src-shared/ids'
import { err } from '../../src-shared/result'
import { instant } from '../../src-shared/service/facts'
import type { Item, ItemV15 } from '../../src-shared/service/items'
import { type Asking, type Found, errorsIn, readCoas, told, valueOf } from './ask'
import { besidesOf } from './ask-case'
import { createGaps, judge } from './gaps'
import { ofItem, tagBody } from './tag-thing'

/**
 * An item: what it is (both versions), where it was (v1.5), and the collection that it is in, which tells of its package
 * and its sale; its case names the rest. Spec: TagIDs (v1.5); v1.2 endpoints.
 */
export async function askTag(asking: Asking, tagId: TagId): Promise<Found> {
  const { v12, v15, turns, learn } = asking
  const gaps = createGaps()
  const [itemResult, v15Result, removedResult] = await Promise.all([
    turns(() => v12.items.get(tagId)),
    turns(() => v15.items.get(tagId)),
    turns(() => v15.items.removedCollections(tagId)),
  ])
  const [item, itemV15] = [valueOf(itemResult), valueOf(v15Result)]
  if (!item && !itemV15) return err(judge(errorsIn(itemResult, v15Result)) ?? { code: 'service/not-found', id: tagId })
  if (item) learn('tag', item.tagid_url, tagId)
  gaps.take('collections', itemResult)
  gaps.take('catalogue', v15Result)
  const removed = gaps.take('removed-collections', removedResult)

  const holder = homeOf(item ?? itemV15)
  const [collectionResult, detailResult] = await Promise.all([
    holder && turns(() => v12.collections.get(holder.uuid)),
    holder?.collection_type === 'case' ? turns(() => v12.cases.get(holder.uuid)) : undefined,
  ])
  const collection = collectionResult && gaps.take('sale', collectionResult)
  const detail = detailResult && gaps.take('case', detailResult)

  const productId = item?.product_uuid ?? itemV15?.product_uuid
  const batchId = item?.batch_uuid ?? itemV15?.batch_uuid
  const isProductKnown = productId == null || detail?.products?.some(({ uuid }) => uuid === productId) === true
  const isBatchKnown = batchId == null || detail?.batches?.some(({ uuid }) => uuid === batchId) === true
  const [productResult, batchResult] = await Promise.all([
    isProductKnown ? undefined : turns(() => v12.products.get(productId)),
    isBatchKnown ? undefined : turns(() => v15.batches.get(batchId)),
  ])
  const productV15Result =
    isProductKnown || productResult?.ok !== false ? undefined : await turns(() => v15.products.get(productId))
  if (productResult && !productV15Result?.ok) gaps.take('product', productResult)
  const batch = batchResult && gaps.take('batch', batchResult)

  const known = new Set<string>(ofItem({ item, itemV15, detail }).map(({ uuid }) => uuid))
  const named = itemV15?.digital_coa_uuids ?? batch?.digital_coa_uuids ?? []
  const coas = await readCoas(
    asking,
    named.filter((coaId) => !known.has(coaId)),
    gaps,
  )
  const body = tagBody({
    tagId,
    item,
    itemV15,
    removed,
    collection,
    detail,
    product: valueOf(productResult),
    productV15: valueOf(productV15Result),
    batch,
    coas,
  })
  return told(body, gaps, detail && besidesOf(detail))
}

/** The collection that tells most of an item: its case, else one it was in, else any that holds it. */
function homeOf(item: Item | ItemV15 | undefined) {
  const newest = (entries: readonly Home[]) => entries.toSorted((a, b) => instant(b.added_on) - instant(a.added_on))[0]
  const now: readonly Home[] = item?.collections ?? []
  const past: readonly Home[] = item?.removed_collections ?? []
  const isCase = ({ collection_type }: Home) => collection_type === 'case'
  return (
    newest(now.filter((one) => isCase(one) && one.removed_on == null)) ??
    newest([...now, ...past].filter(isCase)) ??
    newest(now)
  )
}

interface Home {
  uuid: string
  collection_type: string
  added_on?: string | null | undefined
  removed_on?: string | null | undefined
}
