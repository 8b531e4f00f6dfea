import { CaseId, ShortUuid, type TagId } from '../../../src-shared/ids'
import type { ItemInCollection, RemovedCollectionLine } from '../../../src-shared/ipc/contract/find'
import { err } from '../../../src-shared/result'
import { readLikePackage, readPackageTag } from '../../../src-shared/scan/packages'
import type { CaseDetail, Collection, CollectionItem } from '../../../src-shared/service/collections'
import type { CaseDetailV15, CollectionV15, RemovedCollection } from '../../../src-shared/service/collections-v15'
import { type CaseFacts, caseFacts, instant, isRemovedOf, pictureOf } from '../../../src-shared/service/facts'
import type { Product, ProductV15 } from '../../../src-shared/service/products'
import {
  type Asked,
  type Asking,
  type EntityBody,
  answer,
  createMissing,
  errorsIn,
  judge,
  readCoas,
  valueOf,
} from './asking'
import { type PackagedLine, packagedLine, relatedOf } from './batch'
import { type AnyCoa, coaLinks } from './certificate'
import { count, facts, id, text, when, yesNo } from './facts'
import { filled, joinHolders, link } from './links'

/** Products that are read one by one for their names. */
const mostProducts = 10

/**
 * A collection by its id or its identifier, in both versions; a case with all that it holds. If several collections share
 * an identifier, the retail account's counts. Spec: Collections (v1.5); v1.2 endpoints.
 */
export async function askCollection(asking: Asking, idOrIdentifier: string): Promise<Asked> {
  const { v12, v15, limit, learn } = asking
  const missing = createMissing()
  const [result, byText] = await Promise.all([
    limit(() => v12.collections.get(idOrIdentifier)),
    limit(() => v15.collections.get(idOrIdentifier)),
  ])
  const found = valueOf(result) ?? valueOf(byText)
  if (!found) return err(judge(errorsIn(result, byText)) ?? { code: 'service/not-found', id: idOrIdentifier })
  const { uuid } = found
  const v15Result = byText.ok && byText.value.uuid !== uuid ? await limit(() => v15.collections.get(uuid)) : byText
  const collection = missing.take('members', result)
  const collectionV15 = missing.take('catalogue', v15Result)
  if (collection?.collection_type === 'case') learn('case', collection.collection_url, collection.identifier)

  const isCase = found.collection_type === 'case'
  const [detailResult, detailV15Result] = await Promise.all([
    isCase ? limit(() => v12.cases.get(uuid)) : undefined,
    isCase ? limit(() => v15.collections.getCase(uuid)) : undefined,
  ])
  // A removed case may no longer have a detail.
  const detail = detailResult && missing.take('case', detailResult)
  const detailV15 = detailV15Result && missing.take('catalogue', detailV15Result)

  const isNamed = new Set<string>(detail?.products?.map((one) => one.uuid))
  const unnamed = productIdsOf(collection).filter((productId) => !isNamed.has(productId))
  const results = await Promise.all(
    unnamed.slice(0, mostProducts).map((productId) => limit(() => v12.products.get(productId))),
  )
  const products = results.flatMap((product) => missing.take('product', product) ?? [])
  const isRead = new Set<string>((detail?.digital_coas ?? detailV15?.digital_coas)?.map((coa) => coa.uuid))
  const unread = (collection?.digital_coa_uuids ?? []).filter((coaId) => !isRead.has(coaId))
  const coas = await readCoas(asking, unread, missing)
  const body = collectionBody({ collection, collectionV15, detail, detailV15, products, coas })
  if (!body) return err({ code: 'service/not-found', id: idOrIdentifier })
  return answer(body, missing, detail && relatedOf(detail))
}

/** The products of what a collection holds and held. */
function productIdsOf(collection: Collection | undefined): string[] {
  if (!collection) return []
  const { items, removed_items: removedItems, packaged_products: packaged } = collection
  const all = [...items, ...(removedItems ?? []), ...(packaged ?? [])].map((one) => one.product_uuid)
  return [...new Set(all.filter((productId) => productId != null))]
}

