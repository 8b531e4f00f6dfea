import { z } from 'zod'
import { TagId } from '../../../src-shared/ids'
import type { HubNotice, HubNotices } from '../port'
import { BoundedName, BoundedText, Id, RoughMoment, WholeNumber } from './columns'
import type { HubConnections } from './connections'

const NoticeRow = z
  .object({
    tag: TagId,
    revision: WholeNumber,
    what: z.enum(['collided', 'taken-over', 'settling']),
    from_station: Id,
    name: BoundedName.nullable(),
    // Only shown: that an item was taken over counts whatever else can't be read.
    order_id: BoundedText.nullable().catch(null),
    because: BoundedText.nullable().catch(null),
    at: RoughMoment,
  })
  .transform(({ tag, from_station, name, order_id, at, ...row }): HubNotice => ({
    ...row,
    tagId: tag,
    stationId: from_station,
    stationName: name ?? '',
    orderId: order_id,
    at: Math.round(at),
  }))

/** What stations tell each other of single items. `stationId`: this station's own. */
export function createNotices(connections: Pick<HubConnections, 'background' | 'done'>, stationId: string): HubNotices {
  return {
    push: (notices) =>
      connections.done({
        text: `WITH made AS (
            INSERT INTO countertag.notice (station, tag, revision, what, from_station, order_id, because)
            SELECT station, tag, revision, what, $1, order_id, because
            FROM unnest($2::uuid[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::text[])
              AS told (station, tag, revision, what, order_id, because)
            ON CONFLICT DO NOTHING
          ) SELECT countertag.tell('claims')`,
        values: [
          stationId,
          notices.map(({ to }) => to),
          notices.map(({ notice }) => notice.tagId),
          notices.map(({ notice }) => notice.revision),
          notices.map(({ notice }) => notice.what),
          notices.map(({ notice }) => notice.orderId),
          notices.map(({ notice }) => notice.because),
        ],
      }),
    read: () =>
      connections.background({
        text: `SELECT tag, revision, what, from_station, station.name, order_id, because, extract(epoch FROM at) * 1000 AS at
          FROM countertag.notice LEFT JOIN countertag.station ON station.id = from_station
          WHERE notice.station = $1 ORDER BY at LIMIT 500`,
        values: [stationId],
        row: NoticeRow,
      }),
    done: (notices) =>
      connections.done({
        text: `DELETE FROM countertag.notice USING unnest($2::text[], $3::bigint[], $4::uuid[]) AS seen (tag, revision, station)
          WHERE notice.station = $1 AND notice.tag = seen.tag AND notice.revision = seen.revision
            AND from_station = seen.station`,
        values: [
          stationId,
          notices.map(({ tagId }) => tagId),
          notices.map(({ revision }) => revision),
          notices.map((one) => one.stationId),
        ],
      }),
  }
}
