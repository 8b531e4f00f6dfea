import type { Database, Statement } from 'better-sqlite3'
import { z } from 'zod'
import { CaseId, TagId } from '../../../src-shared/ids'
import { UnexpectedWhy } from '../../../src-shared/ipc/contract/stock'
import type { ShelfCountRow } from './count-rows'
import { type ScopeSql, scopeSql } from './scope'
import { ScannedAs } from '../../stock/shelf-status'

/** What a count finds of an item; null: it isn't of the count, or nothing is to be said of it. */
export type FoundAs = 'found' | 'missing' | 'unexpected' | 'moved'

/** A difference that is kept: of the finding that counts (`shown`), or of the one that is being made. */
interface KeptLine {
  position: number
  round: number
  result: string
  why: string | null
  /** The finding being made lacks it. */
  isGone: boolean
}

/** An item as a count finds it at this moment, with what is kept of it. */
export interface FoundItem {
  tagId: TagId
  result: FoundAs | null
  /** Why an unexpected item is unexpected; null for others. */
  why: UnexpectedWhy | null
  /** '' if its product isn't known. */
  product: string
  productName: string | null
  brandName: string | null
  shown: KeptLine | null
  /** Its place, if the finding being made has written a difference of it. */
  prepared: number | null
}

/** A difference that is to be written. */
export interface NewLine {
  tagId: TagId
  position: number
  round: number
  why: UnexpectedWhy | null
}

/** The end of a part of items, and the item there; the number says what the part is ordered by. */
export type ItemPosition = readonly [number, TagId | '']

/** What was found of a product. */
export interface ProductSums {
  product: string
  productName: string | null
  brandName: string | null
  found: number
  missing: number
  unexpected: number
}

const FoundRow = z
  .tuple([
    z.enum(['found', 'missing', 'unexpected', 'moved']).nullable(),
    ScannedAs.nullable(),
    z.string(),
    z.string().nullable(),
    z.string().nullable(),
    z.number().nullable(),
    z.number().nullable(),
    z.string().nullable(),
    z.string().nullable(),
    z.number().nullable(),
    z.number().nullable(),
  ])
  .transform((row): Omit<FoundItem, 'tagId'> => {
    const [result, why, product, productName, brandName, position, round, shownResult, shownWhy, gone, prepared] = row
    const shown =
      position === null || round === null || shownResult === null
        ? null
        : { position, round, result: shownResult, why: shownWhy, isGone: gone !== null }
    const ofLine = { shown, prepared, why: result === 'unexpected' ? UnexpectedWhy.parse(why) : null }
    return { result, product, productName, brandName, ...ofLine }
  })
const ProductRow = z
  .tuple([z.string(), z.string().nullable(), z.string().nullable(), z.number(), z.number(), z.number()])
  .transform(([product, productName, brandName, found, missing, unexpected]): ProductSums => ({
    ...{ product, productName, brandName, found, missing, unexpected },
  }))
const NamedItem = z.tuple([z.string().nullable(), TagId])
const Placed = z.tuple([z.number(), TagId])
const NumberColumn = z.number()
const CaseIds = z.array(CaseId)

/** The newest sale of an item that meets a condition, and the order's number. */
const saleOf = (tag: string, condition: string) => `
  SELECT CASE WHEN json_valid(payload) THEN payload ->> '$.orderId' END FROM operation_key JOIN operation USING (seq)
  WHERE key = 'tag:' || ${tag} AND kind = 'complete' AND ${condition} ORDER BY seq DESC LIMIT 1`
const openOrderOf = (tag: string) => `
  FROM open_order_item JOIN open_order ON open_order.id = open_order WHERE tag_id = ${tag} AND mode = 'sale' LIMIT 1`

/** What may explain that an item is missing. */
const hintOf = `CASE
  WHEN EXISTS (SELECT 1 ${openOrderOf('item.tag_id')}) THEN 'open-order'
  WHEN EXISTS (${saleOf('item.tag_id', `state = 'rejected'`)}) THEN 'refused-order'
  WHEN EXISTS (
    SELECT 1 FROM operation_key JOIN operation USING (seq)
    WHERE key = 'case:' || item.case_id AND kind = 'import' AND state IN ('queued', 'sending', 'unknown')) THEN 'import-unsent' END`
const hintOrder = `coalesce((SELECT order_id ${openOrderOf('item.tag_id')}), (${saleOf('item.tag_id', `state = 'rejected'`)}))`

