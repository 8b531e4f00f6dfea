import type {
  PosDayView,
  PosDifference,
  PosDifferenceKind,
  PosProduct,
  PosStore,
} from '../../../src-shared/ipc/contract/pos-day'
import { moment } from '../../text/moments'
import type { PosPaper } from './pos-day.svelte'
import type { ChipTone } from '../../ui/tones'
import { say, t, type Text } from '../../text/text.svelte'

/** The comparison with the POS in words, on the screen, on paper and in the file of the day. */

const kindTones: Record<PosDifferenceKind, ChipTone> = {
  'only-pos': 'bad',
  'only-here': 'attention',
  count: 'attention',
  'voided-pos': 'attention',
  'voided-here': 'attention',
}

export const openCount = ({ open }: PosDayView): number => Object.values(open).reduce((sum, one) => sum + one, 0)

/** What a person still has to look at. */
export const leftCount = (view: PosDayView): number => openCount(view) + view.unknownCount + view.pending

/** The result in one sentence. */
export function resultOf(view: PosDayView): Text {
  if (view.state === 'comparing') return { key: 'pos-day.comparing', values: { done: view.done } }
  if (view.state === 'failed') return { key: 'pos-day.failed' }
  if (openCount(view) + view.unknownCount === 0 && view.pending > 0) {
    return { key: 'pos-day.pending', values: { count: view.pending } }
  }
  if (leftCount(view) > 0) return { key: 'pos-day.differs', values: { count: openCount(view) } }
  if (view.reasoned > 0) return { key: 'pos-day.settled', values: { count: view.reasoned } }
  return { key: view.isSettled ? 'label.everything-matches' : 'pos-day.matches.read' }
}

/** What it means that everything matches. */
export const matchesText = ({ matched, store }: PosDayView): Text => ({
  key: store ? 'pos-day.matches.means.store' : 'pos-day.matches.means',
  values: { count: matched },
})

/** The result for paper, with what is to be known of it. Differences that aren't listed with it are not known yet. */
export function paperText({ view, page }: PosPaper): string {
  const { file, unknownCount } = view
  const isKnown = page !== null || view.state === 'failed'
  const result: Text = isKnown ? resultOf(view) : { key: 'pos-day.paper.not-known' }
  return [
    t('pos-day.paper', { fileName: file?.fileName ?? '', result }),
    ...(page !== null && unknownCount > 0 ? [t('pos-day.paper.unknown', { count: unknownCount })] : []),
    ...(file && file.faulty > 0 ? [t('pos-day.file.faulty', { count: file.faulty })] : []),
  ].join(' · ')
}

/** What a difference is read with: whether the file names products, and whether other stations report, too. */
export interface Reading {
  hasProducts: boolean
  isStore: boolean
}

export const readingOf = ({ file, store }: PosDayView): Reading => ({
  hasProducts: file?.hasProducts ?? true,
  isStore: store !== null,
})

/** How an order differs. "Here" is wrong for what was reported at another station. */
export function kindText(kind: PosDifferenceKind, { isStore }: Pick<Reading, 'isStore'>): string {
  if (isStore && (kind === 'only-here' || kind === 'voided-here')) return t(`pos-day.kind.store.${kind}`)
  return t(`pos-day.kind.${kind}`)
}

/** How one order differs; it may only be unknown yet. */
export const statusText = ({ kind, isPending }: PosDifference, reading: Pick<Reading, 'isStore'>): string =>
  isPending ? t('pos-day.kind.pending') : kindText(kind, reading)

export const kindTone = ({ kind, isPending, reason }: PosDifference): ChipTone =>
  isPending || reason?.isCurrent === true ? 'plain' : kindTones[kind]

/** What the numbers of an order differ in, a line for each product. */
export function linesOf({ lines, moreLines }: PosDifference, { hasProducts, isStore }: Reading): string[] {
  const scope = isStore ? 'store' : 'station'
  return [
    ...lines.map(({ name, pos, here }) => {
      if (!hasProducts) return t(`pos-day.line.${scope}.items`, { pos, here })
      return t(`pos-day.line.${scope}.product`, { name: name ?? t('pos-day.line.unnamed'), pos, here })
    }),
    ...(moreLines > 0 ? [t('pos-day.line.more', { count: moreLines })] : []),
  ]
}

