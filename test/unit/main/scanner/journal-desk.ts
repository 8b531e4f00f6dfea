import type { Database } from 'better-sqlite3'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { nothingKnown } from '../../../../src-shared/scan/known'
import { type ReadBy, createScanHub } from '../../../../src-main/scanner/hub'
import { type ScanJournal, createScanJournal } from '../../../../src-main/scanner/scan-journal'
import { silentLog } from '../../../../src-main/log'
import { schemaVersion } from '../../../../src-main/store/migrations'
import { emptyDatabase } from '../../../../src-main/store/schema'
import { type HandClock, handClock } from '../../../fakes/clock'

export const voyager: ReadBy = { symbology: ']Q1', device: { id: 'hid-1', name: 'Voyager' } }
const known = { ...nothingKnown, scanPrefixes: { order: 'ORD-', badge: 'EMP-' } }

/** A journal on an empty database, and a clock that stands; new ones for each test of the file that asks for it. */
export function journalDesk() {
  let db: Database
  let clock: HandClock
  let journal: ScanJournal
  let warned: unknown[][]

  beforeEach(() => {
    vi.useFakeTimers()
    db = emptyDatabase(schemaVersion)
    clock = handClock()
    warned = []
    const log = { ...silentLog, warn: (...words: unknown[]) => warned.push(words) }
    journal = createScanJournal({ db, clock, log })
  })
  afterEach(() => {
    journal.close()
    db.close()
    expect(vi.getTimerCount()).toBe(0)
    vi.useRealTimers()
  })

  return {
    get db() {
      return db
    },
    get clock() {
      return clock
    },
    get journal() {
      return journal
    },
    /** What the log was warned of. */
    get warned() {
      return warned
    },
    /** Scans through a hub of its own, so that no two are one. */
    scan(text: string, readBy?: ReadBy) {
      const hub = createScanHub({ clock, known: () => known, onScan: (one) => journal.note(one) })
      hub.submit(text, readBy ? 'hid' : 'typed', readBy ? { readBy } : {})
    },
    texts: () => journal.recent().scans.map(({ raw }) => raw?.text),
    /** How many are on the disk. */
    rows: () => Number(db.prepare('SELECT count(*) FROM scan').pluck().get()),
  }
}
