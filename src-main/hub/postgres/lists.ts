import { z } from 'zod'
import type { CountId } from '../../../src-shared/ids'
import type { HubLists, ListStatus } from '../port'
import { BoundedName, BoundedText, HubMoment, Id, WholeNumber } from './columns'
import type { HubConnections, Statement } from './connections'

const There = z.object({ is_there: z.boolean() })
/** One that can't be read still counts among those that were read. */
const AnyEntry = z.looseObject({ revision: WholeNumber })

/** Bounds of what another station may have written. */
const longestValue = { none: 0, newest: 600, first: 4_000 }
const longestEnd = 20_000

const ListHead = z.object({
  id: Id,
  mark: Id,
  revision: WholeNumber,
  is_finished: z.boolean(),
  merged_into: Id.nullable(),
  ended: z.string().max(longestEnd).nullable(),
})
const ListEntryRow = z.object({
  key: BoundedText,
  value: z.string().nullable(),
  station: Id,
  station_name: BoundedName,
  at: HubMoment,
  is_gone: z.boolean(),
})

/** So many entries are read at a time. */
const mostEntries = 2_000

/**
 * Where lists of one kind are. Names of tables and columns in the schema. `value`: entries have such a column, of the newest station that
 * told the entry, or of the first, whose entry counts. `hasEnd`: lists have a column `ended`.
 */
export interface ListTables<Id extends string, Key extends string> {
  head: string
  entries: string
  /** Which stations make a list: also those that a hub that lost it knows by what they tell. */
  stations: string
  /** The column of an entry's list, and the one that names the entry in it. */
  of: string
  key: string
  topic: 'counts' | 'deliveries' | 'shelf'
  value: 'none' | 'newest' | 'first'
  hasEnd: boolean
  /** Undefined for what is none. */
  readId: (text: string) => Id | undefined
  readKey: (text: string) => Key | undefined
}

/** Whether the row that a statement is about is there. `false`: no answer. */
export const createIsThere =
  (connections: Pick<HubConnections, 'background'>) => async (statement: Omit<Statement<unknown>, 'row'>) => {
    const rows = await connections.background({ ...statement, row: There })
    return rows === undefined ? false : rows.length > 0 || ('unknown' as const)
  }

/**
 * The other stations that count along and may have scans that the hub doesn't have. `stations`: the table of who counts along.
 * A station says of itself how many scans it has not told; one that is not heard may have some.
 */
export const createBehind =
  (connections: Pick<HubConnections, 'background'>, stationId: string, stations: 'count_station' | 'shelf_station') =>
  (id: CountId): Promise<{ name: string }[] | undefined> =>
    connections.background({
      text: `SELECT name FROM countertag.${stations} AS counts JOIN countertag.station ON station.id = counts.station
        WHERE count = $1 AND station.id <> $2 AND CASE WHEN says ->> 'isOff' = 'true' THEN says ->> 'scansUntold' <> '0'
          ELSE says ->> 'scansUntold' <> '0' OR seen_at < now() - interval '40 seconds' END
        ORDER BY lower(name) LIMIT 100`,
      values: [id, stationId],
      row: z.object({ name: BoundedName }),
    })

type Tables = Omit<ListTables<string, string>, 'readId' | 'readKey'>

