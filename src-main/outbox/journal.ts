import type { Database } from 'better-sqlite3'
import type { OperationState } from '../../src-shared/ipc/operation-view'

export interface JournalEntry {
  seq: number
  actor: 'person' | 'station'
  what: string
  from: OperationState | null
  to: OperationState
  detail?: unknown
}

/** The append-only history of every operation. */
export type Journal = (entry: JournalEntry) => void

export function createJournal(db: Database, now: () => number): Journal {
  const insert = db.prepare(
    'INSERT INTO journal (operation_seq, at, actor, what, from_state, to_state, detail) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  return ({ seq, actor, what, from, to, detail }) => {
    insert.run(seq, now(), actor, what, from, to, detail === undefined ? null : JSON.stringify(detail))
  }
}