/** A difference in one line, for paper. */
export const differenceText = (difference: PosDifference, reading: Reading): string =>
  [
    t('orders.order', { orderId: difference.orderId }),
    statusText(difference, reading),
    ...linesOf(difference, reading),
    ...remarksOf(difference),
  ].join(' · ')

/** What else is to be known of a difference. `isOnScreen`: also where its order can be opened. */
export function remarksOf(difference: PosDifference, isOnScreen = false): string[] {
  const { orderId, hereId, similar, stations, isOwn, reason } = difference
  const remarks: Text[] = []
  if (stations.length > 0) {
    const ofOthers = isOnScreen ? 'pos-day.of-station.open' : 'pos-day.of-station'
    remarks.push({ key: isOwn ? 'pos-day.of-station.too' : ofOthers, values: { stations } })
  }
  if (hereId !== null && hereId !== orderId) remarks.push({ key: 'pos-day.known-as', values: { orderId: hereId } })
  if (similar !== null) remarks.push({ key: 'pos-day.similar', values: { orderId: similar } })
  if (reason) {
    remarks.push({ key: reason.isCurrent ? 'pos-day.reason' : 'pos-day.reason.old', values: { reason: reason.text } })
  }
  return remarks.map(say)
}

/** What the comparison knows of the other stations: as of when, which sales may be missing, and what else is to be known. */
export function storeWords({ asOf, trouble, stations, unread, byName }: PosStore): {
  asOf: Text
  missing: Text[]
  notes: Text[]
} {
  const at = asOf === null ? '' : moment(asOf)
  if (trouble === 'too-old') return { asOf: { key: 'pos-day.store.too-old' }, missing: [], notes: [] }
  const notes: Text[] = byName.length > 0 ? [{ key: 'pos-day.store.by-name', values: { stations: byName } }] : []
  if (trouble === 'unreachable') {
    const key = asOf === null ? 'pos-day.store.unreachable' : 'pos-day.store.unreachable.as-of'
    return { asOf: { key, values: { at } }, missing: [], notes }
  }
  if (asOf === null) return { asOf: { key: 'pos-day.store.how' }, missing: [], notes }
  const missing: Text[] = []
  for (const { name, status, seenAt, untold, isMissing } of stations) {
    const values = { station: name, at: seenAt === null ? '' : moment(seenAt), count: untold }
    if (isMissing && status === 'silent') missing.push({ key: 'pos-day.store.silent', values })
    else if (isMissing && status === 'off') missing.push({ key: 'pos-day.store.untold.off', values })
    else if (isMissing) missing.push({ key: 'pos-day.store.untold', values })
    else if (status === 'off') notes.unshift({ key: 'pos-day.store.off', values })
  }
  if (unread > 0) missing.push({ key: 'pos-day.store.unread', values: { count: unread } })
  const count = stations.filter(({ status }) => status !== 'left').length
  const key = missing.length > 0 ? 'pos-day.store.known' : 'pos-day.store.as-of'
  return { asOf: { key, values: { count, at } }, missing, notes }
}

/** What is known of the store in lines, for paper and for the file of a day. */
export function storeLines(store: PosStore): string[] {
  const { asOf, missing, notes } = storeWords(store)
  return [asOf, ...missing, ...notes].map(say)
}

export const productName = ({ productName: name, sku, posProductId }: PosProduct): string =>
  name ?? sku ?? posProductId ?? t('pos-day.products.unnamed')

/** The ids of a product beside its name. */
export const productIds = ({ productName: name, sku, posProductId }: PosProduct): string =>
  name === null ? '' : [...new Set([sku, posProductId])].filter((one) => one !== null).join(' · ')

/** Words of a product that is counted by weight or strength, or named as cannabis is. */
const cannabisWords =
  /\d\s*(g|mg|oz|ml)\b|\b(thc|cbd|pre-?rolls?|joints?|gumm(y|ies)|vapes?|carts?|cartridges?|flower|edibles?|tinctures?|concentrates?|rosin|resin|hash)\b/i

/** What is proposed for a product that nothing here is known by: compared if it reads like cannabis, else not tracked. */
export const isProposedTracked = ({ productName: name }: Pick<PosProduct, 'productName'>): boolean =>
  name !== null && cannabisWords.test(name)
