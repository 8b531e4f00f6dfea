import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { ShortUuid, type TagId } from '../../../src-shared/ids'
import {
  type DifferenceChoice,
  type DifferenceFilter,
  DifferenceKind,
  type ShelfDifference,
  type ShelfLine,
  type ShelfProduct,
  type ShelfReason,
  mostDifferences,
  mostProducts,
  mostShelfLines,
  reasonsOf,
} from '../../../src-shared/ipc/contract/stock'
import { iso } from '../../core/clock'
import { RowReader } from '../../database/row-reader'
import { DifferenceRow, isShown } from './lines'

const columns = `position, tag_id, result, why, hint, order_id, case_id, identifier, product_id, product_name, brand_name, scanned_at,
  reason, text`
const kind = `iif(result = 'missing', 'missing', coalesce(why, 'unknown'))`
/** Null values leave their condition out; `@product` is '' for items whose product isn't known. */
const filtered = `count = +@count AND ${isShown} AND (@result IS NULL OR result = @result) AND (@why IS NULL OR ${kind} = @why)
  AND (@product IS NULL OR coalesce(product_id, '') = @product) AND (@isOpen = 0 OR reason IS NULL)`
/** A difference that has become another one meanwhile gets no reason that doesn't fit it. */
const fits = `(@reason IS NULL OR ${kind} IN (SELECT value FROM json_each(@kinds)))`

const kinds = DifferenceKind.options
const NumberColumn = z.number()
const Position = z
  .number()
  .nullish()
  .transform((position) => position ?? null)
const differenceRows = new RowReader(DifferenceRow)
const kindSums = new RowReader(z.object({ kind: DifferenceKind, count: z.number() }))
const productSums = new RowReader(
  z.object({
    product: z.string(),
    productName: z.string().nullable(),
    brandName: z.string().nullable(),
    found: z.number(),
    missing: z.number(),
    unexpected: z.number(),
  }),
)

/** Reasons that are written in some ms. */
const someMilliseconds = 2_000
/** More than any number of a difference. */
const foundFrom = 2 ** 50

const statementsOf = (db: Database, atOnce: number) => {
  const ofPart = `${filtered} AND position > +@after AND position <= +@upTo`
  const ofItem = `FROM stock_count_line WHERE count = @count AND tag_id = @tagId AND ${isShown}`
  return {
    page: db.prepare(`
      SELECT ${columns} FROM stock_count_line
      WHERE ${filtered} AND position > +@after ORDER BY position LIMIT ${mostDifferences + 1}`),
    kinds: db.prepare(`SELECT ${kind} AS kind, count(*) AS count FROM stock_count_line WHERE ${filtered} GROUP BY 1`),
    kind: db.prepare(`SELECT ${kind} ${ofItem}`).pluck(),
    isUnknown: db.prepare(`SELECT 1 ${ofItem} AND why = 'unknown'`),
    explainOne: db.prepare(
      `UPDATE stock_count_line SET reason = @reason, text = @text
       WHERE count = @count AND tag_id = @tagId AND ${fits} AND ${isShown}`,
    ),
    newest: db
      .prepare(`SELECT coalesce(max(position), 0) FROM stock_count_line WHERE count = @count AND ${isShown}`)
      .pluck(),
    last: db
      .prepare(`SELECT position FROM stock_count_line WHERE ${ofPart} ORDER BY position LIMIT 1 OFFSET ${atOnce - 1}`)
      .pluck(),
    explainPart: db.prepare(
      `UPDATE stock_count_line SET reason = @reason, text = @text WHERE ${ofPart} AND ${fits} AND position <= +@last`,
    ),
    products: db.prepare(`
      SELECT * FROM stock_count_product WHERE count = +?
      ORDER BY missing + unexpected DESC, product_name IS NULL, product_name, product LIMIT ${mostProducts}`),
    countProducts: db.prepare('SELECT count(*) FROM stock_count_product WHERE count = ?').pluck(),
    found: db.prepare(`
      SELECT scan.number AS position, scan.tag_id, 'found' AS result, NULL AS why, NULL AS hint, NULL AS order_id,
        coalesce(item.case_id, scan.case_id) AS case_id, identifier, coalesce(item.product_id, scan.product_id) AS product_id,
        coalesce(item.product_name, scan.product_name) AS product_name, coalesce(item.brand_name, scan.brand_name) AS brand_name,
        scan.at AS scanned_at, NULL AS reason, NULL AS text
      FROM stock_count_scan AS scan INDEXED BY stock_count_scan_of LEFT JOIN stock_item AS item ON item.tag_id = scan.tag_id
        LEFT JOIN stock_case ON stock_case.case_id = coalesce(item.case_id, scan.case_id)
      WHERE scan.count = +@count AND scan.number > +@after
        AND NOT EXISTS (SELECT 1 FROM stock_count_line AS line WHERE line.count = scan.count AND line.tag_id = scan.tag_id AND ${isShown})
      ORDER BY scan.number LIMIT ${mostShelfLines + 1}`),
  }
}

