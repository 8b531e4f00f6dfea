import { z } from 'zod'
import { CaseId, ShortUuid } from '../../../src-shared/ids'
import type { HubImports, ImportKey } from '../port'
import { BoundedName, HubMoment, Id, WholeNumber } from './columns'
import type { HubConnections } from './connections'

const ProductOfCase = z
  .union([z.literal(''), ShortUuid])
  .transform((product): ShortUuid | null => (product === '' ? null : product))
const ImportsHead = z.object({ id: Id, revision: WholeNumber, stale: z.array(Id) })
const AnyImport = z.looseObject({ revision: WholeNumber })
const Import = z
  .object({
    case_id: CaseId,
    product: ProductOfCase,
    station: Id,
    station_name: BoundedName,
    state: z.enum(['importing', 'imported', 'over']),
    at: HubMoment,
    was_station: Id.nullable(),
    was_station_name: BoundedName.nullable(),
    was_at: HubMoment.nullable(),
  })
  .transform(({ case_id, product, station, station_name, state, at, ...was }) => ({
    state,
    at,
    caseId: case_id,
    packagedProductId: product,
    stationId: station,
    stationName: station_name,
    was:
      was.was_station === null || was.was_station_name === null || was.was_at === null
        ? null
        : { stationId: was.was_station, stationName: was.was_station_name, at: was.was_at },
  }))
const TakenImportRow = z
  .object({ case_id: CaseId, product: ProductOfCase, station_name: BoundedName })
  .transform((row) => ({ caseId: row.case_id, packagedProductId: row.product, stationName: row.station_name }))

/** So many are read at a time. */
const atOnce = 2_000

/** The row of the news is locked first: revisions are seen in their order. */
const one = `one AS (
  INSERT INTO countertag.news AS news VALUES ('imports', 1)
  ON CONFLICT (topic) DO UPDATE SET revision = news.revision + 1 RETURNING revision)`
/** What is over was only tried: another station has imported it before. */
const isGivenBack = `excluded.state = 'over' AND known.state = 'importing' AND known.was_station IS NOT NULL`
const columns = ({ caseId, packagedProductId }: ImportKey): [string, string] => [caseId, packagedProductId ?? '']

/** Which station imports what, at the hub. `stationId`, `stationName`: this station's own. */
export function createImports(
  connections: Pick<HubConnections, 'interactive' | 'background' | 'done'>,
  stationId: string,
  stationName: string,
): HubImports {
  return {
    take: (keys) =>
      connections.interactive({
        text: 'SELECT * FROM countertag.take_imports($1, $2, $3, $4)',
        values: [stationId, stationName, keys.map((key) => columns(key)[0]), keys.map((key) => columns(key)[1])],
        row: TakenImportRow,
      }),
    push: (epoch, imports) =>
      connections.done({
        // An import is a fact. What is still to be sent takes nothing from another station. One that is over is kept too, with its
        // turn: that it began may reach the hub later. One that is over gives the row back to the import that it was before.
        text: `
          WITH ${one}, entry AS (
            SELECT * FROM unnest($4::text[], $5::text[], $6::text[], $7::bigint[]) AS entry (case_id, product, state, at)
          ), forgotten AS (
            UPDATE countertag.case_import AS known SET revision = one.revision,
              was_station = NULL, was_station_name = NULL, was_at = NULL, was_turn = NULL
            FROM entry, one
            WHERE known.case_id = entry.case_id AND known.product = entry.product AND entry.state = 'over'
              AND known.was_station = $1 AND known.was_turn < $3
            RETURNING known.case_id, known.product
          ), told AS (
            INSERT INTO countertag.case_import AS known (case_id, product, station, station_name, state, at, turn, revision)
            SELECT entry.case_id, entry.product, $1, $2, entry.state, entry.at, $3, one.revision
            FROM entry, one WHERE (entry.case_id, entry.product) NOT IN (SELECT case_id, product FROM forgotten)
            ORDER BY entry.case_id, entry.product
            ON CONFLICT (case_id, product) DO UPDATE SET told_at = now(), revision = excluded.revision,
              (station, station_name, state, at, turn) = (
                SELECT known.was_station, known.was_station_name, 'imported', known.was_at, known.was_turn WHERE ${isGivenBack}
                UNION ALL SELECT excluded.station, excluded.station_name, excluded.state, excluded.at, excluded.turn
                WHERE NOT (${isGivenBack})),
              (was_station, was_station_name, was_at, was_turn) = (
                SELECT known.was_station, known.was_station_name, known.was_at, known.was_turn
                WHERE excluded.state = 'importing')
            WHERE known.turn < excluded.turn AND CASE
              WHEN known.station = excluded.station THEN known.state <> excluded.state OR known.at <> excluded.at
              WHEN excluded.state = 'imported' THEN known.state <> 'imported' OR known.at < excluded.at
              ELSE excluded.state = 'importing' AND known.state = 'over' END
            RETURNING 1
          ) SELECT pg_notify('countertag', 'imports') FROM (SELECT FROM told UNION ALL SELECT FROM forgotten) AS changed LIMIT 1`,
        values: [
          ...[stationId, stationName, epoch],
          imports.map((key) => columns(key)[0]),
          imports.map((key) => columns(key)[1]),
          imports.map(({ state }) => state),
          imports.map(({ at }) => Math.round(at)),
        ],
      }),
    async since(revision) {
      const heads = await connections.background({
        text: `SELECT id, coalesce((SELECT revision FROM countertag.news WHERE topic = 'imports'), 0) AS revision,
            ARRAY (SELECT DISTINCT station FROM countertag.case_import AS known
              WHERE state = 'importing' AND NOT EXISTS (
                -- As in take_imports.
                SELECT FROM countertag.station WHERE station.id = known.station AND seen_at > now() - interval '10 minutes')
            )::text[] AS stale
          FROM countertag.store`,
        row: ImportsHead,
      })
      const rows = await connections.background({
        text: `SELECT * FROM countertag.case_import WHERE revision > $1
          ORDER BY revision FETCH FIRST ${atOnce} ROWS WITH TIES`,
        values: [revision],
        row: AnyImport,
      })
      const [head] = heads ?? []
      if (!head || !rows) return undefined
      const hasMore = rows.length >= atOnce
      const last = rows.at(-1)?.revision ?? 0
      return {
        hubId: head.id,
        revision: hasMore ? last : Math.max(head.revision, last),
        hasMore,
        stale: head.stale,
        imports: rows.flatMap((row) => Import.safeParse(row).data ?? []),
      }
    },
  }
}
