import { z } from 'zod'
import { CountId, TagId } from '../../../src-shared/ids'
import { parseStored } from '../../database/settings'
import type { HubShelf, ShelfInStore } from '../port'
import { ShelfBody } from '../rows'
import { BoundedName, WholeNumber } from './columns'
import type { HubConnections } from './connections'
import { createBehind, createIsThere, createLists } from './lists'

/** A longer body is not one of ours. */
const longestBody = 2_000_000
const ShelfBodyRow = z.object({ body: z.string().max(longestBody), is_recount: z.boolean() })
const OpenShelfRow = ShelfBodyRow.extend({ id: CountId, station_name: BoundedName, scanned: WholeNumber })

/** The counts of the shelf at the hub. `stationId`, `stationName`: this station's own. */
export function createShelf(
  connections: Pick<HubConnections, 'background' | 'done'>,
  stationId: string,
  stationName: string,
): HubShelf {
  const isThere = createIsThere(connections)
  return {
    ...createLists<CountId, TagId>(
      connections,
      { id: stationId, name: stationName },
      {
        ...{
          head: 'shared_shelf',
          entries: 'shelf_scan',
          stations: 'shelf_station',
          of: 'count',
          key: 'tag',
        },
        topic: 'shelf',
        value: 'first',
        hasEnd: true,
        readId: (text) => CountId.safeParse(text).data,
        readKey: (text) => TagId.safeParse(text).data,
      },
    ),
    put: (id, body, isRecount) =>
      connections.done({
        text: `
          WITH put AS (
            INSERT INTO countertag.shared_shelf (id, station, station_name, body, is_recount) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT DO NOTHING RETURNING id
          ), counts AS (
            -- Also of a count that another station put there.
            INSERT INTO countertag.shelf_station VALUES ($1, $2) ON CONFLICT DO NOTHING
          ) SELECT countertag.tell('shelf') FROM put`,
        values: [id, stationId, stationName, JSON.stringify(body), isRecount],
      }),
    async join(id) {
      const rows = await connections.background({
        text: `
          WITH one AS (
            SELECT body, is_recount FROM countertag.shared_shelf WHERE id = $1 AND finished_at IS NULL
          ), counts AS (INSERT INTO countertag.shelf_station SELECT $1, $2::uuid FROM one ON CONFLICT DO NOTHING)
          SELECT body, is_recount FROM one`,
        values: [id, stationId],
        row: ShelfBodyRow,
      })
      const [found] = rows ?? []
      const body = found && parseStored(ShelfBody, found.body)
      return rows && (found && body ? { body, isRecount: found.is_recount } : 'unknown')
    },
    async open() {
      const rows = await connections.background({
        text: `SELECT id, station_name, body, is_recount, scanned FROM countertag.shared_shelf
          WHERE finished_at IS NULL AND told_at > now() - interval '7 days' ORDER BY told_at, id LIMIT 50`,
        row: OpenShelfRow,
      })
      return rows?.flatMap(({ id, station_name, body: text, is_recount, scanned }): ShelfInStore[] => {
        const body = parseStored(ShelfBody, text)
        return body ? [{ ...body, id, stationName: station_name, isRecount: is_recount, scanned }] : []
      })
    },
    finish: (epoch, id, isFinished, ended = null, isRecount = false) =>
      isThere({
        text: `
          WITH told AS (
            SELECT coalesce($4::text::json ->> 'state', '') AS state, $4::text::json ->> 'stationId' AS station
          ), one AS (
            UPDATE countertag.shared_shelf SET revision = revision + 1,
              -- Nothing but another station's end follows one that gave it up: that may have an earlier epoch.
              end_turn = CASE WHEN told.state = 'dropped' THEN end_turn ELSE $3 END,
              is_recount = is_recount OR $6 OR (finished_at IS NOT NULL AND NOT $2),
              finished_at = CASE WHEN $2 THEN coalesce(finished_at, now()) END,
              ended = $4::text, is_over = told.state IN ('signed', 'dropped')
            FROM told
            WHERE id = $1 AND end_turn < $3 AND CASE
              -- One station gave it up while another one, apart from it, finished it: it is finished, whichever is told first.
              WHEN ended::json ->> 'state' = 'dropped' THEN
                told.state IN ('finished', 'signed') AND ended::json ->> 'stationId' <> told.station
              WHEN told.state = 'dropped' THEN
                NOT is_over AND (finished_at IS NULL OR ended::json ->> 'stationId' = told.station)
              ELSE NOT is_over END
            RETURNING id
          ), news AS (SELECT countertag.tell('shelf') FROM one), counts AS (
            INSERT INTO countertag.shelf_station SELECT id, $5::uuid FROM countertag.shared_shelf WHERE id = $1 ON CONFLICT DO NOTHING
          )
          SELECT true AS is_there, (SELECT count(*) FROM news) FROM countertag.shared_shelf WHERE id = $1`,
        values: [id, isFinished, epoch, ended, stationId, isRecount],
      }),
    behind: createBehind(connections, stationId, 'shelf_station'),
  }
}