const valuesOf = (seq: number, { result, why, productId, isOpen }: DifferenceFilter) => ({
  count: seq,
  result: result ?? null,
  why: why ?? null,
  product: productId === undefined ? null : (productId ?? ''),
  isOpen: isOpen ? 1 : 0,
})

const viewOf = ({ position: _, scannedAt, ...line }: DifferenceRow): ShelfLine => ({
  ...line,
  scannedAt: scannedAt === null ? null : iso(scannedAt),
})

/** The differences of a finished count, and their reasons. `atOnce`: those that get a reason in one commit. */
export class Differences {
  readonly #statements: ReturnType<typeof statementsOf>

  constructor(db: Database, atOnce = someMilliseconds) {
    this.#statements = statementsOf(db, atOnce)
  }

  /** Whether an item was a difference when the count was last finished. */
  has(seq: number, tagId: TagId): boolean {
    return this.#statements.kind.get({ count: seq, tagId }) !== undefined
  }

  /** Whether a finished count says of an item that nothing is known of it. */
  isUnknown(seq: number, tagId: TagId): boolean {
    return this.#statements.isUnknown.get({ count: seq, tagId }) !== undefined
  }

  /** A page of differences in the order in which they were found. */
  page(seq: number, filter: DifferenceFilter, after: number | null) {
    const found = differenceRows.all(this.#statements.page, { ...valuesOf(seq, filter), after: after ?? 0 })
    const shown = found.slice(0, mostDifferences)
    const ofKinds = this.#kindsOf(seq, filter)
    return {
      kinds: ofKinds,
      differences: shown.flatMap((line): ShelfDifference[] =>
        line.result === 'found' ? [] : [{ ...viewOf(line), result: line.result }],
      ),
      total: ofKinds.reduce((sum, one) => sum + one.count, 0),
      next: found.length > mostDifferences ? (shown.at(-1)?.position ?? null) : null,
    }
  }

  /** The position of the last difference; 0 without any. */
  newest(seq: number): number {
    return NumberColumn.parse(this.#statements.newest.get({ count: seq }))
  }

  /** Whether each of the chosen differences may have a reason. */
  doesFit(seq: number, which: DifferenceChoice, reason: ShelfReason): boolean {
    const ofChoice =
      'tagIds' in which
        ? which.tagIds.flatMap(
            (tagId) => DifferenceKind.safeParse(this.#statements.kind.get({ count: seq, tagId })).data ?? [],
          )
        : this.#kindsOf(seq, which.filter).map((one) => one.kind)
    return ofChoice.every((one) => reasonsOf[one].includes(reason))
  }

  /**
   * Writes down a reason for some of the chosen differences, those behind a position and up to another; null takes it back. Returns
   * how many got it, and where the next ones begin: null if none are left. Throws if the disk refuses.
   */
  explain(
    seq: number,
    which: DifferenceChoice,
    { reason, text }: { reason: ShelfReason | null; text: string | null },
    { after, upTo }: { after: number; upTo: number },
  ): { explained: number; next: number | null } {
    const fitting = kinds.filter((one) => reason !== null && reasonsOf[one].includes(reason))
    const words = { reason, text: reason === null ? null : text, kinds: JSON.stringify(fitting) }
    if ('tagIds' in which) {
      const explained = [...new Set(which.tagIds)].map(
        (tagId) => this.#statements.explainOne.run({ ...words, count: seq, tagId }).changes,
      )
      return { explained: explained.reduce((sum, one) => sum + one, 0), next: null }
    }
    const part = { ...valuesOf(seq, which.filter), after, upTo }
    const next = Position.parse(this.#statements.last.get(part))
    return { explained: this.#statements.explainPart.run({ ...part, ...words, last: next ?? upTo }).changes, next }
  }

  products(seq: number): { products: ShelfProduct[]; more: number } {
    const products = productSums.all(this.#statements.products, seq).map(({ product, ...sums }) => {
      const productId = ShortUuid.safeParse(product).data ?? null
      return { ...sums, productId, expected: sums.found + sums.missing }
    })
    return { products, more: NumberColumn.parse(this.#statements.countProducts.get(seq)) - products.length }
  }

  /**
   * A part of the whole count for its file: its differences, then what was found. `after` counts differences below
   * `foundFrom`, and scans above it.
   */
  lines(seq: number, after: number | null): { lines: ShelfLine[]; next: number | null } {
    if (after !== null && after >= foundFrom) return this.#foundPart(seq, after - foundFrom)
    const { differences, next } = this.page(seq, {}, after)
    return { lines: differences, next: next ?? foundFrom }
  }

  #kindsOf(seq: number, filter: DifferenceFilter) {
    return kindSums
      .all(this.#statements.kinds, valuesOf(seq, filter))
      .toSorted((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind))
  }

  #foundPart(seq: number, after: number): { lines: ShelfLine[]; next: number | null } {
    const found = differenceRows.all(this.#statements.found, { count: seq, after })
    const shown = found.slice(0, mostShelfLines)
    const last = shown.at(-1)
    const next = found.length > mostShelfLines && last ? foundFrom + last.position : null
    return { lines: shown.map(viewOf), next }
  }
}
