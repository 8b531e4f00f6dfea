import { midnightOf } from '../../core/clock'
import { setImmediate } from 'node:timers/promises'
import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { localTime } from '../../../src-shared/csv/local-time'
import type {
  HistoryEntry,
  HistoryExport,
  HistoryFilter,
  HistoryPage,
} from '../../../src-shared/ipc/contract/receiving'
import type { OperationKind } from '../../../src-shared/ipc/contract/outbox'
import { type Operation, operationOf } from '../../outbox/operation'
import { type Payload, caseKey, tagsOf } from '../../outbox/payload'
import { reportLine } from '../../outbox/views'
import { likeOf } from '../../database/schema'
import type { ReceivingContext } from '../receiving-context'

const pageLength = 100
/** Lines written without a break; scans are served between two such pieces. */
const writtenAtOnce = 250

export type ReceivingHistory = ReturnType<typeof createReceivingHistory>

/** What was received, and when. */
export function createReceivingHistory({ db, seen, reporting, clock }: ReceivingContext) {
  const rows = createHistoryRows(db)
  const lineOf = (operation: Operation, identifier: string | null): HistoryExport['lines'][number] => {
    const { payload } = operation
    return {
      ...reportLine(operation),
      identifier: payload?.kind === 'blind-import' ? payload.scanned : identifier,
      productName: payload && 'productName' in payload ? payload.productName : null,
      itemCount: itemCountOf(payload),
      ...posIdsOf(operation),
    }
  }

  const identifierOf = ({ payload }: Operation) => {
    const caseId = payload && 'caseId' in payload ? payload.caseId : null
    return caseId === null ? null : (seen.caseInBrief(caseId)?.value.identifier ?? null)
  }

  return {
    /** Newest first, before `before` (a `seq`). */
    page(filter: HistoryFilter, before: number | null): HistoryPage {
      const found = rows.page(filter, before, pageLength)
      // A first page that is not full holds everything: no need to count.
      const isAll = before === null && found.length < pageLength
      return {
        entries: found.map((operation): HistoryEntry => ({
          operation: reporting.view(operation),
          identifier: identifierOf(operation),
          ...posIdsOf(operation),
        })),
        total: isAll ? found.length : rows.count(filter),
      }
    },
    /** All of a filter, for a file. */
    async export(filter: HistoryFilter): Promise<HistoryExport> {
      const lines: HistoryExport['lines'] = []
      const identifiers = new Map<string, string | null>()
      const knownIdentifierOf = (operation: Operation) => {
        const caseId = operation.payload && 'caseId' in operation.payload ? operation.payload.caseId : null
        if (caseId === null) return null
        if (!identifiers.has(caseId)) identifiers.set(caseId, identifierOf(operation))
        return identifiers.get(caseId) ?? null
      }
      let before: number | null = null
      for (;;) {
        const found: Operation[] = rows.page(filter, before, writtenAtOnce)
        lines.push(...found.map((operation) => lineOf(operation, knownIdentifierOf(operation))))
        before = found.at(-1)?.seq ?? null
        if (before === null || found.length < writtenAtOnce) break
        await setImmediate()
      }
      return { fileName: `receiving-${localTime(clock.now()).slice(0, 10)}.csv`, lines }
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

/** As in the index `operation_received`. */
const kinds = ['import', 'blind-import', 'import-removal', 'add-items', 'remove-item', 'restore-item'] as const
kinds satisfies readonly OperationKind[]

const RowCount = z.object({ count: z.number() })

/** The operations of the outbox that are history of receiving, newest first. */
export function createHistoryRows(db: Database) {
  // The index holds all of this: days are counted without reading the operations.
  const ofDays = `FROM operation INDEXED BY operation_received
    WHERE kind IN (${kinds.map((kind) => `'${kind}'`).join(', ')}) AND seq < +@before
    AND performed_at_raw + clock_offset >= +@from AND performed_at_raw + clock_offset < +@until`
  // The quick condition first: the fields are compared only if the payload contains the text at all.
  const field = (name: string) => `payload ->> '$.${name}' LIKE @like ESCAPE '\\'`
  const fields = ['packageUid', 'caseId', 'scanned', 'productName', 'posProductId', 'posInventoryId', 'sku'].map(field)
  const withText = `${ofDays} AND (
    (payload LIKE @quick ESCAPE '\\' AND json_valid(payload) AND (${fields.join(' OR ')}))
    OR seq IN (SELECT seq FROM operation_key WHERE key IN
      (SELECT '${caseKey('')}' || id FROM memory
        WHERE kind = 'collection' AND form = 'facts' AND identifier LIKE @like ESCAPE '\\')))`
  const page = (what: string) => db.prepare(`SELECT * ${what} ORDER BY seq DESC LIMIT +@limit`)
  const count = (what: string) => db.prepare(`SELECT count(*) AS count ${what}`)
  const pages = { ofDays: page(ofDays), withText: page(withText) }
  const counts = { ofDays: count(ofDays), withText: count(withText) }

  const which = (filter: HistoryFilter) => (filter.text === '' ? 'ofDays' : 'withText')
  const valuesOf = ({ from, to, text }: HistoryFilter, before: number | null) => ({
    before: before ?? Number.MAX_SAFE_INTEGER,
    from: from === null ? 0 : midnightOf(from),
    until: to === null ? Number.MAX_SAFE_INTEGER : midnightOf(to, 1),
    ...(text === '' ? {} : { like: likeOf(text), quick: likeOf(JSON.stringify(text).slice(1, -1)) }),
  })

  return {
    page: (filter: HistoryFilter, before: number | null, limit: number): Operation[] =>
      pages[which(filter)].all({ ...valuesOf(filter, before), limit }).map(operationOf),
    count: (filter: HistoryFilter): number => RowCount.parse(counts[which(filter)].get(valuesOf(filter, null))).count,
  }
}