/** What was read about a collection; what could not be read is left out. Spec: Collection. */
interface CollectionReads {
  collection?: Collection | undefined
  collectionV15?: CollectionV15 | undefined
  /** Only for cases. */
  detail?: CaseDetail | undefined
  detailV15?: CaseDetailV15 | undefined
  /** Those of packaged products that no other answer names. */
  products?: readonly Product[]
  /** In addition to those of the case. */
  coas?: readonly AnyCoa[]
}

/** Merges both API versions of a collection and, for a case, its contents. Undefined if there is no answer. */
export function collectionBody(reads: CollectionReads): EntityBody<'collection'> | undefined {
  const { collection, collectionV15, detail, detailV15 } = reads
  const rich = collection ?? detail
  const one = rich ?? collectionV15 ?? detailV15
  if (!one) return undefined
  const isCase = one.collection_type === 'case'
  const products = productsOf(reads)
  // A regulator's collection is a package as well: that view lists its cases.
  const itself = readPackageTag(one.identifier) ?? readLikePackage(one.identifier)
  const packageUids =
    itself && one.collection_type === 'regulator' ? [itself.packageUid] : detail ? caseFacts(detail).packageUids : []
  const lists = itemsOf(reads, products)
  const [brand] = detail?.brands ?? detailV15?.brands ?? []
  return {
    kind: 'collection',
    ref: { kind: 'collection', id: one.uuid },
    name: filled(one.name),
    collectionId: one.uuid,
    identifier: one.identifier,
    type: one.collection_type,
    isRemoved: isRemovedOf(one) === true,
    caseId: isCase ? CaseId.parse(one.uuid) : null,
    facts: facts(
      id('id', one.uuid),
      text('identifier', one.identifier === one.uuid ? null : one.identifier),
      text('address', rich?.collection_url),
      text('type', one.collection_type),
      text('sub-type', filled(one.sub_type) ?? collectionV15?.sub_type),
      text('company', rich?.company_name),
      text('brand', brand?.name),
      ...packageUids.map((packageUid) => text('package-uid', packageUid)),
      text('transfer', rich?.transfer_regulator_uid),
      text('gtin', rich?.gtin_code),
      count('tag-count', lists.itemCount),
      count('required-count', rich?.required_items_per_caseid),
      yesNo('public', one.is_public),
      when('added-on', one.added_on),
      when('activated-on', rich?.activated_on),
      when('imported-on', rich?.imported_to_inventory_on),
      when('audited-on', rich?.last_audited_on),
      when('removed-on', one.removed_on),
    ),
    pictureUrl: [...products.values()].map((product) => pictureOf(product.images)).find((url) => url !== null) ?? null,
    packagedProducts: packagedProductsOf(reads),
    coas: coaLinks([...(detail?.digital_coas ?? detailV15?.digital_coas ?? []), ...(reads.coas ?? [])]),
    cases: entries('case', detail?.cases, detailV15?.cases).filter(({ link }) => link.id !== one.uuid),
    regulatorIds: entries('regulator', detail?.regulator_ids, detailV15?.regulator_ids),
    ...lists,
  }
}

/** Collections that a case names, in order of time. `type`: theirs, if the answer leaves it out. */
const entries = (type: string, ...lists: Parameters<typeof joinHolders>) =>
  joinHolders(...lists)
    .toSorted((a, b) => instant(a.addedOn) - instant(b.addedOn))
    .map((entry) => ({ ...entry, type: filled(entry.type) ?? type }))

/** Every product that an answer describes, by id. */
function productsOf({ detail, detailV15, products = [] }: CollectionReads): Map<string, Product | ProductV15> {
  const all = [...(detailV15?.products ?? []), ...products, ...(detail?.products ?? [])]
  return new Map(all.map((product) => [product.uuid, product]))
}

function packagedProductsOf({ collection, detail, products = [] }: CollectionReads): PackagedLine[] {
  const packaged = detail?.packaged_products ?? collection?.packaged_products ?? []
  const naming = { products: [...(detail?.products ?? []), ...products], batches: detail?.batches }
  return packaged.map((one) => packagedLine(one, naming))
}

/** The number of items in a view, and of removed items. */
const mostMembers = 500

type WireMember = Pick<CollectionItem, 'tag_id'> &
  Partial<
    Pick<
      CollectionItem,
      | 'added_on'
      | 'removed_on'
      | 'product_uuid'
      | 'pos_package_uid'
      | 'imported_to_inventory_on'
      | 'sold_at_dispensary_on'
    >
  >

