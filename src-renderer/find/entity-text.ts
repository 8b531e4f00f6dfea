import Boxes from '@lucide/svelte/icons/boxes'
import FileCheck from '@lucide/svelte/icons/file-check'
import Layers from '@lucide/svelte/icons/layers'
import Leaf from '@lucide/svelte/icons/leaf'
import Package from '@lucide/svelte/icons/package'
import Tag from '@lucide/svelte/icons/tag'
import type {
  Entity,
  EntityKind,
  EntityLink,
  EntityView,
  Fact,
  HoldingCollection,
} from '../../src-shared/ipc/contract/find'
import { verdictText, verdictTone } from '../checkout/verdict-text'
import type { Icon } from '../ui/tones'
import { dateOf, moment } from '../text/moments'
import { say, t } from '../text/text.svelte'
import { coaChip, coaExpiry, countChip, type StateChip } from '../receiving/case-text'

export const kindIcons: Record<EntityKind, Icon> = {
  tag: Tag,
  collection: Boxes,
  package: Package,
  product: Leaf,
  batch: Layers,
  coa: FileCheck,
}

/** The type of a collection in words; a new type as the service calls it. */
export function typeText(type: string): string {
  switch (type) {
    case 'case':
    case 'regulator':
    case 'inventory':
    case 'origin':
    case 'order':
    case 'collection':
      return t(`find.type.${type}`)
    default:
      return type
  }
}

/** What a thing is, in a word. */
export const kindText = (view: EntityView): string =>
  view.kind === 'collection' ? typeText(view.type) : t(`label.${view.kind}`)

/** A day or an instant of the service as people write it; other text stays as it is. */
export function dayText(text: string): string {
  const date = dateOf(text)
  return date ? t('time.day', { date }) : text
}

/** The detail beside a name: types of collections and days in words, everything else as the service has it. */
export function detailText({ kind, detail }: EntityLink): string | null {
  if (detail === null) return null
  if (kind === 'collection') return typeText(detail)
  return /^\d{4}-\d{2}-\d{2}$/.test(detail) ? dayText(detail) : detail
}

/** Tells things of the same name apart by the end of the code on their label; null where the row says more. */
export function labelEnding({ kind, id, name, detail }: EntityLink): string | null {
  if ((kind !== 'tag' && kind !== 'collection') || name === null || name === id) return null
  const isIdentifierShown = kind === 'collection' && detail !== null && typeText(detail) === detail
  return isIdentifierShown ? null : `…${id.slice(-6)}`
}

export function factText({ name, value, form }: Fact): string {
  if (name === 'type') return typeText(value)
  switch (form) {
    case 'instant':
      return dateOf(value) ? say(moment(value)) : value
    case 'day':
      return dayText(value)
    case 'count':
      return Number.isFinite(Number(value)) ? t('figure.whole', { count: Number(value) }) : value
    case 'yes-no':
      return value === 'yes' ? t('label.yes') : value === 'no' ? t('label.no') : value
    case 'text':
    case 'id':
      return value
  }
}

/** What a person should know about a thing before reading on; null if there is nothing. */
export function headChips(view: EntityView): StateChip[] {
  switch (view.kind) {
    case 'tag':
      return itemChips(view)
    case 'collection':
      return [...(view.isRemoved ? [removed] : []), ...wrongCount(view), ...faultsOf(view.coas)]
    case 'batch':
      return faultsOf(view.coas)
    case 'package':
    case 'product':
    case 'coa':
      return []
  }
}

/** The verdict on an item first. It names a bad certificate itself. */
function itemChips({ standing, sale, coas }: Entity<'tag'>): StateChip[] {
  if (!standing) return [...(sale ? [sold] : []), ...faultsOf(coas)]
  const isOfCertificate = standing.kind === 'certificate-failed' || standing.kind === 'certificate-expired'
  const chip: StateChip = { tone: verdictTone(standing), text: verdictText(standing) }
  return [chip, ...(isOfCertificate ? [] : faultsOf(coas))]
}

const sold: StateChip = { tone: 'plain', text: { key: 'find.item.sold' } }
const removed: StateChip = { tone: 'attention', text: { key: 'find.removed' } }

/** Each fault once, also if several certificates have it. */
const faultsOf = (coas: Entity<'batch'>['coas']): StateChip[] => [
  ...new Map(
    coas
      .map(coaChip)
      .filter(({ tone }) => tone === 'bad')
      .map((chip) => [chip.text.key, chip]),
  ).values(),
]

function wrongCount({ facts, itemCount }: Entity<'collection'>): StateChip[] {
  const required = facts.find(({ name }) => name === 'required-count')
  if (!required) return []
  const chip = countChip({ tagCount: itemCount, requiredCount: Number(required.value) })
  return chip.tone === 'good' ? [] : [chip]
}

/** A row of a section, which leads to a thing. */
export interface LinkRow {
  link: EntityLink
  facts?: readonly string[]
  chips?: readonly StateChip[]
  /** A second thing in the same line. */
  beside?: EntityLink | null
}

export function coaRow(coa: Entity<'batch'>['coas'][number]): LinkRow {
  const expiry = coaExpiry(coa)
  return { link: coa.link, facts: expiry ? [say(expiry)] : [], chips: [coaChip(coa)] }
}

/** A collection that holds an item, or held it. */
export function holderRow({ link, type, subType, company, addedOn, removedOn }: HoldingCollection): LinkRow {
  return {
    link,
    facts: [
      typeText(type),
      ...(subType === null ? [] : [subType]),
      ...(company === null ? [] : [t('find.by-company', { company })]),
      ...dated(addedOn, (date) => t('find.since', { date })),
      ...dated(removedOn, (date) => t('find.until', { date })),
    ],
  }
}

/** A packaged product; `batch` is shown beside it. */
export function productRow(line: Entity<'batch'>['packagedProducts'][number], batch: EntityLink | null): LinkRow {
  const { product, packagedOn, useBy, regulatoryId } = line
  return {
    link: product,
    facts: [
      ...dated(packagedOn, (date) => t('find.packaged.on', { date })),
      ...dated(useBy, (date) => t('find.packaged.use-by', { date })),
      ...(regulatoryId === null ? [] : [t('find.packaged.regulatory', { id: regulatoryId })]),
    ],
    beside: batch,
  }
}

/** A case of the package `shownUid`. */
export function caseRow(one: Entity<'package'>['cases'][number], shownUid: string): LinkRow {
  const { link, importedOn, dispensary, packageUid, isImported } = one
  return {
    link,
    facts: [
      ...(importedOn === null ? [] : [dayText(importedOn)]),
      ...(dispensary === null ? [] : [dispensary]),
      ...(packageUid === null || packageUid === shownUid ? [] : [t('operation.package', { packageUid })]),
    ],
    chips: [
      isImported
        ? { tone: 'good', text: { key: 'find.case.imported' } }
        : { tone: 'waiting', text: { key: 'import-state.to-import' } },
    ],
  }
}

/** What is said of a day, if it is given and a day. */
export function dated(day: string | null, text: (date: Date) => string): string[] {
  const date = day === null ? undefined : dateOf(day)
  return date ? [text(date)] : []
}
