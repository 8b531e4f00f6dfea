import { z } from 'zod'
import { type HubLog, longestRecord } from '../port'
import { BoundedText, HubMoment, Id, WholeNumber } from './columns'
import type { HubConnections } from './connections'

const LogHead = z.object({ id: Id, revision: WholeNumber })
/** One that can't be read still counts among those that were read. */
const AnyRecord = z.looseObject({ revision: WholeNumber, key: BoundedText })
const RecordRow = z
  .object({ key: BoundedText, body: z.string(), station: Id, at: HubMoment })
  .transform(({ station, ...record }) => ({ ...record, stationId: station }))

/** So many are read at a time. */
const atOnce = 2_000

const pushText = `
  -- The row of the news is locked first: revisions are seen in their order.
  WITH one AS (
    INSERT INTO countertag.news AS news VALUES ($1, 1)
    ON CONFLICT (topic) DO UPDATE SET revision = news.revision + 1 RETURNING revision
  ), told AS (
    INSERT INTO countertag.record AS known (topic, key, body, station, turn, revision)
    SELECT $1, entry.key, entry.body, $2, $4, one.revision
    FROM unnest($5::text[], $6::text[]) AS entry (key, body), one ORDER BY entry.key
    ON CONFLICT (topic, key) DO UPDATE SET body = excluded.body, station = excluded.station, told_at = now(),
      turn = excluded.turn, revision = excluded.revision
    WHERE CASE WHEN known.station = excluded.station THEN known.turn < excluded.turn ELSE known.revision <= $3 END
    RETURNING key
  ), news AS (SELECT pg_notify('countertag', $1) FROM told LIMIT 1)
  SELECT key FROM told LEFT JOIN news ON true`

const sinceText = `
  SELECT key, CASE WHEN length(body) > ${longestRecord} THEN '' ELSE body END AS body, station,
    extract(epoch FROM told_at) * 1000 AS at, revision
  FROM countertag.record WHERE topic = $1 AND revision > $2 ORDER BY revision FETCH FIRST ${atOnce} ROWS WITH TIES`

/** The records at the hub. `stationId`: this station's own. */
export function createLog(connections: Pick<HubConnections, 'background'>, stationId: string): HubLog {
  return {
    async push(topic, { upTo, epoch }, records) {
      const [keys, bodies] = [records.map(({ key }) => key), records.map(({ body }) => body)]
      const values = [topic, stationId, upTo, epoch, keys, bodies]
      const rows = await connections.background({ text: pushText, values, row: z.object({ key: z.string() }) })
      return rows && new Set(rows.map(({ key }) => key))
    },
    async since(topic, revision) {
      const heads = await connections.background({
        text: `SELECT id, coalesce((SELECT revision FROM countertag.news WHERE topic = $1), 0) AS revision FROM countertag.store`,
        values: [topic],
        row: LogHead,
      })
      const rows = await connections.background({ text: sinceText, values: [topic, revision], row: AnyRecord })
      const [head] = heads ?? []
      if (!head || !rows) return undefined
      const hasMore = rows.length >= atOnce
      const last = rows.at(-1)?.revision ?? 0
      return {
        hubId: head.id,
        revision: hasMore ? last : Math.max(head.revision, last),
        hasMore,
        records: rows.map((row) => RecordRow.safeParse(row).data ?? { key: row.key, body: '', stationId: '', at: 0 }),
      }
    },
  }
}
