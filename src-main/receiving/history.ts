import { setImmediate } from 'node:timers/promises'
import type { ExportFile, HistoryEntry, HistoryFilter, HistoryPage } from '../../src-shared/ipc/receiving-history-view'
import { type Cell, toCsv } from '../../src-shared/csv/write'
import type { Clock } from '../clock'
import type { Memory } from '../memory/store'
import type { Operation } from '../outbox/operation'
import { type Payload, tagsOf } from '../outbox/payload'
import type { Reporting } from '../outbox/reporting'
import type { HistoryRows } from './history-rows'

/** What was received, and when. */
export interface ReceivingHistory {
  /** Newest first, before `before` (a `seq`). */
  page(filter: HistoryFilter, before: number | null): HistoryPage
  /** All of a filter, as CSV. */
  export(filter: HistoryFilter): Promise<ExportFile>
}

export interface HistoryParts {
  rows: HistoryRows
  seen: Pick<Memory, 'caseInBrief'>
  view: Reporting['view']
  clock: Clock
}

const pageLength = 100
/** Written in one go: then scans have their turn. */
const writtenAtOnce = 250

const header = [
  'time',
  'operation',
  'state',
  'package_uid',
  'case_id',
  'case_identifier',
  'product',
  'items',
  'pos_product_id',
  'pos_inventory_id',
  'sku',
  'reason',
  'note',
]

export function createReceivingHistory({ rows, seen, view, clock }: HistoryParts): ReceivingHistory {
  const rowOf = (operation: Operation, identifier: string | null): Cell[] => {
    const { payload } = operation
    const { posProductId, posInventoryId, sku } = posIdsOf(operation)
    return [
      operation.performedAt,
      operation.kind,
      operation.state,
      payload && 'packageUid' in payload ? payload.packageUid : null,
      payload && 'caseId' in payload ? payload.caseId : null,
      payload?.kind === 'blind-import' ? payload.scanned : identifier,
      payload && 'productName' in payload ? payload.productName : null,
      itemCountOf(payload),
      posProductId,
      posInventoryId,
      sku,
      operation.reason?.code ?? null,
      operation.dismissedBecause,
    ]
  }

  return {
    page(filter, before) {
      const found = rows.page(filter, before, pageLength)
      // Looking through all of it once more is saved where the page is all.
      const isAll = before === null && found.length < pageLength
      return {
        entries: found.map((operation): HistoryEntry => ({ operation: view(operation), ...posIdsOf(operation) })),
        total: isAll ? found.length : rows.count(filter),
      }
    },
    async export(filter) {
      const cells: Cell[][] = []
      const identifiers = new Map<string, string | null>()
      const identifierOf = ({ payload }: Operation) => {
        const caseId = payload && 'caseId' in payload ? payload.caseId : null
        if (caseId === null) return null
        if (!identifiers.has(caseId)) identifiers.set(caseId, seen.caseInBrief(caseId)?.value.identifier ?? null)
        return identifiers.get(caseId) ?? null
      }
      let before: number | null = null
      for (;;) {
        const found: Operation[] = rows.page(filter, before, writtenAtOnce)
        cells.push(...found.map((operation) => rowOf(operation, identifierOf(operation))))
        before = found.at(-1)?.seq ?? null
        if (before === null || found.length < writtenAtOnce) break
        await setImmediate()
      }
      return { fileName: `receiving-${dayOf(clock.now())}.csv`, text: toCsv(header, cells) }
    },
  }
}

const posIdsOf = ({ payload }: Operation) => {
  const sent = payload?.kind === 'import' || payload?.kind === 'blind-import' ? payload : null
  return {
    posProductId: sent?.posProductId ?? null,
    posInventoryId: sent?.posInventoryId ?? null,
    sku: sent?.sku ?? null,
  }
}

const itemCountOf = (payload: Payload | null) =>
  payload === null || payload.kind === 'blind-import'
    ? null
    : 'itemCount' in payload
      ? payload.itemCount
      : tagsOf(payload).length

/** Of this computer's time zone. */
function dayOf(ms: number): string {
  const date = new Date(ms)
  const two = (number: number) => String(number).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
