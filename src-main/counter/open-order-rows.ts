import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { OrderId, TagId } from '../../src-shared/ids'
import { CartMode } from '../../src-shared/ipc/contract/checkout'
import { VerdictReasons } from '../../src-shared/verdict'
import { hand } from '../core/hand'
import { RowReader } from '../database/row-reader'
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
  /** The person who scanned its first item, by name. */
  begunBy: string | null
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

const orders = new RowReader<OpenOrder>(
  z.object({
    id: z.number(),
    mode: CartMode,
    orderId: OrderId.nullable(),
    budtenderId: z.string().nullable(),
    customerId: z.string().nullable(),
    heldAt: z.number().nullable(),
    begunBy: z.string().nullable(),
  }),
)
const ItemRow = z.object({ tagId: TagId, scannedAt: z.number(), flag: z.string().nullable() })
type ItemRow = z.infer<typeof ItemRow>
const ExpectedRow = z.object({ line: z.string(), expected: z.number() })

/** The column `flag`: what is known of an item, as JSON. Version 0.1 wrote one word, or null if all was well. */
const StoredFlag = z.object({ found: VerdictReasons, permitted: z.string().nullable() })
type StoredFlag = z.infer<typeof StoredFlag>
const wordsOf01 = new Map([
  ['looking', reasonsFor('looking')],
  ['unchecked', reasonsFor('unchecked')],
  ['not-imported', reasonsFor('not-imported')],
  ['unknown-to-service', reasonsFor('unknown')],
  ['sold-elsewhere', reasonsFor('sold')],
])
const known = (flag: string | null): StoredFlag => {
  if (flag === null) return { found: reasonsFor('sellable'), permitted: null }
  const found = wordsOf01.get(flag)
  // What another version wrote is not a verdict of this one: the item counts as not checked.
  return found ? { found, permitted: null } : (parseStored(StoredFlag, flag) ?? known('unchecked'))
}
const flagOf = ({ found, permitted }: StoredFlag) =>
  JSON.stringify({ found: VerdictReasons.parse(found), permitted } satisfies StoredFlag)

/** Read with each change of a cart: named as their fields are. */
const itemColumns = 'SELECT tag_id AS tagId, scanned_at AS scannedAt, flag FROM open_order_item'

const statementsOf = (db: Database) => ({
  front: db.prepare('SELECT * FROM open_order WHERE mode = ? AND held_at IS NULL'),
  held: db.prepare('SELECT * FROM open_order WHERE held_at IS NOT NULL ORDER BY held_at, id'),
  byId: db.prepare('SELECT * FROM open_order WHERE id = ?'),
  holder: db.prepare(
    'SELECT open_order.* FROM open_order_item JOIN open_order ON open_order.id = open_order WHERE tag_id = +?',
  ),
  items: db.prepare(`${itemColumns} WHERE open_order = +? ORDER BY position`),
  item: db.prepare(`${itemColumns} WHERE open_order = +? AND tag_id = ?`),
  allItems: db.prepare(`${itemColumns} ORDER BY position`),
  expected: db.prepare('SELECT line, expected FROM open_order_expected WHERE open_order = ?'),
  insert: db.prepare('INSERT INTO open_order (mode, budtender_id) VALUES (?, ?)'),
  insertHeld: db.prepare(`
    INSERT INTO open_order (mode, order_id, budtender_id, customer_id, held_at)
    VALUES ('sale', @orderId, @budtenderId, @customerId, @heldAt)`),
  setAbout: db.prepare(
    'UPDATE open_order SET order_id = @orderId, budtender_id = @budtenderId, customer_id = @customerId WHERE id = @id',
  ),
  setHeldAt: db.prepare('UPDATE open_order SET held_at = @heldAt WHERE id = @id'),
  delete: db.prepare('DELETE FROM open_order WHERE id = ?'),
  begin: db.prepare(`
    UPDATE open_order SET begun_by = ? WHERE id = ?
      AND NOT EXISTS (SELECT 1 FROM open_order_item WHERE open_order = id)`),
  insertItem: db.prepare('INSERT INTO open_order_item (open_order, tag_id, scanned_at, flag) VALUES (?, ?, ?, ?)'),
  setFlag: db.prepare('UPDATE open_order_item SET flag = @flag WHERE open_order = @id AND tag_id = @tagId'),
  deleteItem: db.prepare('DELETE FROM open_order_item WHERE open_order = ? AND tag_id = ?'),
  setExpected: db.prepare(`
    INSERT INTO open_order_expected (open_order, line, expected) VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET expected = excluded.expected`),
  deleteExpected: db.prepare('DELETE FROM open_order_expected WHERE open_order = ? AND line = ?'),
})

/** The rows of open orders and of what they hold. An item is parsed once, however often its row is read. */
export class OpenOrderRows {
  readonly #sql: ReturnType<typeof statementsOf>
  /** Items that were stored as remembered and that the service has confirmed since: not worth a commit. */
  readonly #confirmed = new Set<TagId>()
  /** Items as they were parsed from their rows. The same row is the same object. */
  readonly #parsed = new Map<TagId, { flag: string | null; isConfirmed: boolean; item: OpenItem }>()

