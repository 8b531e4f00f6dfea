import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { CaseId, TagId } from '../../src-shared/ids'
import { type DayVerification, type ReadBackDifference, mostDifferences } from '../../src-shared/ipc/contract/checkout'
import { iso } from '../core/clock'
import { RowReader } from '../database/row-reader'
import { parseStored } from '../database/settings'
import { type Span, spanOf } from './history'
import { type ReadBackItem, Reported, Shown, tallyOf } from './readback'

/** A day that is or was read back. Times are ms since 1970, by the service's clock. */
const DayReading = new RowReader(
  z.object({
    day: z.iso.date(),
    state: z.enum(['running', 'paused', 'finished']),
    startedAt: z.number(),
    finishedAt: z.number().nullable(),
    /** Reports of the day that the service had accepted when the reading began. */
    reports: z.number(),
  }),
)
type DayReading = ReturnType<typeof DayReading.parse>

export interface DayItem extends ReadBackItem {
  tagId: TagId
  /** The case that the item was last seen in when the reading began. */
  caseId: CaseId | null
  /** A difference is read twice before it counts. */
  readings: number
}

const stored = <T>(schema: z.ZodType<T>) =>
  z
    .string()
    .nullable()
    .transform((json) => (json === null ? null : (parseStored(schema, json) ?? null)))
const ItemRow = new RowReader(
  z.object({
    tagId: TagId,
    caseId: CaseId.nullable().catch(null),
    reported: stored(Reported),
    shown: stored(Shown),
    readings: z.number(),
  }),
)
const Day = z.iso.date().optional().catch(undefined)
const MomentColumn = z.number().nullable().optional()

/** How many days are kept. */
const mostDays = 7

const isTaken = `FROM sale_entry JOIN operation USING (seq) WHERE state = 'accepted'`

const statementsOf = (db: Database) => ({
  reading: db.prepare('SELECT * FROM day_reading WHERE day = ?'),
  running: db
    .prepare(`SELECT day FROM day_reading WHERE state = 'running' ORDER BY asked_at DESC, day DESC LIMIT 1`)
    .pluck(),
  items: db.prepare('SELECT * FROM day_reading_item WHERE day = ? ORDER BY position'),
  remove: db.prepare('DELETE FROM day_reading WHERE day = ?'),
  forget: db.prepare(
    `DELETE FROM day_reading WHERE day IN (SELECT day FROM day_reading ORDER BY asked_at DESC LIMIT -1 OFFSET ${mostDays})`,
  ),
  insert: db.prepare(
    `INSERT INTO day_reading (day, state, asked_at, started_at, reports) VALUES (?, 'running', ?, ?, ?)`,
  ),
  insertItem: db.prepare(`
    INSERT OR IGNORE INTO day_reading_item (day, tag_id, position, case_id) VALUES (@day, @tagId, @position,
      (SELECT CASE WHEN json_valid(content) THEN content ->> '$.caseId' END FROM memory
        WHERE kind = 'tag' AND id = @tagId AND form = 'facts'))`),
  resume: db.prepare(`UPDATE day_reading SET state = 'running', asked_at = ? WHERE day = ?`),
  pause: db.prepare(`UPDATE day_reading SET state = 'paused' WHERE state = 'running'`),
  finish: db.prepare(`UPDATE day_reading SET state = 'finished', finished_at = ? WHERE day = ?`),
  update: db.prepare('UPDATE day_reading_item SET reported = ?, shown = ?, readings = ? WHERE day = ? AND tag_id = ?'),
  removeItem: db.prepare('DELETE FROM day_reading_item WHERE day = ? AND tag_id = ?'),
  reports: db.prepare(`SELECT count(*) ${isTaken} AND at >= ? AND at < ?`).pluck(),
  named: db
    .prepare(
      `SELECT count(DISTINCT tag.value) FROM (
         SELECT CASE WHEN json_valid(payload) THEN payload END AS body ${isTaken} AND at >= ? AND at < ?
       ), json_each(body, '$.tagIds') AS tag`,
    )
    .pluck(),
  last: db.prepare(`SELECT max(at) ${isTaken} AND at < ?`).pluck(),
  newest: db.prepare('SELECT performed_at_raw FROM operation ORDER BY seq DESC LIMIT 1').pluck(),
})

/**
 * The tables `day_reading` and `day_reading_item`: a day being read back continues after a restart. All that write throw if the disk
 * refuses.
 */
export class ReadBackRows {
  readonly #db: Database
  readonly #sql: ReturnType<typeof statementsOf>

  constructor(db: Database) {
    this.#db = db
    this.#sql = statementsOf(db)
  }