const member = (item: WireMember, productName: string | null): ItemInCollection => ({
  tagId: item.tag_id,
  productName,
  packageUid: filled(item.pos_package_uid),
  addedOn: filled(item.added_on),
  removedOn: filled(item.removed_on),
  importedOn: filled(item.imported_to_inventory_on),
  soldOn: filled(item.sold_at_dispensary_on),
})

/** Our own reports are only read if the service doesn't show a sale. */
export const memberAsOf = (
  one: ItemInCollection,
  ownSale: (tagId: TagId) => { at: string } | undefined,
): ItemInCollection => (one.soldOn === null ? { ...one, soldOn: ownSale(one.tagId)?.at ?? null } : one)

/** The present and the removed items: as v1.2 has them, else as v1.5 does, with their products from the case. */
function itemsOf(
  { collection, collectionV15, detail, detailV15 }: CollectionReads,
  products: ReturnType<typeof productsOf>,
) {
  const inCase = detail?.items ?? detailV15?.items ?? []
  const productOf = new Map<string, string | null | undefined>(
    collection ? [] : inCase.map((item) => [item.tag_id, item.product_uuid]),
  )
  const shown = (items: readonly WireMember[]) =>
    items.slice(0, mostMembers).map((item) => {
      const productId = item.product_uuid ?? productOf.get(item.tag_id)
      return member(item, (productId == null ? undefined : products.get(productId)?.name) ?? null)
    })
  // A case's detail doesn't say when an item was added.
  const one = collection ?? collectionV15
  const items: readonly WireMember[] = one?.items ?? inCase.map(({ tag_id }) => ({ tag_id }))
  const removedItems: readonly WireMember[] = one?.removed_items ?? []
  return {
    items: shown(items),
    itemCount: items.length,
    removedItems: shown(removedItems),
    removedItemCount: removedItems.length,
  }
}

/** A case that Find never showed, from what receiving saw of it. */
export function caseFromFacts(one: CaseFacts): EntityBody<'collection'> {
  return {
    kind: 'collection',
    ref: { kind: 'collection', id: one.caseId },
    name: one.name,
    collectionId: ShortUuid.parse(one.caseId),
    identifier: one.identifier,
    type: 'case',
    isRemoved: false,
    caseId: one.caseId,
    facts: facts(
      id('id', one.caseId),
      text('identifier', one.identifier === one.caseId ? null : one.identifier),
      text('type', 'case'),
      text('brand', one.packagedProducts[0]?.brandName),
      ...one.packageUids.map((packageUid) => text('package-uid', packageUid)),
      count('tag-count', one.tags.length),
      count('required-count', one.requiredCount),
    ),
    pictureUrl: one.packagedProducts.map(({ pictureUrl }) => pictureUrl).find((url) => url !== null) ?? null,
    packagedProducts: one.packagedProducts.map((packaged) => ({
      packagedProductId: packaged.packagedProductId,
      product: link('product', packaged.productId, packaged.productName, packaged.sku),
      // Only the batch's name was stored, so there is nothing to open.
      batch: null,
      regulatoryId: null,
      packagedOn: packaged.packagedOn,
      useBy: packaged.useBy,
    })),
    coas: [],
    cases: [],
    regulatorIds: [],
    items: one.tags
      .slice(0, mostMembers)
      .map(({ tagId, productName, soldOn }) => ({ ...member({ tag_id: tagId }, productName), soldOn })),
    itemCount: one.tags.length,
    removedItems: [],
    removedItemCount: 0,
  }
}

/** Removed collections as a list shows them, the last removed first. Spec: Removed collection list item. */
export const removedLines = (all: readonly RemovedCollection[]): RemovedCollectionLine[] =>
  all
    .map((one) => ({
      collectionId: one.uuid,
      identifier: one.identifier,
      name: filled(one.name),
      type: one.collection_type,
      addedOn: filled(one.added_on),
      removedOn: filled(one.removed_on),
      tagCount: one.tag_ids_count == null ? null : Math.max(0, one.tag_ids_count),
    }))
    .sort((a, b) => instant(b.removedOn) - instant(a.removedOn))
