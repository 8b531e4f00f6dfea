import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { AppError } from '../../src-shared/errors'
import { JournalEntry, OperationState } from '../../src-shared/ipc/contract/outbox'
import { iso } from '../core/clock'
import { parseStored } from '../database/settings'
import { WithShown } from './operation'

/** A step in the life of an operation, as it is written. */
interface JournalStep {
  seq: number
  actor: JournalEntry['actor']
  what: Exclude<JournalEntry['what'], 'other'>
  from: OperationState | null
  to: OperationState
  /** The reason of a refusal or fault, a person's words, or what was changed. */
  detail?: unknown
}

/** Characters of JSON; ours are much shorter. */
const longestDetail = 16_384

const JournalRow = z
  .object({
    at: z.number(),
    actor: z.enum(['person', 'station']),
    what: JournalEntry.shape.what.catch('other'),
    from_state: OperationState.nullable().catch(null),
    to_state: OperationState,
    // An earlier version stored whatever the service said.
    detail: z.string().max(longestDetail).nullable().catch(null),
  })
  .transform(({ at, actor, what, from_state: from, to_state: to, detail }): JournalEntry => ({
    at: iso(at),
    actor,
    what,
    from,
    to,
    reason: (detail === null ? undefined : parseStored(AppError, detail)) ?? null,
    shown: (detail === null ? undefined : parseStored(WithShown, detail)?.shown) ?? null,
    because: detail === null ? null : becauseIn(detail),
  }))

const WithBecause = z.object({ because: z.string() })

/** The text that a person entered, alone or beside what was changed. */
const becauseIn = (detail: string): string | null =>
  parseStored(z.string(), detail) ?? parseStored(WithBecause, detail)?.because ?? null

const Permitted = z
  .object({ operation_seq: z.number(), at: z.number(), detail: z.string().max(longestDetail).nullable() })
  .transform(({ operation_seq: seq, at, detail }) => ({
    seq,
    at,
    because: (detail === null ? undefined : parseStored(z.string(), detail)) ?? null,
  }))

const Time = z
  .object({ entered: z.number(), estimate: z.number() })
  .transform(({ entered, estimate }) => ({ isEntered: entered === 1, isEstimate: estimate === 1 }))

/** Shown in place of a step that can't be read. */
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

/** The journal can't be erased when a customer asks to be forgotten, so it never names one. */
const unnamed = (key: string, value: unknown) => (key === 'customerId' ? undefined : value)

function statementsOf(db: Database) {
  const insert = db.prepare(
    'INSERT INTO journal (operation_seq, at, actor, what, from_state, to_state, detail) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  const permitted = db.prepare(
    `SELECT operation_seq, at, detail FROM journal JOIN operation ON seq = operation_seq
     WHERE what = 'permitted' AND at >= ? AND at < ? ORDER BY entry`,
  )
  const isPermitted = db.prepare(`SELECT 1 FROM journal WHERE operation_seq = ? AND what = 'permitted' LIMIT 1`)
  const timeOf = db.prepare(`
    SELECT coalesce(max(what = 'dated' AND actor = 'person'), 0) AS entered,
      coalesce(max(entry) FILTER (WHERE what = 'saved' AND detail IS NOT NULL), 0)
        > coalesce(max(entry) FILTER (WHERE what = 'dated'), 0) AS estimate
    FROM journal WHERE operation_seq = +?`)
  const select = db.prepare('SELECT * FROM journal WHERE operation_seq = +? ORDER BY entry')
  return { insert, permitted, isPermitted, timeOf, select }
}

/** The append-only history of every operation: who did what, when, from which state to which. */
export class Journal {
  readonly #now: () => number
  readonly #sql: ReturnType<typeof statementsOf>

  constructor(db: Database, now: () => number) {
    this.#now = now
    this.#sql = statementsOf(db)
  }

  /** Call inside the transaction of the step itself. */
  write({ seq, actor, what, from, to, detail }: JournalStep): void {
    this.#sql.insert.run(
      seq,
      this.#now(),
      actor,
      what,
      from,
      to,
      detail === undefined ? null : JSON.stringify(detail, unnamed),
    )
  }

  /** The steps that gates let pass in a span. */
  permitted(from: number, to: number) {
    return this.#sql.permitted.all(from, to).flatMap((row) => Permitted.safeParse(row).data ?? [])
  }

  /** Whether a gate let this operation pass. */
  isPermitted(seq: number): boolean {
    return this.#sql.isPermitted.get(seq) !== undefined
  }

  /** Whether the time of an operation was entered by a person, or is an estimate because the clock was wrong. */
  timeOf(seq: number): { isEntered: boolean; isEstimate: boolean } {
    return Time.parse(this.#sql.timeOf.get(seq))
  }

  /** The steps of one operation, oldest first. */
  of(seq: number): JournalEntry[] {
    return this.#sql.select.all(seq).map((row) => JournalRow.safeParse(row).data ?? unreadable)
  }
}
