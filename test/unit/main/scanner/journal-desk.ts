import type { Database } from 'better-sqlite3'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { nothingKnown } from '../../../../src-shared/scan/known'
import { type ReadBy, createScanHub } from '../../../../src-main/scanner/scanners'
import { type ScanJournal, createScanJournal } from '../../../../src-main/scanner/scan-journal'
import { silentLog } from '../../../../src-main/core/log'
import { schemaVersion } from '../../../../src-main/database/migrations'
import { emptyDatabase } from '../../../../src-main/database/schema'
import { type HandClock, handClock } from '../../../fakes/clock'

export const voyager: ReadBy = { symbology: ']Q1', device: { id: 'hid-1', name: 'Voyager' } }
const known = { ...nothingKnown, scanPrefixes: { order: 'ORD-', badge: 'EMP-' } }

/** A journal on an empty database with a fake clock; call once per test file, they are new for each test. */
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
    /** The warnings in the log. */
    get warned() {
      return warned
    },
    /** Submits scans, each through a separate hub so that none counts as a repeat. */
    scan(text: string, readBy?: ReadBy) {
      const hub = createScanHub({ clock, known: () => known, onScan: (one) => journal.note(one) })
      hub.submit(text, readBy ? 'hid' : 'typed', readBy ? { readBy } : {})
    },
    texts: () => journal.recent().scans.map(({ raw }) => raw?.text),
    /** The number of stored scans. */
    rows: () => Number(db.prepare('SELECT count(*) FROM scan').pluck().get()),
  }
}
