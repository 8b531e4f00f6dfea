import { randomInt } from 'node:crypto'
import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { OrderId, TagId } from '../../src-shared/ids'
import { CartMode, type HeldOrder, ItemFlag } from '../../src-shared/ipc/contract/checkout'

/** An order that is being filled: the current sale, the current return (`heldAt` is null), or a sale on hold. */
export interface OpenOrder {
  id: HeldOrder['id']
  mode: CartMode
  orderId: OrderId | null
  budtenderId: string | null
  /** Encrypted. */
  customerId: string | null
  /** Ms since 1970. */
  heldAt: number | null
}

interface OpenItem {
  tagId: TagId
  scannedAt: number
  flag: ItemFlag | null
}

/** What a person enters for an order besides its items. */
export type About = Pick<OpenOrder, 'orderId' | 'budtenderId' | 'customerId'>

/** True if the service will refuse an item with this flag: the person is asked before it is reported. */
export const isDoubtful = (flag: ItemFlag | null): boolean =>
  flag === 'unknown-to-service' || flag === 'sold-elsewhere' || flag === 'not-imported'

export type OpenOrders = ReturnType<typeof createOpenOrders>

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
const Expected = z.object({ line: z.string(), expected: z.number() })

/**
 * The orders being filled, in the store: a power cut brings each back to the last scan. There is one current sale, one
 * current return and any number of sales on hold. An item is in one of them at most. Raise the revision of a current
 * order once a change of it is committed.
 */
export function createOpenOrders(db: Database) {
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

  // A salvaged database may have lost the row of a current order.
  for (const mode of CartMode.options) if (selectFront.get(mode) === undefined) insertOrder.run(mode, null)

  const parseMaybe = (row: unknown) => (row === undefined ? undefined : Order.parse(row))
  const front = (mode: CartMode) => Order.parse(selectFront.get(mode))
  // A damaged TagID can be neither shown nor sold. If it made the cart fail, the cart could not even be cleared.
  const itemsOf = ({ id }: OpenOrder) => selectItems.all(id).flatMap((row) => Item.safeParse(row).data ?? [])
  const expectedOf = ({ id }: OpenOrder) => {
    const rows = selectExpected.all(id).map((row) => Expected.parse(row))
    return new Map(rows.map(({ line, expected }) => [line, expected]))
  }
  const isEmpty = (order: OpenOrder) =>
    order.orderId === null && order.customerId === null && itemsOf(order).length === 0 && expectedOf(order).size === 0
  const drop = (id: number) => void deleteOrder.run(id)

  // Starts at a random number, so that a revision from before a restart never matches.
  /** `decisive`: the revision of the last change that a person must see before reporting, holding or clearing. */
  const firstRevision = () => {
    const revision = randomInt(2 ** 47)
    return { revision, decisive: revision }
  }
  const revisions = { sale: firstRevision(), return: firstRevision() }

  return {
    /** The current order. */
    front,
    /** The order that was put on hold first comes first. */
    held: (): OpenOrder[] => selectHeld.all().map((row) => Order.parse(row)),
    byId: (id: number): OpenOrder | undefined => parseMaybe(selectById.get(id)),
    itemsOf,
    /** The order, current or on hold, that holds an item. */
    holderOf: (tagId: TagId): OpenOrder | undefined => parseMaybe(selectHolder.get(tagId)),
    /** The expected count of each line that has one. */
    expectedOf,
    /**
     * The current order has changed, and the change is committed. `isDecisive`: a person must see it before reporting,
     * holding or clearing the order.
     */
    raise(mode: CartMode, isDecisive = true) {
      const revision = ++revisions[mode].revision
      if (isDecisive) revisions[mode].decisive = revision
    },
    /** Grows with every committed change of the current order. Starts at a random number with each process. */
    revision: (mode: CartMode) => revisions[mode].revision,
    /** False if the current order has changed since a revision in a way that the person must see first. */
    isUnchangedSince: (mode: CartMode, revision: number) =>
      revision >= revisions[mode].decisive && revision <= revisions[mode].revision,
    /** True if nothing is lost when the order is dropped. */
    isEmpty,
    /** Items about which the service has not answered yet. */
    unheard: (): OpenItem[] => selectUnheard.all().flatMap((row) => Item.safeParse(row).data ?? []),
    set(mode: CartMode, change: Partial<About>) {
      const { id, orderId, budtenderId, customerId } = front(mode)
      updateAbout.run({ orderId, budtenderId, customerId, ...change, id })
    },
    setExpected(order: OpenOrder, line: string, expected: number | null) {
      if (expected === null) deleteExpected.run(order.id, line)
      else upsertExpected.run(order.id, line, expected)
    },
    add(mode: CartMode, { tagId, scannedAt, flag }: OpenItem) {
      insertItem.run(front(mode).id, tagId, scannedAt, flag)
    },
    setFlag({ id }: OpenOrder, tagId: TagId, flag: ItemFlag | null) {
      updateFlag.run({ id, tagId, flag })
    },
    remove({ id }: OpenOrder, tagId: TagId) {
      deleteItem.run(id, tagId)
    },
    /** Replaces the current order by an empty one. The budtender stays. */
    renew(mode: CartMode) {
      const { id, budtenderId } = front(mode)
      drop(id)
      insertOrder.run(mode, budtenderId)
    },
    /** Puts the current sale on hold. */
    hold(at: number) {
      const { id, budtenderId } = front('sale')
      updateHeldAt.run({ id, heldAt: at })
      insertOrder.run('sale', budtenderId)
    },
    /** Makes a held sale current. The one that was is held, or dropped if it is empty. */
    resume(id: number, at: number) {
      const before = front('sale')
      if (isEmpty(before)) drop(before.id)
      else updateHeldAt.run({ id: before.id, heldAt: at })
      updateHeldAt.run({ id, heldAt: null })
      const { orderId, budtenderId, customerId } = front('sale')
      updateAbout.run({ id, orderId, budtenderId: budtenderId ?? before.budtenderId, customerId })
    },
    drop,
  }
}
