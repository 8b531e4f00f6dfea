import { sheetTime, withZone } from '../../../src-shared/csv/local-time'
import { idCell, toCsv } from '../../../src-shared/csv/write'
import type { ExportFile } from '../../../src-shared/ipc/contract/call'
import type { CountExport } from '../../../src-shared/ipc/contract/count'
import { t } from '../../text/text.svelte'

/** The columns of the file, in their order. */
const columns = ['case', 'case-id', 'product', 'tag-id', 'result', 'scanned-at', 'resolution', 'reason'] as const

/** A count, one line for each item, in the words and the time of the screen. */
export function countFile({ fileName, lines }: CountExport): ExportFile {
  const rows = lines.map((line) => [
    idCell(line.identifier),
    idCell(line.caseId),
    line.productName,
    idCell(line.tagId),
    t(`count.file.${line.result}`),
    line.scannedAt === null ? null : sheetTime(line.scannedAt),
    line.resolution === null ? null : t(`count.file.${line.resolution}`),
    line.because,
  ])
  return {
    fileName,
    text: toCsv(
      columns.map((column) => {
        const name = t(`label.${column}`)
        return column === 'scanned-at' ? withZone(name) : name
      }),
      rows,
    ),
  }
}
