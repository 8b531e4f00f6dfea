import { localTime, sheetTime, withZone } from '../../../src-shared/csv/local-time'
import { caseKindOf, countCases } from '../../../src-shared/case-state'
import { type Cell, idCell, toCsv } from '../../../src-shared/csv/write'
import type { DeliveryReport } from '../../../src-shared/ipc/contract/delivery'
import type { ManifestResult } from '../../../src-shared/ipc/contract/manifest'
import type { RecordBody, RecordedChange, ReportLine } from '../../../src-shared/ipc/contract/record'
import type { ExportFile } from '../../../src-shared/ipc/contract/call'
import { dateOf } from '../../text/moments'
import { type Text, say, t } from '../../text/text.svelte'
import { chipOf, coaChip, type StateChip } from '../case-text'

/** What a paper about a delivery says, made from what is known now or from its record. Instants are ISO 8601. */
export interface Paper {
  storeName: string
  startedAt: string
  /** Null while it is under way. */
  finishedAt: string | null
  /** When it was made from what was known then; null for a record. */
  madeAt: string | null
  packageUids: string[]
  cases: number
  lines: ReportLine[]
  permitted: RecordedChange[]
  manifest: ManifestResult | null
}

export const paperOfReport = ({ summary, storeName, madeAt, lines, permitted, manifest }: DeliveryReport): Paper => ({
  ...{ storeName, madeAt, lines, permitted, manifest },
  ...{ startedAt: summary.startedAt, finishedAt: summary.finishedAt },
  ...{ packageUids: summary.packageUids, cases: summary.caseCount },
})

export const paperOfRecord = (record: RecordBody): Paper => ({
  ...record,
  manifest: record.manifest ?? null,
  madeAt: null,
  cases: record.caseCount,
})

/**
 * The lines of a report by package: those that were received, also without cases, then packages of cases that were scanned by
 * themselves. Null, the last: cases in no package or in several.
 */
export function groupsOf({ packageUids, lines }: Pick<Paper, 'packageUids' | 'lines'>) {
  const groups = new Map<string | null, ReportLine[]>(packageUids.map((packageUid) => [packageUid, []]))
  for (const [packageUid, group] of Map.groupBy(lines, (one) => one.packageUid)) groups.set(packageUid, group)
  const unnamed = groups.get(null)
  groups.delete(null)
  if (unnamed) groups.set(null, unnamed)
  return [...groups].map(([packageUid, group]) => ({ packageUid, lines: group }))
}

/** How many packages a report lists. */
export const packagesOf = (paper: Pick<Paper, 'packageUids' | 'lines'>): number =>
  groupsOf(paper).filter(({ packageUid }) => packageUid !== null).length

/** What is wrong with a certificate, with the day it expired; null if nothing is. */
export function certificateOf(coa: ReportLine['coa']): Text | null {
  if (coa?.word !== 'failed' && coa?.word !== 'expired') return null
  const date = coa.expiresOn === null || !coa.isExpired ? undefined : dateOf(coa.expiresOn)
  if (!date) return coaChip(coa).text
  return {
    key: coa.word === 'failed' ? 'report.certificate.failed' : 'verdict.certificate-expired.on',
    values: { date },
  }
}

/** A case of a report: its lines, one for each product. An import whose case isn't known is one by itself. */
const casesOf = (lines: ReportLine[]): ReportLine[][] => [...Map.groupBy(lines, (line) => line.caseId ?? line).values()]

/** Items of a line, of how many. What a case of several products should hold is said once, beside all that it holds. */
export interface LineItems {
  items: number | null
  required: number | null
  /** On the first line of such a case. */
  ofCase: { items: number; required: number } | null
}

export function itemsIn(lines: ReportLine[]): Map<ReportLine, LineItems> {
  const linesOfCases = casesOf(lines).flatMap((ofCase) =>
    ofCase.map((line, index): [ReportLine, LineItems] => {
      const { tagCount: items, requiredCount: required } = line
      if (ofCase.length === 1) return [line, { items, required, ofCase: null }]
      const all = sumOf(ofCase)
      return [
        line,
        { items, required: null, ofCase: index === 0 && required !== null ? { items: all, required } : null },
      ]
    }),
  )
  return new Map(linesOfCases)
}

const sumOf = (lines: ReportLine[]) => lines.reduce((sum, { tagCount }) => sum + (tagCount ?? 0), 0)