const told = 'why, hint, order_id, case_id, identifier, product_id, product_name, brand_name, scanned_at'
const kept = told.split(', ')
/** One that is written again keeps its place and its reason. */
const again = `ON CONFLICT DO UPDATE SET result = excluded.result, ${kept.map((one) => `${one} = excluded.${one}`).join(', ')}
  WHERE (result, ${told}) IS NOT (excluded.result, ${kept.map((one) => `excluded.${one}`).join(', ')})`

/**
 * Whether an item was taught here by a reading since the count began, and nothing else happened to it: then the service says when it
 * was imported, and one that was before is expected, although this station didn't know it.
 */
const isTaught = `(item.moved > @move AND item.moved = item.taught AND item.reported <= @move AND item.imported_at IS NOT NULL)`
const isMissing = `(item.standing = 'here' AND (item.moved <= @move OR (${isTaught} AND item.imported_at < @startedAt)))`
/** What was sold, came back or was imported since the count began is not missing. */
const isMoved = `(item.reported > @move OR (item.standing = 'here' AND ${isTaught} AND item.imported_at >= @startedAt))`

/** What a scan is of: what the ledger knows by now, else what was known when it was scanned. */
const known = (column: string) => `coalesce(item.${column}, scan.${column})`
/**
 * Whether this station knows of an item more than another one that had it as sold when it scanned it: a report of its own, or a
 * reading of its case, since the scan was heard here.
 */
const isNewer = `(scan.move IS NOT NULL AND (item.moved > scan.move OR EXISTS (
  SELECT 1 FROM stock_case AS holder WHERE holder.case_id = item.case_id AND holder.asked_move > scan.move)))`
/** Expected at the moment of its scan, or since: it came back, or its import was saved after it was on the shelf. */
const isFound = `(scan.standing = 'here'
  OR (item.standing IS 'here' AND (scan.standing <> 'sold' OR scan.station IS NULL OR ${isNewer})))`

const isShown = (line: string) => `${line}.round <= @shown AND (${line}.gone IS NULL OR ${line}.gone > @shown)`

function statementsFor(db: Database, column: ScopeSql['column']) {
  const inList = `IN (SELECT value FROM json_each(@values))`
  const itemInScope = column === null ? '@values = @values' : `item.${column} ${inList}`
  const scanInScope = column === null ? 'true' : `(${known(column)} IS NULL OR ${known(column)} ${inList})`
  return {
    found: db
      .prepare(
        `SELECT
           CASE
             WHEN scan.tag_id IS NOT NULL THEN
               CASE WHEN NOT ${scanInScope} THEN NULL WHEN ${isFound} THEN 'found' ELSE 'unexpected' END
             WHEN (item.tag_id IS NOT NULL AND ${itemInScope}) IS NOT TRUE THEN NULL
             WHEN ${isMissing} THEN 'missing' WHEN ${isMoved} THEN 'moved' END,
           iif(scan.standing = 'unknown', coalesce(item.standing, 'unknown'), scan.standing),
           coalesce(${known('product_id')}, ''), ${known('product_name')}, ${known('brand_name')},
           shown.position, shown.round, shown.result, shown.why, shown.gone, prepared.position
         FROM json_each(@tags) AS one LEFT JOIN stock_item AS item ON item.tag_id = one.value
           LEFT JOIN stock_count_scan AS scan ON scan.count = @count AND scan.tag_id = one.value
           LEFT JOIN stock_count_line AS shown
             ON shown.count = @count AND shown.tag_id = one.value AND ${isShown('shown')}
           LEFT JOIN stock_count_line AS prepared
             ON prepared.count = @count AND prepared.tag_id = one.value AND prepared.round = @shown + 1
         ORDER BY one.key`,
      )
      .raw(),
    cases: db
      .prepare(
        `SELECT DISTINCT case_id FROM stock_item AS item WHERE standing = 'here' AND ${itemInScope} ORDER BY case_id`,
      )
      .pluck(),
    missingOf: db
      .prepare(
        `SELECT product_name, tag_id FROM stock_item AS item
         WHERE case_id = @caseId AND ${isMissing} AND ${itemInScope}
           AND NOT EXISTS (SELECT 1 FROM stock_count_scan WHERE count = @count AND tag_id = item.tag_id)
         ORDER BY product_name, tag_id`,
      )
      .raw(),
  }
}

const jsonOf = (lines: readonly NewLine[]) =>
  JSON.stringify(lines.map(({ tagId, position, round, why }) => [tagId, position, round, why]))

const lines = `json_each(@lines) AS one CROSS JOIN`
const lineColumns = `count, position, round, tag_id, result, ${told}`

