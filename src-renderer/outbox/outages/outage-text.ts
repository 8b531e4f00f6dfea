import { localTime, sheetTime, withZone } from '../../../src-shared/csv/local-time'
import { type Cell, idCell, toCsv } from '../../../src-shared/csv/write'
import type { ExportFile } from '../../../src-shared/ipc/contract/call'
import type { Outage, OutageCause, OutageExport, OutageLine } from '../../../src-shared/ipc/contract/outages'
import { explain } from '../../text/errors'
import { ends, exactMoment, moment, shortSpan } from '../../text/moments'
import { type Text, say, t } from '../../text/text.svelte'
import { operationChip } from '../operation-text'

/** "2:32 PM to 2:46 PM"; with seconds if it began and ended in one minute. */
export const spanText = ({ from, to }: Outage): Text =>
  to === null
    ? { key: 'outages.span.lasts', values: { from: moment(from) } }
    : { key: 'outages.span', values: ends(from, to) }

/** The span of an outage to the second and with its dates, for paper. */
export function datedSpanText({ from, to }: Outage): Text {
  const exact = (instant: string): Text => ({ key: 'time.exact', values: { at: new Date(instant) } })
  return to === null
    ? { key: 'outages.span.lasts', values: { from: exact(from) } }
    : { key: 'outages.span', values: { from: exact(from), to: exact(to) } }
}

/** Ways in which there was no connection: to a person, one cause. */
const unconnected = new Set<OutageCause>(['unreachable', 'refused', 'timed-out', 'no-name', 'no-network'])

/**
 * What was wrong, each cause once, in the order in which it came. Several ways of having no connection are one cause, and the
 * errors of a service that comes and goes with it are none of their own; the details have each.
 */
export function causeTexts({ causes }: Pick<Outage, 'causes'>): Text[] {
  const all = [...new Set(causes.map(({ cause }) => cause))]
  const [first, another] = all.filter((cause) => unconnected.has(cause))
  const isCut = first === 'unreachable' || first === 'refused' || another !== undefined
  const plain = all
    .filter((cause) => !(isCut && cause === 'failing'))
    .map((cause) => (isCut && unconnected.has(cause) ? 'unreachable' : cause))
  return [...new Set(plain)].map((cause) => ({ key: `outage.cause.${cause}` }))
}

const cutText = ({ causes, isCut }: Outage): Text[] =>
  isCut ? [{ key: 'outages.cause.cut', values: { count: causes.length } }] : []

/** What was wrong from when on. */
export const causeSteps = (outage: Outage): Text[] => [
  ...outage.causes.map(({ from, cause }): Text => ({
    key: 'outages.cause.at',
    values: { at: exactMoment(from), cause: { key: `outage.cause.${cause}` } },
  })),
  ...cutText(outage),
]

const states = ['reported', 'waiting', 'attention', 'canceled'] as const

/** How many reports were made, and where they stand. */
export function countTexts({ counts }: Outage): Text[] {
  const before: Text[] = counts.before > 0 ? [{ key: 'outages.before', values: { count: counts.before } }] : []
  const standing = states
    .filter((state) => counts[state] > 0)
    .map((state): Text => ({ key: `outages.${state}`, values: { count: counts[state] } }))
  return [{ key: 'outages.made', values: { count: counts.made } }, ...before, ...standing]
}

/** When the service got a report; in words if it doesn't have it, or if that or the time isn't known. */
export function reportedText(
  { reported, reportedAt, isDoubtful }: OutageLine,
  time: (instant: string) => string,
): string {
  if (reported === 'no') return t('outages.not-reported')
  if (reported === 'unknown') return t('outages.reported-unknown')
  if (reportedAt === null) return t('outages.reported-when')
  return isDoubtful ? t('outages.reported-doubtful', { at: time(reportedAt) }) : time(reportedAt)
}

export const delayText = ({ delayMs }: OutageLine): string => (delayMs === null ? '' : say(shortSpan(delayMs)))

/** The columns of the file, in their order. */
const columns = [
  'outages.file.from',
  'outages.file.to',
  'outages.file.seconds',
  'outages.file.causes',
  'label.done',
  'label.reported',
  'outages.file.delay',
  'label.report',
  'label.status',
  'label.order',
  'label.case-id',
  'label.package',
  'label.product',
  'label.items',
  'outages.waited',
  'outages.file.doubtful',
  'label.refusal',
  'label.report-id',
] as const

const times: ReadonlySet<string> = new Set(['outages.file.from', 'outages.file.to', 'label.done', 'label.reported'])

const seconds = (ms: number | null) => (ms === null ? null : Math.round(ms / 1_000))

const lineCells = (line: OutageLine): Cell[] => [
  sheetTime(line.performedAt),
  line.reportedAt === null ? reportedText(line, localTime) : sheetTime(line.reportedAt),
  seconds(line.delayMs),
  t(`operation.kind.${line.kind}`),
  say(operationChip(line).text),
  ...[line.orderId, line.caseId ?? line.collectionId, line.packageUid].map(idCell),
  line.productName,
  line.itemCount,
  line.isBefore ? t('label.yes') : null,
  line.isDoubtful ? t('label.yes') : null,
  line.reason ? say(explain(line.reason).what) : null,
  line.id,
]

/** What the file of a span has not. */
export const leftTexts = ({ left, leftOutages }: OutageExport): Text[] => [
  ...(left > 0 ? [{ key: 'outages.left.file' as const, values: { count: left } }] : []),
  ...(leftOutages > 0 ? [{ key: 'outages.left.outages' as const, values: { count: leftOutages } }] : []),
]

/** One line a report; an outage in which nothing was done has one line, too. The last lines say what was left out. */
export function outageFile(ledger: OutageExport): ExportFile {
  const { fileName, outages, station, isOfMany } = ledger
  const rows = outages.flatMap(({ outage, lines }): Cell[][] => {
    const head = [
      sheetTime(outage.from),
      outage.to === null ? t('outages.lasts') : sheetTime(outage.to),
      seconds(outage.lengthMs),
      [...causeTexts(outage), ...cutText(outage)].map(say).join('; '),
    ]
    return lines.length === 0 ? [head] : lines.map((line) => [...head, ...lineCells(line)])
  })
  for (const text of leftTexts(ledger)) rows.push([say(text)])
  // A column of its own: files of several stations are merged into one sheet.
  const last = isOfMany ? [station] : []
  return {
    fileName,
    text: toCsv(
      [
        ...columns.map((column) => (times.has(column) ? withZone(t(column)) : t(column))),
        ...(isOfMany ? [t('label.station')] : []),
      ],
      rows.map((row) => [...row, ...Array.from({ length: columns.length - row.length }, () => null), ...last]),
    ),
  }
}
