import type { Database } from 'better-sqlite3'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { OrderId } from '../../src-shared/ids'
import { parseStored } from '../database/settings'
import type { DayEntry } from '../hub/port'
import { type DirtyKey, DirtyKeys } from '../sharing/dirty-keys'
import { type Watch, noteOf } from '../sharing/watch'
import { isForPerson, needsAttention, operationOf } from '../outbox/operation'
import { productsOf } from './entries'
import { ofOrder } from './history'

const kinds = `('complete', 'return', 'void')`
const noteEntry = noteOf('day', { key: 'NEW.seq' })

/** What has to be pushed is noted in the commit that changes it. */
const watches: Watch[] = [
  { table: 'sale_entry', on: 'INSERT', do: noteEntry },
  {
    table: 'sale_entry',
    on: 'UPDATE OF order_id, at, budtender_id, products',
    when: `NEW.order_id IS NOT OLD.order_id OR NEW.at IS NOT OLD.at OR NEW.budtender_id IS NOT OLD.budtender_id
      OR NEW.products IS NOT OLD.products`,
    do: noteEntry,
  },
  {
    table: 'operation',
    on: 'UPDATE OF state, unsettled',
    when: `NEW.kind IN ${kinds} AND (NEW.state <> OLD.state OR NEW.unsettled <> OLD.unsettled)`,
    do: noteEntry,
  },
]

const EntryRow = z.object({
  entry_at: z.number(),
  entry_budtender: z.string().nullable(),
  entry_products: z.string(),
  entry_items: z.string(),
  entry_of: z.string().nullable(),
})
const Items = z.array(z.tuple([z.string().nullable(), z.string().nullable()]))

/** PostgreSQL takes no U+0000 and no halves of characters. */
const plain = (text: string | null) => text?.replaceAll('\0', '').toWellFormed() ?? null

/** Undefined if the row is not a report that this version can read: each station shows those itself. */
function entryOf(row: unknown): DayEntry | undefined {
  const read = EntryRow.safeParse(row).data
  if (!read) return undefined
  const operation = operationOf(row)
  const payload = ofOrder(operation)
  if (!payload) return undefined
  return {
    id: operation.id,
    at: Math.round(read.entry_at),
    kind: payload.kind,
    orderId: payload.orderId,
    state: operation.state,
    needsPerson: needsAttention(operation) || isForPerson(operation),
    budtenderId: read.entry_budtender,
    tagIds: payload.tagIds,
    products: productsOf(read.entry_products).map(({ name, brand, items }) => [plain(name), plain(brand), items]),
    itemProducts: (parseStored(Items, read.entry_items) ?? []).map(([id, name]) => [plain(id), plain(name)]),
    ofOrder: OrderId.safeParse(read.entry_of).data,
  }
}

/** Without what version 0.2 didn't tell: a day that it closed stays closed. */
const digestOf = ({ itemProducts: _products, ofOrder: _order, ...entry }: DayEntry) =>
  createHash('sha256').update(JSON.stringify(entry)).digest('base64url')

/** A report as the hub has it. */
interface ToldEntry {
  entry: DayEntry
  digest: string
}

function toldOf(row: unknown): ToldEntry | undefined {
  const entry = entryOf(row)
  return entry && { entry, digest: digestOf(entry) }
}

const entryText = `SELECT operation.*, entry.at AS entry_at, entry.budtender_id AS entry_budtender, entry.products AS entry_products,
    (SELECT of_order FROM pos_second WHERE pos_second.order_id = entry.order_id) AS entry_of,
    (SELECT json_group_array(json_array(CASE WHEN json_valid(item.content) THEN item.content ->> '$.productId' END, item.name)
        ORDER BY tag.key)
      FROM json_each(CASE WHEN json_valid(payload) THEN payload ELSE '{}' END, '$.tagIds') AS tag
        LEFT JOIN memory AS item ON item.kind = 'tag' AND item.id = tag.value AND item.form = 'facts') AS entry_items
  FROM sale_entry AS entry JOIN operation USING (seq)`

const statementsOf = (db: Database) => ({
  countSince: db.prepare('SELECT count(*) FROM sale_entry WHERE at >= ? AND seq > ?').pluck(),
  entry: db.prepare(`${entryText} WHERE seq = ?`),
  recent: db.prepare(`${entryText} WHERE entry.at >= ? AND seq > ? ORDER BY seq LIMIT ?`),
})

/** This station's sales, returns and voids as the hub gets them, and those that it lacks or has in an earlier state. */
export class DayEntryRows {
  readonly #sql: ReturnType<typeof statementsOf>
  readonly #from: number
  /** Those that the hub lacks or has in an earlier state, by seq. */
  readonly dirty: DirtyKeys

  /** `from`: reports up to this number aren't pushed as this station's. */
  constructor(db: Database, from: number) {
    this.dirty = new DirtyKeys(db, 'day', watches)
    this.#sql = statementsOf(db)
    this.#from = from
  }

  /** The reports of these keys as the hub should have them. */
  told(dirty: readonly DirtyKey[]): ToldEntry[] {
    return dirty.flatMap(({ key }) =>
      Number(key) > this.#from ? (toldOf(this.#sql.entry.get(Number(key))) ?? []) : [],
    )
  }

  countSince(moment: number): number {
    return z.number().parse(this.#sql.countSince.get(moment, this.#from))
  }

  /**
   * Notes those of some reports that aren't `there` as they are here. `after`: the last one looked at, null at first. `missing`: how many
   * were thought to be there; `last` is null if there are no more.
   */
  noteMissing(since: number, after: number | null, most: number, there: ReadonlyMap<string, string>) {
    const rows = this.#sql.recent.all(since, after ?? this.#from, most)
    let missing = 0
    for (const row of rows) {
      const told = toldOf(row)
      if (!told || there.get(told.entry.id) === told.digest) continue
      const key = String(operationOf(row).seq)
      if (!this.dirty.has(key)) missing++
      this.dirty.note(key)
    }
    return { missing, last: rows.length < most ? null : operationOf(rows.at(-1)).seq }
  }
}
