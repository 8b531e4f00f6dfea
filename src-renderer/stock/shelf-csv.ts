import { sheetTime, withZone } from '../../src-shared/csv/local-time'
import { idCell, toCsv } from '../../src-shared/csv/write'
import type { ExportFile } from '../../src-shared/ipc/contract/call'
import type { ShelfAsOf, ShelfLate, ShelfLine } from '../../src-shared/ipc/contract/stock'
import { t } from '../text/text.svelte'
import { whyOf } from './stock-text'

/** The columns of the file, in their order. */
const columns = [
  'label.result',
  'stock.column.why',
  'label.product',
  'label.brand',
  'label.tag-id',
  'label.case',
  'label.case-id',
  'label.order',
  'label.scanned-at',
  'label.reason',
  'label.what-happened',
  'stock.column.as-of',
] as const
const times: ReadonlySet<(typeof columns)[number]> = new Set(['label.scanned-at', 'stock.column.as-of'] as const)

/**
 * A count of the shelf, one line for each item, in the words and the time of the screen. Below it the scans that came after the
 * signature.
 */
export function shelfFile(fileName: string, lines: ShelfLine[], late: ShelfLate[], asOf: ShelfAsOf): ExportFile {
  // Every case was read then or later; without that the column is empty.
  const readAt = asOf.unread > 0 || asOf.oldestAt === null ? null : sheetTime(asOf.oldestAt)
  const lateRows = late.map(({ tagId, productName, brandName, station, at }) => [
    t('stock.result.late'),
    t('stock.why.late', { station: station ?? t('store.this') }),
    ...[productName, brandName, idCell(tagId), null, null, null, sheetTime(at), null, null, null],
  ])
  const rows = lines.map((line) => [
    t(`stock.result.${line.result}`),
    line.result === 'unexpected' ? t(`stock.why.${whyOf(line)}`) : line.hint && t(`stock.hint.${line.hint}`),
    line.productName,
    line.brandName,
    ...[line.tagId, line.identifier, line.caseId, line.orderId].map(idCell),
    line.scannedAt === null ? null : sheetTime(line.scannedAt),
    line.reason && t(`stock.reason.${line.reason}`),
    line.text,
    readAt,
  ])
  return {
    fileName,
    text: toCsv(
      columns.map((column) => (times.has(column) ? withZone(t(column)) : t(column))),
      [...rows, ...lateRows],
    ),
  }
}
