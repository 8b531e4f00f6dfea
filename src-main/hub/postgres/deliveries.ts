import { z } from 'zod'
import { DeliveryId } from '../../../src-shared/ids'
import type { DeliveryInStore, HubDeliveries } from '../port'
import { DeliveryKey, type Finisher } from '../rows'
import { BoundedName, HubMoment, WholeNumber } from './columns'
import type { HubConnections } from './connections'
import { createIsThere, createLists } from './lists'

const DeliveryHead = z
  .object({ started_at: HubMoment, station_name: BoundedName })
  .transform((row) => ({ startedAt: row.started_at, stationName: row.station_name }))
const OpenDeliveryRow = z
  .object({
    id: DeliveryId,
    station_name: BoundedName,
    started_at: HubMoment,
    packages: WholeNumber,
    cases: WholeNumber,
    also_here: DeliveryKey.nullable(),
  })
  .transform(({ station_name, started_at, also_here, ...row }): DeliveryInStore => ({
    ...row,
    stationName: station_name,
    startedAt: started_at,
    alsoHere: also_here,
  }))

/** The deliveries at the hub. `id`, `name`: this station's own. */
export function createDeliveries(
  connections: Pick<HubConnections, 'background' | 'done'>,
  id: string,
  name: string,
): HubDeliveries {
  const isThere = createIsThere(connections)
  const self: Finisher = { stationId: id, stationName: name }
  const lists = createLists<DeliveryId, DeliveryKey>(
    connections,
    { id, name },
    {
      ...{
        head: 'shared_delivery',
        entries: 'delivery_entry',
        stations: 'delivery_station',
        of: 'delivery',
        key: 'key',
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
    finish: (epoch, delivery, isFinished, ended) =>
      lists.finish(epoch, delivery, isFinished, ended ?? JSON.stringify(self)),
    put: (delivery, startedAt) =>
      connections.done({
        text: `
          WITH put AS (
            INSERT INTO countertag.shared_delivery (id, station, station_name, started_at) VALUES ($1, $2, $3, $4)
            ON CONFLICT DO NOTHING RETURNING id
          ), receives AS (INSERT INTO countertag.delivery_station SELECT id, $2 FROM put)
          SELECT countertag.tell('deliveries') FROM put`,
        values: [delivery, id, name, startedAt],
      }),
    async head(delivery) {
      const rows = await connections.background({
        text: `
          WITH one AS (
            SELECT started_at, station_name FROM countertag.shared_delivery
            WHERE id = $1 AND finished_at IS NULL AND merged_into IS NULL
          ), receives AS (INSERT INTO countertag.delivery_station SELECT $1, $2::uuid FROM one ON CONFLICT DO NOTHING)
          SELECT started_at, station_name FROM one`,
        values: [delivery, id],
        row: DeliveryHead,
      })
      return rows && (rows[0] ?? 'unknown')
    },
    open: (own) =>
      connections.background({
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
        row: OpenDeliveryRow,
      }),
    behind: (delivery) =>
      connections.background({
        text: `SELECT name FROM countertag.station
          WHERE id <> $2 AND id IN (
            SELECT station FROM countertag.delivery_station WHERE delivery = $1
            -- A hub that was told the delivery anew knows by this who receives it.
            UNION SELECT station FROM countertag.delivery_entry WHERE delivery = $1)
          AND ((says ->> 'isOff' IS DISTINCT FROM 'true' AND seen_at < now() - interval '40 seconds')
            OR says ->> 'entriesUntold' <> '0' OR says ->> 'importsUntold' <> '0' OR says ->> 'scansUntold' <> '0')
          ORDER BY lower(name) LIMIT 100`,
        values: [delivery, id],
        row: z.object({ name: BoundedName }),
      }),
    merge: (delivery, into) =>
      isThere({
        text: 'SELECT is_there FROM countertag.merge_delivery($1, $2, $3, $4) AS is_there WHERE is_there',
        values: [delivery, into, id, name],
      }),
  }
}
