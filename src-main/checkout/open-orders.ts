import { randomInt } from 'node:crypto'
import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { OrderId, TagId } from '../../src-shared/ids'
import { CartMode, type HeldOrder, ItemFlag, isDoubtful } from '../../src-shared/ipc/checkout-view'

/** An order that is being filled. */
export interface OpenOrder {
  id: HeldOrder['id']
  mode: CartMode
  orderId: OrderId | null
  budtenderId: string | null
  /** Sealed. */
  customerId: string | null
  /** Ms since 1970; null of an order in front. */
  heldAt: number | null
}

export interface OpenItem {
  tagId: TagId
  scannedAt: number
  flag: ItemFlag | null
}

/** What a person says of an order besides its items. */
export type About = Pick<OpenOrder, 'orderId' | 'budtenderId' | 'customerId'>

/**
 * The orders being filled, in the store: a power cut brings each back to the last scan. One sale and one return are in
 * front, and any number of sales on hold. No item is in two of them.
 */
export interface OpenOrders {
  front(mode: CartMode): OpenOrder
  /** Who was put aside first comes first. */
  held(): OpenOrder[]
  byId(id: number): OpenOrder | undefined
  itemsOf(order: OpenOrder): OpenItem[]
  /** The order, in front or on hold, in which an item is. */
  holderOf(tagId: TagId): OpenOrder | undefined
  /** How many of each line there should be. */
  expectedOf(order: OpenOrder): Map<string, number>
  /**
   * Grows with every change of the order in front that a person must have seen before it is reported, held or cleared. Of
   * this process: after a restart it is another number.
   */
  revision(mode: CartMode): number
  /** Nobody would miss it. */
  isEmpty(order: OpenOrder): boolean
  /** Items about which the service has not been heard. */
  unheard(): { tagId: TagId; flag: ItemFlag | null }[]
  set(mode: CartMode, change: Partial<About>): void
  setExpected(order: OpenOrder, line: string, expected: number | null): void
  add(mode: CartMode, item: OpenItem): void
  setFlag(order: OpenOrder, tagId: TagId, flag: ItemFlag | null): void
  remove(order: OpenOrder, tagId: TagId): void
  /** An empty order in the place of the one in front; who serves stays. */
  renew(mode: CartMode): void
  /** Puts the sale in front aside. */
  hold(at: number): void
  /** Brings a held sale to the front; what is there is put aside, or thrown away when nobody would miss it. */
  resume(id: number, at: number): void
  drop(id: number): void
}

const Order = z
  .object({
    id: z.number(),
    mode: CartMode,
    order_id: OrderId.nullable(),
    budtender_id: z.string().nullable(),
    customer_id: z.string().nullable(),
    held_at: z.number().nullable(),
  })
  .transform(({ order_id, budtender_id, customer_id, held_at, ...row }): OpenOrder => ({
    ...row,
    orderId: order_id,
    budtenderId: budtender_id,
    customerId: customer_id,
    heldAt: held_at,
  }))
const Item = z
  .object({ tag_id: TagId, scanned_at: z.number(), flag: ItemFlag.nullable().catch(null) })
  .transform(({ tag_id: tagId, scanned_at: scannedAt, flag }): OpenItem => ({ tagId, scannedAt, flag }))
/** What a person is asked about before the item is reported: that it came is news, that all is well is none. */
const isDoubt = (flag: ItemFlag | null) => flag !== null && isDoubtful(flag)
const Expected = z.object({ line: z.string(), expected: z.number() })

