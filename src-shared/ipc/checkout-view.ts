import { z } from 'zod'
import { OrderId, TagId } from '../ids'
import { OperationView } from './operation-view'

/** A cart being filled: what is sold, or what is brought back. */
export const CartMode = z.enum(['sale', 'return'])
export type CartMode = z.infer<typeof CartMode>

/**
 * What is to be said about an item before it is sold. `looking`: the answer is not there yet; `unchecked`: nobody could
 * be asked; `not-imported`: its case is not in our inventory; `unknown-to-service`: it will be refused.
 */
export const ItemFlag = z.enum(['looking', 'unchecked', 'not-imported', 'unknown-to-service'])
export type ItemFlag = z.infer<typeof ItemFlag>

export const CartItem = z.object({
  tagId: TagId,
  scannedAt: z.iso.datetime(),
  flag: ItemFlag.nullable(),
})
export type CartItem = z.infer<typeof CartItem>

/** Items of one product. `productName` is null while nothing is known of them. */
export const CartLine = z.object({
  key: z.string(),
  productName: z.string().nullable(),
  brandName: z.string().nullable(),
  pictureUrl: z.string().nullable(),
  items: z.array(CartItem),
})
export type CartLine = z.infer<typeof CartLine>

export const CartView = z.object({
  mode: CartMode,
  orderId: OrderId.nullable(),
  lines: z.array(CartLine),
  itemCount: z.number().int().nonnegative(),
})
export type CartView = z.infer<typeof CartView>

/** The answer to a scanned item: the cart, and the line it went to. */
export const ItemAdded = z.object({ cart: CartView, line: CartLine, flag: ItemFlag.nullable() })
export type ItemAdded = z.infer<typeof ItemAdded>

/** What this station knows of an order: its operations, oldest first, and what became of its items. */
export const OrderView = z.object({
  orderId: OrderId,
  operations: z.array(OperationView),
  items: z.array(
    z.object({
      tagId: TagId,
      productName: z.string().nullable(),
      state: z.enum(['sold', 'returned', 'voided', 'withdrawn']),
    }),
  ),
  canVoid: z.boolean(),
})
export type OrderView = z.infer<typeof OrderView>
