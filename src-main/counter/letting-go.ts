import type { TagId } from '../../src-shared/ids'
import type { Counter } from './counter'

/** Items that leave open sales of this station because a person at another one took them over. */
export function createLettingGo({ orders, announce, announceHeld }: Counter, pushHeld: () => void) {
  return {
    /**
     * Takes an item out of the open sale that holds it, in the caller's transaction. An order on hold that has nothing else, not
     * even a number, is dropped. Returns how to show it, after the commit; undefined if no open sale holds it.
     */
    letGo(tagId: TagId): (() => void) | undefined {
      const order = orders.holderOf(tagId)
      if (order?.mode !== 'sale') return undefined
      orders.remove(order, tagId)
      const isHeld = order.heldAt !== null
      if (isHeld && orders.isEmpty(order)) orders.drop(order.id)
      return () => {
        if (!isHeld) {
          orders.raise('sale')
          announce('sale')
          return
        }
        announceHeld()
        pushHeld()
      }
    },
  }
}
