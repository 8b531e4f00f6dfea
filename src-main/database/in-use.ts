import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { type DataLoss, SalvageReport } from '../../src-shared/ipc/contract/app'
import { iso } from '../core/clock'
import type { RoomContext } from '../core/context'
import { silentLog } from '../core/log'
import { Journal } from '../outbox/journal'
import { writeWhole } from './files'
import { missingSetting, reportSetting } from './salvage/salvage'
import { createSettings, parseStored } from './settings'

const JournalEnd = z.object({ entry: z.number().int(), hash: z.string() })

/** How far the reports of a connection had come. `at`: ms since 1970. `attention`: those that a person has to settle. */
const Noted = z.object({
  at: z.number().int(),
  lastSeq: z.number().int().positive(),
  unsent: z.number().int().nonnegative(),
  attention: z.number().int().nonnegative(),
  /** The newest line of the journal; an earlier version noted none. */
  line: JournalEnd.optional(),
})
type Noted = z.infer<typeof Noted>

const suffix = '.in-use.json'

/** The file beside a connection's folder that says how far its data had come: it stays if the folder goes. */
export const inUseFile = (folder: string) => `${folder}${suffix}`

/** Whether a file of a data folder is such a sign. */
export const isInUseFile = (name: string) => name.endsWith(suffix)

/** What was last noted of the data in a folder; undefined if nothing was. A power cut may leave an empty file. */
export function readInUse(folder: string): Noted | 'unreadable' | undefined {
  try {
    return parseStored(Noted, readFileSync(inUseFile(folder), 'utf8')) ?? 'unreadable'
  } catch (cause) {
    return z.object({ code: z.literal('ENOENT') }).safeParse(cause).success ? undefined : 'unreadable'
  }
}

/** What is known of a connection's data before it is opened. */
interface Before {
  folder: string
  noted: Noted | 'unreadable' | undefined
  /** The station's settings say that the connection was in use. */
  wasInUse: boolean
}

/**
 * What the data of a connection lacks, by what was noted outside of it. `lastSeq`: the last number of a report in it, with
 * those of the newest backup; `found`: the same before a backup was looked at.
 */
export function lossOf(
  { folder, noted, wasInUse }: Before,
  { lastSeq, found = lastSeq, isNew }: { lastSeq: number; found?: number | undefined; isNew: boolean },
): DataLoss | null {
  if (noted === undefined || noted === 'unreadable') {
    const isGone = isNew && (noted === 'unreadable' || wasInUse)
    return isGone ? { kind: 'gone', folder, notedAt: null, missing: null, unsent: null } : null
  }
  if (found >= noted.lastSeq) return null
  return {
    kind: found === 0 ? 'gone' : 'older',
    folder,
    notedAt: iso(noted.at),
    missing: Math.max(noted.lastSeq - lastSeq, 0),
    unsent: noted.unsent + noted.attention,
  }
}

/** The last number that a report got. */
function lastSeqOf(db: Database): number {
  const row = db.prepare(`SELECT seq FROM sqlite_sequence WHERE name = 'operation'`).pluck().get()
  return z.number().int().optional().parse(row) ?? 0
}

/** A journal that ends before what was noted of it, or went on in another way, says so in a line. */
function markCut(db: Database, { line }: Noted, now: number): void {
  if (!line) return
  const found = db.prepare('SELECT hash FROM journal WHERE entry = ?').pluck().get(line.entry)
  const marks = db.prepare(`SELECT 1 FROM journal WHERE what IN ('removed', 'cut') AND what = 'cut' AND detail = ?`)
  if (found === line.hash || marks.get(JSON.stringify(line)) !== undefined) return
  new Journal(db, () => now).act({ actor: 'station', what: 'cut', detail: line })
}

/** Compares the data of a connection, while it is opened, with what was noted outside of it. */
export class Comparison {
  readonly #before: Before
  /** The last number in an older copy. */
  #found: number | undefined
  #loss: DataLoss | null = null

  constructor(before: Before) {
    this.#before = before
  }

  /** What is missing, once the data is open. */
  get loss(): DataLoss | null {
    return this.#loss
  }

