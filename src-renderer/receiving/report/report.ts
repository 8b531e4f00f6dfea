import { toCsv } from '../../../src-shared/csv/write'
import type { DeliveryReport, ReportLine } from '../../../src-shared/ipc/contract/delivery'
import type { ExportFile } from '../../../src-shared/ipc/contract/call'
import { dateOf } from '../../text/moments'
import type { Text } from '../../text/text.svelte'
import { coaChip } from '../case-text'

/** The lines of a report by package, in the order of arrival. Null: cases in no package or in several. */
export const groupsOf = (lines: ReportLine[]): { packageUid: string | null; lines: ReportLine[] }[] =>
  [...Map.groupBy(lines, ({ packageUid }) => packageUid)].map(([packageUid, group]) => ({ packageUid, lines: group }))

/** What is wrong with a certificate, with the day it expired; null if nothing is. */
export function certificateOf(coa: ReportLine['coa']): Text | null {
  if (coa?.word !== 'failed' && coa?.word !== 'expired') return null
  const date = coa.expiresOn === null || !coa.isExpired ? undefined : dateOf(coa.expiresOn)
  return date ? { key: `report.certificate.${coa.word}`, values: { date } } : coaChip(coa).text
}

/** Sums over the lines of a report. */
export const totalsOf = (lines: ReportLine[]) => ({
  items: lines.reduce((sum, { tagCount }) => sum + (tagCount ?? 0), 0),
  missing: lines.reduce((sum, { missing }) => sum + missing.length, 0),
  isCounted: lines.some(({ counted }) => counted !== null),
  /** Imported products with a failed or expired certificate. */
  badCertificates: lines.filter(({ importState: { kind }, coa }) => kind === 'imported-here' && certificateOf(coa))
    .length,
})

const header = [
  ...['package_uid', 'case_id', 'case_identifier', 'product', 'brand', 'batch', 'use_by', 'items', 'items_required'],
  ...[
    'items_counted',
    'items_missing',
    'missing_tag_ids',
    'certificate',
    'certificate_expires_on',
    'state',
    'pos_product_id',
    'pos_inventory_id',
    'sku',
  ],
]

/** The report as CSV, with a line for each packaged product of a case. */
export function reportFile({ summary, lines }: DeliveryReport): ExportFile {
  const rows = lines.map((line) => [
    ...[line.packageUid, line.caseId, line.identifier, line.productName, line.brandName, line.batchName, line.useBy],
    ...[line.tagCount, line.requiredCount, line.counted, line.counted === null ? null : line.missing.length],
    ...[
      line.missing.join(' '),
      line.coa?.word ?? null,
      line.coa?.expiresOn ?? null,
      line.importState.kind,
      line.posProductId,
      line.posInventoryId,
      line.sku,
    ],
  ])
  return { fileName: `delivery-${dayOf(new Date(summary.startedAt))}.csv`, text: toCsv(header, rows) }
}

/** `YYYY-MM-DD` in this computer's time zone. */
function dayOf(date: Date): string {
  const two = (number: number) => String(number).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
