import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { OrderId } from '../../src-shared/ids'
import { PosFile, type PosLine } from '../../src-shared/ipc/contract/pos-day'
import { parseStored } from '../database/settings'
import { looseNumber } from './pos-orders'
import { type NamedByPos, productKeyOf } from './pos-products'

/** The file of a day that counts. `loadedAt`: ms since 1970. */
export interface LoadedFile {
  load: number
  loadedAt: number
  file: PosFile
}

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

/** A report by its place among those of a time. */
export interface ReportPlace {
  orderId: string
  at: number
  seq: number
}

/** An item that a report of an order names. */
export interface ReportedItem {
  seq: number
  kind: 'complete' | 'return' | 'void'
  at: number
  tagId: string | null
  name: string | null
  productId: string | null
  /** The other station that reported it; null: this one. */
  station: string | null
}

export interface StoredReason {
  mark: string
  reason: string
  at: number
}

const LoadRow = z.object({ load: z.number(), loaded_at: z.number(), file: z.string() })
const LineRow = z
  .tuple([OrderId, z.number().nullable(), z.number(), z.number()])
  .transform(([orderId, product, isVoided, count]): StoredLine => ({
    ...{ orderId, product, count },
    isVoided: isVoided !== 0,
  }))
const PlaceRow = z
  .tuple([z.string(), z.number(), z.number().nullable()])
  .transform(([orderId, row, product]): PosPlace => ({ orderId, row, product }))
const ReportRow = z
  .tuple([z.string(), z.number(), z.number()])
  .transform(([orderId, at, seq]): ReportPlace => ({ orderId, at, seq }))
const ProductRow = z
  .tuple([z.number(), z.string().nullable(), z.string().nullable(), z.string().nullable(), z.number().nullable()])
  .transform(([id, posProductId, sku, productName, isTracked]): NamedByPos => ({
    ...{ id, posProductId, sku, productName },
    isTracked: isTracked === null ? null : isTracked !== 0,
  }))
const ItemRow = z
  .tuple([
    z.number(),
    z.enum(['complete', 'return', 'void']),
    z.number(),
    z.string().nullable(),
    z.string().nullable(),
    z.string().nullable(),
  ])
  .transform(([seq, kind, at, tagId, name, productId]): ReportedItem => {
    return { seq, kind, at, tagId, name, productId, station: null }
  })
const ItemProduct = z.tuple([z.string().nullable(), z.string().nullable()])
const ReasonRow = z.tuple([z.string(), z.string(), z.string(), z.number()])
const Ids = z.array(z.string())
const KnownProducts = z.array(z.tuple([z.string(), z.string().nullable(), z.string().nullable()]))

const numbers = z.number()

/** Days are kept so long after their file was loaded, in ms. */
const kept = 14 * 86_400_000

export type PosDayRows = ReturnType<typeof createPosDayRows>

/**
 * The tables behind the comparison with the POS. Lines arrive under a load that counts once its row in `pos_day` is
 * written; what has none is swept away piece by piece.
 */
