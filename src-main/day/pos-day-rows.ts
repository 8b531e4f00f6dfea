import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { OrderId } from '../../src-shared/ids'
import { PosFile, type PosLine } from '../../src-shared/ipc/contract/pos-day'
import { Flag, RowReader, storedJson } from '../database/row-reader'
import { looseNumber } from './pos-orders'
import { type NamedByPos, productKeyOf } from './pos-products'

/** The file of a day that counts. `loadedAt`: ms since 1970. */
const FileRow = new RowReader(z.object({ load: z.number(), loadedAt: z.number(), file: storedJson(PosFile) }))
export type LoadedFile = ReturnType<typeof FileRow.parse>

/** A line of the POS; `product`: null if no column of a product was matched. */
export interface StoredLine {
  orderId: OrderId
  product: number | null
  isVoided: boolean
  count: number
}

/** A line by its place among those of a file. */
export interface PosPlace {
  orderId: string
  row: number
  product: number | null
}

/** Why a difference stays. `mark`: of the difference as it was. */
const ReasonRow = new RowReader(z.object({ orderId: z.string(), mark: z.string(), reason: z.string(), at: z.number() }))
export type StoredReason = Omit<ReturnType<typeof ReasonRow.parse>, 'orderId'>

const text = z.string().nullable()
const ProductRow: RowReader<NamedByPos> = new RowReader(
  z.object({ id: z.number(), posProductId: text, sku: text, productName: text, isTracked: Flag.nullable() }),
)
// Lines are read by the ten thousand: as tuples.
const LineRow = z
  .tuple([OrderId, z.number().nullable(), z.number(), z.number()])
  .transform(([orderId, product, isVoided, count]): StoredLine => ({
    ...{ orderId, product, count },
    isVoided: isVoided !== 0,
  }))
const PlaceRow = z
  .tuple([z.string(), z.number(), z.number().nullable()])
  .transform(([orderId, row, product]): PosPlace => ({ orderId, row, product }))

const Ids = z.array(z.string())
const Id = z.number()

/** Days are kept so long after their file was loaded, in ms. */
const kept = 14 * 86_400_000

const productColumns = 'id, pos_product_id, sku, name AS product_name, is_tracked'

const statementsOf = (db: Database) => ({
  file: db.prepare('SELECT load, loaded_at, file FROM pos_day WHERE day = ?'),
  lastLoad: db
    .prepare(
      'SELECT max(coalesce((SELECT max(load) FROM pos_day), 0), coalesce((SELECT max(load) FROM pos_day_line), 0))',
    )
    .pluck(),
  insertLine: db.prepare(`
    INSERT INTO pos_day_line (load, order_id, loose, product, is_voided, count, line)
    VALUES (?, ?, ?, ?, ?, ?, ?)`),
  productOf: db.prepare('SELECT id FROM pos_product WHERE key = ?').pluck(),
  insertProduct: db
    .prepare(
      `INSERT INTO pos_product (key, pos_product_id, sku, name) VALUES (@key, @posProductId, @sku, @productName) RETURNING id`,
    )
    .pluck(),
  writeDay: db.prepare(`
    INSERT INTO pos_day (day, load, loaded_at, file) VALUES (@day, @load, @at, @file)
    ON CONFLICT DO UPDATE SET load = excluded.load, loaded_at = excluded.loaded_at, file = excluded.file`),
  forgetDay: db.prepare('DELETE FROM pos_day WHERE day = ?'),
  forgetOld: db.prepare('DELETE FROM pos_day WHERE loaded_at < ?'),
  forgetReasons: db.prepare('DELETE FROM pos_day_reason WHERE at < ? AND day NOT IN (SELECT day FROM pos_day)'),
  sweep: db.prepare(`
    DELETE FROM pos_day_line WHERE rowid IN (
      SELECT rowid FROM pos_day_line WHERE load < +? AND load NOT IN (SELECT load FROM pos_day) LIMIT 2000)`),
  orders: db
    .prepare(
      `SELECT order_id, rowid, product FROM pos_day_line WHERE load = ? AND (order_id, rowid) > (?, ?)
       ORDER BY order_id, rowid LIMIT ?`,
    )
    .raw(),
  linesOf: db
    .prepare(`SELECT order_id, product, is_voided, count FROM pos_day_line WHERE load = ? AND order_id = ?`)
    .raw(),
  products: db.prepare(`SELECT ${productColumns} FROM pos_product WHERE id IN (SELECT value FROM json_each(?))`),
  decided: db.prepare(`SELECT ${productColumns} FROM pos_product WHERE is_tracked IS NOT NULL ORDER BY name, id`),
  setTracked: db.prepare('UPDATE pos_product SET is_tracked = ? WHERE id = ?'),
  isInOtherDay: db.prepare(`
    SELECT 1 FROM pos_day_line AS line JOIN pos_day USING (load) WHERE loose = ? AND order_id = +? AND load <> +? LIMIT 1`),
  isInFile: db.prepare('SELECT 1 FROM pos_day_line WHERE loose = ? AND load = ? LIMIT 1'),
  reasons: db.prepare('SELECT order_id, mark, reason, at FROM pos_day_reason WHERE day = ?'),
  writeReason: db.prepare(`
    INSERT INTO pos_day_reason (day, order_id, mark, reason, at) VALUES (@day, @orderId, @mark, @reason, @at)
    ON CONFLICT DO UPDATE SET mark = excluded.mark, reason = excluded.reason, at = excluded.at`),
  dropReason: db.prepare('DELETE FROM pos_day_reason WHERE day = ? AND order_id = ?'),
  seconds: db.prepare('SELECT order_id FROM pos_second WHERE of_order = ? ORDER BY order_id').pluck(),
  ofOrder: db.prepare('SELECT of_order FROM pos_second WHERE order_id = ?').pluck(),
  addSecond: db.prepare('INSERT OR IGNORE INTO pos_second (order_id, of_order) VALUES (?, ?)'),
})

