import { localTime } from '../../../src-shared/csv/local-time'
import { toCsv } from '../../../src-shared/csv/write'
import type { ExportFile } from '../../../src-shared/ipc/contract/call'
import type { DayExport } from '../../../src-shared/ipc/contract/checkout'
import { operationChip } from '../../outbox/operation-text'
import { explain } from '../../text/errors'
import { say, t } from '../../text/text.svelte'

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
 * says why.
 */
export function dayFile({ fileName, station, lines }: DayExport): ExportFile {
  const rows = lines.map((line) => [
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
    station,
  ])
  return {
    fileName,
    text: toCsv(
      columns.map((column) => t(`day.file.column.${column}`)),
      rows,
    ),
  }
}