  /** Whether the data ends before the note. Then its unfinished reports may have been sent since. */
  isOlder(db: Database): boolean {
    const { noted } = this.#before
    if (typeof noted !== 'object') return false
    const found = lastSeqOf(db)
    if (found >= noted.lastSeq) return false
    this.#found = found
    return true
  }

  /**
   * What is missing is said until a person has read it, and its numbers are never given again. `isNew`: there was no data.
   * Throws if the disk refuses.
   */
  keep(db: Database, isNew: boolean, now: number): void {
    const { noted } = this.#before
    if (typeof noted === 'object') markCut(db, noted, now)
    const loss = lossOf(this.#before, { lastSeq: lastSeqOf(db), found: this.#found, isNew })
    if (loss === null) return
    const settings = createSettings(db, silentLog)
    db.transaction(() => {
      const count = z.number().parse(db.prepare('SELECT count(*) FROM operation').pluck().get())
      if (typeof noted === 'object' && lastSeqOf(db) < noted.lastSeq) {
        db.prepare(`DELETE FROM sqlite_sequence WHERE name = 'operation'`).run()
        db.prepare(`INSERT INTO sqlite_sequence (name, seq) VALUES ('operation', ?)`).run(noted.lastSeq)
        settings.write(missingSetting, noted.lastSeq - count)
      }
      // What was found at this start says more; what is missing is added to it.
      const found = settings.read(reportSetting, SalvageReport)
      const none = { at: iso(now), isDamaged: false, setAside: '', operations: count, fromBackup: 0, lost: null }
      settings.write(reportSetting, { ...(found ?? none), loss } satisfies SalvageReport)
    }).immediate()
    this.#loss = loss
  }
}

/** After a note, the next one waits this long, in ms: one for each sale would cost another write to the disk. */
const betweenNotes = 5_000

/**
 * Notes beside a connection's folder how far its reports have come, so that a loss of the folder can be named: "at least so many
 * as of then". The first report is noted at once, later ones within seconds, and the note is exact after the close.
 */
export class InUse {
  readonly #context: RoomContext
  readonly #folder: string
  readonly #counts: () => { unsent: number; attention: number }
  #written = ''
  #timer: NodeJS.Timeout | undefined
  #isFailing = false
  #isStopped = false

  constructor(context: RoomContext, folder: string, counts: () => { unsent: number; attention: number }) {
    this.#context = context
    this.#folder = folder
    this.#counts = counts
    context.events.on('operation.changed', 'database/in-use.ts', () => {
      this.changed()
    })
  }

  /** Call at the start: notes how far the reports have come. */
  changed(): void {
    if (this.#isStopped || this.#timer) return
    this.#note()
    // Until there is something to lose, the next report is noted at once.
    if (this.#written === '') return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#note()
    }, betweenNotes).unref()
  }

  /** A last note, on the disk when this returns. Call while the database is open. */
  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
    this.#note(true)
  }

  #note(isLast = false): void {
    const { db, clock, log } = this.#context
    try {
      const { unsent, attention } = this.#counts()
      const line = JournalEnd.safeParse(db.prepare('SELECT entry, hash FROM journal ORDER BY entry DESC LIMIT 1').get())
      const figures = { lastSeq: lastSeqOf(db), unsent, attention, ...(line.success ? { line: line.data } : {}) }
      const text = JSON.stringify(figures)
      // Nothing to lose yet, or nothing new.
      if (figures.lastSeq === 0 || (text === this.#written && !isLast)) return
      // What is missing could not be said at this start: the note must still say it at the next.
      const before = readInUse(this.#folder)
      if (typeof before === 'object' && before.lastSeq > figures.lastSeq) return
      const note = JSON.stringify({ at: clock.now(), ...figures } satisfies Noted)
      if (isLast) writeWhole(inUseFile(this.#folder), note, 0o600)
      else {
        // Not synced: an older note after a power cut is a note too.
        writeFileSync(`${inUseFile(this.#folder)}.new`, note, { mode: 0o600 })
        renameSync(`${inUseFile(this.#folder)}.new`, inUseFile(this.#folder))
      }
      this.#written = text
      this.#isFailing = false
    } catch (cause) {
      if (!this.#isFailing) log.warn('how far the reports have come could not be noted', { cause })
      this.#isFailing = true
    }
  }
}
