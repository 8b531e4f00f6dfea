import { localTime } from '../../../src-shared/csv/local-time'
import { type Cell, toCsv } from '../../../src-shared/csv/write'
import type { ExportFile } from '../../../src-shared/ipc/contract/call'
import type { DayExport } from '../../../src-shared/ipc/contract/checkout'
import type { PosDifference } from '../../../src-shared/ipc/contract/pos-day'
import { operationChip } from '../../outbox/operation-text'
import { explain } from '../../text/errors'
import { say, t } from '../../text/text.svelte'
import { linesOf, remarksOf } from '../pos/pos-text'

/** The columns of the file, in their order. */
const columns = [
  'time',
  'order',
  'report',
  'state',
  'budtender',
  'items',
  'tag-ids',
  'products',
  'reason',
  'note',
  'station',
] as const

/**
 * Sales, returns and voids of a day, one line each, in the words and the time of the screen. A refused or unsettled report
 * says why. The orders that differ from the POS follow, one line each, and a last line if some of them, or all, are missing.
 */
export function dayFile({ fileName, lines, pos, posLeft, isPosMissing }: DayExport): ExportFile {
  const rows: Cell[][] = lines.map((line) => [
    localTime(line.performedAt),
    line.orderId,
    t(`day.file.${line.kind}`),
    say(operationChip(line).text),
    line.budtender,
    line.tagIds.length,
    line.tagIds.join(' '),
    line.products.join(', '),
    line.reason ? say(explain(line.reason).what) : null,
    line.remark,
    line.station,
  ])
  for (const difference of pos) rows.push(posRow(difference))
  if (posLeft > 0) rows.push(noteRow(t('pos-day.csv.left', { count: posLeft })))
  if (isPosMissing) rows.push(noteRow(t('pos-day.failed')))
  return {
    fileName,
    text: toCsv(
      columns.map((column) => t(`day.file.column.${column}`)),
      rows,
    ),
  }
}

/** What is to be known of the file itself, where a reader looks for the report. */
const noteRow = (text: string): Cell[] => columns.map((column) => (column === 'report' ? text : null))

/** An order that differs, in the columns of the reports: its items are in words, for there are two numbers of each. */
function posRow(difference: PosDifference): Cell[] {
  const { orderId, kind, lines, reason } = difference
  const hasProducts = lines.some(({ name }) => name !== null)
  return [
    ...[null, orderId, t(`pos-day.kind.${kind}`)],
    t(reason?.isCurrent ? 'pos-day.csv.reasoned' : 'pos-day.csv.open'),
    ...[null, null, null],
    linesOf(difference, hasProducts).join(', '),
    null,
    remarksOf(difference).join(', ') || null,
    null,
  ]
}
