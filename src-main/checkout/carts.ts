import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { OrderId, TagId } from '../../src-shared/ids'
import { type CartLine, type CartMode, type CartView, ItemFlag } from '../../src-shared/ipc/checkout-view'
import type { TagFacts } from '../../src-shared/service/facts'
import { iso } from '../clock'

/** The cart of each mode, in the store: a power cut brings it back to the last scan. */
export interface Carts {
  view(mode: CartMode): CartView
  orderOf(mode: CartMode): OrderId | null
  setOrder(mode: CartMode, orderId: OrderId | null): void
  tagIds(mode: CartMode): TagId[]
  has(mode: CartMode, tagId: TagId): boolean
  add(mode: CartMode, tagId: TagId, flag: ItemFlag | null, at: number): void
  setFlag(mode: CartMode, tagId: TagId, flag: ItemFlag | null): void
  remove(mode: CartMode, tagId: TagId): void
  /** Items and order id. */
  clear(mode: CartMode): void
}

const ItemRow = z.object({ tag_id: TagId, scanned_at: z.number(), flag: ItemFlag.nullable().catch(null) })
const CartRow = z.object({ order_id: OrderId.nullable() })

export function createCarts(db: Database, factsOf: (tagId: TagId) => TagFacts | undefined): Carts {
  const selectItems = db.prepare('SELECT tag_id, scanned_at, flag FROM cart_item WHERE mode = ? ORDER BY position')
  const selectItem = db.prepare('SELECT 1 FROM cart_item WHERE mode = ? AND tag_id = ?')
  const selectCart = db.prepare('SELECT order_id FROM cart WHERE mode = ?')
  const updateOrder = db.prepare('UPDATE cart SET order_id = @orderId WHERE mode = @mode')
  const insertItem = db.prepare('INSERT INTO cart_item (mode, tag_id, scanned_at, flag) VALUES (?, ?, ?, ?)')
  const updateFlag = db.prepare('UPDATE cart_item SET flag = @flag WHERE mode = @mode AND tag_id = @tagId')
  const deleteItem = db.prepare('DELETE FROM cart_item WHERE mode = ? AND tag_id = ?')
  const deleteItems = db.prepare('DELETE FROM cart_item WHERE mode = ?')

  const items = (mode: CartMode) => selectItems.all(mode).map((row) => ItemRow.parse(row))
  const orderOf = (mode: CartMode) => CartRow.parse(selectCart.get(mode)).order_id
  const setOrder = (mode: CartMode, orderId: OrderId | null) => void updateOrder.run({ mode, orderId })

  return {
    view(mode) {
      const all = items(mode)
      const lines = new Map<string, CartLine>()
      for (const item of all) {
        const facts = factsOf(item.tag_id)
        // Items of which nothing is known share a line: there is nothing to tell them apart by.
        const key = facts?.productId ?? facts?.productName ?? 'unknown'
        const line = lines.get(key) ?? {
          key,
          productName: facts?.productName ?? null,
          brandName: facts?.brandName ?? null,
          pictureUrl: facts?.pictureUrl ?? null,
          items: [],
        }
        line.items.push({ tagId: item.tag_id, scannedAt: iso(item.scanned_at), flag: item.flag })
        lines.set(key, line)
      }
      return { mode, orderId: orderOf(mode), lines: [...lines.values()], itemCount: all.length }
    },
    orderOf,
    setOrder,
    tagIds: (mode) => items(mode).map((item) => item.tag_id),
    has: (mode, tagId) => selectItem.get(mode, tagId) !== undefined,
    add: (mode, tagId, flag, at) => void insertItem.run(mode, tagId, at, flag),
    setFlag: (mode, tagId, flag) => void updateFlag.run({ mode, tagId, flag }),
    remove: (mode, tagId) => void deleteItem.run(mode, tagId),
    clear(mode) {
      deleteItems.run(mode)
      setOrder(mode, null)
    },
  }
}
