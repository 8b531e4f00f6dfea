import { randomInt } from 'node:crypto'
import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import type { AppError } from '../../src-shared/errors'
import { OrderId, TagId } from '../../src-shared/ids'
import { CartMode } from '../../src-shared/ipc/contract/checkout'
import type { HeldBody } from '../hub/rows'
import { VerdictReasons } from '../../src-shared/verdict'
import { parseStored } from '../database/settings'
import { reasonsFor } from './verdict'

/** An order that is being filled: the current sale, the current return (`heldAt` is null), or a sale on hold. */
export interface OpenOrder {
  id: number
  mode: CartMode
  orderId: OrderId | null
  budtenderId: string | null
  /** Encrypted. */
  customerId: string | null
  /** Ms since 1970. */
  heldAt: number | null
}

export interface OpenItem {
  tagId: TagId
  scannedAt: number
  /** What was known of it when it was last asked about. Its level is that of the counter's rules now. */
  found: VerdictReasons
  /** The reason for which a manager permitted it. */
  permitted: string | null
}

/** What a person enters for an order besides its items. */
export type About = Pick<OpenOrder, 'orderId' | 'budtenderId' | 'customerId'>
type Typed = Pick<About, 'orderId' | 'customerId'>

const isSameOrder = (one: Pick<About, 'orderId'>, other: Pick<About, 'orderId'>) =>
  one.orderId !== null && one.orderId === other.orderId

/**
 * True if what was typed for an order without items would be lost by resuming another one over it. The same number names
 * the same order: its customer goes into the resumed one if that has none.
 */
export function isLostBy(typed: Typed, resumed: Typed): boolean {
  if (typed.customerId !== null) return !isSameOrder(typed, resumed) || resumed.customerId !== null
  return typed.orderId !== null && !isSameOrder(typed, resumed)
}

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
const Item = z.object({ tag_id: TagId, scanned_at: z.number(), flag: z.string().nullable() })

/** The column `flag`: what is known of an item, as JSON. Version 0.1 wrote one word, or null if all was well. */
const StoredFlag = z.object({ found: VerdictReasons, permitted: z.string().nullable() })
const wordsOf01 = new Map([
  ['looking', reasonsFor('looking')],
  ['unchecked', reasonsFor('unchecked')],
  ['not-imported', reasonsFor('not-imported')],
  ['unknown-to-service', reasonsFor('unknown')],
  ['sold-elsewhere', reasonsFor('sold')],
])
const known = (flag: string | null): z.infer<typeof StoredFlag> => {
  if (flag === null) return { found: reasonsFor('sellable'), permitted: null }
  const found = wordsOf01.get(flag)
  // What another version wrote is not a verdict of this one: the item counts as not checked.
  return found ? { found, permitted: null } : (parseStored(StoredFlag, flag) ?? known('unchecked'))
}
const flagOf = (found: VerdictReasons, permitted: string | null) =>
  JSON.stringify({ found: VerdictReasons.parse(found), permitted } satisfies z.infer<typeof StoredFlag>)
const Expected = z.object({ line: z.string(), expected: z.number() })

/**
 * How an order changed: what it holds, a warning about it, or something that is only shown differently. An order with
 * other contents is not reported, held or cleared before a person saw it; a warning is asked about before a report.
 */
