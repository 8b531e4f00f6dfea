import { sheetTime, withZone } from '../../../src-shared/csv/local-time'
import { type Cell, idCell, toCsv } from '../../../src-shared/csv/write'
import type { ExportFile } from '../../../src-shared/ipc/contract/call'
import type { DayExport } from '../../../src-shared/ipc/contract/checkout'
import type { PosDifference } from '../../../src-shared/ipc/contract/pos-day'
import { operationChip } from '../../outbox/operation-text'
import { explain } from '../../text/errors'
import { say, t } from '../../text/text.svelte'
import { linesOf, remarksOf, statusText, storeLines } from '../pos/pos-text'

/** The columns of the file, in their order. */
const columns = [
  'time',
  'order',
  'report',
  'status',
  'budtender',
  'tag-id',
  'product',
  'refusal',
  'note',
  'station',
] as const

/**
 * Sales, returns and voids of a day, one line an item and none for a report without items, in the words and the time of the screen. A refused or unsettled report
 * says why. The orders that differ from the POS follow, one line each, and lines of what is to be known of the comparison: if some of
 * the orders, or all, are missing, lines of the POS's file could not be read, or products are not decided; of a store, what is
 * known of the other stations.
 */
export function dayFile(day: DayExport): ExportFile {
  const { fileName, lines, pos, posLeft, isPosMissing, posFaulty, posUnknown, posStore } = day
  const rows: Cell[][] = lines.flatMap((line) =>
    itemsOf(line).map((item): Cell[] => [
      sheetTime(line.performedAt),
      idCell(line.orderId),
      t(`operation.kind.${line.kind}`),
      say(operationChip(line).text),
      line.budtender,
      idCell(item?.tagId ?? null),
      item?.product ?? null,
      line.reason ? say(explain(line.reason).what) : null,
      line.remark,
      line.station,
    ]),
  )
  for (const difference of pos) rows.push(posRow(difference, posStore !== null))
  if (posLeft > 0) rows.push(noteRow(t('pos-day.csv.left', { count: posLeft })))
  const notes = [
    ...(posFaulty > 0 ? [t('pos-day.file.faulty', { count: posFaulty })] : []),
    ...(posUnknown > 0 ? [t('pos-day.paper.unknown', { count: posUnknown })] : []),
    ...(posStore ? storeLines(posStore) : []),
  ]
  for (const text of notes) rows.push(noteRow(t('pos-day.csv.note', { text })))
  if (isPosMissing) rows.push(noteRow(t('pos-day.failed')))
  return {
    fileName,
    text: toCsv(
      columns.map((column) => (column === 'time' ? withZone(t('label.time')) : t(`label.${column}`))),
      rows,
    ),
  }
}

/** The items of a report, one line each. One without items has a line only if it still needs a person: it is not to be missed. */
function itemsOf({ items, state, unsettled }: DayExport['lines'][number]) {
  const isOpen = state === 'rejected' || unsettled !== null
  return items.length === 0 && isOpen ? [null] : items
}

/** What is to be known of the file itself, where a reader looks for the report. */
const noteRow = (text: string): Cell[] => columns.map((column) => (column === 'report' ? text : null))

/** An order that differs, in the columns of the reports: its items are in words, for there are two numbers of each. */
function posRow(difference: PosDifference, isStore: boolean): Cell[] {
  const { orderId, lines, stations } = difference
  const reading = { hasProducts: lines.some(({ name }) => name !== null), isStore }
  return [
    ...[null, idCell(orderId), statusText(difference, reading)],
    t(`pos-day.csv.${wordOf(difference)}`),
    ...[null, null],
    linesOf(difference, reading).join(', '),
    null,
    remarksOf(difference).join(', ') || null,
    stations.join(', ') || null,
  ]
}

function wordOf({ isPending, reason }: PosDifference) {
  if (isPending) return 'pending'
  return reason?.isCurrent === true ? 'reasoned' : 'open'
}