/** Sums over the lines of a report. */
export const totalsOf = (lines: ReportLine[]) => ({
  ...countCases(casesOf(lines).map((ofCase) => caseKindOf(ofCase.map(({ importState }) => importState.kind)))),
  items: sumOf(lines),
  missing: lines.reduce((sum, { missing }) => sum + missing.length, 0),
  isCounted: lines.some(({ counted }) => counted !== null),
  /** Imported products with a failed or expired certificate. */
  badCertificates: lines.filter(({ importState: { kind }, coa }) => kind === 'imported-here' && certificateOf(coa))
    .length,
})

type LeftOut = StateChip & { line: ReportLine }

/** What was not imported, and the one reason that matters most. */
export const leftOutOf = (lines: ReportLine[]): LeftOut[] =>
  lines.flatMap((line): LeftOut | LeftOut[] => {
    const { importState, coa } = line
    if (importState.kind === 'imported-here' || importState.kind === 'pending') return []
    if (importState.kind !== 'to-import') return { line, ...chipOf(importState, new Date(0)) }
    const certificate = certificateOf(coa)
    return certificate
      ? { line, tone: 'bad', text: certificate }
      : { line, tone: 'plain', text: { key: 'import-state.to-import' } }
  })

/** The columns of the file, in their order. */
const columns = [
  ...(['package', 'case-id', 'case', 'product', 'brand', 'batch', 'use-by', 'items'] as const),
  ...(['items-required', 'items-counted', 'items-missing', 'missing-tag-id', 'coa', 'coa-expires-on'] as const),
  ...(['status', 'imported-at', 'posProductId', 'posInventoryId', 'pos-sku'] as const),
] as const

/**
 * The report as CSV, with a line for each packaged product of a case, in the words and the time of the screen. The items that
 * are missing follow their product, one line each, without its numbers: sums stay right.
 */
export function reportFile({ startedAt, lines }: Pick<Paper, 'startedAt' | 'lines'>): ExportFile {
  const items = itemsIn(lines)
  const rows = lines.flatMap((line): Cell[][] => {
    const { required = null, ofCase = null } = items.get(line) ?? {}
    const where = [...[line.packageUid, line.caseId, line.identifier].map(idCell), line.productName, line.brandName]
    const pos = [line.posProductId, line.posInventoryId, line.sku].map(idCell)
    const product = [
      ...[
        ...where,
        idCell(line.batchName),
        dayOf(line.useBy),
        line.tagCount,
        ofCase?.required ?? required,
        line.counted,
      ],
      ...[line.counted === null ? null : line.missing.length, null],
      ...[line.coa && say(coaChip(line.coa).text), dayOf(line.coa?.expiresOn ?? null)],
      ...importOf(line),
      ...pos,
    ]
    const missing = line.missing.map((tagId) =>
      columns.map((column, at) => itemCell(column, tagId, product[at] ?? null)),
    )
    return [product, ...missing]
  })
  return {
    fileName: `delivery-${localTime(startedAt).slice(0, 10)}.csv`,
    text: toCsv(
      columns.map((column) => {
        const name = t(`label.${column}`)
        return column === 'imported-at' ? withZone(name) : name
      }),
      rows,
    ),
  }
}

/** A cell of the line of a missing item: what it is, and where it should be. */
function itemCell(column: (typeof columns)[number], tagId: string, ofProduct: Cell): Cell {
  if (column === 'missing-tag-id') return idCell(tagId)
  return (
    ['package', 'case-id', 'case', 'product', 'brand', 'batch', 'posProductId', 'posInventoryId', 'pos-sku'] as string[]
  ).includes(column)
    ? ofProduct
    : null
}

/** The state in words, and the time of an import in a column of its own. */
function importOf({ importState }: ReportLine): [string, string | null] {
  const dated = 'at' in importState
  const words = say(chipOf(dated ? { ...importState, at: null } : importState, new Date(0)).text)
  return [words, dated && importState.at !== null ? instantOf(importState.at) : null]
}

/** As in the other files, or the service's own words if they are not a time. */
const instantOf = (text: string): string => (dateOf(text) ? sheetTime(text) : text)

/** `YYYY-MM-DD` in this computer's time zone; a calendar day stays that day. */
function dayOf(text: string | null): string | null {
  const date = text === null ? undefined : dateOf(text)
  return date ? localTime(date.getTime()).slice(0, 10) : text
}
