import { sheetTime, withZone } from '../../src-shared/csv/local-time'
import { idCell, toCsv } from '../../src-shared/csv/write'
import { ActName } from '../../src-shared/acts'
import type { ExportFile } from '../../src-shared/ipc/contract/call'
import type { CallOutput } from '../../src-shared/ipc/contract'
import type { JournalLine } from '../../src-shared/ipc/contract/journal'
import type { PersonView } from '../../src-shared/people'
import { type Text, say, t } from '../text/text.svelte'

const isAct = (what: JournalLine['what']): what is ActName => ActName.safeParse(what).success

/** What a line says. */
export function lineText({ what }: Pick<JournalLine, 'what'>): Text {
  return isAct(what) ? { key: `journal.act.${what}` } : { key: `journal.${what}` }
}

/** What it is about, by the names of the people who are there now. */
export function aboutText({ report, subject }: Pick<JournalLine, 'report' | 'subject'>, people: PersonView[]): string {
  if (report) return [t(`operation.kind.${report.kind}`), report.about].filter((part) => part !== null).join(' ')
  return people.find(({ id }) => id === subject)?.name ?? subject ?? ''
}

/** From the beginning of a day (YYYY-MM-DD) to that of the next. */
export function daySpan(day: string) {
  const from = new Date(`${day}T00:00:00`)
  const to = new Date(from)
  to.setDate(to.getDate() + 1)
  return { from: from.toISOString(), to: to.toISOString() }
}

type Fault = CallOutput<'journal.verify'>['faults'][number]

export function faultText(fault: Fault): Text {
  if (fault.kind !== 'missing') return { key: `journal.fault.${fault.kind}`, values: { entry: fault.entry } }
  const { first, last } = fault
  return { key: 'journal.fault.missing', values: { first, last, count: last - first + 1 } }
}

export const faultKey = (fault: Fault): string =>
  fault.kind === 'missing' ? `${fault.first}-${fault.last}` : `${fault.kind} ${fault.entry}`

/** The journal as a table, in the words and the time of the screen. */
export const journalCsv = (lines: JournalLine[], people: PersonView[], fileName: string): ExportFile => ({
  fileName,
  text: toCsv(
    [
      ...[t('journal.line'), withZone(t('label.time')), t('journal.who'), t('journal.approved-by')],
      ...[t('journal.what'), t('journal.about'), t('label.reason'), t('journal.hash')],
    ],
    lines.map((line) => [
      ...[line.entry, sheetTime(line.at), line.name ?? t(`journal.actor.${line.actor}`), line.approvedBy],
      ...[say(lineText(line)), idCell(aboutText(line, people)), line.because, idCell(line.hash)],
    ]),
  ),
})

/** One line of JSON each, as stored. */
export const journalJson = (lines: JournalLine[]): Blob =>
  new Blob(
    lines.map((line) => `${JSON.stringify(line)}\n`),
    { type: 'application/x-ndjson' },
  )
