import type { PosDayView, PosDifference, PosDifferenceKind, PosProduct } from '../../../src-shared/ipc/contract/pos-day'
import type { ChipTone } from '../../ui/tones'
import { say, t, type Text } from '../../text/text.svelte'

/** The comparison with the POS in words, on the screen, on paper and in the file of the day. */

export const kindTones: Record<PosDifferenceKind, ChipTone> = {
  'only-pos': 'bad',
  'only-here': 'attention',
  count: 'attention',
  'voided-pos': 'attention',
  'voided-here': 'attention',
}

export const openCount = ({ open }: PosDayView): number => Object.values(open).reduce((sum, one) => sum + one, 0)

export function toneOf(view: PosDayView): ChipTone {
  if (view.state === 'comparing') return 'working'
  if (view.state === 'failed') return 'bad'
  return view.isSettled ? 'good' : 'attention'
}

/** The result in one sentence. */
export function resultOf(view: PosDayView): Text {
  if (view.state === 'comparing') return { key: 'pos-day.comparing', values: { done: view.done } }
  if (view.state === 'failed') return { key: 'pos-day.failed' }
  if (!view.isSettled) return { key: 'pos-day.differs', values: { count: openCount(view) } }
  if (view.reasoned > 0) return { key: 'pos-day.settled', values: { count: view.reasoned } }
  return { key: 'pos-day.matches' }
}

/** What the numbers of an order differ in, a line for each product. */
export function linesOf({ lines, moreLines }: PosDifference, hasProducts: boolean): string[] {
  return [
    ...lines.map(({ name, pos, here }) => {
      if (!hasProducts) return t('pos-day.line.items', { pos, here })
      return t('pos-day.line', { name: name ?? t('pos-day.line.unnamed'), pos, here })
    }),
    ...(moreLines > 0 ? [t('pos-day.line.more', { count: moreLines })] : []),
  ]
}

/** A difference in one line, for paper. */
export const differenceText = (difference: PosDifference, hasProducts: boolean): string =>
  [
    t('void.order', { orderId: difference.orderId }),
    t(`pos-day.kind.${difference.kind}`),
    ...linesOf(difference, hasProducts),
    ...remarksOf(difference),
  ].join(' · ')

/** What else is to be known of a difference. */
export function remarksOf({ orderId, hereId, similar, reason }: PosDifference): string[] {
  const remarks: Text[] = []
  if (hereId !== null && hereId !== orderId) remarks.push({ key: 'pos-day.known-as', values: { orderId: hereId } })
  if (similar !== null) remarks.push({ key: 'pos-day.similar', values: { orderId: similar } })
  if (reason) {
    remarks.push({ key: reason.isCurrent ? 'pos-day.reason' : 'pos-day.reason.old', values: { reason: reason.text } })
  }
  return remarks.map(say)
}

export const productName = ({ productName: name, sku, posProductId }: PosProduct): string =>
  name ?? sku ?? posProductId ?? t('pos-day.products.unnamed')

/** The ids of a product beside its name. */
export const productIds = ({ productName: name, sku, posProductId }: PosProduct): string =>
  name === null ? '' : [...new Set([sku, posProductId])].filter((one) => one !== null).join(' · ')
