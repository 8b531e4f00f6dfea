/*
 * Statements that change several things lock them in one order, so that two of them never wait for each other: orders on hold,
 * claims by tag, stations, then what is told, the news by name.
 */

/**
 * True once these parts of a statement are done, which return what they changed: parts that nothing asks for are done last, after
 * what is told.
 */
export const isDone = (...parts: string[]): string =>
  parts.map((part) => `(SELECT count(*) FROM ${part}) >= 0`).join(' AND ')

/**
 * Parts of a statement with which the claims of open orders of a station end, $1, also those that a sale took the item from: `freed`
 * and `let_go`. By the rows as they are once they are locked, as the sale may end in the same moment. `after`: what is done before.
 */
export const endingClaims = (after = 'true'): string => `
  ending AS (
    SELECT held.tag, held.station = $1 AND held.kind IN ('cart', 'held') AS is_claimed
    FROM countertag.claim AS held
    WHERE ((held.station = $1 AND held.kind IN ('cart', 'held')) OR (held.displaced ->> 'station')::uuid = $1) AND ${after}
    ORDER BY held.tag FOR UPDATE
  ), freed AS (
    DELETE FROM countertag.claim AS held USING ending WHERE held.tag = ending.tag AND is_claimed RETURNING held.tag
  ), let_go AS (
    UPDATE countertag.claim AS held SET displaced = NULL FROM ending WHERE held.tag = ending.tag AND NOT is_claimed RETURNING held.tag
  )`
