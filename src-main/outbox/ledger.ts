import type { Database } from 'better-sqlite3'
import { type Journal, createJournal } from './journal'
import { type Locks, createLocks } from './locks'
import { type Rows, createRows } from './rows'
import type { AtStep } from './steps'

/** The tables of the outbox, which its parts write together: what is in one is in the others, or in none. */
export interface Ledger {
  db: Database
  rows: Rows
  locks: Locks
  journal: Journal
  atStep: AtStep
}

export const openLedger = (db: Database, now: () => number, atStep: AtStep): Ledger => ({
  db,
  rows: createRows(db),
  locks: createLocks(db),
  journal: createJournal(db, now),
  atStep,
})
