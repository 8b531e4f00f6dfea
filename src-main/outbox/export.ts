import type { Database } from 'better-sqlite3'
import { toCsv } from '../../src-shared/csv/write'
import type { ExportFile } from '../../src-shared/ipc/receiving-history-view'
import { type Clock, iso } from '../clock'
import { operationOf } from './operation'
import { tagsOf } from './payload'

const header = [
  'number',
  'id',
  'kind',
  'state',
  'performed_at',
  'order',
  'case',
  'package',
  'budtender',
  'tag_ids',
  'attempts',
  'reason',
  'accepted_as',
  'dismissed_because',
  'collection',
]

/** Every operation as CSV, oldest first. Never a customer: their number goes to the service and to nobody else. */
export function exportOperations(db: Database, clock: Clock): ExportFile {
  const rows = []
  for (const row of db.prepare('SELECT * FROM operation ORDER BY seq').iterate()) {
    const { payload, ...operation } = operationOf(row)
    rows.push([
      operation.seq,
      operation.id,
      operation.kind,
      operation.state,
      operation.performedAt,
      payload && 'orderId' in payload ? payload.orderId : null,
      payload && 'caseId' in payload ? payload.caseId : null,
      payload && 'packageUid' in payload ? payload.packageUid : null,
      payload && 'budtenderId' in payload ? (payload.budtenderId ?? null) : null,
      payload ? tagsOf(payload).join(' ') || null : null,
      operation.attempts,
      operation.reason?.code ?? null,
      operation.note,
      operation.dismissedBecause,
      payload && 'collectionId' in payload
        ? payload.collectionId
        : payload && 'regulatorIdentifier' in payload
          ? payload.regulatorIdentifier
          : null,
    ])
  }
  return { fileName: `reports-${iso(clock.now()).slice(0, 10)}.csv`, text: toCsv(header, rows) }
}
