import { z } from 'zod'
import type { HubDay, OthersEntries, StoreEntries } from '../port'
import { DayBody, DayStatus } from '../rows'
import { BoundedName, BoundedText, HubMoment, Id, WholeNumber } from './columns'
import type { HubConnections } from './connections'

const QuestionRow = z.object({ turn: WholeNumber })
const DayEntryRow = z
  .object({ operation: Id, station: Id, station_name: BoundedName, at: HubMoment, body: DayBody })
  .transform(({ operation, station, station_name, at, body }): StoreEntries['entries'][number] => ({
    ...body,
    id: operation,
    at,
    stationId: station,
    stationName: station_name,
  }))
/** `entry` is null if this version can't read it; the entries after it are still read. */
const AnyEntry = z
  .object({ operation: z.string(), station: z.string(), at: z.coerce.number() })
  .loose()
  .transform((row) => ({ ...row, entry: DayEntryRow.safeParse(row).data ?? null }))
const Digest = z.object({ operation: Id, digest: BoundedText })
const Closed = z.object({ station_name: BoundedName, mark: BoundedText, at: HubMoment })
const Mark = z.object({ mark: BoundedText, total: WholeNumber })

/** More entries than a store makes in a day. */
const mostEntries = 100_000
/** An order of a day may have been sold so much earlier, in ms. */
const before = 14 * 24 * 3_600_000
/** Entries that are read, and parsed, at once. */
const atOnce = 500

/** Another one with every change of the day's entries. */
const markOf = `
  SELECT coalesce(md5(string_agg(concat_ws(' ', station, operation, at, digest), ',' ORDER BY station, operation)), '') AS mark,
    count(*)::int AS total
  FROM countertag.day_entry WHERE at >= $1 AND at < $2`

const pushText = `
  WITH told AS (
    INSERT INTO countertag.day_entry AS known (station, operation, station_name, at, digest, body, turn)
    SELECT $1, operation, $2, at, digest, body, $3
    FROM unnest($4::text[], $5::bigint[], $6::text[], $7::jsonb[]) AS entry (operation, at, digest, body)
    ORDER BY operation
    ON CONFLICT (station, operation) DO UPDATE SET station_name = excluded.station_name, at = excluded.at,
      digest = excluded.digest, body = excluded.body, turn = excluded.turn
    WHERE known.turn < excluded.turn
    RETURNING 1
  ) SELECT countertag.tell('day') FROM told LIMIT 1`

// What version 0.2 told lacks the products of its items: it is told again, and the day stays closed as it was.
const ownText = `
  SELECT operation, CASE WHEN body ? 'itemProducts' THEN digest ELSE '' END AS digest
    FROM countertag.day_entry WHERE station = $1 AND at >= $2`

const askText = `
  WITH asked AS (
    INSERT INTO countertag.day_question (day, number) VALUES ($1, nextval('countertag.turn'))
    ON CONFLICT (day) DO UPDATE SET number = excluded.number, at = now() RETURNING number AS turn
  ), told AS (SELECT countertag.tell('day-asked'))
  SELECT turn FROM asked, told`

const askedText = `
  SELECT day, number AS question FROM countertag.day_question AS asked
    WHERE at > now() - interval '60 seconds' AND NOT EXISTS (
      SELECT FROM countertag.day_answer AS answer
      WHERE answer.station = $1 AND answer.day = asked.day AND answer.number >= asked.number)
    ORDER BY number LIMIT 20`

const answerText = `
  INSERT INTO countertag.day_answer AS known (station, day, number, standing) VALUES ($1, $2, $3, $4)
    ON CONFLICT (station, day) DO UPDATE SET number = excluded.number, standing = excluded.standing, at = now()
    WHERE known.number < excluded.number`

const othersText = `
  WITH of_span AS MATERIALIZED (
    SELECT body ->> 'orderId' AS order_id FROM countertag.day_entry WHERE at >= $1 AND at < $2)
  SELECT operation, station, station_name, at, body FROM countertag.day_entry
  WHERE station <> $3 AND at >= $4 AND at < $2 AND (at, station::text, operation) > ($4, $5, $6)
    AND body ->> 'orderId' IN (SELECT order_id FROM of_span)
  ORDER BY at, station::text, operation LIMIT ${atOnce}`

const closeText = `
  WITH now_at AS (${markOf}), closed AS (
    INSERT INTO countertag.day_closed AS known (day, station, station_name, mark)
    SELECT $3, $4, $5, mark FROM now_at WHERE mark = $6
    ON CONFLICT (day) DO UPDATE SET station = excluded.station, station_name = excluded.station_name,
      mark = excluded.mark, at = now()
    WHERE known.mark <> excluded.mark
  )
  SELECT mark, total, countertag.tell('day') FROM now_at`

