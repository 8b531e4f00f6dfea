import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { ClaimedBy } from '../../../src-shared/claim'
import { TagId } from '../../../src-shared/ids'
import { RowReader } from '../../database/row-reader'
import { parseStored } from '../../database/settings'
import { orderKey, tagKey } from '../../outbox/payload'
import type { OwnBefore } from '../port'
import { saleKinds } from './dirty-claims'
import { type OpenSale, type Truth, truthOfItem, truthOfOrder } from './truth'

const KnownClaim = z.object({
  tagId: TagId,
  revision: z.number().nullable(),
  heldBy: z
    .string()
    .nullable()
    .transform((text) => (text === null ? null : (parseStored(ClaimedBy, text) ?? null))),
})
/**
 * What this station knows of an item: the claim that it was granted, or the station that holds it. The revision 0 is of a hub that
 * was lost: older than any.
 */
export type KnownClaim = z.infer<typeof KnownClaim>

const nullableText = z.string().nullable()
const openSale = { orderId: nullableText, heldAt: z.number().nullable() }
const SaleReportRow = z.object({ kind: z.string(), state: z.string(), at: z.number(), orderId: nullableText })

/**
 * The newest revision that this station knows of an item, its own or another station's: what the hub holds of this station up to
 * it is from before. Null if it knows of none.
 */
export const knownUpTo = (known: KnownClaim | undefined): number | null =>
  known?.revision ?? known?.heldBy?.revision ?? null

/** The item that a key is of. */
export const itemOf = (key: string): TagId | undefined =>
  key.startsWith(tagKey('')) ? TagId.safeParse(key.slice(tagKey('').length)).data : undefined

const claims = new RowReader(KnownClaim)
const openSales = new RowReader(z.object(openSale))
const lines = new RowReader(z.object({ tagId: TagId, ...openSale }))
const reports = new RowReader(SaleReportRow)

/** `from`: reports up to this number are not this station's. */
const prepare = (db: Database, from: number) => ({
  claims: db.prepare('SELECT tag_id, revision, held_by FROM hub_claim'),
  claim: db.prepare('SELECT tag_id, revision, held_by FROM hub_claim WHERE tag_id = ?'),
  put: db.prepare(`
    INSERT INTO hub_claim VALUES (?, ?, ?)
    ON CONFLICT (tag_id) DO UPDATE SET revision = excluded.revision, held_by = excluded.held_by`),
  delete: db.prepare('DELETE FROM hub_claim WHERE tag_id = ?'),
  sale: db.prepare(`
    SELECT order_id, held_at FROM open_order_item JOIN open_order ON open_order.id = open_order
    WHERE tag_id = +? AND mode = 'sale'`),
  lines: db.prepare(`
    SELECT tag_id, order_id, held_at FROM open_order_item JOIN open_order ON open_order.id = open_order
    WHERE mode = 'sale'`),
  reports: db.prepare(`
    SELECT kind, state, performed_at_raw + clock_offset AS at, CASE WHEN json_valid(payload) THEN payload ->> '$.orderId' END AS order_id
    FROM operation_key JOIN operation USING (seq)
    WHERE key = +? AND kind IN ${saleKinds} AND state <> 'cancelled' AND seq > ${from} ORDER BY seq DESC`),
  made: db.prepare(`
    SELECT 1 FROM operation_key JOIN operation USING (seq) WHERE key = +? AND kind IN ${saleKinds} AND seq > ${from} LIMIT 1`),
  newest: db.prepare('SELECT performed_at_raw + clock_offset FROM operation ORDER BY seq DESC LIMIT 1').pluck(),
  was: db
    .prepare(
      `SELECT max(detail ->> '$.was') FROM operation_key JOIN journal ON operation_seq = operation_key.seq
       WHERE key = +? AND what = 'dated' AND json_valid(detail)`,
    )
    .pluck(),
})

/** What the hub said of items, and what this station has saved of them. */
export class ClaimRows {
  readonly #sql: ReturnType<typeof prepare>

  constructor(db: Database, from: number) {
    this.#sql = prepare(db, from)
  }

  claims(): KnownClaim[] {
    return claims.all(this.#sql.claims)
  }

  claimsByItem(): Map<TagId, KnownClaim> {
    return new Map(this.claims().map((one) => [one.tagId, one]))
  }

  claim(tagId: TagId): KnownClaim | undefined {
    return claims.get(this.#sql.claim, tagId)
  }

  putGranted(tagId: TagId, revision: number): void {
    this.#sql.put.run(tagId, revision, null)
  }

  putHeld(tagId: TagId, heldBy: ClaimedBy): void {
    this.#sql.put.run(tagId, null, JSON.stringify(heldBy))
  }

  /** What a hub said that has lost it. */
  putOld({ tagId, heldBy }: KnownClaim): void {
    if (heldBy) this.putHeld(tagId, { ...heldBy, revision: 0 })
    else this.putGranted(tagId, 0)
  }

  delete(tagId: TagId): void {
    this.#sql.delete.run(tagId)
  }

  /** The items of open sales. */
  lines(): Map<TagId, OpenSale> {
    return new Map(lines.all(this.#sql.lines).map((one) => [one.tagId, one]))
  }

  /** When this station reported last, by the service's clock. */
  newest(): number {
    return z.number().optional().parse(this.#sql.newest.get()) ?? 0
  }

  /** What the hub may still hold of this station for an item. */
  ownBefore(tagId: TagId): OwnBefore {
    const was = nullableText.parse(this.#sql.was.get(tagKey(tagId)))
    // A time that was corrected since may have been pushed as it was.
    const upTo = Math.max(this.newest(), was === null ? 0 : Date.parse(was) || 0)
    return { known: knownUpTo(this.claim(tagId)), upTo }
  }

  truthOf(key: string): Truth {
    const tagId = itemOf(key)
    return tagId === undefined ? truthOfOrder(this.#reportsOf(key)) : this.truthOfItem(tagId)
  }

  truthOfItem(tagId: TagId): Truth {
    const sale = openSales.get(this.#sql.sale, tagId)
    return truthOfItem({ tagId, sale, reports: this.#reportsOf(tagKey(tagId)), own: this.ownBefore(tagId) })
  }

  /** Whether this station ever reported this order, or this item if it has none; also if that was withdrawn. */
  wasMade(tagId: TagId, orderId: string | null): boolean {
    return this.#sql.made.get(orderId === null ? tagKey(tagId) : orderKey(orderId)) !== undefined
  }

  #reportsOf(key: string) {
    return reports.readable(this.#sql.reports, key).rows
  }
}
