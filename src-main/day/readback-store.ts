import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { CaseId, TagId } from '../../src-shared/ids'
import { type DayVerification, type ReadBackDifference, mostDifferences } from '../../src-shared/ipc/contract/checkout'
import { iso } from '../core/clock'
import { parseStored } from '../database/settings'
import { type Span, spanOf } from './history'
import { type ReadBackItem, Reported, Shown, tallyOf } from './readback'

/** A day that is or was read back. Times are ms since 1970, by the service's clock. */
interface DayReading {
  day: string
  state: 'running' | 'paused' | 'finished'
  startedAt: number
  finishedAt: number | null
  /** Reports of the day that the service had accepted when the reading began. */
  reports: number
}

export interface DayItem extends ReadBackItem {
  tagId: TagId
  /** The case that the item was last seen in when the reading began. */
  caseId: CaseId | null
  /** A difference is read twice before it counts. */
  readings: number
}

/** How many days are kept. */
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
    // A damaged row has one without the other: it counts as not read yet.
    const isRead = reported !== null && shown !== null
    return { tagId, caseId, reported: isRead ? reported : null, shown: isRead ? shown : null, readings }
  })
const Day = z.iso.date().optional().catch(undefined)
const MomentColumn = z.number().nullable().optional()

/** The tables `day_reading` and `day_reading_item`: a day being read back continues after a restart. */
export function createReadBackRows(db: Database) {
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
    reading: (day: string): DayReading | undefined => ReadingRow.safeParse(select.get(day)).data,
    /** The running day that was asked for last. */
    running: (): string | undefined => Day.parse(running.get()),
    items: (day: string): DayItem[] => items.all(day).flatMap((row) => ItemRow.safeParse(row).data ?? []),
    /** Starts a day from its beginning and deletes the oldest days. Throws if the disk refuses, as all that write. */
    begin: (day: string, at: number, taken: number, tagIds: readonly TagId[]) => {
      begin.immediate(day, at, taken, tagIds)
    },
    resume: (day: string, at: number) => void resume.run(at, day),
    pauseAll: () => void pause.run(),
    finish: (day: string, at: number) => void finish.run(at, day),
    /** Stores what was read and deletes the items of `gone`: the service accepted no report of them. */
    keep: (day: string, read: readonly DayItem[], gone: readonly TagId[]) => {
      keep.immediate(day, read, gone)
    },
    /** How many reports of a span the service accepted. */
    reportsTaken: (span: Span): number => z.number().parse(reports.get(...span)),
    /** How many items they name. */
    itemsNamed: (span: Span): number => z.number().parse(named.get(...span)),
    /** When the last accepted report before a moment was made. */
    lastReportBefore: (moment: number): number | null => MomentColumn.parse(last.get(moment)) ?? null,
    /** When the newest operation of any kind was saved, by this computer's clock. */
    lastSavedAt: (): number | null => MomentColumn.parse(newest.get()) ?? null,
  }
}

/** Days whose items are kept in memory: the one being read, and one that a screen shows. */
const mostHeld = 2

/** Days that are read back, as the screens show them. */
export function createVerificationViews(
  rows: ReturnType<typeof createReadBackRows>,
  productName: (tagId: TagId) => string | null,
) {
  // Parsing thousands of rows for every case would cost more than reading the case.
  const held = new Map<string, Map<TagId, DayItem>>()

  /** The items of a day as they are stored; change them together with the rows. */
  const itemsOf = (day: string): Map<TagId, DayItem> => {
    const known = held.get(day)
    const items = known ?? new Map(rows.items(day).map((item) => [item.tagId, item]))
    held.delete(day)
    held.set(day, items)
    for (const oldest of held.keys()) if (held.size > mostHeld) held.delete(oldest)
    return items
  }

  const difference = ({ item, kind, reported, shown }: Differing): ReadBackDifference => ({
    kind,
    tagId: item.tagId,
    orderId: reported.orderId,
    productName: productName(item.tagId),
    reported: reported.by,
    reportedAt: iso(reported.at),
    shownSoldAt: typeof shown === 'number' ? iso(shown) : null,
  })

  return {
    itemsOf,
    /** Call after a day was started anew. */
    forget: (day: string) => void held.delete(day),
    /** `waitsFor`: why a running day is not being read at the moment. */
    view(day: string, waitsFor: 'connection' | 'sending' | null): DayVerification {
      const reading = rows.reading(day)
      if (!reading) return { ...never, day, total: rows.itemsNamed(spanOf(day)) }
      const { state, startedAt, finishedAt, reports } = reading
      const items = itemsOf(day)
      const { done, counts, differing } = tallyOf(items.values())
      const isFinished = state === 'finished'
      const wait = state === 'paused' ? 'person' : state === 'running' ? waitsFor : null
      return {
        day,
        state: wait === null ? state : 'paused',
        waitsFor: wait,
        startedAt: iso(startedAt),
        asOf: isFinished && finishedAt !== null ? iso(finishedAt) : null,
        total: items.size,
        done,
        asReported: counts['as-reported'] + counts['own-time'] + counts['sold-since'],
        notSettled: counts['not-settled'],
        ownTimes: counts['own-time'],
        soldSince: counts['sold-since'],
        // Before the end a difference was read only once, and a witness may still be found.
        differences: isFinished ? differing.slice(0, mostDifferences).map(difference) : [],
        differenceCount: isFinished ? differing.length : 0,
        isOutOfDate: isFinished && (done < items.size || rows.reportsTaken(spanOf(day)) !== reports),
      }
    },
  }
}

type Differing = ReturnType<typeof tallyOf<DayItem>>['differing'][number]

const never = {
  state: 'none',
  waitsFor: null,
  startedAt: null,
  asOf: null,
  done: 0,
  asReported: 0,
  notSettled: 0,
  ownTimes: 0,
  soldSince: 0,
  differences: [],
  differenceCount: 0,
  isOutOfDate: false,
} satisfies Omit<DayVerification, 'day' | 'total'>
