import type { OrderId } from '../../src-shared/ids'
import type { App } from '../app.svelte'

/** Whether something else is being brought back: its number is never replaced behind a person's back. */
export function isReturnTaken({ checkout }: App, orderId: OrderId): boolean {
  const { orderText, itemCount } = checkout.return
  return orderText.trim() !== orderId && (orderText.trim() !== '' || itemCount > 0)
}

/** Goes to where the items of an order are scanned back. */
export async function returnItems(app: App, orderId: OrderId): Promise<void> {
  app.checkout.openTab('return')
  app.go('checkout')
  await app.checkout.return.useOrder(orderId)
}
