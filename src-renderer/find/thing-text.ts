import Boxes from '@lucide/svelte/icons/boxes'
import FileCheck from '@lucide/svelte/icons/file-check'
import Layers from '@lucide/svelte/icons/layers'
import Leaf from '@lucide/svelte/icons/leaf'
import Package from '@lucide/svelte/icons/package'
import Tag from '@lucide/svelte/icons/tag'
import type { Fact, Gap, ThingKind, ThingLink, ThingView } from '../../src-shared/ipc/find-view'
import type { Icon } from '../design/icon'
import { dateOf, moment } from '../messages/moments'
import { say, t } from '../messages/text.svelte'

export const kindIcons: Record<ThingKind, Icon> = {
  tag: Tag,
  collection: Boxes,
  package: Package,
  product: Leaf,
  batch: Layers,
  coa: FileCheck,
}

/** The kinds of collections that were seen have words; a new one is shown as the service calls it. */
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
export const kindText = (view: ThingView): string =>
  view.kind === 'collection' ? typeText(view.type) : t(`find.kind.${view.kind}`)

/** A day or an instant of the service as people write it; what is neither stays as it is. */
export function dayText(text: string): string {
  const date = dateOf(text)
  return date ? t('time.day', { date }) : text
}

/** What main says beside a name: the kind of a collection and days have words of ours, the rest is as the service has it. */
export function detailText({ kind, detail }: ThingLink): string | null {
  if (detail === null) return null
  if (kind === 'collection') return typeText(detail)
  return /^\d{4}-\d{2}-\d{2}$/.test(detail) ? dayText(detail) : detail
}

/** Of several with the same name each is told by the end of the code on its label; null where a row says more than that. */
export function labelEnding({ kind, id, name, detail }: ThingLink): string | null {
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
      return Number.isFinite(Number(value)) ? t('find.count', { count: Number(value) }) : value
    case 'yes-no':
      return value === 'yes' ? t('find.yes') : value === 'no' ? t('find.no') : value
    case 'text':
    case 'id':
      return value
  }
}

/** Gaps are said where the part would stand; these have a place on the screen of their kind. */
export const placedGaps: Record<ThingKind, readonly Gap['part'][]> = {
  tag: ['product', 'batch', 'coas', 'collections', 'removed-collections', 'sale'],
  collection: ['coas', 'members', 'product'],
  package: ['case', 'collections'],
  product: [],
  batch: ['coas', 'product'],
  coa: ['batch'],
}
