import { toCsv } from '../../../src-shared/csv/write'
import type { DeliveryReport, ReportLine } from '../../../src-shared/ipc/contract/delivery'
import type { ExportFile } from '../../../src-shared/ipc/contract/call'

/** The lines of a report by package, in the order of arrival. Null: cases in no package or in several. */
export const groupsOf = (lines: ReportLine[]): { packageUid: string | null; lines: ReportLine[] }[] =>
  [...Map.groupBy(lines, ({ packageUid }) => packageUid)].map(([packageUid, group]) => ({ packageUid, lines: group }))

/** Sums over the lines of a report. */
export const totalsOf = (lines: ReportLine[]) => ({
  items: lines.reduce((sum, { tagCount }) => sum + (tagCount ?? 0), 0),
  missing: lines.reduce((sum, { missing }) => sum + missing.length, 0),
  isCounted: lines.some(({ counted }) => counted !== null),
})

const header = [
  ...['package_uid', 'case_id', 'case_identifier', 'product', 'brand', 'batch', 'use_by', 'items', 'items_required'],
  ...['items_counted', 'items_missing', 'missing_tag_ids', 'state', 'pos_product_id', 'pos_inventory_id', 'sku'],
]

/** The report as CSV, with a line for each packaged product of a case. */
export function reportFile({ summary, lines }: DeliveryReport): ExportFile {
  const rows = lines.map((line) => [
    ...[line.packageUid, line.caseId, line.identifier, line.productName, line.brandName, line.batchName, line.useBy],
    ...[line.tagCount, line.requiredCount, line.counted, line.counted === null ? null : line.missing.length],
    ...[line.missing.join(' '), line.importState.kind, line.posProductId, line.posInventoryId, line.sku],
  ])
  return { fileName: `delivery-${dayOf(new Date(summary.startedAt))}.csv`, text: toCsv(header, rows) }
}

/** `YYYY-MM-DD` in this computer's time zone. */
function dayOf(date: Date): string {
  const two = (number: number) => String(number).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
