import { z } from 'zod'
import { DeliveryId } from '../../../src-shared/ids'
import type { DeliveryInStore, HubDeliveries } from '../port'
import { DeliveryKey, type Finisher } from '../rows'
import { Count, Moment, Name } from './columns'
import type { Line } from './line'
import { createIsThere, createLists } from './lists'

const Head = z
  .object({ started_at: Moment, station_name: Name })
  .transform((row) => ({ startedAt: row.started_at, stationName: row.station_name }))
const Open = z
  .object({
    id: DeliveryId,
    station_name: Name,
    started_at: Moment,
    packages: Count,
    cases: Count,
    also_here: DeliveryKey.nullable(),
  })
  .transform(({ station_name, started_at, also_here, ...row }): DeliveryInStore => ({
    ...row,
    stationName: station_name,
    startedAt: started_at,
    alsoHere: also_here,
  }))

/** The deliveries at the hub. `id`, `name`: this station's own. */
export function createDeliveries(line: Pick<Line, 'work'>, id: string, name: string): HubDeliveries {
  const isThere = createIsThere(line)
  const self: Finisher = { stationId: id, stationName: name }
  const lists = createLists<DeliveryId, DeliveryKey>(
    line,
    { id, name },
    {
      ...{
        head: 'shared_delivery',
        entries: 'delivery_entry',
        stations: 'delivery_station',
        of: 'delivery',
        key: 'key',
        turn: 'delivery_turn',
      },
      topic: 'deliveries',
      value: 'newest',
      hasEnd: true,
      readId: (text) => DeliveryId.safeParse(text).data,
      readKey: (text) => DeliveryKey.safeParse(text).data,
    },
  )
  return {
    ...lists,
    finish: (turn, delivery, isFinished, ended) =>
      lists.finish(turn, delivery, isFinished, ended ?? JSON.stringify(self)),
    async put(delivery, startedAt) {
      const put = await line.work({
        text: `
          WITH put AS (
            INSERT INTO countertag.shared_delivery (id, station, station_name, started_at) VALUES ($1, $2, $3, $4)
            ON CONFLICT DO NOTHING RETURNING id
          ), receives AS (INSERT INTO countertag.delivery_station SELECT id, $2 FROM put)
          SELECT countertag.tell('deliveries') FROM put`,
        values: [delivery, id, name, startedAt],
        row: z.unknown(),
      })
      return put !== undefined
    },
    async head(delivery) {
      const rows = await line.work({
        text: `
          WITH one AS (
            SELECT started_at, station_name FROM countertag.shared_delivery
            WHERE id = $1 AND finished_at IS NULL AND merged_into IS NULL
          ), receives AS (INSERT INTO countertag.delivery_station SELECT $1, $2::uuid FROM one ON CONFLICT DO NOTHING)
          SELECT started_at, station_name FROM one`,
        values: [delivery, id],
        row: Head,
      })
      return rows && (rows[0] ?? 'unknown')
    },
    open: (own) =>
      line.work({
        text: `SELECT one.id, one.station_name, one.started_at,
            count(entry.key) FILTER (WHERE entry.key LIKE 'package %') AS packages,
            count(entry.key) FILTER (WHERE entry.key LIKE 'case %') AS cases,
            -- A package rather than a case.
            max(own.key) AS also_here
          FROM countertag.shared_delivery AS one
          LEFT JOIN countertag.delivery_entry AS entry ON entry.delivery = one.id AND NOT entry.is_gone
          LEFT JOIN countertag.delivery_entry AS own ON own.delivery = $1 AND own.key = entry.key AND NOT own.is_gone
          WHERE one.finished_at IS NULL AND one.merged_into IS NULL AND one.id IS DISTINCT FROM $1::uuid
            AND one.told_at > now() - interval '7 days'
          GROUP BY one.id ORDER BY one.started_at, one.id LIMIT 50`,
        values: [own],
        row: Open,
      }),
    behind: (delivery) =>
      line.work({
        text: `SELECT name FROM countertag.station
          WHERE id <> $2 AND id IN (
            SELECT station FROM countertag.delivery_station WHERE delivery = $1
            -- A hub that was told the delivery anew knows by this who receives it.
            UNION SELECT station FROM countertag.delivery_entry WHERE delivery = $1)
          AND ((says ->> 'isOff' IS DISTINCT FROM 'true' AND seen_at < now() - interval '40 seconds')
            OR says ->> 'entriesUntold' <> '0' OR says ->> 'importsUntold' <> '0' OR says ->> 'scansUntold' <> '0')
          ORDER BY lower(name) LIMIT 100`,
        values: [delivery, id],
        row: z.object({ name: Name }),
      }),
    merge: (delivery, into) =>
      isThere({
        text: 'SELECT is_there FROM countertag.merge_delivery($1, $2, $3, $4) AS is_there WHERE is_there',
        values: [delivery, into, id, name],
      }),
  }
}