const writesOf = (db: Database) => ({
  missing: db.prepare(`
    INSERT INTO stock_count_line (${lineColumns})
    SELECT @count, one.value ->> 1, one.value ->> 2, item.tag_id, 'missing', NULL, ${hintOf}, ${hintOrder}, item.case_id,
      identifier, item.product_id, item.product_name, item.brand_name, NULL
    FROM ${lines} stock_item AS item ON item.tag_id = one.value ->> 0
      LEFT JOIN stock_case ON stock_case.case_id = item.case_id
    WHERE true ORDER BY one.key ${again}`),
  unexpected: db.prepare(`
    INSERT INTO stock_count_line (${lineColumns})
    SELECT @count, one.value ->> 1, one.value ->> 2, scan.tag_id, 'unexpected', one.value ->> 3, NULL,
      iif(scan.standing = 'sold' OR item.standing = 'sold', (${saleOf('scan.tag_id', `state NOT IN ('rejected', 'cancelled')`)}), NULL),
      ${known('case_id')}, (SELECT identifier FROM stock_case WHERE stock_case.case_id = ${known('case_id')}),
      ${known('product_id')}, ${known('product_name')}, ${known('brand_name')}, scan.at
    FROM ${lines} stock_count_scan AS scan ON scan.count = @count AND scan.tag_id = one.value ->> 0
      LEFT JOIN stock_item AS item ON item.tag_id = scan.tag_id
    WHERE true ORDER BY one.key ${again}`),
  dropPrepared: db.prepare(`
    DELETE FROM stock_count_line
    WHERE count = @count AND round = @shown + 1 AND tag_id IN (SELECT value FROM json_each(@tags))`),
  setGone: db.prepare(`
    UPDATE stock_count_line AS line SET gone = @gone
    WHERE count = @count AND tag_id IN (SELECT value FROM json_each(@tags)) AND ${isShown('line')}`),
  product: db.prepare(`
    INSERT INTO stock_count_product (count, product, product_name, brand_name, found, missing, unexpected)
    VALUES (@count, @product, @productName, @brandName, @found, @missing, @unexpected)
    ON CONFLICT DO UPDATE SET product_name = excluded.product_name, brand_name = excluded.brand_name, found = excluded.found,
      missing = excluded.missing, unexpected = excluded.unexpected`),
  dropProduct: db.prepare('DELETE FROM stock_count_product WHERE count = ? AND product = ?'),
})

/** Deletes what doesn't count, some at a time: of a finding that broke off, or of earlier ones. */
const tidyingOf = (db: Database) => {
  const some = (condition: string) => `(count, position, round) IN (
    SELECT count, position, round FROM stock_count_line WHERE count = @count AND ${condition} LIMIT @limit)`
  return [
    `DELETE FROM stock_count_line WHERE ${some('gone IS NOT NULL AND gone <= @shown')}`,
    `UPDATE stock_count_line SET gone = NULL WHERE ${some('gone IS NOT NULL AND gone > @shown')}`,
    `DELETE FROM stock_count_line WHERE ${some('round > @shown')}`,
  ].map((sql) => db.prepare(sql))
}

const readsOf = (db: Database) => ({
  shown: db
    .prepare(
      `SELECT position, tag_id FROM stock_count_line AS line
       WHERE count = +@count AND position > +@after AND ${isShown('line')} ORDER BY position LIMIT +@limit`,
    )
    .raw(),
  lastPosition: db.prepare('SELECT coalesce(max(position), 0) FROM stock_count_line WHERE count = ?').pluck(),
  scans: db
    .prepare(
      `SELECT number, tag_id FROM stock_count_scan INDEXED BY stock_count_scan_of
       WHERE count = +@count AND number > +@after ORDER BY number LIMIT +@limit`,
    )
    .raw(),
  moved: db
    .prepare(
      `SELECT moved, tag_id FROM stock_item INDEXED BY stock_item_moved
       WHERE moved > @move AND (moved, tag_id) > (@after, @tagId) ORDER BY moved, tag_id LIMIT +@limit`,
    )
    .raw(),
  countOpen: db
    .prepare(
      `SELECT count(*) FROM stock_count_line AS line WHERE count = @count AND ${isShown('line')} AND reason IS NULL`,
    )
    .pluck(),
  products: db
    .prepare(
      'SELECT product, product_name, brand_name, found, missing, unexpected FROM stock_count_product WHERE count = ?',
    )
    .raw(),
})

