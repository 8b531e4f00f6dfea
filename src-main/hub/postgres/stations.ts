import { z } from 'zod'
import type { HubStations, StationPresence } from '../port'
import { Heartbeat } from '../rows'
import { BoundedName, Id, RoughMoment } from './columns'
import type { HubConnections } from './connections'
import { endingClaims, isDone } from './locks'

const StationRow = z
  .object({
    id: Id,
    name: BoundedName,
    version: BoundedName,
    joined_at: RoughMoment,
    seen_at: RoughMoment,
    is_gone: z.boolean(),
    copy_of: Id.nullable(),
    // A station of another version may write a heartbeat of another shape.
    says: Heartbeat.nullable().catch(null),
  })
  .transform(({ joined_at, seen_at, is_gone, copy_of, says, ...row }): StationPresence => ({
    ...row,
    heartbeat: says,
    joinedAt: joined_at,
    seenAt: seen_at,
    isGone: is_gone,
    copyOf: copy_of,
  }))

/** The stations at the hub. `stationId`: this one's own. */
export function createStations(
  connections: Pick<HubConnections, 'background' | 'done'>,
  stationId: string,
): HubStations {
  return {
    list: () =>
      connections.background({
        text: `SELECT id, name, version, extract(epoch FROM joined_at) * 1000 AS joined_at,
            extract(epoch FROM seen_at) * 1000 AS seen_at, seen_at < now() - interval '60 seconds' AS is_gone, copy_of, says
          FROM countertag.station ORDER BY lower(name) LIMIT 1000`,
        row: StationRow,
      }),
    beat: (says) =>
      connections.done({
        text: `WITH said AS (UPDATE countertag.station SET says = $2, seen_at = now() WHERE id = $1 AND says IS DISTINCT FROM $2::jsonb RETURNING id),
            seen AS (UPDATE countertag.station SET seen_at = now() WHERE id = $1 AND says = $2::jsonb)
          SELECT countertag.tell('stations') FROM said`,
        values: [stationId, says],
      }),
    remove: (id) =>
      connections.done({
        text: `WITH ${endingClaims()},
            gone AS (DELETE FROM countertag.station WHERE id = $1 AND ${isDone('freed', 'let_go')} RETURNING id),
            here AS (UPDATE countertag.awaited SET is_here = true WHERE station = $1 RETURNING station)
          SELECT countertag.tell('stations') FROM gone WHERE ${isDone('here')}`,
        values: [id],
      }),
  }
}
