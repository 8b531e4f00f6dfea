import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import type { HistoryFilter } from '../../src-shared/ipc/receiving-history-view'
import type { OperationKind } from '../../src-shared/ipc/operation-view'
import { type Operation, operationOf } from '../outbox/operation'
import { caseKey } from '../outbox/payload'
import { likeOf } from '../store/like'

/** What of the outbox is history of receiving, newest first. */
export interface HistoryRows {
  page(filter: HistoryFilter, before: number | null, limit: number): Operation[]
  count(filter: HistoryFilter): number
}

/** As in the index `operation_received`. */
const kinds = ['import', 'blind-import', 'import-removal', 'add-items', 'remove-item', 'restore-item'] as const
kinds satisfies readonly OperationKind[]

const Count = z.object({ count: z.number() })

export function createHistoryRows(db: Database): HistoryRows {
  // Its index holds all of this: days are counted without reading the operations.
  const ofDays = `FROM operation INDEXED BY operation_received
    WHERE kind IN (${kinds.map((kind) => `'${kind}'`).join(', ')}) AND seq < @before
    AND performed_at_raw + clock_offset >= @from AND performed_at_raw + clock_offset < @until`
  // The quick look first: only where the text stands at all is it looked where it stands.
  const field = (name: string) => `payload ->> '$.${name}' LIKE @like ESCAPE '\\'`
  const fields = ['packageUid', 'caseId', 'scanned', 'productName', 'posProductId', 'posInventoryId', 'sku'].map(field)
  const withText = `${ofDays} AND (
    (payload LIKE @quick ESCAPE '\\' AND json_valid(payload) AND (${fields.join(' OR ')}))
    OR seq IN (SELECT seq FROM operation_key WHERE key IN
      (SELECT '${caseKey('')}' || id FROM memory
        WHERE kind = 'collection' AND form = 'facts' AND identifier LIKE @like ESCAPE '\\')))`
  const page = (what: string) => db.prepare(`SELECT * ${what} ORDER BY seq DESC LIMIT @limit`)
  const count = (what: string) => db.prepare(`SELECT count(*) AS count ${what}`)
  const pages = { ofDays: page(ofDays), withText: page(withText) }
  const counts = { ofDays: count(ofDays), withText: count(withText) }

  const which = (filter: HistoryFilter) => (filter.text === '' ? 'ofDays' : 'withText')
  const valuesOf = ({ from, to, text }: HistoryFilter, before: number | null) => ({
    before: before ?? Number.MAX_SAFE_INTEGER,
    from: from === null ? 0 : startOfDay(from, 0),
    until: to === null ? Number.MAX_SAFE_INTEGER : startOfDay(to, 1),
    ...(text === '' ? {} : { like: likeOf(text), quick: likeOf(JSON.stringify(text).slice(1, -1)) }),
  })

  return {
    page: (filter, before, limit) => pages[which(filter)].all({ ...valuesOf(filter, before), limit }).map(operationOf),
    count: (filter) => Count.parse(counts[which(filter)].get(valuesOf(filter, null))).count,
  }
}

/** Midnight of this computer's time zone: days are not all of 24 hours. */
function startOfDay(day: string, later: number): number {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + later).getTime()
}
