import type { z } from 'zod'
import { parseId } from '../../src-shared/ids'
import type { CaseDetailV15 } from '../../src-shared/service/collections-v15'
import { createHolders } from '../collections/holders'
import type { Parts } from '../http/context'
import { createBatches } from './batches'
import { batchV15 } from './batches-v15'
import { createBrands } from './brands'
import { coaV15, laboratoriesOf } from './coas-v15'
import { createCollections } from './collections'
import { caseItemV15, entryV15, memberV15, stateV15 } from './collections-v15'
import { longForm } from './long-form'
import { distinct } from './members'
import { createProductsV15 } from './products-v15'
import type { CollectionRow } from './summaries'

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

    /** What the COAs of its packaged products and their batches say of a product. */
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

/** The last of some reports: what is known of a product now. */
const newest = (coas: readonly Coa[]): Coa | undefined =>
  coas.toSorted((a, b) => Date.parse(b.report_created_on) - Date.parse(a.report_created_on))[0]
