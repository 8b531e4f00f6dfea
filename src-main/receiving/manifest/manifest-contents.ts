import type { CaseId, DeliveryId } from '../../../src-shared/ids'
import type { CaseCounts, CountOfDelivery } from '../../counting/cases/count'
import { expectedOf } from '../../counting/cases/counted'
import type { ReceivingContext } from '../receiving-context'
import type { DeliveryContents, HeldCase } from './manifest-compare'
import type { ManifestRows, StoredManifest } from './manifest-rows'

/** Cases read without a break; scans are served between two such pieces. */
const atOnce = 25

type Content = Pick<HeldCase, 'identifier' | 'products'>

/** What is in the delivery under way, for its manifest. What a case holds is read once, until it changes. */
export function createManifestContents(
  { deliveries: rows, seen }: ReceivingContext,
  counts: Pick<CaseCounts, 'ofDelivery'>,
  stored: ManifestRows,
) {
  const read = new Map<CaseId, Content>()
  let counted: CountOfDelivery[] | undefined
  /** Only what is finished: in a running count, what is not scanned yet isn't missing. */
  const countsOf = (id: DeliveryId, isOpen: boolean): CountOfDelivery[] => {
    const found =
      (isOpen ? counted : undefined) ?? counts.ofDelivery(id).filter(({ count }) => count.finishedAt !== null)
    if (isOpen) counted = found
    return found
  }
  const clear = () => {
    read.clear()
    counted = undefined
  }

  const contentOf = (caseId: CaseId, done: CountOfDelivery[]): Content => {
    const facts = seen.caseInBrief(caseId)?.value
    if (!facts) return { identifier: caseId, products: null }
    // Items of which no product was told.
    if (facts.packagedProducts.length === 0 && facts.tagCount > 0) {
      return { identifier: facts.identifier, products: null }
    }
    const count = done.findLast(({ expected }) => expected.has(caseId))
    const products = facts.packagedProducts.map((product, index) => ({
      productId: product.productId,
      productName: product.productName,
      sku: product.sku,
      count: count
        ? expectedOf(facts, product, index, count).filter((tagId) => count.scanned.has(tagId)).length
        : product.tagIds.length,
      isCounted: count !== undefined,
    }))
    return { identifier: facts.identifier, products }
  }

  const heldIn = (delivery: number, known: ReadonlyMap<CaseId, Content>): DeliveryContents => {
    const imported = stored.imports(delivery)
    const into = new Map(imported.map(({ caseId, packageUid }) => [caseId, packageUid]))
    const cases = rows.cases(delivery).map(({ caseId, packageUid }): HeldCase => {
      const content = known.get(caseId) ?? { identifier: caseId, products: null }
      // A case in no package is in the one into which it was imported.
      return { caseId, packageUid: packageUid ?? into.get(caseId) ?? null, ...content }
    })
    const packages = rows.packages(delivery).map((packageUid) => {
      const listed = seen.package(packageUid)?.value.case_ids
      return { packageUid, isKnown: listed !== undefined && Object.keys(listed).length > 0 }
    })
    const blind = new Set(imported.flatMap(({ caseId, packageUid }) => (caseId === null ? packageUid : [])))
    return { packages, cases, blind }
  }

  return {
    /** What a delivery holds, in pieces; nothing for a manifest that waits for one. */
    *of({
      delivery,
      deliveryId,
    }: Pick<StoredManifest, 'delivery' | 'deliveryId'>): Generator<undefined, DeliveryContents> {
      if (delivery === null || deliveryId === null) return { packages: [], cases: [], blind: new Set() }
      // One that is over is read for its report alone.
      const isOpen = rows.open()?.seq === delivery
      const known = isOpen ? read : new Map<CaseId, Content>()
      let missing = rows.cases(delivery).filter(({ caseId }) => !known.has(caseId))
      while (missing.length > 0) {
        const done = countsOf(deliveryId, isOpen)
        for (const { caseId } of missing.slice(0, atOnce)) known.set(caseId, contentOf(caseId, done))
        if (missing.length > atOnce) yield
        // What changed meanwhile is read again.
        missing = rows.cases(delivery).filter(({ caseId }) => !known.has(caseId))
      }
      return heldIn(delivery, known)
    },
    /** A case was read again, or is no longer listed. */
    forget: (caseId: CaseId) => void read.delete(caseId),
    /** Another delivery, or a count changed. */
    clear,
  }
}
