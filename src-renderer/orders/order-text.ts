import type { OrderState, OrderSummary, OrderView } from '../../src-shared/ipc/contract/checkout'
import type { OperationKind } from '../../src-shared/ipc/contract/outbox'
import type { ChipTone } from '../ui/tones'
import { listed, say, t } from '../text/text.svelte'
import { moment } from '../text/moments'

/** The color of an order's state; `orders.state.<state>` is its word. */
export const stateTones: Record<OrderState, ChipTone> = {
  unsent: 'waiting',
  attention: 'bad',
  reported: 'good',
  voided: 'plain',
  withdrawn: 'plain',
}

export const itemTones: Record<OrderView['items'][number]['state'], ChipTone> = {
  sold: 'good',
  'not-reported': 'bad',
  returned: 'plain',
  voided: 'plain',
  withdrawn: 'plain',
}

/** What a void does. The sale may be sent while the question is open. */
export function voidMeans({ canVoid, voidWill }: Pick<OrderView, 'canVoid' | 'voidWill'>, count: number): string {
  if (!canVoid) return t('void.impossible')
  return voidWill === 'withdraw' ? t('orders.void.withdraw', { count }) : t(`orders.void.${voidWill}.short`)
}

/** What a report of an order says. */
export const reportText = (kind: OperationKind): string =>
  t(kind === 'complete' || kind === 'return' || kind === 'void' ? `operation.kind.${kind}` : 'operation.unreadable')

/** "2 × Blue Dune, 1 × Sea Salt": the first few products of an order. */
export const productsText = ({ products }: OrderSummary): string =>
  listed(products.map(({ name, count }) => t('orders.product', { count, name: name ?? t('checkout.line.unnamed') })))

/** Time, items and budtender, for the line under the order number. */
export const factsOf = ({ lastAt, itemCount, returnedCount, budtender }: OrderSummary): string[] => [
  say(moment(lastAt)),
  t('checkout.items', { count: itemCount }),
  ...(returnedCount > 0 ? [t('orders.returned', { count: returnedCount })] : []),
  ...(budtender ? [budtender.name] : []),
]