export type OrderChange = 'contents' | 'warning' | 'news'

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
    'SELECT open_order.* FROM open_order_item JOIN open_order ON open_order.id = open_order WHERE tag_id = +?',
  )
  const itemColumns = 'SELECT tag_id, scanned_at, flag FROM open_order_item'
  const selectItems = db.prepare(`${itemColumns} WHERE open_order = +? ORDER BY position`)
  const selectItem = db.prepare(`${itemColumns} WHERE open_order = +? AND tag_id = ?`)
  const selectAll = db.prepare(`${itemColumns} ORDER BY position`)
  const selectExpected = db.prepare('SELECT line, expected FROM open_order_expected WHERE open_order = ?')
  const insertOrder = db.prepare('INSERT INTO open_order (mode, budtender_id) VALUES (?, ?)')
  const insertHeld = db.prepare(`
    INSERT INTO open_order (mode, order_id, budtender_id, customer_id, held_at)
    VALUES ('sale', @orderId, @budtenderId, @customerId, @heldAt)`)
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
  /** Items that were stored as remembered and that the service has confirmed since: not worth a commit. */
  const confirmed = new Set<TagId>()
  /** Items as they were parsed from their rows. The same row is the same object, however often it is read. */
  const parsed = new Map<TagId, { flag: string | null; isConfirmed: boolean; item: OpenItem }>()
  const itemsIn = (row: unknown): OpenItem[] => {
    const stored = Item.safeParse(row).data
    // A damaged TagID can be neither shown nor sold. If it made the cart fail, the cart could not even be cleared.
    if (!stored) return []
    const { tag_id: tagId, scanned_at: scannedAt, flag } = stored
    const isConfirmed = confirmed.has(tagId)
    const before = parsed.get(tagId)
    const isSame = before?.flag === flag && before.isConfirmed === isConfirmed && before.item.scannedAt === scannedAt
    if (isSame) return [before.item]
    const { found, permitted } = known(flag)
    const item = { tagId, scannedAt, found: isConfirmed ? { ...found, asOf: null } : found, permitted }
    parsed.set(tagId, { flag, isConfirmed, item })
    return [item]
  }
  const forget = (tagId: TagId) => {
    confirmed.delete(tagId)
    parsed.delete(tagId)
  }
  const itemsOf = ({ id }: OpenOrder) => selectItems.all(id).flatMap(itemsIn)
  const expectedOf = ({ id }: OpenOrder) => {
    const rows = selectExpected.all(id).map((row) => Expected.parse(row))
    return new Map(rows.map(({ line, expected }) => [line, expected]))
  }
  const isEmpty = (order: OpenOrder) =>
    order.orderId === null && order.customerId === null && itemsOf(order).length === 0 && expectedOf(order).size === 0
  const isWithoutItems = (order: OpenOrder) => itemsOf(order).length === 0 && expectedOf(order).size === 0
  const drop = (id: number) => {
    for (const { tagId } of selectItems.all(id).flatMap(itemsIn)) forget(tagId)
    deleteOrder.run(id)
  }

  // Starts at a random number, so that a revision from before a restart never matches.
  /** The revision, and that of the last change of what the order holds and of the last warning about it. */
  const firstRevision = () => {
    const revision = randomInt(2 ** 47)
    return { revision, contents: revision, warning: revision }
  }
  const revisions = { sale: firstRevision(), return: firstRevision() }

  return {
    /** The current order. */
    front,
    /** The order that was put on hold first comes first. */
    held: (): OpenOrder[] => selectHeld.all().map((row) => Order.parse(row)),
    byId: (id: number): OpenOrder | undefined => parseMaybe(selectById.get(id)),
    itemsOf,
    /** The line of an item; undefined if the order doesn't hold it. */
    itemOf: ({ id }: OpenOrder, tagId: TagId): OpenItem | undefined => selectItem.all(id, tagId).flatMap(itemsIn)[0],
    /** The order, current or on hold, that holds an item. */
    holderOf: (tagId: TagId): OpenOrder | undefined => parseMaybe(selectHolder.get(tagId)),
    /** The expected count of each line that has one. */
    expectedOf,
    /** The current order has changed, and the change is committed. */
    raise(mode: CartMode, change: OrderChange = 'contents') {
      const revision = ++revisions[mode].revision
      if (change !== 'news') revisions[mode][change] = revision
    },
    /** Grows with every committed change of the current order. Starts at a random number with each process. */
    revision: (mode: CartMode) => revisions[mode].revision,
    /** False if the current order holds something else than at a revision: what is reported, held or cleared was seen. */
    isUnchangedSince: (mode: CartMode, revision: number) =>
      revision >= revisions[mode].contents && revision <= revisions[mode].revision,
    /** True if a warning came since a revision: a confirmation doesn't cover it. */
    isWarnedSince: (mode: CartMode, revision: number) => revision < revisions[mode].warning,
    /** True if nothing is lost when the order is dropped. */
    isEmpty,
    /** True if it holds no items, and none are expected: a number alone is not an order that could be put on hold. */
    isWithoutItems,
    /** Items about which the service has not answered since they were scanned: what is said of them is remembered at best. */
    unheard: (): OpenItem[] =>
      selectAll
        .all()
        .flatMap(itemsIn)
        .filter(({ found: { kind, asOf } }) => kind === 'looking' || kind === 'unchecked' || asOf !== null),
    set(mode: CartMode, change: Partial<About>) {
      const { id, orderId, budtenderId, customerId } = front(mode)
      updateAbout.run({ orderId, budtenderId, customerId, ...change, id })
    },
    setExpected(order: OpenOrder, line: string, expected: number | null) {
      if (expected === null) deleteExpected.run(order.id, line)
      else upsertExpected.run(order.id, line, expected)
    },
    add(mode: CartMode, { tagId, scannedAt, found, permitted }: OpenItem) {
      insertItem.run(front(mode).id, tagId, scannedAt, flagOf(found, permitted))
    },
    /** An approval counts for the verdict that it was given for. */
    setVerdict({ id }: OpenOrder, tagId: TagId, found: VerdictReasons, permitted: string | null) {
      confirmed.delete(tagId)
      updateFlag.run({ id, tagId, flag: flagOf(found, permitted) })
    },
    /** The service has just said the same of an item as was remembered. */
    confirm: (tagId: TagId) => void confirmed.add(tagId),
    remove({ id }: OpenOrder, tagId: TagId) {
      forget(tagId)
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
    /** Why an order can't be resumed now: what was typed for the one in front, without items, would be lost. */
    resumeObjection(resumed: Typed): Extract<AppError, { code: 'checkout/order-begun' }> | undefined {
      const typed = front('sale')
      if (!isWithoutItems(typed) || !isLostBy(typed, resumed)) return undefined
      return { code: 'checkout/order-begun', orderId: typed.orderId }
    },
    /** Makes a held sale current, unless there is an objection. The one that was is held, or dropped if it is without items. */
    resume(id: number, at: number) {
      const before = front('sale')
      if (isWithoutItems(before)) drop(before.id)
      else updateHeldAt.run({ id: before.id, heldAt: at })
      updateHeldAt.run({ id, heldAt: null })
      const resumed = front('sale')
      const { orderId } = resumed
      const customerId = resumed.customerId ?? (isSameOrder(before, resumed) ? before.customerId : null)
      updateAbout.run({ id, orderId, budtenderId: resumed.budtenderId ?? before.budtenderId, customerId })
    },
    drop,
    /** An order as another station may go on with it, without its customer. */
    bodyOf(order: OpenOrder): Omit<HeldBody, 'products'> {
      const { orderId, budtenderId } = order
      const items = selectItems.all(order.id).flatMap((row) => {
        const stored = Item.safeParse(row).data
        return stored ? [{ tagId: stored.tag_id, scannedAt: stored.scanned_at, found: stored.flag }] : []
      })
      const expected = [...expectedOf(order)].map(([line, count]) => ({ line, expected: count }))
      return { orderId, budtenderId, items, expected }
    },
    /**
     * Puts an order of another station on hold here. An item is in one order: it leaves a return that is being filled, and a
     * sale unless that keeps it. Returns the new order.
     */
    place(
      { orderId, budtenderId, items, expected }: HeldBody,
      {
        customerId,
        heldAt,
        keeps,
      }: Pick<OpenOrder, 'customerId'> & { heldAt: number; keeps: (tagId: TagId) => boolean },
    ): OpenOrder {
      const { lastInsertRowid } = insertHeld.run({ orderId, budtenderId, customerId, heldAt })
      const id = Number(lastInsertRowid)
      for (const { tagId, scannedAt, found } of items) {
        const holder = parseMaybe(selectHolder.get(tagId))
        if (holder?.mode === 'sale' && keeps(tagId)) continue
        if (holder) deleteItem.run(holder.id, tagId)
        forget(tagId)
        insertItem.run(id, tagId, scannedAt, found)
      }
      for (const { line, expected: count } of expected) upsertExpected.run(id, line, count)
      return Order.parse(selectById.get(id))
    },
  }
}