/** The tables behind the finding of differences. All that write throw if the disk refuses; call them inside a transaction. */
export class DifferenceRows {
  readonly #db: Database
  readonly #reads: ReturnType<typeof readsOf>
  readonly #writes: ReturnType<typeof writesOf>
  readonly #tidying: Statement[]
  readonly #byScope = new Map<ScopeSql['column'], ReturnType<typeof statementsFor>>()

  constructor(db: Database) {
    this.#db = db
    this.#reads = readsOf(db)
    this.#writes = writesOf(db)
    this.#tidying = tidyingOf(db)
  }

  /** Items as the count finds them now, in their order. */
  found({ seq, scope, startedMove, startedAt, round }: ShelfCountRow, tagIds: readonly TagId[]): FoundItem[] {
    const { column, values } = scopeSql(scope)
    const tags = JSON.stringify(tagIds)
    const found = this.#of(column).found.all({ count: seq, shown: round, tags, values, move: startedMove, startedAt })
    return tagIds.map((tagId, at) => ({ tagId, ...FoundRow.parse(found[at]) }))
  }

  /** The cases in which something of the count is expected. */
  cases({ scope }: ShelfCountRow): CaseId[] {
    const { column, values } = scopeSql(scope)
    return CaseIds.parse(this.#of(column).cases.all({ values }))
  }

  /** What is missing of a case, with the name of its product, in the order of these. */
  missingOf({ seq, scope, startedMove, startedAt }: ShelfCountRow, caseId: CaseId) {
    const { column, values } = scopeSql(scope)
    return this.#of(column)
      .missingOf.all({ count: seq, caseId, values, move: startedMove, startedAt })
      .map((row) => NamedItem.parse(row))
  }

  /** Some of the differences that count, after a place. */
  shown({ seq, round }: ShelfCountRow, [after]: ItemPosition, limit: number): ItemPosition[] {
    return this.#reads.shown.all({ count: seq, shown: round, after, limit }).map((row) => Placed.parse(row))
  }

  lastPosition(seq: number): number {
    return NumberColumn.parse(this.#reads.lastPosition.get(seq))
  }

  /** Some scans, after a number. */
  scans({ seq }: ShelfCountRow, [after]: ItemPosition, limit: number): ItemPosition[] {
    return this.#reads.scans.all({ count: seq, after, limit }).map((row) => Placed.parse(row))
  }

  /** Some items that changed since the count began, after one of them. */
  moved({ startedMove }: ShelfCountRow, [after, tagId]: ItemPosition, limit: number): ItemPosition[] {
    return this.#reads.moved.all({ move: startedMove, after, tagId, limit }).map((row) => Placed.parse(row))
  }

  writeMissing(seq: number, missing: readonly NewLine[]): void {
    this.#writes.missing.run({ count: seq, lines: jsonOf(missing) })
  }

  writeUnexpected(seq: number, unexpected: readonly NewLine[]): void {
    this.#writes.unexpected.run({ count: seq, lines: jsonOf(unexpected) })
  }

  /** The finding being made has no difference of some items. */
  dropPrepared({ seq, round }: ShelfCountRow, tagIds: readonly TagId[]): void {
    this.#writes.dropPrepared.run({ count: seq, shown: round, tags: JSON.stringify(tagIds) })
  }

  /** The finding being made lacks the differences that are shown of some items, or has them after all. */
  setGone({ seq, round }: ShelfCountRow, tagIds: readonly TagId[], isGone: boolean): void {
    const gone = isGone ? round + 1 : null
    this.#writes.setGone.run({ count: seq, shown: round, tags: JSON.stringify(tagIds), gone })
  }

  /** Deletes some of what doesn't count. Returns whether there may be more. */
  tidy({ seq, round }: ShelfCountRow, limit: number): boolean {
    return this.#tidying.some((one) => one.run({ count: seq, shown: round, limit }).changes > 0)
  }

  /** Differences without a reason. */
  open({ seq, round }: Pick<ShelfCountRow, 'seq' | 'round'>): number {
    return NumberColumn.parse(this.#reads.countOpen.get({ count: seq, shown: round }))
  }

  products(seq: number): ProductSums[] {
    return this.#reads.products.all(seq).map((row) => ProductRow.parse(row))
  }

  writeProduct(seq: number, sums: ProductSums): void {
    this.#writes.product.run({ count: seq, ...sums })
  }

  dropProduct(seq: number, product: string): void {
    this.#writes.dropProduct.run(seq, product)
  }

  #of(column: ScopeSql['column']) {
    const found = this.#byScope.get(column) ?? statementsFor(this.#db, column)
    this.#byScope.set(column, found)
    return found
  }
}
