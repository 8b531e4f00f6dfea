import type { ResultOf } from '../../../src-shared/errors'
import type { DeliveryId, TagId } from '../../../src-shared/ids'
import type { DeliveryReport } from '../../../src-shared/ipc/contract/delivery'
import type { ReportLine } from '../../../src-shared/ipc/contract/record'
import type { ImportState } from '../../../src-shared/ipc/contract/receiving'
import { err, ok } from '../../../src-shared/result'
import { inSlices } from '../../core/async'
import { iso } from '../../core/clock'
import { recall } from '../../memory/lookup'
import type { Operation } from '../../outbox/operation'
import type { Payload } from '../../outbox/payload'
import type { Reporting } from '../../outbox/reporting'
import type { CaseViews } from '../delivery/case-views'
import type { CountOfDelivery } from '../../counting/cases/count'
import { expectedOf } from '../../counting/cases/counted'
import { type DeliveryRow, type ListedCase, summaryOf } from '../delivery/delivery-rows'
import type { RecordContext } from './record-context'

/** Cases looked up without a break; scans are served between two such pieces. */
const atOnce = 25

type Import = Extract<Payload, { kind: 'import' }>

/** The part of a line that is the same for every packaged product of its case. */
type OfCase = Pick<ReportLine, 'packageUid' | 'caseId' | 'identifier' | 'requiredCount'>

/** A delivery on paper: a line for each packaged product, from what the station knows. */
export function createDeliveryReport(context: RecordContext) {
  const { deliveries: rows, seen, views, outbox, reporting, clock, profile } = context

  const linesOfCase = (
    listed: ListedCase,
    imports: Import[],
    counts: CountOfDelivery[],
    cached: ReturnType<CaseViews['cachedEntries']>,
  ): ReportLine[] => {
    const { caseId } = listed
    const known = seen.caseInBrief(caseId)
    const facts = known?.value
    const uids = listed.packageUid === null ? facts?.packageUids : [listed.packageUid]
    const entry = cached(caseId, uids)
    const ofCase = {
      packageUid: uids?.length === 1 ? (uids[0] ?? null) : null,
      caseId,
      identifier: facts?.identifier ?? caseId,
      requiredCount: facts?.requiredCount ?? null,
    }
    const count = counts.findLast(({ expected }) => expected.has(caseId))
    const own = imports.filter((one) => one.caseId === caseId)
    if (known === undefined || known.value.packagedProducts.length === 0) {
      const line = emptyLine(ofCase, views.unreadState(caseId, entry), own[0])
      const expected = count?.expected.get(caseId) ?? []
      return [{ ...line, tagCount: facts ? facts.tagCount : null, ...countedOf(expected, count) }]
    }
    const view = views.view(recall(known), entry)
    return known.value.packagedProducts.map((product, index) => {
      const { packagedProductId, productName, brandName, batchName, useBy } = product
      const state = view.packagedProducts[index]?.importState ?? { kind: 'unknown' as const }
      const sent = own.find((one) => one.packagedProductId === packagedProductId)
      return {
        ...emptyLine(ofCase, state, sent),
        productName,
        brandName,
        batchName,
        useBy,
        coa: view.packagedProducts[index]?.coa ?? null,
        tagCount: product.tagIds.length,
        ...countedOf(expectedOf(known.value, product, index, count), count),
      }
    })
  }

  /** Pauses after each piece, so that scans have their turn; all of it at once if the caller doesn't. */
  function* pieces(
    delivery: DeliveryRow,
  ): Generator<undefined, Omit<DeliveryReport, 'manifest'> & { all: CountOfDelivery[] }> {
    const counts = context.counts.ofDelivery(delivery.id)
    const operations = rows.operations(delivery.seq).filter((one) => one.state !== 'cancelled')
    const imports = operations.flatMap(({ payload }) => (payload?.kind === 'import' ? payload : []))
    const cached = views.cachedEntries()
    const cases = rows.cases(delivery.seq)
    const lines: ReportLine[] = []
    for (const [index, one] of cases.entries()) {
      if (index > 0 && index % atOnce === 0) yield
      lines.push(...linesOfCase(one, imports, counts, cached))
    }
    const listed = new Set(cases.map(({ caseId }) => caseId))
    const isOfDelivery = (operation: Operation) =>
      operation.payload !== null && 'caseId' in operation.payload && operation.payload.caseId !== null
        ? listed.has(operation.payload.caseId)
        : operations.some(({ seq }) => seq === operation.seq)
    const permitted = outbox.permitted(delivery.startedAt, clock.now() + 1)
    return {
      summary: summaryOf(delivery, rows, clock.now()),
      storeName: profile.name,
      madeAt: iso(clock.now()),
      lines: [...lines, ...operations.toReversed().flatMap((one) => blindLine(one, reporting.view))],
      counts: counts.map(({ count }) => count),
      permitted: permitted.flatMap(({ at, operation, reason }) =>
        isOfDelivery(operation) ? { at: iso(at), operation: reporting.view(operation), reason } : [],
      ),
      all: counts,
    }
  }

  return {
    pieces,
    async make(id: DeliveryId): Promise<ResultOf<DeliveryReport, 'receiving/no-delivery'>> {
      const delivery = rows.byId(id)
      if (!delivery) return err({ code: 'receiving/no-delivery' })
      const report = await inSlices(pieces(delivery))
      return ok({ ...report, manifest: await context.manifests.resultOf(id) })
    },
  }
}

export type DeliveryReports = ReturnType<typeof createDeliveryReport>

const emptyLine = (ofCase: OfCase, importState: ImportState, sent: Partial<Import> | undefined): ReportLine => ({
  ...ofCase,
  productName: null,
  brandName: null,
  batchName: null,
  useBy: null,
  coa: null,
  tagCount: null,
  counted: null,
  missing: [],
  importState,
  posProductId: sent?.posProductId ?? null,
  posInventoryId: sent?.posInventoryId ?? null,
  sku: sent?.sku ?? null,
})

const countedOf = (expected: TagId[], count: CountOfDelivery | undefined) => ({
  counted: count ? expected.filter((tagId) => count.scanned.has(tagId)).length : null,
  missing: count ? expected.filter((tagId) => !count.scanned.has(tagId)) : [],
})

/** The line of an import whose case is not identified yet. */
function blindLine(operation: Operation, view: Reporting['view']): ReportLine[] {
  const { payload, state } = operation
  if (payload?.kind !== 'blind-import') return []
  const { packageUid, caseId, scanned, ...sent } = payload
  const importState: ImportState = { kind: state === 'rejected' ? 'refused' : 'pending', operation: view(operation) }
  const { posProductId, posInventoryId, sku } = sent
  return [
    emptyLine(
      { packageUid, caseId, identifier: scanned, requiredCount: null },
      importState,
      sku === undefined ? { posProductId, posInventoryId } : { posProductId, posInventoryId, sku },
    ),
  ]
}