/** The statements for lists in these tables. */
const textsOf = ({ head, entries, stations, of, key, topic, value, hasEnd }: Tables) => {
  const [valueColumn, valueOfScan, valueRead] =
    value === 'none' ? ['', '', 'NULL AS value'] : [', value', ', scan.value', 'value']
  const valueSet = value === 'newest' ? 'value = excluded.value, ' : ''
  // The first end counts until the list is opened again.
  const endSet = hasEnd ? ', ended = CASE WHEN $2 THEN CASE WHEN finished_at IS NULL THEN $4 ELSE ended END END' : ''
  const firsts = ['station', 'station_name', 'at', ...(value === 'first' ? ['value'] : [])]
  const firstsOf = (row: string) => firsts.map((column) => `${row}.${column}`).join(', ')
  return {
    // The row of the list is locked first: revisions are seen in their order.
    push: `
      WITH one AS (
        UPDATE countertag.${head} SET revision = revision + 1 WHERE id = $1 RETURNING revision
      ), scan AS (
        SELECT * FROM unnest($5::text[], $6::bigint[], $7::boolean[], $8::boolean[], $9::text[])
          AS scan (key, at, is_gone, is_others, value)
      ), told AS (
        INSERT INTO countertag.${entries} AS known (${of}, ${key}, station, station_name, at, is_gone, turn, revision${valueColumn})
        -- An undo also of what isn't there: it may have been told before, and reach the hub later.
        SELECT $1, scan.key, $2, $3, scan.at, scan.is_gone, $4, one.revision${valueOfScan} FROM scan, one ORDER BY scan.key
        ON CONFLICT (${of}, ${key}) DO UPDATE SET is_gone = excluded.is_gone, turn = excluded.turn, ${valueSet}revision = excluded.revision,
          -- The first station counts until its entry is undone.
          (${firsts.join(', ')}) = (
            SELECT ${firstsOf('excluded')} WHERE known.is_gone UNION ALL SELECT ${firstsOf('known')} WHERE NOT known.is_gone)
        -- An undo is of a certain entry: another station may have made the same.
        WHERE known.turn < excluded.turn AND (NOT excluded.is_gone OR
          (known.station <> $2) = (SELECT is_others FROM scan WHERE scan.key = known.${key}))
        RETURNING 1
      ), here AS (
        INSERT INTO countertag.${stations} SELECT $1, $2::uuid FROM one ON CONFLICT DO NOTHING
      ), news AS (SELECT countertag.tell('${topic}') FROM told LIMIT 1)
      SELECT true AS is_there, (SELECT count(*) FROM news) FROM one`,
    // One whose target was merged back into it leads nowhere: stations that follow would go round for ever.
    status: `SELECT id, mark, revision, finished_at IS NOT NULL AS is_finished, ${hasEnd ? 'ended' : 'NULL AS ended'},
        (SELECT into_one.id FROM countertag.${head} AS into_one
          WHERE into_one.id = one.merged_into AND into_one.merged_into IS DISTINCT FROM one.id) AS merged_into
      FROM countertag.${head} AS one WHERE id = ANY ($1::uuid[])`,
    since: `SELECT ${key} AS key, ${valueRead}, station, station_name, at, is_gone, revision FROM countertag.${entries}
      WHERE ${of} = $1 AND revision > $2 ORDER BY revision FETCH FIRST ${mostEntries} ROWS WITH TIES`,
    finish: `
      WITH one AS (
        UPDATE countertag.${head} SET revision = revision + 1, end_turn = $3,
          finished_at = CASE WHEN $2 THEN coalesce(finished_at, now()) END${endSet}
        WHERE id = $1 AND end_turn < $3 AND merged_into IS NULL RETURNING id
      ), news AS (SELECT countertag.tell('${topic}') FROM one)
      SELECT true AS is_there, (SELECT count(*) FROM news) FROM countertag.${head} WHERE id = $1`,
  }
}

/** Lists that stations keep together, at the hub. `station`: this one. */
export function createLists<Id extends string, Key extends string>(
  connections: Pick<HubConnections, 'background'>,
  station: { id: string; name: string },
  tables: ListTables<Id, Key>,
): HubLists<Id, Key> {
  const isThere = createIsThere(connections)
  const { hasEnd, readId, readKey } = tables
  const longest = longestValue[tables.value]
  const texts = textsOf(tables)
  return {
    push: (epoch, id, list) =>
      isThere({
        text: texts.push,
        values: [
          ...[id, station.id, station.name, epoch],
          list.map((entry) => entry.key),
          list.map(({ at }) => Math.round(at)),
          list.map(({ isGone }) => isGone),
          list.map(({ isOthers }) => isOthers),
          list.map(({ value }) => value),
        ],
      }),
    async status(ids) {
      const rows = await connections.background({
        text: texts.status,
        values: [ids],
        row: ListHead,
      })
      const read = rows?.flatMap((row): [Id, ListStatus<Id>][] => {
        const { mark, revision, is_finished: isFinished, merged_into: into, ended } = row
        const id = readId(row.id)
        const mergedInto = into === null ? null : (readId(into) ?? null)
        return id === undefined ? [] : [[id, { epochId: mark, revision, isFinished, mergedInto, ended }]]
      })
      return read && new Map(read)
    },
    async since(id, revision) {
      const rows = await connections.background({
        text: texts.since,
        values: [id, revision],
        row: AnyEntry,
      })
      if (!rows) return undefined
      return {
        revision: rows.at(-1)?.revision ?? revision,
        hasMore: rows.length >= mostEntries,
        entries: rows.flatMap((row) => {
          const entry = ListEntryRow.safeParse(row).data
          const key = entry && readKey(entry.key)
          if (!entry || key === undefined || (entry.value?.length ?? 0) > longest) return []
          const { value, at, is_gone: isGone, station: stationId, station_name: stationName } = entry
          return [{ key, value, at, isGone, stationId, stationName }]
        }),
      }
    },
    finish: (epoch, id, isFinished, ended = null) =>
      isThere({
        text: texts.finish,
        values: [id, isFinished, epoch, ...(hasEnd ? [ended] : [])],
      }),
  }
}