/**
 * The tables behind the comparison with the POS. Lines arrive under a load that counts once its row in `pos_day` is
 * written; what has none is swept away piece by piece. All that write throw if the disk refuses.
 */
export class PosDayRows {
  readonly #db: Database
  readonly #sql: ReturnType<typeof statementsOf>

  constructor(db: Database) {
    this.#db = db
    this.#sql = statementsOf(db)
  }

  loaded(day: string): LoadedFile | null {
    return FileRow.readable(this.#sql.file, day).rows[0] ?? null
  }

  nextLoad(): number {
    return Id.parse(this.#sql.lastLoad.get()) + 1
  }

  /** In one commit. */
  add(load: number, rows: readonly PosLine[], hasProducts: boolean): void {
    this.#db
      .transaction(() => {
        // The lines of a part name the same few products.
        const known = new Map<string, number>()
        for (const { orderId, isVoided, count, line, ...named } of rows) {
          const key = JSON.stringify([named.posProductId, named.sku, named.productName])
          const product = hasProducts ? (known.get(key) ?? this.#productOf(named)) : null
          if (product !== null) known.set(key, product)
          this.#sql.insertLine.run(load, orderId, looseNumber(orderId), product, isVoided ? 1 : 0, count, line)
        }
      })
      .immediate()
  }

  /** From here on the load is the file of its day. */
  finish(day: string, load: number, file: PosFile, at: number): void {
    this.#db
      .transaction(() => {
        this.#sql.writeDay.run({ day, load, at, file: JSON.stringify(file) })
        this.#sql.forgetOld.run(at - kept)
        this.#sql.forgetReasons.run(at - kept)
      })
      .immediate()
  }

  forget(day: string): void {
    this.#sql.forgetDay.run(day)
  }

  /** Deletes some lines of files that don't count, of loads before one. Returns whether there may be more. */
  sweep(before: number): boolean {
    return this.#sql.sweep.run(before).changes > 0
  }

  /** The order and product of some lines, after one of them, in the order of their numbers. */
  orders(load: number, after: PosPlace, most: number): PosPlace[] {
    return this.#sql.orders.all(load, after.orderId, after.row, most).map((row) => PlaceRow.parse(row))
  }

  lines(load: number, orderId: string): StoredLine[] {
    return this.#sql.linesOf.all(load, orderId).flatMap((row) => LineRow.safeParse(row).data ?? [])
  }

  products(ids: number[]): NamedByPos[] {
    return ProductRow.all(this.#sql.products, JSON.stringify(ids))
  }

  /** Products of which a person said whether they are compared, of all days. */
  decided(): NamedByPos[] {
    return ProductRow.all(this.#sql.decided)
  }

  setTracked(id: number, isTracked: boolean | null): boolean {
    return this.#sql.setTracked.run(isTracked === null ? null : Number(isTracked), id).changes > 0
  }

  /** Whether the file of another day has an order of exactly this number. */
  isInOtherDay(orderId: string, load: number): boolean {
    return this.#sql.isInOtherDay.get(looseNumber(orderId), orderId, load) !== undefined
  }

  /** Whether the file has an order whose number may be this one. */
  isInFile(orderId: string, load: number): boolean {
    return this.#sql.isInFile.get(looseNumber(orderId), load) !== undefined
  }

  reasons(day: string): Map<string, StoredReason> {
    return new Map(ReasonRow.all(this.#sql.reasons, day).map(({ orderId, ...given }) => [orderId, given]))
  }

  setReason(day: string, orderId: string, given: StoredReason): void {
    this.#sql.writeReason.run({ day, orderId, ...given })
  }

  dropReason(day: string, orderId: string): void {
    this.#sql.dropReason.run(day, orderId)
  }

  /** Numbers under which missing items of an order were sold. */
  seconds(orderId: string): string[] {
    return Ids.parse(this.#sql.seconds.all(orderId))
  }

  /** The order whose missing items were sold under this number. */
  firstOf(orderId: string): string | null {
    return z.string().optional().parse(this.#sql.ofOrder.get(orderId)) ?? null
  }

  addSecond(orderId: string, first: string): void {
    this.#sql.addSecond.run(orderId, first)
  }

  #productOf(named: Pick<PosLine, 'posProductId' | 'sku' | 'productName'>): number {
    const key = productKeyOf(named)
    const { posProductId, sku, productName } = named
    return Id.parse(
      this.#sql.productOf.get(key) ?? this.#sql.insertProduct.get({ key, posProductId, sku, productName }),
    )
  }
}
