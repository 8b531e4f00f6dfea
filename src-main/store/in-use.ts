import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { type DataLoss, SalvageReport } from '../../src-shared/ipc/contract/app'
import { type Clock, iso } from '../clock'
import { type Log, silentLog } from '../log'
import { writeWhole } from './files'
import { missingSetting, reportSetting } from './salvage/salvage'
import { createSettings, parseStored } from './settings'

/** How far the reports of a connection had come. `at`: ms since 1970. `attention`: those that a person has to settle. */
const Noted = z.object({
  at: z.number().int(),
  lastSeq: z.number().int().positive(),
  unsent: z.number().int().nonnegative(),
  attention: z.number().int().nonnegative(),
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

/** What the data of a connection lacks, by what was noted outside of it. `lastSeq`: the last number of a report in it. */
export function lossOf(
  { folder, noted, wasInUse }: Before,
  { lastSeq, isNew }: { lastSeq: number; isNew: boolean },
): DataLoss | null {
  if (noted === undefined || noted === 'unreadable') {
    const isGone = isNew && (noted === 'unreadable' || wasInUse)
    return isGone ? { kind: 'gone', folder, notedAt: null, missing: null, unsent: null } : null
  }
  if (lastSeq >= noted.lastSeq) return null
  return {
    kind: lastSeq === 0 ? 'gone' : 'older',
    folder,
    notedAt: iso(noted.at),
    missing: noted.lastSeq - lastSeq,
    unsent: noted.unsent + noted.attention,
  }
}

/** The last number that a report got. */
function lastSeqOf(db: Database): number {
  const row = db.prepare(`SELECT seq FROM sqlite_sequence WHERE name = 'operation'`).pluck().get()
  return z.number().int().optional().parse(row) ?? 0
}

/**
 * Compares the data that was opened with what was noted outside of it. What is missing is said until a person has read it, and
 * its numbers are never given again. Returns it; null if nothing is missing. Throws if the disk refuses.
 */
export function noteLoss(db: Database, isNew: boolean, before: Before, now: number): DataLoss | null {
  const loss = lossOf(before, { lastSeq: lastSeqOf(db), isNew })
  if (loss === null) return null
  const settings = createSettings(db, silentLog)
  db.transaction(() => {
    const count = z.number().parse(db.prepare('SELECT count(*) FROM operation').pluck().get())
    if (typeof before.noted === 'object') {
      db.prepare(`DELETE FROM sqlite_sequence WHERE name = 'operation'`).run()
      db.prepare(`INSERT INTO sqlite_sequence (name, seq) VALUES ('operation', ?)`).run(before.noted.lastSeq)
      settings.write(missingSetting, before.noted.lastSeq - count)
    }
    // Damage that was found at this start says more; what is missing is added to it.
    const found = settings.read(reportSetting, SalvageReport)
    const none = { at: iso(now), setAside: '', operations: count, fromBackup: 0, lost: null }
    settings.write(reportSetting, { ...(found ?? none), loss } satisfies SalvageReport)
  }).immediate()
  return loss
}

interface InUseParts {
  db: Database
  folder: string
  counts: () => { unsent: number; attention: number }
  clock: Clock
  log: Pick<Log, 'warn'>
}

/** How often it's noted, in ms. A note for each sale would cost another write to the disk. */
const betweenNotes = 60_000

/**
 * Notes beside a connection's folder how far its reports have come, so that a loss of the folder can be named: "at least so many
 * as of then". The note is at most a minute old while Countertag runs, and exact after it was closed.
 */
export class InUse {
  readonly #parts: InUseParts
  #written = ''
  #timer: NodeJS.Timeout | undefined
  #isFailing = false

  constructor(parts: InUseParts) {
    this.#parts = parts
  }

  /** Notes it now and every minute. */
  start(): void {
    this.#note()
    this.#timer = setInterval(() => {
      this.#note()
    }, betweenNotes).unref()
  }

  /** A last note, on the disk when this returns. Call while the database is open. */
  stop(): void {
    clearInterval(this.#timer)
    this.#note(true)
  }

  #note(isLast = false): void {
    const { db, folder, counts, clock, log } = this.#parts
    try {
      const { unsent, attention } = counts()
      const figures = { lastSeq: lastSeqOf(db), unsent, attention }
      const text = JSON.stringify(figures)
      // Nothing to lose yet, or nothing new.
      if (figures.lastSeq === 0 || (text === this.#written && !isLast)) return
      // What is missing could not be said at this start: the note must still say it at the next.
      const before = readInUse(folder)
      if (typeof before === 'object' && before.lastSeq > figures.lastSeq) return
      const note = JSON.stringify({ at: clock.now(), ...figures } satisfies Noted)
      if (isLast) writeWhole(inUseFile(folder), note, 0o600)
      else {
        // Not synced: an older note after a power cut is a note too.
        writeFileSync(`${inUseFile(folder)}.new`, note, { mode: 0o600 })
        renameSync(`${inUseFile(folder)}.new`, inUseFile(folder))
      }
      this.#written = text
      this.#isFailing = false
    } catch (cause) {
      if (!this.#isFailing) log.warn('how far the reports have come could not be noted', { cause })
      this.#isFailing = true
    }
  }
}
