import Sqlite from 'better-sqlite3'
import type pg from 'pg'
import { z } from 'zod'

/** What a station has on its disk, and the hub in its tables, read without asking either. */

const json = <T>(schema: z.ZodType<T>) =>
  z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(schema)
const OrderPayload = z.object({
  orderId: z.string(),
  tagIds: z.array(z.string()),
  unclaimed: z.array(z.string()).default([]),
})

const OperationRow = z
  .object({
    id: z.string(),
    kind: z.enum(['complete', 'void', 'return']),
    state: z.string(),
    at: z.number(),
    payload: json(OrderPayload),
  })
  .transform(({ payload, ...row }) => ({ ...row, ...payload }))
export type Report = z.infer<typeof OperationRow>

const LineRow = z.object({ tagId: z.string(), orderId: z.string().nullable(), heldAt: z.number().nullable() })
const ClaimRow = z
  .object({
    tagId: z.string(),
    revision: z.number().nullable(),
    heldBy: json(z.object({ stationId: z.string() })).nullable(),
  })
  .transform(({ heldBy, ...row }) => ({ ...row, heldBy: heldBy?.stationId ?? null }))
const NoticeRow = z
  .object({ tagId: z.string(), stationId: z.string(), body: json(z.object({ what: z.string() })) })
  .transform(({ body, ...row }) => ({ ...row, what: body.what }))
const SharedRow = z.object({ id: z.string(), isDue: z.number(), isOver: z.number() })

export interface StationFacts {
  name: string
  stationId: string
  reports: Report[]
  /** The items of its open sales. */
  lines: z.infer<typeof LineRow>[]
  claims: z.infer<typeof ClaimRow>[]
  notices: z.infer<typeof NoticeRow>[]
  /** What it has yet to tell the hub. */
  due: string[]
  shared: z.infer<typeof SharedRow>[]
  /** How many orders on hold it doesn't share. */
  unshared: number
  /** Orders of other stations that it has saved, and the hub doesn't know it. */
  taken: string[]
}

/** `file`: a copy of its database. */
export function stationFacts(name: string, stationId: string, file: string): StationFacts {
  const db = new Sqlite(file)
  try {
    const all = <T>(schema: z.ZodType<T>, sql: string): T[] => z.array(schema).parse(db.prepare(sql).all())
    return {
      name,
      stationId,
      reports: all(
        OperationRow,
        `SELECT id, kind, state, performed_at_raw + clock_offset AS at, payload FROM operation
         WHERE kind IN ('complete', 'void', 'return') ORDER BY seq`,
      ),
      lines: all(
        LineRow,
        `SELECT tag_id AS tagId, order_id AS orderId, held_at AS heldAt
         FROM open_order_item JOIN open_order ON open_order.id = open_order WHERE mode = 'sale'`,
      ),
      claims: all(ClaimRow, 'SELECT tag_id AS tagId, revision, held_by AS heldBy FROM hub_claim'),
      notices: all(NoticeRow, 'SELECT tag_id AS tagId, station_id AS stationId, body FROM hub_notice'),
      due: all(z.object({ key: z.string() }), `SELECT key FROM dirty_key WHERE topic = 'claims'`).map(({ key }) => key),
      shared: all(SharedRow, 'SELECT id, change <> told AS isDue, is_over AS isOver FROM hub_held'),
      unshared: all(
        z.object({ id: z.number() }),
        `SELECT id FROM open_order
         WHERE held_at IS NOT NULL AND id NOT IN (SELECT open_order FROM hub_held WHERE is_over = 0)`,
      ).length,
      taken: all(z.object({ id: z.string() }), 'SELECT id FROM hub_taken').map(({ id }) => id),
    }
  } finally {
    db.close()
  }
}

const HubClaim = z.object({
  tag: z.string(),
  station: z.string(),
  kind: z.enum(['cart', 'held', 'sale', 'returned']),
  order_id: z.string().nullable(),
  back_at: z.coerce.number(),
  revision: z.coerce.number(),
})
export type HubClaim = z.infer<typeof HubClaim>
const HubHeld = z.object({ id: z.string(), station: z.string(), taken_by: z.string().nullable() })

export interface HubFacts {
  claims: HubClaim[]
  /** Orders that can be resumed, or are being resumed. */
  held: z.infer<typeof HubHeld>[]
  /** Notices that no station has fetched. */
  notices: number
}

export async function hubFacts(client: pg.Client): Promise<HubFacts> {
  const rows = async <T>(schema: z.ZodType<T>, text: string) => z.array(schema).parse((await client.query(text)).rows)
  return {
    claims: await rows(HubClaim, 'SELECT tag, station, kind, order_id, back_at, revision FROM countertag.claim'),
    held: await rows(HubHeld, 'SELECT id, station, taken_by FROM countertag.held_order WHERE NOT is_done'),
    notices: (await rows(z.unknown(), 'SELECT 1 FROM countertag.notice')).length,
  }
}
