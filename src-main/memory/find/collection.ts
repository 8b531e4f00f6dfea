import { CaseId, ShortUuid } from '../../../src-shared/ids'
import type { Member, RemovedCollectionLine } from '../../../src-shared/ipc/find-view'
import { err } from '../../../src-shared/result'
import { readLikePackage, readPackageTag } from '../../../src-shared/scan/packages'
import type { CaseDetail, Collection, CollectionItem } from '../../../src-shared/service/collections'
import type {
  CaseDetailV15,
  CollectionItemV15,
  CollectionV15,
  RemovedCollection,
} from '../../../src-shared/service/collections-v15'
import {
  type CaseFacts,
  type PackagedProductFacts,
  caseFacts,
  instant,
  isRemovedOf,
  pictureOf,
} from '../../../src-shared/service/facts'
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
import { filled, inTimeOrder, joinHolders, link } from './links'

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

  const unnamed = productIdsOf(collection).filter(
    (productId) => !detail?.products?.some((one) => one.uuid === productId),
  )
  const products = await Promise.all(
    unnamed.slice(0, mostProducts).map((productId) => limit(() => v12.products.get(productId))),
  )
  const known = new Set<string>((detail?.digital_coas ?? detailV15?.digital_coas ?? []).map((coa) => coa.uuid))
  const coas = await readCoas(
    asking,
    (collection?.digital_coa_uuids ?? []).filter((coaId) => !known.has(coaId)),
    missing,
  )
  const body = collectionBody({
    collection,
    collectionV15,
    detail,
    detailV15,
    products: products.flatMap((product) => missing.take('product', product) ?? []),
    coas,
  })
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

/** All that was read about a collection; what could not be read is undefined. Spec: Collection. */
export interface CollectionReads {
  collection: Collection | undefined
  collectionV15: CollectionV15 | undefined
  /** Of cases only. */
  detail: CaseDetail | undefined
  detailV15: CaseDetailV15 | undefined
  /** Those of packaged products that no other answer names. */
  products: readonly Product[]
  /** In addition to those of the case. */
  coas: readonly AnyCoa[]
}

/** Joins both versions of a collection; of a case, what it holds as well. Undefined if there is no answer. */
export function collectionBody(reads: CollectionReads): EntityBody<'collection'> | undefined {
  const { collection, collectionV15, detail, detailV15 } = reads
  const rich = collection ?? detail
  const one = rich ?? collectionV15 ?? detailV15
  if (!one) return undefined
  const isCase = one.collection_type === 'case'
  const products = productsOf(reads)
  // A regulator's collection is a package as well: that view lists its cases.
  const itself =
    one.collection_type === 'regulator'
      ? (readPackageTag(one.identifier) ?? readLikePackage(one.identifier))
      : undefined
  const packageUids = itself ? [itself.packageUid] : detail ? caseFacts(detail).packageUids : []
  const lists = itemsOf(reads)
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
      count('tag-count', lists.items.length),
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
    coas: coaLinks([...(detail?.digital_coas ?? detailV15?.digital_coas ?? []), ...reads.coas]),
    cases: inTimeOrder(joinHolders(detail?.cases, detailV15?.cases).filter(({ link }) => link.id !== one.uuid)).map(
      (entry) => ({ ...entry, type: filled(entry.type) ?? 'case' }),
    ),
    regulatorIds: inTimeOrder(joinHolders(detail?.regulator_ids, detailV15?.regulator_ids)).map((entry) => ({
      ...entry,
      type: filled(entry.type) ?? 'regulator',
    })),
    items: lists.shown,
    itemCount: lists.items.length,
    removedItems: lists.shownRemoved,
    removedItemCount: lists.removedItems.length,
  }
}

/** Every product that some answer tells about, by id. */
function productsOf({ detail, detailV15, products }: CollectionReads): Map<string, Product | ProductV15> {
  const all = [...(detailV15?.products ?? []), ...products, ...(detail?.products ?? [])]
  return new Map(all.map((product) => [product.uuid, product]))
}

function packagedProductsOf({ collection, detail, products }: CollectionReads): PackagedLine[] {
  const packaged = detail?.packaged_products ?? collection?.packaged_products ?? []
  return packaged.map((one) =>
    packagedLine(one, { products: [...(detail?.products ?? []), ...products], batches: detail?.batches }),
  )
}

/** The items now and those that were taken out, by whichever version tells more. */
function itemsOf(reads: CollectionReads) {
  const { collection, collectionV15, detail, detailV15 } = reads
  const products = productsOf(reads)
  const nameOf = (productId: string) => products.get(productId)?.name ?? null
  if (collection) {
    const { items, removed_items: removedItems } = collection
    return {
      items,
      shown: members(items, nameOf),
      removedItems: removedItems ?? [],
      shownRemoved: members(removedItems, nameOf),
    }
  }
  const inDetail = detail?.items ?? detailV15?.items ?? []
  const productOf = new Map<string, string | null | undefined>(inDetail.map((item) => [item.tag_id, item.product_uuid]))
  const nameOfTag = (tagId: string) => {
    const productId = productOf.get(tagId)
    return productId == null ? null : nameOf(productId)
  }
  // A case alone does not say when an item came.
  const items = collectionV15?.items ?? inDetail.map(({ tag_id }) => ({ tag_id }))
  const removedItems = collectionV15?.removed_items ?? []
  return {
    items,
    shown: membersV15(items, nameOfTag),
    removedItems,
    shownRemoved: membersV15(removedItems, nameOfTag),
  }
}

/** As many items of a collection as a view holds. */
const mostMembers = 500

/** The items of a collection as v1.2 tells them: with their product, package, import and sale. */
const members = (
  items: readonly CollectionItem[] | null | undefined,
  nameOf: (productId: string) => string | null,
): Member[] =>
  (items ?? []).slice(0, mostMembers).map((item) => ({
    tagId: item.tag_id,
    productName: item.product_uuid == null ? null : nameOf(item.product_uuid),
    packageUid: filled(item.pos_package_uid),
    addedOn: filled(item.added_on),
    removedOn: filled(item.removed_on),
    importedOn: filled(item.imported_to_inventory_on),
    soldOn: filled(item.sold_at_dispensary_on),
  }))

/** The same as v1.5 tells them: when each came and went. `nameOf` knows the product of an item from elsewhere. */
const membersV15 = (
  items: readonly CollectionItemV15[] | null | undefined,
  nameOf: (tagId: string) => string | null,
): Member[] =>
  (items ?? []).slice(0, mostMembers).map((item) => ({
    tagId: item.tag_id,
    productName: nameOf(item.tag_id),
    packageUid: null,
    addedOn: filled(item.added_on),
    removedOn: filled(item.removed_on),
    importedOn: null,
    soldOn: null,
  }))

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
    packagedProducts: one.packagedProducts.map(packagedFromFacts),
    coas: [],
    cases: [],
    regulatorIds: [],
    items: one.tags.slice(0, mostMembers).map(({ tagId, productName, soldOn }) => ({
      tagId,
      productName,
      packageUid: null,
      addedOn: null,
      removedOn: null,
      importedOn: null,
      soldOn,
    })),
    itemCount: one.tags.length,
    removedItems: [],
    removedItemCount: 0,
  }
}

const packagedFromFacts = (one: PackagedProductFacts) => ({
  packagedProductId: one.packagedProductId,
  product: link('product', one.productId, one.productName, one.sku),
  // Only the batch's name was stored, so there is nothing to open.
  batch: null,
  regulatoryId: null,
  packagedOn: one.packagedOn,
  useBy: one.useBy,
})

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
