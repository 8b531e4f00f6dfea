import type { Database, Statement } from 'better-sqlite3'
import { z } from 'zod'
import { CaseId, ShortUuid, TagId } from '../../src-shared/ids'
import { MissingHint, ShelfReason, type ShelfResults, UnexpectedWhy } from '../../src-shared/ipc/contract/stock'
import type { TagFacts } from '../../src-shared/service/facts'
import type { CountRow } from './count-rows'
import { type ScopeSql, scopeSql } from './scope'

/** A difference as it is kept. Instants are ms since 1970. */
export const Line = z
  .object({
    position: z.number(),
    tag_id: TagId,
    result: z.enum(['found', 'missing', 'unexpected']),
    why: UnexpectedWhy.nullable(),
    hint: MissingHint.nullable(),
    order_id: z.string().nullable(),
    case_id: CaseId.nullable(),
    identifier: z.string().nullable(),
    product_id: ShortUuid.nullable(),
    product_name: z.string().nullable(),
    brand_name: z.string().nullable(),
    scanned_at: z.number().nullable(),
    reason: ShelfReason.nullable().catch(null),
    text: z.string().nullable(),
  })
  .transform((row) => ({
    position: row.position,
    tagId: row.tag_id,
    result: row.result,
    why: row.why,
    hint: row.hint,
    orderId: row.order_id,
    caseId: row.case_id,
    identifier: row.identifier,
    productId: row.product_id,
    productName: row.product_name,
    brandName: row.brand_name,
    scannedAt: row.scanned_at,
    reason: row.reason,
    text: row.text,
  }))
export type Line = z.output<typeof Line>

const Sums = z.object({ found: z.number(), missing: z.number(), unexpected: z.number() })
const Unknown = z.object({ tag_id: TagId })
const Count = z.number()

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

const lineColumns = `count, tag_id, result, why, hint, order_id, case_id, identifier, product_id, product_name, brand_name,
  scanned_at, round`
/** A difference that was found before keeps its place, and its reason if it is the same. */
const again = `ON CONFLICT (count, tag_id) DO UPDATE SET
  reason = iif(result = excluded.result AND why IS excluded.why, reason, NULL),
  text = iif(result = excluded.result AND why IS excluded.why, text, NULL),
  result = excluded.result, why = excluded.why, hint = excluded.hint, order_id = excluded.order_id, case_id = excluded.case_id,
  identifier = excluded.identifier, product_id = excluded.product_id, product_name = excluded.product_name,
  brand_name = excluded.brand_name, scanned_at = excluded.scanned_at, round = excluded.round`

/**
 * Whether an item was taught here by a reading since the count began, and nothing else happened to it: then the service says when it
 * was imported, and one that was before is expected, although this station didn't know it.
 */
const isTaught = `(item.moved > @move AND item.moved = item.taught AND item.reported <= @move AND item.imported_at IS NOT NULL)`

/** What a scan is of: what the ledger knows by now, else what was known when it was scanned. */
const known = (column: string) => `coalesce(item.${column}, scan.${column})`
const scans =
  'stock_count_scan AS scan LEFT JOIN stock_item AS item ON item.tag_id = scan.tag_id WHERE scan.count = +@count'
/**
 * Whether this station knows of an item more than another one that had it as sold when it scanned it: a report of its own, or a
 * reading of its case, since the scan was heard here.
 */
const isNewer = `(scan.move IS NOT NULL AND (item.moved > scan.move OR EXISTS (
  SELECT 1 FROM stock_case AS holder WHERE holder.case_id = item.case_id AND holder.asked_move > scan.move)))`
/** Expected at the moment of its scan, or since: it came back, or its import was saved after it was on the shelf. */
const isFound = `(scan.standing = 'here'
  OR (item.standing IS 'here' AND (scan.standing <> 'sold' OR scan.station IS NULL OR ${isNewer})))`

