import { z } from 'zod'
import type { HubSettings } from '../port'
import { BoundedName, HubMoment, WholeNumber } from './columns'
import type { HubConnections } from './connections'

const StoreSettingRow = z.object({
  name: BoundedName,
  value: z.unknown(),
  revision: WholeNumber,
  at: HubMoment,
})
const columns = 'name, value, revision, extract(epoch FROM at) * 1000 AS at'

/** The shared settings at the hub. `stationId`: this station's own. */
export function createHubSettings(connections: Pick<HubConnections, 'background'>, stationId: string): HubSettings {
  return {
    all: () =>
      connections.background({ text: `SELECT ${columns} FROM countertag.word ORDER BY name`, row: StoreSettingRow }),
    async put(name, value, editedAt) {
      const rows = await connections.background({
        text: `
          WITH put AS (
            INSERT INTO countertag.word AS known (name, value, revision, station) VALUES ($1, $2, $3::bigint + 1, $4)
            ON CONFLICT (name) DO UPDATE SET value = excluded.value, revision = excluded.revision, station = excluded.station, at = now()
            WHERE known.revision < excluded.revision
            RETURNING *
          ), told AS (SELECT countertag.tell('words') FROM put)
          SELECT ${columns} FROM put, told
          UNION ALL
          SELECT ${columns} FROM countertag.word WHERE name = $1 AND NOT EXISTS (SELECT FROM put)`,
        values: [name, JSON.stringify(value), editedAt, stationId],
        row: StoreSettingRow,
      })
      if (!rows) return undefined
      const [counts] = rows
      if (counts && counts.revision > editedAt) return counts
      // Another station edited it in the same moment, or set it first: the statement had read the settings before.
      const again = await connections.background({
        text: `SELECT ${columns} FROM countertag.word WHERE name = $1`,
        values: [name],
        row: StoreSettingRow,
      })
      return again?.[0]
    },
  }
}
