import { err } from '../../src-shared/result'
import type { Collection } from '../../src-shared/service/collections'
import { type Asking, type Found, errorsIn, readCoas, told, valueOf } from './ask'
import { besidesOf } from './ask-case'
import { collectionBody } from './collection-thing'
import { createGaps, judge } from './gaps'

/** Products that are read one by one for their names. */
const mostProducts = 10

/**
 * A collection by its id or its identifier, in both versions; a case with all that it holds. Of a text that several
 * collections share, the retail account's reading counts. Spec: Collections (v1.5); v1.2 endpoints.
 */
export async function askCollection(asking: Asking, idOrIdentifier: string): Promise<Found> {
  const { v12, v15, turns, learn } = asking
  const gaps = createGaps()
  const [result, byText] = await Promise.all([
    turns(() => v12.collections.get(idOrIdentifier)),
    turns(() => v15.collections.get(idOrIdentifier)),
  ])
  const found = valueOf(result) ?? valueOf(byText)
  if (!found) return err(judge(errorsIn(result, byText)) ?? { code: 'service/not-found', id: idOrIdentifier })
  const { uuid } = found
  const v15Result = byText.ok && byText.value.uuid !== uuid ? await turns(() => v15.collections.get(uuid)) : byText
  const collection = gaps.take('members', result)
  const collectionV15 = gaps.take('catalogue', v15Result)
  if (collection?.collection_type === 'case') learn('case', collection.collection_url, collection.identifier)

  const isCase = found.collection_type === 'case'
  const [detailResult, detailV15Result] = await Promise.all([
    isCase ? turns(() => v12.cases.get(uuid)) : undefined,
    isCase ? turns(() => v15.collections.getCase(uuid)) : undefined,
  ])
  // A removed case may not be there as a case any more.
  const detail = detailResult && gaps.take('case', detailResult)
  const detailV15 = detailV15Result && gaps.take('catalogue', detailV15Result)

  const unnamed = productIdsOf(collection).filter(
    (productId) => !detail?.products?.some((one) => one.uuid === productId),
  )
  const products = await Promise.all(
    unnamed.slice(0, mostProducts).map((productId) => turns(() => v12.products.get(productId))),
  )
  const known = new Set<string>((detail?.digital_coas ?? detailV15?.digital_coas ?? []).map((coa) => coa.uuid))
  const coas = await readCoas(
    asking,
    (collection?.digital_coa_uuids ?? []).filter((coaId) => !known.has(coaId)),
    gaps,
  )
  const body = collectionBody({
    collection,
    collectionV15,
    detail,
    detailV15,
    products: products.flatMap((product) => gaps.take('product', product) ?? []),
    coas,
  })
  if (!body) return err({ code: 'service/not-found', id: idOrIdentifier })
  return told(body, gaps, detail && besidesOf(detail))
}

/** The products of what a collection holds and held. */
function productIdsOf(collection: Collection | undefined): string[] {
  if (!collection) return []
  const { items, removed_items: removedItems, packaged_products: packaged } = collection
  const all = [...items, ...(removedItems ?? []), ...(packaged ?? [])].map((one) => one.product_uuid)
  return [...new Set(all.filter((productId) => productId != null))]
}
