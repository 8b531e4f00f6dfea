import { z } from 'zod'
import { CaseId, CountId, TagId } from '../../../src-shared/ids'
import type { CountInStore, CountSettled, HubCounts } from '../port'
import { CountBody } from '../rows'
import { BoundedName, BoundedText, HubMoment, WholeNumber } from './columns'
import type { HubConnections } from './connections'
import { createBehind, createIsThere, createLists } from './lists'

const CountBodyRow = z.object({ body: CountBody })
const OpenCountRow = z
  .object({
    id: CountId,
    station_name: BoundedName,
    started_at: HubMoment,
    case_ids: z.array(CaseId),
    name: BoundedText.nullable(),
    total: WholeNumber,
    scanned: WholeNumber,
  })
  .transform(({ station_name, started_at, case_ids, ...row }): CountInStore => ({
    ...row,
    stationName: station_name,
    startedAt: Math.round(started_at),
    caseIds: case_ids,
  }))
const Same = z.object({ id: CountId })
const Settled = z.object({ station: BoundedName.nullable(), is_off: z.boolean() })

/** Closed, or not heard for a minute. */
const isOff = (station: string) =>
  `(${station}.says ->> 'isOff' IS NOT DISTINCT FROM 'true' OR ${station}.seen_at < now() - interval '60 seconds')`

const settleText = `
  WITH taken AS (
    UPDATE countertag.shared_count SET settled_by = $2
    WHERE id = $1 AND (settled_by IS NULL OR settled_by = $2
      OR NOT EXISTS (SELECT FROM countertag.station WHERE station.id = settled_by)) RETURNING id
  )
  SELECT NULL AS station, false AS is_off FROM taken
  UNION ALL
  SELECT station.name, ${isOff('station')} FROM countertag.shared_count AS one
  JOIN countertag.station ON station.id = one.settled_by
  WHERE one.id = $1 AND NOT EXISTS (SELECT FROM taken)`

const putText = `
  WITH put AS (
    INSERT INTO countertag.shared_count
      (id, station, station_name, started_at, body, case_ids, name, total, open_case, finished_at, end_turn)
    VALUES ($1, $2, $3, to_timestamp($4::float8 / 1000), $5, $6, $7, $8, $9, CASE WHEN $10 THEN now() END, $11)
    ON CONFLICT DO NOTHING RETURNING id
  ), counts AS (INSERT INTO countertag.count_station SELECT id, $2 FROM put)
  SELECT id, countertag.tell('counts') FROM put`

const letGoText = `UPDATE countertag.shared_count SET open_case = NULL WHERE open_case = $1 AND started_at <= now() - interval '7 days'`

const sameText = `
  WITH same AS (
    SELECT id FROM countertag.shared_count WHERE id = $1 OR (open_case = $2 AND finished_at IS NULL)
    ORDER BY id <> $1 LIMIT 1
  ), counts AS (
    INSERT INTO countertag.count_station SELECT id, $3::uuid FROM same WHERE id = $1 ON CONFLICT DO NOTHING
  ) SELECT id FROM same`

const bodyText = `
  WITH one AS (
    SELECT body FROM countertag.shared_count WHERE id = $1 AND finished_at IS NULL
  ), counts AS (INSERT INTO countertag.count_station SELECT $1, $2::uuid FROM one ON CONFLICT DO NOTHING)
  SELECT body FROM one`

const finishText = `
  WITH one AS (
    UPDATE countertag.shared_count AS known SET revision = revision + 1, end_turn = $3,
      finished_at = CASE WHEN $2 THEN coalesce(finished_at, now()) END,
      -- Another count of its case has begun since: both stay.
      open_case = CASE WHEN NOT EXISTS (SELECT FROM countertag.shared_count AS other
        WHERE other.open_case = known.open_case AND other.finished_at IS NULL AND other.id <> known.id) THEN open_case END
    WHERE id = $1 AND end_turn < $3 RETURNING id
  ), news AS (SELECT countertag.tell('counts') FROM one), counts AS (
    INSERT INTO countertag.count_station SELECT id, $4::uuid FROM countertag.shared_count WHERE id = $1 ON CONFLICT DO NOTHING
  )
  SELECT true AS is_there, (SELECT count(*) FROM news) FROM countertag.shared_count WHERE id = $1`