export function createPosDayRows(db: Database) {
  const selectLoad = db.prepare('SELECT load, loaded_at, file FROM pos_day WHERE day = ?')
  const lastLoad = db
    .prepare(
      'SELECT max(coalesce((SELECT max(load) FROM pos_day), 0), coalesce((SELECT max(load) FROM pos_day_line), 0))',
    )
    .pluck()
  const insertLine = db.prepare(`
    INSERT INTO pos_day_line (load, order_id, loose, product, is_voided, count, line)
    VALUES (?, ?, ?, ?, ?, ?, ?)`)
  const productOf = db.prepare('SELECT id FROM pos_product WHERE key = ?').pluck()
  const insertProduct = db
    .prepare(
      `INSERT INTO pos_product (key, pos_product_id, sku, name) VALUES (@key, @posProductId, @sku, @productName) RETURNING id`,
    )
    .pluck()
  const writeDay = db.prepare(`
    INSERT INTO pos_day (day, load, loaded_at, file) VALUES (@day, @load, @at, @file)
    ON CONFLICT DO UPDATE SET load = excluded.load, loaded_at = excluded.loaded_at, file = excluded.file`)
  const forgetDay = db.prepare('DELETE FROM pos_day WHERE day = ?')
  const forgetOld = db.prepare('DELETE FROM pos_day WHERE loaded_at < ?')
  const forgetReasons = db.prepare('DELETE FROM pos_day_reason WHERE at < ? AND day NOT IN (SELECT day FROM pos_day)')
  const sweep = db.prepare(`
    DELETE FROM pos_day_line WHERE rowid IN (
      SELECT rowid FROM pos_day_line WHERE load < +? AND load NOT IN (SELECT load FROM pos_day) LIMIT 2000)`)
  const lineColumns = 'order_id, product, is_voided, count'
  const orders = db
    .prepare(
      `SELECT order_id, rowid, product FROM pos_day_line WHERE load = ? AND (order_id, rowid) > (?, ?)
       ORDER BY order_id, rowid LIMIT ?`,
    )
    .raw()
  const linesOf = db.prepare(`SELECT ${lineColumns} FROM pos_day_line WHERE load = ? AND order_id = ?`).raw()
  const productColumns = 'id, pos_product_id, sku, name, is_tracked'
  const products = db
    .prepare(`SELECT ${productColumns} FROM pos_product WHERE id IN (SELECT value FROM json_each(?))`)
    .raw()
  const decided = db
    .prepare(`SELECT ${productColumns} FROM pos_product WHERE is_tracked IS NOT NULL ORDER BY name, id`)
    .raw()
  const setTracked = db.prepare('UPDATE pos_product SET is_tracked = ? WHERE id = ?')
  const isInOtherDay = db.prepare(`
    SELECT 1 FROM pos_day_line AS line JOIN pos_day USING (load) WHERE loose = ? AND order_id = +? AND load <> +? LIMIT 1`)
  const isInFile = db.prepare('SELECT 1 FROM pos_day_line WHERE loose = ? AND load = ? LIMIT 1')
  const reasons = db.prepare('SELECT order_id, mark, reason, at FROM pos_day_reason WHERE day = ?').raw()
  const writeReason = db.prepare(`
    INSERT INTO pos_day_reason (day, order_id, mark, reason, at) VALUES (@day, @orderId, @mark, @reason, @at)
    ON CONFLICT DO UPDATE SET mark = excluded.mark, reason = excluded.reason, at = excluded.at`)
  const dropReason = db.prepare('DELETE FROM pos_day_reason WHERE day = ? AND order_id = ?')
  const seconds = db.prepare('SELECT order_id FROM pos_second WHERE of_order = ? ORDER BY order_id').pluck()
  const ofOrder = db.prepare('SELECT of_order FROM pos_second WHERE order_id = ?').pluck()
  const addSecond = db.prepare('INSERT OR IGNORE INTO pos_second (order_id, of_order) VALUES (?, ?)')

  const isReported = `state NOT IN ('cancelled', 'rejected')`
  const reported = db
    .prepare(
      `SELECT order_id, at, seq FROM sale_entry JOIN operation USING (seq)
       WHERE (at, seq) > (?, ?) AND at < ? AND ${isReported} ORDER BY at, seq LIMIT ?`,
    )
    .raw()
  const items = db
    .prepare(
      `SELECT seq, operation.kind, entry.at, tag.value, item.name,
         CASE WHEN json_valid(item.content) THEN item.content ->> '$.productId' END
       FROM sale_entry AS entry JOIN operation USING (seq)
         LEFT JOIN json_each(CASE WHEN json_valid(payload) THEN payload ELSE '{}' END, '$.tagIds') AS tag
         LEFT JOIN memory AS item ON item.kind = 'tag' AND item.id = tag.value AND item.form = 'facts'
       WHERE entry.order_id = +? AND ${isReported} ORDER BY seq`,
    )
    .raw()
  const itemProduct = db
    .prepare(
      `SELECT CASE WHEN json_valid(content) THEN content ->> '$.productId' END, name
       FROM memory WHERE kind = 'tag' AND id = ? AND form = 'facts'`,
    )
    .raw()
  const isOwn = db.prepare('SELECT 1 FROM operation WHERE id = ?')
  const mappings = db.prepare('SELECT DISTINCT product_id, pos_product_id, sku FROM pos_mapping').raw()
  const productsOfCases = db
    .prepare(
      `SELECT DISTINCT product.value ->> '$.productId', product.value ->> '$.productName', product.value ->> '$.sku'
       FROM (SELECT content FROM memory INDEXED BY memory_case WHERE kind = 'collection' AND form = 'facts'
         ORDER BY asked_at DESC, rowid LIMIT +? OFFSET +?) AS seen,
         json_each(CASE WHEN json_valid(seen.content) THEN seen.content ELSE '{}' END, '$.packagedProducts') AS product`,
    )
    .raw()

  const productIdOf = (named: Pick<PosLine, 'posProductId' | 'sku' | 'productName'>): number => {
    const key = productKeyOf(named)
    const { posProductId, sku, productName } = named
    return numbers.parse(productOf.get(key) ?? insertProduct.get({ key, posProductId, sku, productName }))
  }
  const insertPart = db.transaction((load: number, rows: readonly PosLine[], hasProducts: boolean) => {
    // The lines of a part name the same few products.
    const known = new Map<string, number>()
    for (const { orderId, isVoided, count, line, ...named } of rows) {
      const text = JSON.stringify([named.posProductId, named.sku, named.productName])
      const product = hasProducts ? (known.get(text) ?? productIdOf(named)) : null
      if (product !== null) known.set(text, product)
      insertLine.run(load, orderId, looseNumber(orderId), product, isVoided ? 1 : 0, count, line)
    }
  })
  const finishLoad = db.transaction((day: string, load: number, file: PosFile, at: number) => {
    writeDay.run({ day, load, at, file: JSON.stringify(file) })
    forgetOld.run(at - kept)
    forgetReasons.run(at - kept)
  })

  return {
    loaded(day: string): LoadedFile | null {
      const row = LoadRow.safeParse(selectLoad.get(day)).data
      const file = row && parseStored(PosFile, row.file)
      return row && file ? { load: row.load, loadedAt: row.loaded_at, file } : null
    },
    nextLoad: (): number => numbers.parse(lastLoad.get()) + 1,
    /** In one commit. Throws if the disk refuses, as all that write. */
    add: (load: number, rows: readonly PosLine[], hasProducts: boolean) => {
      insertPart.immediate(load, rows, hasProducts)
    },
    /** From here on the load is the file of its day. */
    finish: (day: string, load: number, file: PosFile, at: number) => {
      finishLoad.immediate(day, load, file, at)
    },
    forget: (day: string) => void forgetDay.run(day),
    /** Deletes some lines of files that don't count, of loads before one. Returns whether there may be more. */
    sweep: (before: number): boolean => sweep.run(before).changes > 0,
    /** The order and product of some lines, after one of them, in the order of their numbers. */
    orders: (load: number, after: PosPlace, most: number): PosPlace[] =>
      orders.all(load, after.orderId, after.row, most).map((row) => PlaceRow.parse(row)),
    lines: (load: number, orderId: string): StoredLine[] =>
      linesOf.all(load, orderId).flatMap((row) => LineRow.safeParse(row).data ?? []),
    products: (ids: number[]): NamedByPos[] => products.all(JSON.stringify(ids)).map((row) => ProductRow.parse(row)),
    /** Products of which a person said whether they are compared, of all days. */
    decided: (): NamedByPos[] => decided.all().map((row) => ProductRow.parse(row)),
    setTracked: (id: number, isTracked: boolean | null): boolean =>
      setTracked.run(isTracked === null ? null : Number(isTracked), id).changes > 0,
    /** Whether the file of another day has an order of exactly this number. */
    isInOtherDay: (orderId: string, load: number): boolean =>
      isInOtherDay.get(looseNumber(orderId), orderId, load) !== undefined,
    /** Whether the file has an order whose number may be this one. */
    isInFile: (orderId: string, load: number): boolean => isInFile.get(looseNumber(orderId), load) !== undefined,
    reasons: (day: string): Map<string, StoredReason> =>
      new Map(
        reasons.all(day).map((row) => {
          const [orderId, mark, reason, at] = ReasonRow.parse(row)
          return [orderId, { mark, reason, at }]
        }),
      ),
    setReason: (day: string, orderId: string, stored: StoredReason) =>
      void writeReason.run({ day, orderId, ...stored }),
    dropReason: (day: string, orderId: string) => void dropReason.run(day, orderId),
    /** Numbers under which missing items of an order were sold. */
    seconds: (orderId: string): string[] => Ids.parse(seconds.all(orderId)),
    /** The order whose missing items were sold under this number. */
    firstOf: (orderId: string): string | null => z.string().optional().parse(ofOrder.get(orderId)) ?? null,
    addSecond: (orderId: string, first: string): boolean => addSecond.run(orderId, first).changes > 0,
    /** Some reports that were neither withdrawn nor refused, after one and before a time, in the order of their times. */
    reported: (after: ReportPlace, before: number, most: number): ReportPlace[] =>
      reported.all(after.at, after.seq, before, most).map((row) => ReportRow.parse(row)),
    /** What the reports of an order name, oldest first; one row without an item for a report that names none. */
    items: (orderId: string): ReportedItem[] => items.all(orderId).flatMap((row) => ItemRow.safeParse(row).data ?? []),
    /** Id and name of the product of an item, as this station remembers it. */
    itemProduct: (tagId: string) => ItemProduct.safeParse(itemProduct.get(tagId)).data ?? ([null, null] as const),
    /** Whether an operation is in this store. */
    isOwn: (operationId: string): boolean => isOwn.get(operationId) !== undefined,
    /** Product, POS product id and SKU, as entered with imports. */
    mappings: () =>
      KnownProducts.parse(mappings.all()).map(([productId, id, sku]) => ({ productId, posProductId: id, sku })),
    /** Product, name and SKU of the cases seen last, some at a time. */
    productsOfCases: (from: number, most: number) =>
      productsOfCases.all(most, from).flatMap((row) => {
        const found = KnownProducts.element.safeParse(row).data
        return found ? [{ productId: found[0], name: found[1], sku: found[2] }] : []
      }),
  }
}
