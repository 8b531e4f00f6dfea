import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { type RecordedScan, mostScans } from '../../src-shared/ipc/recorded-scan'
import type { Scan } from '../../src-shared/scan/meaning'
import type { Clock } from '../clock'
import type { Log } from '../log'
import { type ScanLine, lineOf, recordedScan } from './scan-line'

/** What was scanned lately, for a person who asks why a code was not taken. A convenience: nothing depends on it. */
export interface ScanJournal {
  /** Trims it, and again every hour. */
  start(): void
  /** Takes a scan; it is written later, and the disk may refuse: never throws. */
  note(scan: Scan): void
  /** At most 200, newest first; with `before`, those below that number. Rows that can't be read are left out. */
  recent(before?: number): { scans: RecordedScan[]; older: number | null }
  /** Writes what is still to be written, and takes no more. */
  close(): void
}

export interface ScanJournalParts {
  db: Database
  clock: Clock
  log: Log
}

/** From a scan to its being written, in ms, unless so many come before. */
export const flushAfter = 1_000
export const mostPending = 50

export const mostKept = 5_000
const longestKept = 30 * 86_400_000
const trimEvery = 3_600_000
/** Lines that may be written between two looks at how many there are. */
const trimAfter = 500

const Numbered = z.object({ number: z.number() })

export function createScanJournal({ db, clock, log }: ScanJournalParts): ScanJournal {
  const insert = db.prepare(`
    INSERT INTO scan (at, source, device, symbology, kind, meaning, raw, raw_length)
    VALUES (@at, @source, @device, @symbology, @kind, @meaning, @raw, @raw_length)`)
  const drop = db.prepare(`
    DELETE FROM scan WHERE at < ? OR number <= (SELECT number FROM scan ORDER BY number DESC LIMIT 1 OFFSET ${mostKept})`)
  const select = db.prepare(`SELECT * FROM scan WHERE number < ? ORDER BY number DESC LIMIT ${mostScans + 1}`)
  const write = db.transaction((lines: readonly ScanLine[]) => {
    for (const line of lines) insert.run(line)
  })

  let pending: ScanLine[] = []
  let timer: NodeJS.Timeout | undefined
  let trimTimer: NodeJS.Timeout | undefined
  let writtenSinceTrim = 0
  let isFailing = false
  let isClosed = false

  /** Whether the disk took it. Only the first of several failures is worth a line in the log. */
  const tried = (what: string, change: () => void): boolean => {
    try {
      change()
      isFailing = false
      return true
    } catch (cause) {
      if (!isFailing) log.warn(what, { cause })
      isFailing = true
      return false
    }
  }

  function flush() {
    clearTimeout(timer)
    timer = undefined
    const lines = pending
    pending = []
    if (lines.length === 0 || !tried('scans could not be kept in the journal', () => write(lines))) return
    writtenSinceTrim += lines.length
    if (writtenSinceTrim >= trimAfter) trim()
  }

  function trim() {
    writtenSinceTrim = 0
    tried('the journal of scans could not be trimmed', () => drop.run(clock.now() - longestKept))
  }

  /** Never at once: whoever scans does not wait for the disk. */
  function flushLater() {
    if (timer && pending.length !== mostPending) return
    clearTimeout(timer)
    timer = setTimeout(flush, pending.length < mostPending ? flushAfter : 0)
    timer.unref()
  }

  return {
    start() {
      trim()
      trimTimer = setInterval(trim, trimEvery)
      trimTimer.unref()
    },
    note(scan) {
      if (isClosed) return
      pending.push(lineOf(scan))
      flushLater()
    },
    recent(before = Number.MAX_SAFE_INTEGER) {
      flush()
      const rows = select.all(before)
      const shown = rows.slice(0, mostScans)
      const last = Numbered.safeParse(shown.at(-1))
      return {
        scans: shown.flatMap((row) => recordedScan(row) ?? []),
        older: rows.length > shown.length && last.success ? last.data.number : null,
      }
    },
    close() {
      isClosed = true
      clearInterval(trimTimer)
      flush()
    },
  }
}
