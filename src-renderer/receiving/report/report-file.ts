import { toCsv } from '../../../src-shared/csv/write'
import type { DeliveryReport } from '../../../src-shared/ipc/delivery-view'
import type { ExportFile } from '../../../src-shared/ipc/receiving-history-view'

const header = [
  ...['package_uid', 'case_id', 'case_identifier', 'product', 'brand', 'batch', 'use_by', 'items', 'items_required'],
  ...['items_counted', 'items_missing', 'missing_tag_ids', 'state', 'pos_product_id', 'pos_inventory_id', 'sku'],
]

/** The report as CSV: a line for each packaged product of a case. */
export function reportFile({ summary, lines }: DeliveryReport): ExportFile {
  const rows = lines.map((line) => [
    ...[line.packageUid, line.caseId, line.identifier, line.productName, line.brandName, line.batchName, line.useBy],
    ...[line.tagCount, line.requiredCount, line.counted, line.counted === null ? null : line.missing.length],
    ...[line.missing.join(' '), line.importState.kind, line.posProductId, line.posInventoryId, line.sku],
  ])
  return { fileName: `delivery-${dayOf(new Date(summary.startedAt))}.csv`, text: toCsv(header, rows) }
}

/** Of this computer's time zone. */
function dayOf(date: Date): string {
  const two = (number: number) => String(number).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
