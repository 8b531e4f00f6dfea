import type { z } from 'zod'
import { parseId } from '../../src-shared/ids'
import type {
  CaseDetailV15,
  CaseItemV15,
  CollectionEntryV15,
  CollectionItemV15,
  CollectionV15,
  RemovedCollection,
} from '../../src-shared/service/collections-v15'
import { createHolders, type Holders } from '../collections'
import type { Parts } from '../http/context'
import { batchV15, coaV15, createBatches, laboratoriesOf } from './batches'
import { createBrands } from './media'
import { type Contents, createCollectionDetail, createCollections } from './collections'
import { createProductsV15, longForm, type LongForm } from './products'
import { type MemberRow, distinct } from './members'
import type { CollectionRow } from './summaries'

/** An entry of `cases` and `regulator_ids`, and the first fields of every other form. Spec: Collection. */
export const entryV15 = (row: CollectionRow, ids: LongForm) =>
  ({
    uuid: ids.id(row.uuid),
    identifier: row.identifier,
    name: row.body.name,
    collection_type: row.collection_type,
    added_on: row.added_on,
  }) satisfies z.input<typeof CollectionEntryV15>

const stateV15 = ({ body, removed_on }: CollectionRow) => ({
  is_public: body.is_public,
  is_removed: removed_on !== null,
  removed_on,
  sub_type: body.sub_type,
})

/** Spec: Collection item (v1.5). */
export const memberV15 = (member: MemberRow, ids: LongForm) =>
  ({
    tag_id: ids.id(member.tag_id),
    added_on: member.added_on,
    removed_on: member.removed_on,
    removed_by_company_uuid: ids.maybe(member.removed_by_company_uuid),
  }) satisfies z.input<typeof CollectionItemV15>

export const collectionV15 = ({ row, items, removedItems }: Contents, ids: LongForm) =>
  ({
    ...entryV15(row, ids),
    ...stateV15(row),
    items: items.map((member) => memberV15(member, ids)),
    removed_items: removedItems.map((member) => memberV15(member, ids)),
  }) satisfies z.input<typeof CollectionV15>

/** The answer to add-items and add-case. */
const changedV15 = ({ row, items }: Contents, ids: LongForm) =>
  ({
    ...entryV15(row, ids),
    is_public: row.body.is_public,
    items: items.map((member) => memberV15(member, ids)),
  }) satisfies z.input<typeof CollectionV15>

/** An item of a CaseID detail, and of the list of removed TagIDs. */
export const caseItemV15 = (member: MemberRow, holders: Holders, ids: LongForm) =>
  ({
    tag_id: ids.id(member.tag_id),
    brand_uuid: ids.maybe(member.brand_uuid),
    product_uuid: ids.maybe(member.product_uuid),
    batch_uuid: ids.maybe(member.batch_uuid),
    regulator_id_uuids: holders.of(member.tag_id, 'regulator').map(({ uuid }) => ids.id(uuid)),
    cases_uuids: holders.of(member.tag_id, 'case').map(({ uuid }) => ids.id(uuid)),
  }) satisfies z.input<typeof CaseItemV15>

/** Spec: Removed collection list item. */
export const removedCollection = (row: CollectionRow, ids: LongForm) =>
  ({
    ...entryV15(row, ids),
    company_uuid: ids.id(row.company_uuid),
    is_public: row.body.is_public,
    is_removed: true,
    removed_on: row.removed_on,
    tag_ids_count: row.tag_ids_count,
  }) satisfies z.input<typeof RemovedCollection>

type Batches = ReturnType<typeof createBatches>
type Coa = ReturnType<Batches['coas']>[number]

/** A CaseID with everything that its items refer to, as `/api/v1.5` shows it. Spec: Collection > CaseID detail. */
export function createCaseDetailV15(parts: Parts) {
  const { contents } = createCollections(parts)
  const holdersOf = createHolders(parts)
  const { brandsV15 } = createBrands(parts)
  const { inCase } = createProductsV15(parts)
  const { batches: readBatches, packagedProducts, coas: readCoas } = createBatches(parts)

  return function caseDetail(row: CollectionRow, companyUuid: string) {
    const ids = longForm()
    const { items, removedItems } = contents(row)
    const holders = holdersOf(
      items.map(({ tag_id }) => tag_id),
      companyUuid,
    )
    const batches = readBatches(distinct(items, 'batch_uuid'))
    const packaged = packagedProducts(distinct(items, 'packaged_product_uuid'))
    const coas = readCoas([...new Set([...packaged, ...batches].flatMap((one) => one.digital_coa_uuids))])

    /** A product's values from the COAs of its packaged products and their batches. */
    const measured = (productUuid: string | undefined) => {
      const own = packaged.filter(({ product_uuid }) => product_uuid === productUuid)
      const ofBatches = batches.filter((batch) => own.some(({ batch_uuid }) => batch_uuid === batch.uuid))
      const wanted = new Set([...own, ...ofBatches].flatMap((one) => one.digital_coa_uuids))
      const totals = newest(coas.filter((coa) => wanted.has(coa.uuid)))?.totals
      return { total_thc: totals?.total_thc ?? null, total_cbd: totals?.total_cbd ?? null }
    }

    return {
      ...entryV15(row, ids),
      ...stateV15(row),
      brands: brandsV15(distinct(items, 'brand_uuid')),
      products: inCase(distinct(items, 'product_uuid')).map((product) => ({
        ...product,
        ...measured(parseId(product.uuid)),
      })),
      batches: batches.map(batchV15),
      digital_coas: coas.map(coaV15),
      testing_laboratories: laboratoriesOf(coas),
      cases: holders.ofType('case').map((one) => entryV15(one, ids)),
      regulator_ids: holders.ofType('regulator').map((one) => entryV15(one, ids)),
      items: items.map((member) => caseItemV15(member, holders, ids)),
      removed_items: removedItems.map((member) => memberV15(member, ids)),
    } satisfies z.input<typeof CaseDetailV15>
  }
}

/** The latest of some reports: the current values of a product. */
const newest = (coas: readonly Coa[]): Coa | undefined =>
  coas.toSorted((a, b) => Date.parse(b.report_created_on) - Date.parse(a.report_created_on))[0]

/** The answers to add-items and add-case, by version. Spec: Endpoints > Collections (v1.5); v1.2 endpoints. */
export function createChangedCollection(parts: Parts) {
  const detail = createCollectionDetail(parts)
  const { contents } = createCollections(parts)
  return {
    v12: (row: CollectionRow, companyUuid: string) => detail.changed(row, companyUuid),
    v15: (row: CollectionRow) => changedV15(contents(row), longForm()),
  }
}
