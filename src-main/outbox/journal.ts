import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { AppError } from '../../src-shared/errors'
import { JournalEntry, OperationState } from '../../src-shared/ipc/operation-view'
import { iso } from '../clock'
import { parseStored } from '../store/settings'
import { WithShown } from './operation'

type What = Exclude<JournalEntry['what'], 'other'>

export interface Step {
  seq: number
  actor: JournalEntry['actor']
  what: What
  from: OperationState | null
  to: OperationState
  /** The reason of a refusal or fault, a person's words, or what was changed. */
  detail?: unknown
}

/** The append-only history of every operation: who did what, when, from which state to which. */
export interface Journal {
  /** Call inside the transaction of the step itself. */
  write(step: Step): void
  /** The steps of one operation, oldest first. */
  of(seq: number): JournalEntry[]
}

/** Characters of JSON; ours are much shorter. */
const longestDetail = 16_384

const Row = z
  .object({
    at: z.number(),
    actor: z.enum(['person', 'station']),
    what: JournalEntry.shape.what.catch('other'),
    from_state: OperationState.nullable().catch(null),
    to_state: OperationState,
    // An earlier version wrote down whatever the service said.
    detail: z.string().max(longestDetail).nullable().catch(null),
  })
  .transform(({ at, actor, what, from_state: from, to_state: to, detail }): JournalEntry => {
    const reason = detail === null ? undefined : parseStored(AppError, detail)
    const because = detail === null ? undefined : parseStored(z.string(), detail)
    const shown = detail === null ? undefined : parseStored(WithShown, detail)?.shown
    return {
      at: iso(at),
      actor,
      what,
      from,
      to,
      reason: reason ?? null,
      shown: shown ?? null,
      because: because ?? null,
    }
  })

/** Nothing is erased from the journal when a customer wants to be forgotten, so none is named in it. */
const unnamed = (key: string, value: unknown) => (key === 'customerId' ? undefined : value)

/** A step of which something can't be read: that there was one is said. */
const unreadable: JournalEntry = {
  at: iso(0),
  actor: 'station',
  what: 'other',
  from: null,
  to: 'unknown',
  reason: null,
  shown: null,
  because: null,
}

export function createJournal(db: Database, now: () => number): Journal {
  const insert = db.prepare(
    'INSERT INTO journal (operation_seq, at, actor, what, from_state, to_state, detail) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  const select = db.prepare('SELECT * FROM journal WHERE operation_seq = ? ORDER BY entry')
  return {
    write({ seq, actor, what, from, to, detail }) {
      insert.run(seq, now(), actor, what, from, to, detail === undefined ? null : JSON.stringify(detail, unnamed))
    },
    of: (seq) => select.all(seq).map((row) => Row.safeParse(row).data ?? unreadable),
  }
}