type Connections = Pick<HubConnections, 'background' | 'done'>
type Span = Parameters<HubDay['read']>[1]

async function readDay(connections: Connections, day: string, span: Span): Promise<StoreEntries | undefined> {
  // Entries that come in between make the mark older than they are: closing is refused then, never wrong.
  const marks = await connections.background({ text: markOf, values: span, row: Mark })
  const closed = await connections.background({
    text: `SELECT station_name, mark, extract(epoch FROM at) * 1000 AS at FROM countertag.day_closed WHERE day = $1`,
    values: [day],
    row: Closed,
  })
  const entries = await connections.background({
    text: `SELECT operation, station, station_name, at, body FROM countertag.day_entry
      WHERE at >= $1 AND at < $2 ORDER BY at, station, operation LIMIT ${mostEntries}`,
    values: span,
    row: DayEntryRow,
  })
  const [mark] = marks ?? []
  if (!mark || !closed || !entries) return undefined
  const [one] = closed
  return {
    entries,
    unread: Math.max(mark.total - entries.length, 0),
    mark: mark.mark,
    closed: one ? { at: Math.round(one.at), stationName: one.station_name, mark: one.mark } : null,
  }
}

/** The entries of other stations. */
async function readOthers(
  connections: Connections,
  stationId: string,
  [from, to]: Span,
  day: Span,
): Promise<OthersEntries | undefined> {
  const entries: StoreEntries['entries'] = []
  for (let place = [from - before, '', '']; ;) {
    const places = await connections.background({
      text: othersText,
      values: [from, to, stationId, ...place],
      row: AnyEntry,
    })
    const last = places?.at(-1)
    if (!places) return undefined
    for (const { entry } of places) if (entry) entries.push(entry)
    if (!last || places.length < atOnce) break
    place = [last.at, last.station, last.operation]
  }
  const total = await connections.background({
    text: 'SELECT count(*) AS total FROM countertag.day_entry WHERE station <> $3 AND at >= $1 AND at < $2',
    values: [...day, stationId],
    row: z.object({ total: WholeNumber }),
  })
  const [count] = total ?? []
  if (!count) return undefined
  const read = entries.filter(({ at }) => at >= day[0] && at < day[1]).length
  return { entries, unread: Math.max(count.total - read, 0) }
}

/** The store's day at the hub. `stationId`, `stationName`: this station's own. */
export function createDay(connections: Connections, stationId: string, stationName: string): HubDay {
  return {
    push: (epoch, entries) =>
      connections.done({
        text: pushText,
        values: [
          stationId,
          stationName,
          epoch,
          entries.map(({ entry }) => entry.id),
          entries.map(({ entry }) => Math.round(entry.at)),
          entries.map(({ digest }) => digest),
          entries.map(({ entry: { id: _id, at: _at, ...body } }) => body),
        ],
      }),
    async own(since) {
      const rows = await connections.background({
        text: ownText,
        values: [stationId, Math.round(since)],
        row: Digest,
      })
      return rows && new Map(rows.map(({ operation, digest }) => [operation, digest]))
    },
    async total(since) {
      const rows = await connections.background({
        text: 'SELECT count(*) AS total FROM countertag.day_entry WHERE station = $1 AND at >= $2',
        values: [stationId, Math.round(since)],
        row: z.object({ total: WholeNumber }),
      })
      return rows?.[0]?.total
    },
    async ask(day) {
      const rows = await connections.background({
        text: askText,
        values: [day],
        row: QuestionRow,
      })
      return rows?.[0]?.turn
    },
    asked: () =>
      connections.background({
        text: askedText,
        values: [stationId],
        row: z.object({ day: z.iso.date(), question: WholeNumber }),
      }),
    answer: (day, question, status) =>
      connections.done({
        text: answerText,
        values: [stationId, day, question, status],
      }),
    answers: (day, question) =>
      connections.background({
        text: 'SELECT station AS "stationId", standing FROM countertag.day_answer WHERE day = $1 AND number >= $2',
        values: [day, question],
        row: z.object({ stationId: Id, standing: DayStatus }),
      }),
    read: (day, span) => readDay(connections, day, span),
    others: (span, day) => readOthers(connections, stationId, span, day),
    async close(day, span, mark) {
      const rows = await connections.background({
        text: closeText,
        values: [...span, day, stationId, stationName, mark],
        row: Mark,
      })
      return rows && rows[0]?.mark === mark
    },
  }
}
