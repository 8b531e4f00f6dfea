import type {
  PhotoCheck,
  RecordAbout,
  RecordBody,
  RecordCheck,
  RecordedDifference,
  RecordedLate,
  RecordedPhoto,
} from '../../../src-shared/ipc/contract/record'
import type { MessageKey } from '../../text/en'
import { type Text, listed, t } from '../../text/text.svelte'

/** What was entered when the delivery was finished, without empty fields. */
export function aboutLines(about: RecordAbout): { label: MessageKey; value: string }[] {
  const lines = [
    { label: 'label.received-by', value: about.receivedBy },
    { label: 'record.shipped-by', value: about.shippedBy },
    { label: 'record.driver', value: about.driver },
    { label: 'record.manifest-number', value: about.manifestNumber },
  ] as const
  return lines.flatMap(({ label, value }) => (value === null ? [] : { label, value }))
}

/** What is wrong with a mark; null if nothing is. */
export const checkText = (check: RecordCheck): Text | null =>
  check === 'intact' ? null : { key: `record.check.${check}` }

/** What is wrong with a photo; null if nothing is. */
export const photoCheckText = (check: PhotoCheck | undefined): Text | null =>
  check === undefined || check === 'intact' ? null : { key: `record.photo.${check}` }

/** What a photo is about, as it is printed. */
export function photoAbout({ packageUid, identifier, caseId }: RecordedPhoto): Text | null {
  if (caseId !== null) return { key: 'fact.case', values: { identifier: identifier ?? caseId } }
  return packageUid === null ? null : { key: 'operation.package', values: { packageUid } }
}

/** What was in no earlier version: what other stations did and this one heard of after the delivery was finished. */
export function lateTexts({ listed: added, dropped, scanned, unscanned }: RecordedLate): Text[] {
  const things = ({ packageUids, identifiers }: RecordedLate['dropped']) =>
    listed([
      ...packageUids.map((packageUid) => t('operation.package', { packageUid })),
      ...identifiers.map((identifier) => t('fact.case', { identifier })),
    ])
  const at = (station: string | null) => station ?? t('delivery.finished-at.other')
  const texts = added.map((some): Text => {
    return { key: 'record.late.listed', values: { station: at(some.station), things: things(some) } }
  })
  if (dropped.packageUids.length + dropped.identifiers.length > 0)
    texts.push({ key: 'record.late.dropped', values: { things: things(dropped) } })
  for (const { station, count } of scanned)
    texts.push({ key: 'record.late.scanned', values: { station: at(station), count } })
  if (unscanned > 0) texts.push({ key: 'record.late.unscanned', values: { count: unscanned } })
  return texts
}

interface DifferenceGroup {
  text: Text
  /** Missing items are named by the lines of their cases. */
  tagIds: string[]
}

/** What was decided about differences, those with one decision together. Open ones first. */
export function differenceGroups(differences: RecordedDifference[]): DifferenceGroup[] {
  const ways = ['open', 'removed', 'added', 'ignored'] as const
  const groups = Map.groupBy(differences, ({ kind, identifier, resolution, because }) =>
    JSON.stringify([ways.indexOf(resolution), kind, identifier, because]),
  )
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, group]) => {
      const [first] = group
      if (!first) return []
      const { kind, identifier, resolution, because } = first
      const values = { count: group.length, identifier: identifier ?? 'none', resolution, because: because ?? 'none' }
      return {
        text: { key: `record.difference.${kind}`, values },
        tagIds: kind === 'stranger' ? group.map(({ tagId }) => tagId) : [],
      }
    })
}

/** The beginning of a mark, in groups that a person can compare with a printed one. */
export const shortMark = (mark: string): string => mark.slice(0, 16).replaceAll(/(.{4})(?=.)/g, '$1 ')

/** What a count came to. */
export const countText = ({ total, counted, strangers }: RecordBody['counts'][number]): Text => ({
  key: 'record.count',
  values: { total, counted, strangers },
})
