import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import type { AppError } from '../../src-shared/errors'
import type { OperationId } from '../../src-shared/ids'
import type { OperationState } from '../../src-shared/ipc/operation-view'
import { type Operation, OperationRow } from './operation'

/** The table `operation` behind prepared statements: rows in, parsed operations out. */
export interface Rows {
  insert(row: NewRow): number
  bySeq(seq: number): Operation
  byId(id: OperationId): Operation | undefined
  /** All operations that hold a key, oldest first. */
  byKey(key: string): Operation[]
  nextClaimable(now: number): Operation | undefined
  /** When the next operation that waits for nobody is due; null when there is none. */
  nextDueAt(): number | null
  inState(state: OperationState): Operation[]
  open(): Operation[]
  recent(limit: number): Operation[]
  inverseOf(id: OperationId): Operation | undefined
  counts(): { unsent: number; attention: number }
  update(seq: number, change: Change): void
  /** Makes what waits for its next attempt due; `afterOutage`, only what waits because nobody could be reached. */
  makeDue(which: 'all' | 'afterOutage'): void
  setPayload(seq: number, payload: string): void
}

export interface NewRow {
  id: OperationId
  kind: string
  payload: string
  performedAt: string
  performedAtRaw: number
  clockOffset: number
  undoes: OperationId | null
}

/** The columns that change in an operation's life. What is not named stays. */
export interface Change {
  state: OperationState
  attempts?: number
  faults?: number
  nextAttemptAt?: number
  isUncertain?: boolean
  reason?: AppError | null
  note?: string | null
  dismissedBecause?: string
}

const Inserted = z.number()
const Due = z.object({ due: z.number().nullable() })
const Counts = z.object({ unsent: z.number(), attention: z.number() })

/** No pause and no Retry-After is longer, in ms. */
const longestWait = 3_600_000

export function createRows(db: Database): Rows {
  const insert = db.prepare(`
    INSERT INTO operation (id, kind, payload, state, performed_at, performed_at_raw, clock_offset, undoes)
    VALUES (@id, @kind, @payload, 'queued', @performedAt, @performedAtRaw, @clockOffset, @undoes)`)
  const bySeq = db.prepare('SELECT * FROM operation WHERE seq = ?')
  const byId = db.prepare('SELECT * FROM operation WHERE id = ?')
  const byKey = db.prepare(
    'SELECT operation.* FROM operation_key JOIN operation USING (seq) WHERE key = ? ORDER BY seq',
  )
  const claimable = `FROM operation WHERE state IN ('queued', 'unknown') AND blockers = 0`
  // A time further off than the longest pause was written by a clock that has been set back since: it is due.
  const isDue = `(next_attempt_at <= @now OR next_attempt_at > @now + ${longestWait})`
  const nextClaimable = db.prepare(`SELECT * ${claimable} AND ${isDue} ORDER BY seq LIMIT 1`)
  const nextDueAt = db.prepare(`SELECT min(next_attempt_at) AS due ${claimable}`)
  const inState = db.prepare('SELECT * FROM operation WHERE state = ? ORDER BY seq DESC')
  const isOpen = `state IN ('queued', 'sending', 'unknown', 'rejected')`
  const open = db.prepare(`SELECT * FROM operation WHERE ${isOpen} ORDER BY seq DESC`)
  const recent = db.prepare('SELECT * FROM operation ORDER BY seq DESC LIMIT ?')
  const inverseOf = db.prepare(
    `SELECT * FROM operation WHERE undoes = ? AND state NOT IN ('cancelled', 'rejected') ORDER BY seq DESC LIMIT 1`,
  )
  const counts = db.prepare(`
    SELECT count(*) FILTER (WHERE state <> 'rejected') AS unsent, count(*) FILTER (WHERE state = 'rejected') AS attention
    FROM operation WHERE ${isOpen}`)
  const update = db.prepare(`
    UPDATE operation SET state = @state,
      attempts = coalesce(@attempts, attempts), faults = coalesce(@faults, faults),
      next_attempt_at = coalesce(@nextAttemptAt, next_attempt_at), uncertain = coalesce(@uncertain, uncertain),
      reason = iif(@setReason, @reason, reason), note = coalesce(@note, note),
      dismissed_because = coalesce(@dismissedBecause, dismissed_because)
    WHERE seq = @seq`)
  const isWaiting = `state IN ('queued', 'unknown') AND next_attempt_at > 0`
  const allDue = db.prepare(`UPDATE operation SET next_attempt_at = 0 WHERE ${isWaiting}`)
  // Who was told to wait (busy, failing) goes on waiting: that the service answers somebody else changes nothing for it.
  const unreachedDue = db.prepare(`
    UPDATE operation SET next_attempt_at = 0 WHERE ${isWaiting} AND reason ->> '$.code' IN
      ('service/unreachable', 'service/credentials-refused', 'service/credentials-missing')`)
  const setPayload = db.prepare('UPDATE operation SET payload = ? WHERE seq = ?')

  const parse = (row: unknown): Operation => OperationRow.parse(row)
  const parseMaybe = (row: unknown) => (row === undefined ? undefined : parse(row))

  return {
    insert: (row) => Inserted.parse(insert.run(row).lastInsertRowid),
    bySeq: (seq) => parse(bySeq.get(seq)),
    byId: (id) => parseMaybe(byId.get(id)),
    byKey: (key) => byKey.all(key).map(parse),
    nextClaimable: (now) => parseMaybe(nextClaimable.get({ now })),
    nextDueAt: () => Due.parse(nextDueAt.get()).due,
    inState: (state) => inState.all(state).map(parse),
    open: () => open.all().map(parse),
    recent: (limit) => recent.all(limit).map(parse),
    inverseOf: (id) => parseMaybe(inverseOf.get(id)),
    counts: () => Counts.parse(counts.get()),
    update(seq, change) {
      update.run({
        seq,
        state: change.state,
        attempts: change.attempts ?? null,
        faults: change.faults ?? null,
        nextAttemptAt: change.nextAttemptAt ?? null,
        uncertain: change.isUncertain === undefined ? null : Number(change.isUncertain),
        setReason: change.reason === undefined ? 0 : 1,
        reason: change.reason == null ? null : JSON.stringify(change.reason),
        note: change.note ?? null,
        dismissedBecause: change.dismissedBecause ?? null,
      })
    },
    makeDue: (which) => void (which === 'all' ? allDue : unreachedDue).run(),
    setPayload: (seq, payload) => void setPayload.run(payload, seq),
  }
}
