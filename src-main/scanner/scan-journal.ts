import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { mostScans } from '../../src-shared/ipc/contract/scanner'
import type { Scan } from '../../src-shared/scan/meaning'
import type { Clock } from '../core/clock'
import type { Log } from '../core/log'
import { type ScanLine, lineOf, recordedScan } from './scan-line'

export type ScanJournal = ReturnType<typeof createScanJournal>

/** Scans are written after so many ms, or as soon as so many wait. */
export const flushAfter = 1_000
export const mostPending = 50

export const mostKept = 5_000
const longestKept = 30 * 86_400_000
const trimEvery = 3_600_000
/** Trims after so many written lines. */
const trimAfter = 500

const Numbered = z.object({ number: z.number() })

/** Keeps recent scans, for a person who asks why a code was not accepted. Nothing depends on it. */
export function createScanJournal({ db, clock, log }: { db: Database; clock: Clock; log: Log }) {
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

  /** Whether the change was written. Of several failures in a row only the first is logged. */
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

  /** Deferred, so that a scan never waits for the disk. */
  function flushLater() {
    if (timer && pending.length !== mostPending) return
    clearTimeout(timer)
    timer = setTimeout(flush, pending.length < mostPending ? flushAfter : 0)
    timer.unref()
  }

  return {
    /** Trims now and every hour. */
    start() {
      trim()
      trimTimer = setInterval(trim, trimEvery)
      trimTimer.unref()
    },
    /** Takes a scan to be written later. Never throws, even if the disk refuses. */
    note(scan: Scan) {
      if (isClosed) return
      pending.push(lineOf(scan))
      flushLater()
    },
    /** Up to 200 scans, newest first; with `before`, those with a smaller number. Unreadable rows are left out. */
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
    /** Writes what is pending and takes no more. */
    close() {
      isClosed = true
      clearInterval(trimTimer)
      flush()
    },
  }
}
