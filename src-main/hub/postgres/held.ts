import { z } from 'zod'
import { TagId } from '../../../src-shared/ids'
import type { HubHeldOrders } from '../port'
import { HeldBody } from '../rows'
import { BoundedName, BoundedText, Id, RoughMoment, WholeNumber, readable } from './columns'
import type { HubConnections, Statement } from './connections'

const ListedOrder = z
  .object({
    id: z.uuid(),
    station: Id,
    name: BoundedName.nullable(),
    held_at: RoughMoment,
    body: HeldBody,
    customer: BoundedText.nullable(),
  })
  .transform(({ station, name, held_at, ...row }) => ({
    ...row,
    stationId: station,
    stationName: name ?? '',
    heldAt: held_at,
  }))

const HeldStatusRow = z
  .object({ id: z.uuid(), taken_by: Id.nullable(), name: BoundedName.nullable() })
  .transform(({ id, taken_by, name }) => ({ id, takenBy: taken_by, stationName: name ?? '' }))

const Own = z.object({ claims: readable(z.object({ tagId: TagId, revision: WholeNumber })) })
const Taken = Own.extend({ id: z.uuid(), body: HeldBody, customer: BoundedText.nullable() })

/**
 * One statement: the order has a taker and the items are claimed for it, or neither. Claims that another station took over
 * meanwhile stay there, and those that the order's station has in its cart: it has dropped the order, which is told soon.
 */
const takenText = (taken: string) => `
  WITH taken AS (${taken} RETURNING *
  ), moved AS (
    UPDATE countertag.claim AS held SET station = $1, kind = 'cart', since = now(), revision = nextval('countertag.claim_revision')
    FROM taken WHERE held.tag = ANY (taken.tags)
      AND ((held.station = taken.station AND held.kind = 'held') OR (held.station = $1 AND held.kind IN ('held', 'cart')))
    RETURNING held.tag, held.revision
  ), told AS (SELECT countertag.tell('held') FROM taken)
  SELECT id, body, customer,
    (SELECT coalesce(json_agg(json_build_object('tagId', tag, 'revision', revision)), '[]') FROM moved) AS claims
  FROM taken, told`
const takeText = takenText(`
    UPDATE countertag.held_order SET taken_by = $1, taken_at = now()
    WHERE id = $2 AND (taken_by IS NULL OR taken_by = $1) AND NOT is_done`)
/** Told later, it is taken already. */
const takeOwnText = takenText(`
    INSERT INTO countertag.held_order AS one (id, station, tags, body, taken_by, taken_at) VALUES ($2, $1, $3, '{}', $1, now())
    ON CONFLICT (id) DO UPDATE SET taken_by = $1, taken_at = now()
    WHERE (one.taken_by IS NULL OR one.taken_by = $1) AND NOT one.is_done`)

/** The orders on hold at the hub. `stationId`: this station's own. */
export function createHeldOrders(
  connections: Pick<HubConnections, 'interactive' | 'background'>,
  stationId: string,
): HubHeldOrders {
  const done = async (statement: Omit<Statement<unknown>, 'row'>) =>
    (await connections.background({ ...statement, row: z.unknown() })) !== undefined
  return {
    put: ({ id, body, customer }) =>
      done({
        text: `
          WITH put AS (
            INSERT INTO countertag.held_order AS held (id, station, tags, body, customer) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (id) DO UPDATE SET tags = excluded.tags, body = excluded.body, customer = excluded.customer
            WHERE held.station = excluded.station AND held.taken_by IS NULL
            RETURNING id, station, tags
          ), claimed AS (
            -- With the order, in case that they are told later.
            UPDATE countertag.claim AS own SET kind = 'held' FROM put
            WHERE own.tag = ANY (put.tags) AND own.station = put.station AND own.kind = 'cart'
          ) SELECT countertag.tell('held') FROM put`,
        values: [id, stationId, body.items.map(({ tagId }) => tagId), body, customer],
      }),
    list: () =>
      connections.background({
        text: `SELECT held.id, held.station, station.name, extract(epoch FROM held_at) * 1000 AS held_at, body, customer
          FROM countertag.held_order AS held LEFT JOIN countertag.station ON station.id = held.station
          WHERE taken_by IS NULL ORDER BY held_at, held.id LIMIT 1000`,
        row: ListedOrder,
      }),
    async take(id) {
      const rows = await connections.interactive({ text: takeText, values: [stationId, id], row: Taken })
      if (!rows) return { kind: 'offline' }
      if (!rows[0]) return { kind: 'gone' }
      const { claims, ...order } = rows[0]
      return { kind: 'taken', order, claims }
    },
    async takeOwn(id, tagIds) {
      const rows = await connections.interactive({ text: takeOwnText, values: [stationId, id, tagIds], row: Own })
      if (!rows) return { kind: 'offline' }
      return rows[0] ? { kind: 'taken', claims: rows[0].claims } : { kind: 'gone' }
    },
    async taken() {
      const rows = await connections.background({
        text: 'SELECT id FROM countertag.held_order WHERE taken_by = $1 AND NOT is_done',
        values: [stationId],
        row: z.object({ id: z.uuid() }),
      })
      return rows?.map(({ id }) => id)
    },
    done: (id) =>
      done({
        text: `UPDATE countertag.held_order SET is_done = true, body = '{}', customer = NULL WHERE id = $1 AND taken_by = $2`,
        values: [id, stationId],
      }),
    finish: (id) =>
      done({
        text: `
          WITH finished AS (
            -- Also of an order that is told later: nothing happens then.
            INSERT INTO countertag.held_order AS held (id, station, tags, body, taken_by, taken_at, is_done)
            VALUES ($1, $2, '{}', '{}', $2, now(), true)
            ON CONFLICT (id) DO UPDATE SET taken_by = $2, taken_at = now(), is_done = true, body = '{}', customer = NULL
            WHERE (held.taken_by IS NULL OR held.taken_by = $2) AND NOT held.is_done RETURNING id
          ) SELECT countertag.tell('held') FROM finished`,
        values: [id, stationId],
      }),
    status: (ids) =>
      connections.background({
        text: `SELECT held.id, taken_by, name FROM countertag.held_order AS held
          LEFT JOIN countertag.station ON station.id = taken_by WHERE held.id = ANY ($1)`,
        values: [ids],
        row: HeldStatusRow,
      }),
    drop: (id) =>
      done({
        text: `
          WITH dropped AS (
            UPDATE countertag.held_order SET taken_by = $2, taken_at = now(), is_done = true, body = '{}', customer = NULL
            WHERE id = $1 AND taken_by IS NULL RETURNING *
          ), freed AS (
            DELETE FROM countertag.claim AS held USING dropped
            WHERE held.tag = ANY (dropped.tags) AND held.station = dropped.station AND held.kind = 'held'
          ) SELECT countertag.tell('held') FROM dropped`,
        values: [id, stationId],
      }),
  }
}
