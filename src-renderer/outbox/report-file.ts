import { sheetTime, withZone } from '../../src-shared/csv/local-time'
import { type Cell, idCell, toCsv } from '../../src-shared/csv/write'
import type { ExportFile } from '../../src-shared/ipc/contract/call'
import type { OutboxExport, ReportLine } from '../../src-shared/ipc/contract/outbox'
import type { HistoryExport } from '../../src-shared/ipc/contract/receiving'
import { explain } from '../text/errors'
import { say, t } from '../text/text.svelte'
import { operationChip } from './operation-text'

/** The columns of each file, in their order. */
const ofOutbox = [
  'number',
  'report-id',
  'report',
  'status',
  'time',
  'order',
  'case-id',
  'package',
  'collection',
  'budtender-id',
  'tag-id',
  'attempts',
  'refusal',
] as const
const ofHistory = [
  'time',
  'report',
  'status',
  'package',
  'case-id',
  'case',
  'product',
  'items',
  'posProductId',
  'posInventoryId',
  'pos-sku',
  'refusal',
] as const

function file(fileName: string, columns: readonly (typeof ofOutbox | typeof ofHistory)[number][], rows: Cell[][]) {
  const header = columns.map((column) => {
    const name = t(`label.${column}`)
    return column === 'time' ? withZone(name) : name
  })
  return { fileName, text: toCsv(header, rows) }
}

const wordsOf = (line: ReportLine) => ({
  report: t(`operation.kind.${line.kind}`),
  /** A dismissed report's state says why. */
  state: say(operationChip(line).text),
  time: sheetTime(line.performedAt),
  reason: line.reason ? say(explain(line.reason).what) : null,
})

/** Every report of this station, one line an item, in the words and the time of the screen. */
export function outboxFile({ fileName, lines }: OutboxExport): ExportFile {
  const rows = lines.flatMap((line) => {
    const { report, state, time, reason } = wordsOf(line)
    const { seq, id, orderId, caseId, packageUid, collection, budtenderId, tagIds, attempts } = line
    const ids = [orderId, caseId, packageUid, collection, budtenderId].map(idCell)
    // A report without items has a line, too.
    const items = tagIds.length === 0 ? [null] : tagIds
    return items.map((tagId) => [seq, id, report, state, time, ...ids, idCell(tagId), attempts, reason])
  })
  return file(fileName, ofOutbox, rows)
}

/** What was received, in the words and the time of the screen. */
export function historyFile({ fileName, lines }: HistoryExport): ExportFile {
  const rows = lines.map((line) => {
    const { report, state, time, reason } = wordsOf(line)
    const { packageUid, caseId, identifier, productName, itemCount, posProductId, posInventoryId, sku } = line
    const pos = [posProductId, posInventoryId, sku].map(idCell)
    const where = [packageUid, caseId, identifier].map(idCell)
    return [time, report, state, ...where, productName, itemCount, ...pos, reason]
  })
  return file(fileName, ofHistory, rows)
}
