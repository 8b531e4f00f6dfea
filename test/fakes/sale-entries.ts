import type { Database } from 'better-sqlite3'

const orders = `
  SELECT order_id, max(seq) AS last,
    CASE WHEN count(*) FILTER (WHERE state = 'rejected' OR unsettled = 1) > 0 THEN 'attention'
      WHEN count(*) FILTER (WHERE state NOT IN ('accepted', 'cancelled')) > 0 THEN 'unsent'
      WHEN count(*) FILTER (WHERE state = 'cancelled') = count(*) THEN 'withdrawn'
      WHEN count(*) FILTER (WHERE kind = 'void' AND state <> 'cancelled') > 0 THEN 'voided'
      ELSE 'reported' END AS state
  FROM sale_entry_of JOIN operation USING (seq) GROUP BY order_id`

/** What the database keeps of sales, returns and voids, and what the operations say instead, where the two differ. */
export function entriesThatDiffer(db: Database): unknown[] {
  const kept = 'SELECT seq, order_id, at, budtender_id, words, products, order_last, order_state FROM sale_entry'
  const made = `SELECT entry.*, last, state FROM sale_entry_of AS entry JOIN (${orders}) USING (order_id)`
  const counts = `SELECT order_state, orders FROM sale_order_count WHERE orders <> 0`
  const counted = `SELECT state, count(*) FROM (${orders}) GROUP BY state`
  return [
    [kept, made],
    [made, kept],
    [counts, counted],
    [counted, counts],
  ].flatMap(([one, other]) => db.prepare(`SELECT * FROM (${one}) EXCEPT SELECT * FROM (${other})`).all())
}
