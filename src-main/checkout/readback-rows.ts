import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { CaseId, TagId } from '../../src-shared/ids'
import { parseStored } from '../store/settings'
import type { Span } from './entries'
import { type ReadBackItem, Reported, Shown } from './readback'

/** A day that is or was read back. Times are ms since 1970, by the service's clock. */
export interface DayReading {
  day: string
  state: 'running' | 'paused' | 'finished'
  startedAt: number
  finishedAt: number | null
  /** Reports of the day that the service had taken when it began. */
  reports: number
}

export interface DayItem extends ReadBackItem {
  tagId: TagId
  /** The case it was last seen in when it began. */
  caseId: CaseId | null
  /** A difference is read twice before it counts. */
  readings: number
}

/** The tables `day_reading` and `day_reading_item`: a day that is read back goes on where it was after a restart. */
export interface ReadBackRows {
  reading(day: string): DayReading | undefined
  /** The day to go on with, the one asked for last; undefined when none is running. */
  running(): string | undefined
  items(day: string): DayItem[]
  /** Begins a day from the start, and forgets the oldest days. Throws when the disk refuses, as all that write. */
  begin(day: string, at: number, reports: number, tagIds: readonly TagId[]): void
  resume(day: string, at: number): void
  pauseAll(): void
  finish(day: string, at: number): void
  /** Stores what was read; `gone` are taken out of the day, for the service took no report of them. */
  keep(day: string, read: readonly DayItem[], gone: readonly TagId[]): void
  /** Reports of a span that the service took. */
  reportsTaken(span: Span): number
  /** How many items these name. */
  itemsNamed(span: Span): number
  /** When the last report before a moment was made, that the service took. */
  lastReportBefore(moment: number): number | null
  /** When the newest operation of any kind was saved, by this computer's clock. */
  lastSavedAt(): number | null
}

/** Days that are kept. */
const mostDays = 7

const ReadingRow = z
  .object({
    day: z.iso.date(),
    state: z.enum(['running', 'paused', 'finished']),
    started_at: z.number(),
    finished_at: z.number().nullable(),
    reports: z.number(),
  })
  .transform(({ day, state, started_at: startedAt, finished_at: finishedAt, reports }): DayReading => {
    return { day, state, startedAt, finishedAt, reports }
  })
const stored = <T>(schema: z.ZodType<T>) =>
  z
    .string()
    .nullable()
    .transform((json) => (json === null ? null : (parseStored(schema, json) ?? null)))
const ItemRow = z
  .object({
    tag_id: TagId,
    case_id: CaseId.nullable().catch(null),
    reported: stored(Reported),
    shown: stored(Shown),
    readings: z.number(),
  })
  .transform(({ tag_id: tagId, case_id: caseId, reported, shown, readings }): DayItem => {
    // One without the other was damaged: it counts as not read yet.
    const isRead = reported !== null && shown !== null
    return { tagId, caseId, reported: isRead ? reported : null, shown: isRead ? shown : null, readings }
  })
const Day = z.iso.date().optional().catch(undefined)
const Moment = z.number().nullable().optional()

export function createReadBackRows(db: Database): ReadBackRows {
  const select = db.prepare('SELECT * FROM day_reading WHERE day = ?')
  const running = db
    .prepare(`SELECT day FROM day_reading WHERE state = 'running' ORDER BY asked_at DESC, day DESC LIMIT 1`)
    .pluck()
  const items = db.prepare('SELECT * FROM day_reading_item WHERE day = ? ORDER BY position')
  const remove = db.prepare('DELETE FROM day_reading WHERE day = ?')
  const forget = db.prepare(
    `DELETE FROM day_reading WHERE day IN (SELECT day FROM day_reading ORDER BY asked_at DESC LIMIT -1 OFFSET ${mostDays})`,
  )
  const insert = db.prepare(
    `INSERT INTO day_reading (day, state, asked_at, started_at, reports) VALUES (?, 'running', ?, ?, ?)`,
  )
  const insertItem = db.prepare(`
    INSERT OR IGNORE INTO day_reading_item (day, tag_id, position, case_id) VALUES (@day, @tagId, @position,
      (SELECT CASE WHEN json_valid(content) THEN content ->> '$.caseId' END FROM memory
        WHERE kind = 'tag' AND id = @tagId AND form = 'facts'))`)
  const resume = db.prepare(`UPDATE day_reading SET state = 'running', asked_at = ? WHERE day = ?`)
  const pause = db.prepare(`UPDATE day_reading SET state = 'paused' WHERE state = 'running'`)
  const finish = db.prepare(`UPDATE day_reading SET state = 'finished', finished_at = ? WHERE day = ?`)
  const update = db.prepare(
    'UPDATE day_reading_item SET reported = ?, shown = ?, readings = ? WHERE day = ? AND tag_id = ?',
  )
  const removeItem = db.prepare('DELETE FROM day_reading_item WHERE day = ? AND tag_id = ?')
  const isTaken = `FROM sale_entry JOIN operation USING (seq) WHERE state = 'accepted'`
  const reports = db.prepare(`SELECT count(*) ${isTaken} AND at >= ? AND at < ?`).pluck()
  const named = db
    .prepare(
      `SELECT count(DISTINCT tag.value) FROM (
         SELECT CASE WHEN json_valid(payload) THEN payload END AS body ${isTaken} AND at >= ? AND at < ?
       ), json_each(body, '$.tagIds') AS tag`,
    )
    .pluck()
  const last = db.prepare(`SELECT max(at) ${isTaken} AND at < ?`).pluck()
  const newest = db.prepare('SELECT performed_at_raw FROM operation ORDER BY seq DESC LIMIT 1').pluck()

  const begin = db.transaction((day: string, at: number, taken: number, tagIds: readonly TagId[]) => {
    remove.run(day)
    insert.run(day, at, at, taken)
    for (const [position, tagId] of tagIds.entries()) insertItem.run({ day, tagId, position })
    forget.run()
  })
  const keep = db.transaction((day: string, read: readonly DayItem[], gone: readonly TagId[]) => {
    for (const { tagId, reported, shown, readings } of read) {
      update.run(JSON.stringify(reported), JSON.stringify(shown), readings, day, tagId)
    }
    for (const tagId of gone) removeItem.run(day, tagId)
  })

  return {
    reading: (day) => ReadingRow.safeParse(select.get(day)).data,
    running: () => Day.parse(running.get()),
    items: (day) => items.all(day).flatMap((row) => ItemRow.safeParse(row).data ?? []),
    begin: (day, at, taken, tagIds) => {
      begin.immediate(day, at, taken, tagIds)
    },
    resume: (day, at) => void resume.run(at, day),
    pauseAll: () => void pause.run(),
    finish: (day, at) => void finish.run(at, day),
    keep: (day, read, gone) => {
      keep.immediate(day, read, gone)
    },
    reportsTaken: (span) => z.number().parse(reports.get(...span)),
    itemsNamed: (span) => z.number().parse(named.get(...span)),
    lastReportBefore: (moment) => Moment.parse(last.get(moment)) ?? null,
    lastSavedAt: () => Moment.parse(newest.get()) ?? null,
  }
}