/** Changes: call inside a transaction, one for each step of a person. */
export function createOpenOrders(db: Database): OpenOrders {
  const selectFront = db.prepare('SELECT * FROM open_order WHERE mode = ? AND held_at IS NULL')
  const selectHeld = db.prepare('SELECT * FROM open_order WHERE held_at IS NOT NULL ORDER BY held_at, id')
  const selectById = db.prepare('SELECT * FROM open_order WHERE id = ?')
  const selectHolder = db.prepare(
    'SELECT open_order.* FROM open_order_item JOIN open_order ON open_order.id = open_order WHERE tag_id = ?',
  )
  const itemColumns = 'SELECT tag_id, scanned_at, flag FROM open_order_item'
  const selectItems = db.prepare(`${itemColumns} WHERE open_order = ? ORDER BY position`)
  const selectUnheard = db.prepare(`${itemColumns} WHERE flag IN ('looking', 'unchecked') ORDER BY position`)
  const selectExpected = db.prepare('SELECT line, expected FROM open_order_expected WHERE open_order = ?')
  const insertOrder = db.prepare('INSERT INTO open_order (mode, budtender_id) VALUES (?, ?)')
  const updateAbout = db.prepare(
    'UPDATE open_order SET order_id = @orderId, budtender_id = @budtenderId, customer_id = @customerId WHERE id = @id',
  )
  const updateHeldAt = db.prepare('UPDATE open_order SET held_at = @heldAt WHERE id = @id')
  const deleteOrder = db.prepare('DELETE FROM open_order WHERE id = ?')
  const insertItem = db.prepare(
    'INSERT INTO open_order_item (open_order, tag_id, scanned_at, flag) VALUES (?, ?, ?, ?)',
  )
  const updateFlag = db.prepare('UPDATE open_order_item SET flag = @flag WHERE open_order = @id AND tag_id = @tagId')
  const deleteItem = db.prepare('DELETE FROM open_order_item WHERE open_order = ? AND tag_id = ?')
  const upsertExpected = db.prepare(`
    INSERT INTO open_order_expected (open_order, line, expected) VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET expected = excluded.expected`)
  const deleteExpected = db.prepare('DELETE FROM open_order_expected WHERE open_order = ? AND line = ?')

  // Of a salvaged database, the row of the order in front may be what was lost.
  for (const mode of CartMode.options) if (selectFront.get(mode) === undefined) insertOrder.run(mode, null)

  const parseMaybe = (row: unknown) => (row === undefined ? undefined : Order.parse(row))
  const front = (mode: CartMode) => Order.parse(selectFront.get(mode))
  // What is no TagID can be neither shown nor sold: a cart that fails over it could not even be cleared.
  const itemsOf = ({ id }: OpenOrder) => selectItems.all(id).flatMap((row) => Item.safeParse(row).data ?? [])
  const drop = (id: number) => void deleteOrder.run(id)
  // Drawn anew by each process, so that what a page saw before a restart is never taken for what is there now.
  const revisions: Record<CartMode, number> = { sale: randomInt(2 ** 47), return: randomInt(2 ** 47) }
  const changed = ({ mode, heldAt }: Pick<OpenOrder, 'mode' | 'heldAt'>) => {
    if (heldAt === null) revisions[mode]++
  }
  const renew = (mode: CartMode) => {
    const { id, budtenderId } = front(mode)
    drop(id)
    insertOrder.run(mode, budtenderId)
    revisions[mode]++
  }
  const expectedOf = ({ id }: OpenOrder) =>
    new Map(
      selectExpected
        .all(id)
        .map((row) => Expected.parse(row))
        .map(({ line, expected }) => [line, expected]),
    )
  const isEmpty = (order: OpenOrder) =>
    order.orderId === null && order.customerId === null && itemsOf(order).length === 0 && expectedOf(order).size === 0

  return {
    front,
    held: () => selectHeld.all().map((row) => Order.parse(row)),
    byId: (id) => parseMaybe(selectById.get(id)),
    itemsOf,
    holderOf: (tagId) => parseMaybe(selectHolder.get(tagId)),
    expectedOf,
    revision: (mode) => revisions[mode],
    isEmpty,
    unheard: () => selectUnheard.all().flatMap((row) => Item.safeParse(row).data ?? []),
    set(mode, change) {
      const { id, orderId, budtenderId, customerId } = front(mode)
      updateAbout.run({ orderId, budtenderId, customerId, ...change, id })
      revisions[mode]++
    },
    setExpected(order, line, expected) {
      if (expected === null) deleteExpected.run(order.id, line)
      else upsertExpected.run(order.id, line, expected)
      changed(order)
    },
    add(mode, { tagId, scannedAt, flag }) {
      insertItem.run(front(mode).id, tagId, scannedAt, flag)
      revisions[mode]++
    },
    setFlag(order, tagId, flag) {
      updateFlag.run({ id: order.id, tagId, flag })
      if (isDoubt(flag)) changed(order)
    },
    remove(order, tagId) {
      deleteItem.run(order.id, tagId)
      changed(order)
    },
    renew,
    hold(at) {
      const { id, budtenderId } = front('sale')
      updateHeldAt.run({ id, heldAt: at })
      insertOrder.run('sale', budtenderId)
      revisions.sale++
    },
    resume(id, at) {
      const before = front('sale')
      if (isEmpty(before)) drop(before.id)
      else updateHeldAt.run({ id: before.id, heldAt: at })
      updateHeldAt.run({ id, heldAt: null })
      const { orderId, budtenderId, customerId } = front('sale')
      updateAbout.run({ id, orderId, budtenderId: budtenderId ?? before.budtenderId, customerId })
      revisions.sale++
    },
    drop,
  }
}
