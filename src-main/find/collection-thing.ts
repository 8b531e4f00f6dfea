import { CaseId } from '../../src-shared/ids'
import type { CaseDetail, Collection } from '../../src-shared/service/collections'
import type { CaseDetailV15, CollectionV15 } from '../../src-shared/service/collections-v15'
import { readLikePackage, readPackageTag } from '../../src-shared/scan/packages'
import { caseFacts, isRemovedOf, pictureOf } from '../../src-shared/service/facts'
import type { Product, ProductV15 } from '../../src-shared/service/products'
import { type PackagedLine, packagedLine } from './batch-thing'
import type { Body } from './body'
import { count, facts, id, text, when, yesNo } from './facts'
import { inTimeOrder, joinHolders } from './holders'
import { type AnyCoa, coaLinks, filled } from './links'
import { members, membersV15 } from './members'

/** All that was read about a collection; what could not be had is undefined. Spec: Collection. */
export interface CollectionReads {
  collection: Collection | undefined
  collectionV15: CollectionV15 | undefined
  /** Of a case only. */
  detail: CaseDetail | undefined
  detailV15: CaseDetailV15 | undefined
  /** Of packaged products that no answer names: read one by one. */
  products: readonly Product[]
  /** Beside those of the case. */
  coas: readonly AnyCoa[]
}

/** Both versions of a collection, and of a case what it holds. Undefined when nobody answered. */
export function collectionBody(reads: CollectionReads): Body<'collection'> | undefined {
  const { collection, collectionV15, detail, detailV15 } = reads
  const rich = collection ?? detail
  const one = rich ?? collectionV15 ?? detailV15
  if (!one) return undefined
  const isCase = one.collection_type === 'case'
  const products = productsOf(reads)
  // Of a regulator's collection its own page as a package tells which cases are in it.
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