  reading(day: string): DayReading | undefined {
    return DayReading.readable(this.#sql.reading, day).rows[0]
  }

  /** The running day that was asked for last. */
  running(): string | undefined {
    return Day.parse(this.#sql.running.get())
  }

  items(day: string): DayItem[] {
    return ItemRow.readable(this.#sql.items, day).rows.map((item) =>
      // A damaged row has one without the other: it counts as not read yet.
      item.reported === null || item.shown === null ? { ...item, reported: null, shown: null } : item,
    )
  }

  /** Starts a day from its beginning and deletes the oldest days. */
  begin(day: string, at: number, taken: number, tagIds: readonly TagId[]): void {
    this.#db
      .transaction(() => {
        this.#sql.remove.run(day)
        this.#sql.insert.run(day, at, at, taken)
        for (const [position, tagId] of tagIds.entries()) this.#sql.insertItem.run({ day, tagId, position })
        this.#sql.forget.run()
      })
      .immediate()
  }

  resume(day: string, at: number): void {
    this.#sql.resume.run(at, day)
  }

  pauseAll(): void {
    this.#sql.pause.run()
  }

  finish(day: string, at: number): void {
    this.#sql.finish.run(at, day)
  }

  /** Stores what was read and deletes the items of `gone`: the service accepted no report of them. */
  keep(day: string, read: readonly DayItem[], gone: readonly TagId[]): void {
    this.#db
      .transaction(() => {
        for (const { tagId, reported, shown, readings } of read) {
          this.#sql.update.run(JSON.stringify(reported), JSON.stringify(shown), readings, day, tagId)
        }
        for (const tagId of gone) this.#sql.removeItem.run(day, tagId)
      })
      .immediate()
  }

  /** How many reports of a span the service accepted. */
  reportsTaken(span: Span): number {
    return z.number().parse(this.#sql.reports.get(...span))
  }

  /** How many items they name. */
  itemsNamed(span: Span): number {
    return z.number().parse(this.#sql.named.get(...span))
  }

  /** When the last accepted report before a moment was made. */
  lastReportBefore(moment: number): number | null {
    return MomentColumn.parse(this.#sql.last.get(moment)) ?? null
  }

  /** When the newest operation of any kind was saved, by this computer's clock. */
  lastSavedAt(): number | null {
    return MomentColumn.parse(this.#sql.newest.get()) ?? null
  }
}

/** Days whose items are kept in memory: the one being read, and one that a screen shows. */
const mostHeld = 2

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

/** Days that are read back, as the screens show them. */
export class VerificationViews {
  readonly #rows: ReadBackRows
  readonly #productName: (tagId: TagId) => string | null
  /** Parsing thousands of rows for every case would cost more than reading the case. */
  readonly #held = new Map<string, Map<TagId, DayItem>>()

  constructor(rows: ReadBackRows, productName: (tagId: TagId) => string | null) {
    this.#rows = rows
    this.#productName = productName
  }

  /** The items of a day as they are stored; change them together with the rows. */
  itemsOf(day: string): Map<TagId, DayItem> {
    const items = this.#held.get(day) ?? new Map(this.#rows.items(day).map((item) => [item.tagId, item]))
    this.#held.delete(day)
    this.#held.set(day, items)
    for (const oldest of this.#held.keys()) if (this.#held.size > mostHeld) this.#held.delete(oldest)
    return items
  }

  /** Call after a day was started anew. */
  forget(day: string): void {
    this.#held.delete(day)
  }

  /** `waitsFor`: why a running day is not being read at the moment. */
  view(day: string, waitsFor: 'connection' | 'sending' | null): DayVerification {
    const reading = this.#rows.reading(day)
    if (!reading) return { ...never, day, total: this.#rows.itemsNamed(spanOf(day)) }
    const { state, startedAt, finishedAt, reports } = reading
    const items = this.itemsOf(day)
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
      differences: isFinished ? differing.slice(0, mostDifferences).map((one) => this.#difference(one)) : [],
      differenceCount: isFinished ? differing.length : 0,
      isOutOfDate: isFinished && (done < items.size || this.#rows.reportsTaken(spanOf(day)) !== reports),
    }
  }

  #difference({ item, kind, reported, shown }: Differing): ReadBackDifference {
    return {
      kind,
      tagId: item.tagId,
      orderId: reported.orderId,
      productName: this.#productName(item.tagId),
      reported: reported.by,
      reportedAt: iso(reported.at),
      shownSoldAt: typeof shown === 'number' ? iso(shown) : null,
    }
  }
}
