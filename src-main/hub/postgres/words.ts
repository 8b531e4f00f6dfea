import { z } from 'zod'
import type { HubWords } from '../port'
import { Count, Moment, Name } from './columns'
import type { Line } from './line'

const Row = z.object({
  name: Name,
  value: z.unknown(),
  revision: Count,
  at: Moment,
})
const columns = 'name, value, revision, extract(epoch FROM at) * 1000 AS at'

/** The shared settings at the hub. `stationId`: this station's own. */
export function createWords(line: Pick<Line, 'work'>, stationId: string): HubWords {
  return {
    all: () => line.work({ text: `SELECT ${columns} FROM countertag.word ORDER BY name`, row: Row }),
    async put(name, value, editedAt) {
      const rows = await line.work({
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
        row: Row,
      })
      if (!rows) return undefined
      const [counts] = rows
      if (counts && counts.revision > editedAt) return counts
      // Another station edited it in the same moment, or set it first: the statement had read the settings before.
      const again = await line.work({
        text: `SELECT ${columns} FROM countertag.word WHERE name = $1`,
        values: [name],
        row: Row,
      })
      return again?.[0]
    },
  }
}