const takeOverText = `
  WITH taken AS (
    UPDATE countertag.shared_count AS one SET settled_by = $2 FROM countertag.station AS other
    WHERE one.id = $1 AND other.id = one.settled_by AND other.id <> $2 AND ${isOff('other')} RETURNING other.id AS before
  ), noticed AS (
    INSERT INTO countertag.notice (station, tag, revision, what, from_station, because)
    SELECT before, $3::text, nextval('countertag.claim_revision'), 'settling', $2, $4::text FROM taken
  )
  SELECT countertag.tell('claims') FROM taken`

/** The counts at the hub. `stationId`, `stationName`: this station's own. */
export function createCounts(
  connections: Pick<HubConnections, 'background'>,
  stationId: string,
  stationName: string,
): HubCounts {
  const isThere = createIsThere(connections)
  const settle = async (id: CountId): Promise<CountSettled | undefined> => {
    const rows = await connections.background({
      text: settleText,
      values: [id, stationId],
      row: Settled,
    })
    // A count that the hub doesn't know may be settled elsewhere.
    const [found] = rows ?? []
    if (!found) return undefined
    return { by: found.station === null ? null : { station: found.station, isOff: found.is_off } }
  }
  return {
    ...createLists<CountId, TagId>(
      connections,
      { id: stationId, name: stationName },
      {
        ...{
          head: 'shared_count',
          entries: 'count_scan',
          stations: 'count_station',
          of: 'count',
          key: 'tag',
        },
        topic: 'counts',
        value: 'none',
        hasEnd: false,
        readId: (text) => CountId.safeParse(text).data,
        readKey: (text) => TagId.safeParse(text).data,
      },
    ),
    async put(epoch, id, body, { isFinished, openCase }) {
      const insert = () =>
        connections.background({
          text: putText,
          values: [
            ...[id, stationId, stationName, body.startedAt, body, body.cases.map(({ caseId }) => caseId)],
            body.cases.length === 1 ? (body.cases[0]?.productName ?? body.cases[0]?.identifier ?? null) : null,
            body.cases.reduce((sum, { tagIds }) => sum + tagIds.length, 0),
            ...[openCase, isFinished, epoch],
          ],
          row: Same,
        })
      const put = await insert()
      if (!put || put[0]) return put && id
      // It is there, or another one of its case. One that isn't offered any more lets the case go.
      await connections.background({
        text: letGoText,
        values: [openCase],
        row: z.unknown(),
      })
      const same = await connections.background({
        text: sameText,
        values: [id, openCase, stationId],
        row: Same,
      })
      if (!same || same[0]) return same?.[0]?.id
      return (await insert())?.[0]?.id
    },
    async body(id) {
      const rows = await connections.background({
        text: bodyText,
        values: [id, stationId],
        row: CountBodyRow,
      })
      return rows && (rows[0]?.body ?? 'unknown')
    },
    open: () =>
      connections.background({
        text: `SELECT id, station_name, extract(epoch FROM started_at) * 1000 AS started_at, case_ids, name, total, scanned
          FROM countertag.shared_count
          WHERE finished_at IS NULL AND started_at > now() - interval '7 days' ORDER BY started_at LIMIT 50`,
        row: OpenCountRow,
      }),
    finish: (epoch, id, isFinished) =>
      isThere({
        text: finishText,
        values: [id, isFinished, epoch, stationId],
      }),
    behind: createBehind(connections, stationId, 'count_station'),
    settle,
    async takeOverSettling(id, about, because) {
      const taken = await connections.background({
        text: takeOverText,
        values: [id, stationId, about, because],
        row: z.unknown(),
      })
      return taken && settle(id)
    },
  }
}