function statementsFor(db: Database, column: ScopeSql['column']) {
  const inList = `IN (SELECT value FROM json_each(@values))`
  const itemInScope = column === null ? 'true' : `item.${column} ${inList}`
  const scanInScope = column === null ? 'true' : `(${known(column)} IS NULL OR ${known(column)} ${inList})`
  const isUnscanned = 'NOT EXISTS (SELECT 1 FROM stock_count_scan WHERE count = +@count AND tag_id = item.tag_id)'
  return {
    /** What was sold, came back or was imported since the count began is not missing. */
    missing: db.prepare(`
      INSERT INTO stock_count_line (${lineColumns})
      SELECT @count, tag_id, 'missing', NULL, ${hintOf}, ${hintOrder}, case_id, identifier, product_id, item.product_name, brand_name,
        NULL, @round
      FROM stock_item AS item LEFT JOIN stock_case USING (case_id)
      WHERE standing = 'here' AND (moved <= @move OR (${isTaught} AND item.imported_at < @startedAt)) AND ${itemInScope} AND ${isUnscanned}
      ORDER BY item.product_name, case_id, tag_id
      ${again}`),
    unexpected: db.prepare(`
      INSERT INTO stock_count_line (${lineColumns})
      SELECT @count, scan.tag_id, 'unexpected', iif(scan.standing = 'unknown', coalesce(item.standing, 'unknown'), scan.standing),
        NULL, iif(scan.standing = 'sold' OR item.standing = 'sold', (${saleOf('scan.tag_id', `state NOT IN ('rejected', 'cancelled')`)}), NULL),
        ${known('case_id')}, (SELECT identifier FROM stock_case WHERE stock_case.case_id = ${known('case_id')}),
        ${known('product_id')}, ${known('product_name')}, ${known('brand_name')}, scan.at, @round
      FROM ${scans} AND NOT ${isFound} AND ${scanInScope}
      ORDER BY number
      ${again}`),
    products: db.prepare(`
      INSERT INTO stock_count_product (count, product, product_name, brand_name, found, missing, unexpected)
      SELECT @count, product, max(product_name), max(brand_name), sum(found), sum(missing), sum(unexpected) FROM (
        SELECT coalesce(${known('product_id')}, '') AS product, ${known('product_name')} AS product_name, ${known('brand_name')} AS brand_name,
          1 AS found, 0 AS missing, 0 AS unexpected
        FROM ${scans} AND ${isFound} AND ${scanInScope}
        UNION ALL
        SELECT coalesce(product_id, ''), product_name, brand_name, 0, result = 'missing', result = 'unexpected'
        FROM stock_count_line WHERE count = +@count)
      GROUP BY product`),
    moved: db
      .prepare(
        `SELECT count(*) FROM stock_item AS item
         WHERE (reported > @move OR (standing = 'here' AND ${isTaught} AND item.imported_at >= @startedAt))
           AND ${itemInScope} AND ${isUnscanned}`,
      )
      .pluck(),
  }
}

export type Results = ReturnType<typeof createResults>

/** Finds what differs in a count: everything that was expected or scanned is looked at once, when it is finished. */
export function createResults(db: Database, remembered: (tagId: TagId) => TagFacts | undefined) {
  const statements = new Map<ScopeSql['column'], Record<'missing' | 'unexpected' | 'products' | 'moved', Statement>>()
  const selectUnknown = db.prepare(
    `SELECT tag_id FROM stock_count_line WHERE count = +? AND round = +? AND why = 'unknown'`,
  )
  const setWhy = db.prepare('UPDATE stock_count_line SET why = ? WHERE count = ? AND tag_id = ?')
  const nextRound = db.prepare('SELECT coalesce(max(round), 0) + 1 FROM stock_count_line WHERE count = ?').pluck()
  const dropLines = db.prepare('DELETE FROM stock_count_line WHERE count = ? AND round <> ?')
  const dropProducts = db.prepare('DELETE FROM stock_count_product WHERE count = ?')
  const selectSums = db.prepare(`
    SELECT coalesce(sum(found), 0) AS found, coalesce(sum(missing), 0) AS missing, coalesce(sum(unexpected), 0) AS unexpected
    FROM stock_count_product WHERE count = ?`)
  const countOpen = db.prepare('SELECT count(*) FROM stock_count_line WHERE count = ? AND reason IS NULL').pluck()

  const of = (column: ScopeSql['column']) => {
    const found = statements.get(column) ?? statementsFor(db, column)
    statements.set(column, found)
    return found
  }

  return {
    /** Writes down what differs. Call inside a transaction, once the ledger has taken in every report. */
    find({ seq, scope, startedMove, startedAt }: CountRow): ShelfResults {
      const { column, values } = scopeSql(scope)
      const { missing, unexpected, products, moved } = of(column)
      const round = Count.parse(nextRound.get(seq))
      missing.run({ count: seq, round, move: startedMove, startedAt, values })
      unexpected.run({ count: seq, round, values })
      for (const row of selectUnknown.all(seq, round)) {
        const { tag_id: tagId } = Unknown.parse(row)
        const why = whyOf(remembered(tagId))
        if (why !== 'unknown') setWhy.run(why, seq, tagId)
      }
      dropLines.run(seq, round)
      dropProducts.run(seq)
      products.run({ count: seq, values })
      const sums = Sums.parse(selectSums.get(seq))
      return {
        ...resultsOf(sums),
        moved: Count.parse(moved.get({ count: seq, move: startedMove, startedAt, values })),
        open: Count.parse(countOpen.get(seq)),
      }
    },
    /** Differences without a reason. */
    open: (seq: number): number => Count.parse(countOpen.get(seq)),
  }
}

const resultsOf = ({ found, missing, unexpected }: z.output<typeof Sums>) => {
  const expected = found + missing
  return { expected, found, missing, unexpected, accuracy: expected === 0 ? null : found / expected }
}

/** Why an item is not expected that no case of this store holds, by what is remembered of it. */
export function whyOf(facts: TagFacts | undefined): UnexpectedWhy {
  if (facts === undefined) return 'unknown'
  if (facts.isRemovedFromCase) return 'taken-out'
  if (facts.isImportedElsewhere) return 'elsewhere'
  if (facts.soldOn !== null) return 'sold'
  return facts.isImported === false ? 'not-imported' : 'unknown'
}
