import { z } from 'zod'
import { TagId } from '../../../src-shared/ids'
import type { HubHeldOrders } from '../port'
import { HeldBody } from '../rows'
import { BoundedName, BoundedText, Id, RoughMoment, WholeNumber, readable } from './columns'
import type { HubConnections, Statement } from './connections'
import { isDone } from './locks'

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

/** Columns of a claim, or of that of an open order that a sale of another station took the item from: the sale's row has it. */
const claimed = { station: 'held.station', kind: 'held.kind' }
const underSale = { station: `(held.displaced ->> 'station')::uuid`, kind: `held.displaced ->> 'kind'` }
type ClaimColumns = typeof claimed

/**
 * The items of an order whose claim, or the one under a sale, is as it says, locked in the order of their tags, as freeing and
 * disowning do. What is changed goes by these answers alone: they are of the rows as they are once they are locked, and a sale may
 * be told in the same moment.
 */
const lockedBy = (order: string, which: (claim: ClaimColumns) => string) => `
    SELECT held.tag, ${which(claimed)} AS is_claimed, held.kind = 'sale' AND ${which(underSale)} AS is_under_sale
    FROM countertag.claim AS held JOIN ${order} ON held.tag = ANY (${order}.tags)
    WHERE ${which(claimed)} OR (held.kind = 'sale' AND ${which(underSale)})
    ORDER BY held.tag FOR UPDATE OF held`

/** The claims that move with an order that is taken, that go on hold with it, and that end when it is dropped. */
const moving = ({ station, kind }: ClaimColumns) =>
  `((${station} = taken.station AND ${kind} = 'held') OR (${station} = $1 AND ${kind} IN ('held', 'cart')))`
const goingOnHold = ({ station, kind }: ClaimColumns) => `(${station} = put.station AND ${kind} = 'cart')`
const ending = ({ station, kind }: ClaimColumns) => `(${station} = dropped.station AND ${kind} = 'held')`

/**
 * One statement: the order has a taker and the items are claimed for it, or neither. Claims that another station took over
 * meanwhile stay there, and those that the order's station has in its cart: it has dropped the order, which is told soon. Where a
 * sale took an item from the order, the order that is taken gets it back once that sale ends; its claim is the sale's until then.
 * Its station isn't told a revision of that one: it is 0, so that letting the item go ends it, whatever that station knows.
 */
const takenText = (taken: string) => `
  WITH taken AS (${taken} RETURNING *
  ), locked AS (${lockedBy('taken', moving)}
  ), moved AS (
    UPDATE countertag.claim AS held SET station = $1, kind = 'cart', since = now(), revision = nextval('countertag.claim_revision')
    FROM locked WHERE held.tag = locked.tag AND is_claimed
    RETURNING held.tag, held.revision
  ), inherited AS (
    UPDATE countertag.claim AS held
    SET displaced = held.displaced || jsonb_build_object('station', $1::uuid, 'kind', 'cart', 'since', now(), 'revision', 0)
    FROM locked WHERE held.tag = locked.tag AND is_under_sale
    RETURNING held.tag
  ), told AS (SELECT countertag.tell('held') FROM taken WHERE ${isDone('moved', 'inherited')})
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
            INSERT INTO countertag.held_order AS one (id, station, tags, body, customer) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (id) DO UPDATE SET tags = excluded.tags, body = excluded.body, customer = excluded.customer
            WHERE one.station = excluded.station AND one.taken_by IS NULL
            RETURNING id, station, tags
          ), locked AS (${lockedBy('put', goingOnHold)}
          ), claimed AS (
            -- With the order, in case that they are told later.
            UPDATE countertag.claim AS held SET kind = 'held' FROM locked WHERE held.tag = locked.tag AND is_claimed
            RETURNING held.tag
          ), also_held AS (
            UPDATE countertag.claim AS held SET displaced = held.displaced || '{"kind": "held"}' FROM locked
            WHERE held.tag = locked.tag AND is_under_sale
            RETURNING held.tag
          ) SELECT countertag.tell('held') FROM put WHERE ${isDone('claimed', 'also_held')}`,
        values: [id, stationId, body.items.map(({ tagId }) => tagId), body, customer],
      }),
    list: () =>
      connections.background({
        text: `SELECT one.id, one.station, station.name, extract(epoch FROM held_at) * 1000 AS held_at, body, customer
          FROM countertag.held_order AS one LEFT JOIN countertag.station ON station.id = one.station
          WHERE taken_by IS NULL ORDER BY held_at, one.id LIMIT 1000`,
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
            INSERT INTO countertag.held_order AS one (id, station, tags, body, taken_by, taken_at, is_done)
            VALUES ($1, $2, '{}', '{}', $2, now(), true)
            ON CONFLICT (id) DO UPDATE SET taken_by = $2, taken_at = now(), is_done = true, body = '{}', customer = NULL
            WHERE (one.taken_by IS NULL OR one.taken_by = $2) AND NOT one.is_done RETURNING id
          ) SELECT countertag.tell('held') FROM finished`,
        values: [id, stationId],
      }),
    status: (ids) =>
      connections.background({
        text: `SELECT one.id, taken_by, name FROM countertag.held_order AS one
          LEFT JOIN countertag.station ON station.id = taken_by WHERE one.id = ANY ($1)`,
        values: [ids],
        row: HeldStatusRow,
      }),
    drop: (id) =>
      done({
        text: `
          WITH dropped AS (
            UPDATE countertag.held_order SET taken_by = $2, taken_at = now(), is_done = true, body = '{}', customer = NULL
            WHERE id = $1 AND taken_by IS NULL RETURNING *
          ), locked AS (${lockedBy('dropped', ending)}
          ), freed AS (
            DELETE FROM countertag.claim AS held USING locked WHERE held.tag = locked.tag AND is_claimed
            RETURNING held.tag
          ), let_go AS (
            UPDATE countertag.claim AS held SET displaced = NULL FROM locked WHERE held.tag = locked.tag AND is_under_sale
            RETURNING held.tag
          ) SELECT countertag.tell('held') FROM dropped WHERE ${isDone('freed', 'let_go')}`,
        values: [id, stationId],
      }),
  }
}
