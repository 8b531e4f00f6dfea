import { randomUUID } from 'node:crypto'
import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { Flag, RowReader } from '../database/row-reader'
import { type Watch, watch } from '../sharing/watch'

const mapped = new RowReader(
  z.object({ id: z.uuid(), openOrder: z.number(), change: z.number(), isAsked: Flag, isOver: Flag }),
)

/** The id that an order on hold has in the store. `isAsked`: another station may take it. `isOver`: resumed or dropped here. */
export type SharedOrderRow = ReturnType<(typeof mapped)['parse']>

const begin = 'INSERT INTO hub_held (id, open_order) VALUES (hub_uuid(), NEW.id)'
const changed = (order: string, what = '') =>
  `UPDATE hub_held SET ${what} change = change + 1 WHERE open_order = ${order} AND is_over = 0`

/** What was not pushed of an order on hold is noted in the commit that changes it. */
const watches: Watch[] = [
  { table: 'open_order', on: 'UPDATE OF held_at', when: 'OLD.held_at IS NULL AND NEW.held_at IS NOT NULL', do: begin },
  { table: 'open_order', on: 'INSERT', when: 'NEW.held_at IS NOT NULL', do: begin },
  {
    table: 'open_order',
    on: 'UPDATE OF held_at',
    when: 'OLD.held_at IS NOT NULL AND NEW.held_at IS NULL',
    do: changed('NEW.id', 'is_over = 1,'),
  },
  { table: 'open_order', on: 'DELETE', when: 'OLD.held_at IS NOT NULL', do: changed('OLD.id', 'is_over = 1,') },
  { table: 'open_order_item', on: 'DELETE', do: changed('OLD.open_order') },
  {
    table: 'open_order',
    on: 'UPDATE OF order_id, budtender_id, customer_id',
    when: 'NEW.held_at IS NOT NULL',
    do: changed('NEW.id'),
  },
]

const statementsOf = (db: Database) => ({
  dirty: db.prepare('SELECT * FROM hub_held WHERE change <> told LIMIT 50'),
  open: db.prepare('SELECT * FROM hub_held WHERE is_over = 0'),
  openOf: db.prepare('SELECT * FROM hub_held WHERE open_order = ? AND is_over = 0'),
  isOpen: db.prepare('SELECT 1 FROM hub_held WHERE id = ? AND is_over = 0'),
  all: db.prepare('SELECT id FROM hub_held').pluck(),
  insert: db.prepare('INSERT INTO hub_held (id, open_order) VALUES (?, ?)'),
  markAsked: db.prepare('UPDATE hub_held SET is_asked = 1 WHERE id = ?'),
  markSynced: db.prepare('UPDATE hub_held SET told = ? WHERE id = ?'),
  markOver: db.prepare('UPDATE hub_held SET is_over = 1, change = change + 1 WHERE id = ?'),
  pushAgain: db.prepare('UPDATE hub_held SET change = change + 1 WHERE id = ?'),
  remove: db.prepare('DELETE FROM hub_held WHERE id = ? AND change = ?'),
  forget: db.prepare('DELETE FROM hub_held WHERE id = ?'),
  noteTaken: db.prepare('INSERT INTO hub_taken VALUES (?) ON CONFLICT DO NOTHING'),
  isTaken: db.prepare('SELECT 1 FROM hub_taken WHERE id = ?'),
  taken: db.prepare('SELECT id FROM hub_taken').pluck(),
  forgetTaken: db.prepare('DELETE FROM hub_taken WHERE id = ?'),
})

const Ids = z.array(z.string())

/** The orders on hold of this station under their ids in the store, and those of other stations that are saved here. */
export class SharedOrderRows {
  readonly #sql: ReturnType<typeof statementsOf>

  constructor(db: Database) {
    db.function('hub_uuid', () => randomUUID())
    watch(db, 'held', watches)
    this.#sql = statementsOf(db)
  }

  /** Those of which the hub lacks a change. */
  dirty(): SharedOrderRow[] {
    return mapped.all(this.#sql.dirty)
  }

  /** Those that are on hold here, and that another station may take. */
  asked(): SharedOrderRow[] {
    return mapped.all(this.#sql.open).filter(({ isAsked }) => isAsked)
  }

  openOf(openOrder: number): SharedOrderRow | undefined {
    return mapped.get(this.#sql.openOf, openOrder)
  }

  /** Whether an order is on hold under this id. */
  isOpen(id: string): boolean {
    return this.#sql.isOpen.get(id) !== undefined
  }

  /** Also of orders that are resumed here: the hub gets to know soon. */
  ids(): Set<string> {
    return new Set(Ids.parse(this.#sql.all.all()))
  }

  add(openOrder: number): void {
    this.#sql.insert.run(randomUUID(), openOrder)
  }

  markAsked(id: string): void {
    this.#sql.markAsked.run(id)
  }

  markSynced({ id, change }: SharedOrderRow): void {
    this.#sql.markSynced.run(change, id)
  }

  markOver(id: string): void {
    this.#sql.markOver.run(id)
  }

  pushAgain(id: string): void {
    this.#sql.pushAgain.run(id)
  }

  /** Forgets an order, unless it has changed since. */
  remove({ id, change }: SharedOrderRow): void {
    this.#sql.remove.run(id, change)
  }

  forget(id: string): void {
    this.#sql.forget.run(id)
  }

  /** Orders of other stations that are saved here, until the hub has that confirmed. */
  taken(): string[] {
    return Ids.parse(this.#sql.taken.all())
  }

  isTaken(id: string): boolean {
    return this.#sql.isTaken.get(id) !== undefined
  }

  noteTaken(id: string): void {
    this.#sql.noteTaken.run(id)
  }

  forgetTaken(id: string): void {
    this.#sql.forgetTaken.run(id)
  }
}