  constructor(db: Database) {
    this.#sql = statementsOf(db)
    // A salvaged database may have lost the row of a current order.
    for (const mode of CartMode.options) if (this.#sql.front.get(mode) === undefined) this.insert(mode, null)
  }

  /** The current order. */
  front(mode: CartMode): OpenOrder {
    return orders.parse(this.#sql.front.get(mode))
  }

  /** The order that was put on hold first comes first. */
  held(): OpenOrder[] {
    return orders.all(this.#sql.held)
  }

  byId(id: number): OpenOrder | undefined {
    return orders.get(this.#sql.byId, id)
  }

  /** The order, current or on hold, that holds an item. */
  holderOf(tagId: TagId): OpenOrder | undefined {
    return orders.get(this.#sql.holder, tagId)
  }

  itemsOf({ id }: Pick<OpenOrder, 'id'>): OpenItem[] {
    return this.#sql.items.all(id).flatMap((row) => this.#itemIn(row))
  }

  /** The line of an item; undefined if the order doesn't hold it. */
  itemOf({ id }: OpenOrder, tagId: TagId): OpenItem | undefined {
    return this.#sql.item.all(id, tagId).flatMap((row) => this.#itemIn(row))[0]
  }

  /** Items about which the service has not answered since they were scanned: what is said of them is remembered at best. */
  unheard(): OpenItem[] {
    const all = this.#sql.allItems.all().flatMap((row) => this.#itemIn(row))
    return all.filter(({ found: { kind, asOf } }) => kind === 'looking' || kind === 'unchecked' || asOf !== null)
  }

  /** The expected count of each line that has one. */
  expectedOf({ id }: OpenOrder): Map<string, number> {
    const rows = this.#sql.expected.all(id).map((row) => ExpectedRow.parse(row))
    return new Map(rows.map(({ line, expected }) => [line, expected]))
  }

  /** `expected`: null for none. */
  setExpected({ id }: Pick<OpenOrder, 'id'>, line: string, expected: number | null): void {
    if (expected === null) this.#sql.deleteExpected.run(id, line)
    else this.#sql.setExpected.run(id, line, expected)
  }

  add(mode: CartMode, { tagId, scannedAt, found, permitted }: OpenItem): void {
    const { id } = this.front(mode)
    this.#sql.begin.run(hand().person?.name ?? null, id)
    this.#sql.insertItem.run(id, tagId, scannedAt, flagOf({ found, permitted }))
  }

  /** An approval counts for the verdict that it was given for. */
  setVerdict({ id }: OpenOrder, tagId: TagId, found: VerdictReasons, permitted: string | null): void {
    this.#confirmed.delete(tagId)
    this.#sql.setFlag.run({ id, tagId, flag: flagOf({ found, permitted }) })
  }

  /** The service has just said the same of an item as was remembered. */
  confirm(tagId: TagId): void {
    this.#confirmed.add(tagId)
  }

  remove({ id }: OpenOrder, tagId: TagId): void {
    this.#forget(tagId)
    this.#sql.deleteItem.run(id, tagId)
  }

  /** Deletes an order with what it holds. */
  drop(id: number): void {
    for (const { tagId } of this.itemsOf({ id })) this.#forget(tagId)
    this.#sql.delete.run(id)
  }

  protected insert(mode: CartMode, budtenderId: string | null): void {
    this.#sql.insert.run(mode, budtenderId)
  }

  /** Returns the id of the order. */
  protected insertHeld({ orderId, budtenderId, customerId }: About, heldAt: number): number {
    return Number(this.#sql.insertHeld.run({ orderId, budtenderId, customerId, heldAt }).lastInsertRowid)
  }

  protected setAbout(id: number, { orderId, budtenderId, customerId }: About): void {
    this.#sql.setAbout.run({ orderId, budtenderId, customerId, id })
  }

  protected setHeldAt(id: number, heldAt: number | null): void {
    this.#sql.setHeldAt.run({ id, heldAt })
  }

  /** The items as another station may store them. */
  protected storedItemsOf(id: number): ItemRow[] {
    return this.#sql.items.all(id).flatMap((row) => ItemRow.safeParse(row).data ?? [])
  }

  /** Adds an item as another station stored it. */
  protected addStoredItem(id: number, { tagId, scannedAt, flag }: ItemRow): void {
    this.#forget(tagId)
    this.#sql.insertItem.run(id, tagId, scannedAt, flag)
  }

  #forget(tagId: TagId): void {
    this.#confirmed.delete(tagId)
    this.#parsed.delete(tagId)
  }

  #itemIn(row: unknown): OpenItem[] {
    const stored = ItemRow.safeParse(row).data
    // A damaged TagID can be neither shown nor sold. If it made the cart fail, the cart could not even be cleared.
    if (!stored) return []
    const { tagId, scannedAt, flag } = stored
    const isConfirmed = this.#confirmed.has(tagId)
    const before = this.#parsed.get(tagId)
    const isSame = before?.flag === flag && before.isConfirmed === isConfirmed && before.item.scannedAt === scannedAt
    if (isSame) return [before.item]
    const { found, permitted } = known(flag)
    const item = { tagId, scannedAt, found: isConfirmed ? { ...found, asOf: null } : found, permitted }
    this.#parsed.set(tagId, { flag, isConfirmed, item })
    return [item]
  }
}
