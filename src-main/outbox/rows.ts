import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import type { AppError } from '../../src-shared/errors'
import { outOfReach, withoutSignIn } from '../../src-shared/silence'
import type { OperationId } from '../../src-shared/ids'
import type { OperationState, Shown } from '../../src-shared/ipc/operation-view'
import { type Operation, operationOf, seqOfId } from './operation'
import type { Payload } from './payload'

/** The table `operation` behind prepared statements: rows in, parsed operations out. */
export interface Rows {
  /** The operation as it stands in its new row, which is not read back for it. */
  insert(row: NewRow): Operation
  bySeq(seq: number): Operation
  byId(id: OperationId): Operation | undefined
  /** All operations that hold a key, oldest first. */
  byKey(key: string): Operation[]
  /** Of those that waited for a time of their own and those never tried, which comes first is for the caller to say. */
  nextClaimable(now: number, untriedFirst: boolean): Operation | undefined
  /** When the next operation that waits for nobody is due; null when there is none. */
  nextDueAt(): number | null
  inState(state: OperationState): Operation[]
  /** Oldest first: queued, sending, unknown; without those that a person has to settle. */
  waiting(limit: number): Operation[]
  /** Newest first: rejected, and those that a person has to settle. */
  attention(limit: number): Operation[]
  /** Newest first: accepted, cancelled. */
  recent(limit: number): Operation[]
  /** The first in the queue before an operation that waits; undefined when it waits for nobody. */
  heldUpBy(operation: Operation): Operation | undefined
  inverseOf(id: OperationId): Operation | undefined
  /** What was saved to undo an operation, oldest first; of some kinds several. */
  undoing(id: OperationId): Operation[]
  /** `attention`: as in the list. `oldestUnsentAt`: by the station's own clock; null when nothing is unsent. */
  counts(): { unsent: number; attention: number; oldestUnsentAt: number | null }
  update(seq: number, change: Change): void
  /** Makes what waits for its next attempt due; `afterOutage`, only what waits because nobody could be reached. */
  makeDue(which: 'all' | 'afterOutage'): void
  /** What it reports, and with that its kind. */
  setPayload(seq: number, payload: Payload): void
  /** Whether a blind import before an operation may still turn out to be that of its items. */
  hasBlindBefore(seq: number): boolean
}

export interface NewRow {
  id: OperationId
  payload: Payload
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
  /** What reading showed, stored beside the reason. */
  shown?: Shown | undefined
  isUnsettled?: boolean
  note?: string | null
  dismissedBecause?: string
}

const Due = z.object({ due: z.number().nullable() })
const Counts = z
  .object({ unsent: z.number(), refused: z.number(), unsettled: z.number() })
  .transform(({ unsent, refused, unsettled }) => ({ unsent: unsent - unsettled, attention: refused + unsettled }))

/** No pause and no Retry-After is longer, in ms. */
const longestWait = 3_600_000
/** A chain longer than this is shown by whoever stands so far ahead. */
const longestWalk = 100

export function createRows(db: Database): Rows {
  const insert = db.prepare(`
    INSERT INTO operation (id, kind, payload, state, performed_at, performed_at_raw, clock_offset, undoes)
    VALUES (?, ?, ?, 'queued', ?, ?, ?, ?)`)
  const bySeq = db.prepare('SELECT * FROM operation WHERE seq = ?')
  const byId = db.prepare('SELECT * FROM operation WHERE id = ?')
  const byKey = db.prepare(
    'SELECT operation.* FROM operation_key JOIN operation USING (seq) WHERE key = ? ORDER BY seq',
  )
  const claimable = `FROM operation WHERE state IN ('queued', 'unknown') AND blockers = 0`
  // Looks into one index: whoever was told to wait and has waited, and those never tried, in their order.
  const waited = db.prepare(
    `SELECT * ${claimable} AND next_attempt_at > 0 AND next_attempt_at <= ? ORDER BY next_attempt_at LIMIT 1`,
  )
  const untried = db.prepare(`SELECT * ${claimable} AND next_attempt_at = 0 ORDER BY seq LIMIT 1`)
  // A time further off than the longest pause was written by a clock that has been set back since: it is due.
  const stranded = db.prepare(`SELECT * ${claimable} AND next_attempt_at > ? ORDER BY next_attempt_at DESC LIMIT 1`)
  const nextDueAt = db.prepare(`SELECT min(next_attempt_at) AS due ${claimable}`)
  const isOpen = `state IN ('queued', 'sending', 'unknown', 'rejected')`
  // State by state, so that the index on it gives each in order.
  const inState = db.prepare(`SELECT * FROM operation WHERE state = ? AND ${isOpen} ORDER BY seq LIMIT ?`)
  const waiting = db.prepare(
    `SELECT * FROM operation WHERE state = ? AND ${isOpen} AND unsettled = 0 ORDER BY seq LIMIT ?`,
  )
  const attention = db.prepare(`
    SELECT * FROM operation WHERE state = 'rejected'
    UNION ALL SELECT * FROM operation WHERE unsettled = 1
    ORDER BY seq DESC LIMIT ?`)
  const isOver = `state IN ('accepted', 'cancelled')`
  const recent = db.prepare(
    `SELECT * FROM operation INDEXED BY operation_over WHERE ${isOver} ORDER BY seq DESC LIMIT ?`,
  )
  const blockerOf = db.prepare(`
    SELECT operation.* FROM operation_wait JOIN operation ON seq = blocker WHERE waiter = ? ORDER BY blocker LIMIT 1`)
  const inverseOf = db.prepare(
    `SELECT * FROM operation WHERE undoes = ? AND state NOT IN ('cancelled', 'rejected') ORDER BY seq DESC LIMIT 1`,
  )
  const undoing = db.prepare('SELECT * FROM operation WHERE undoes = ? ORDER BY seq')
  const counts = db.prepare(`
    SELECT count(*) FILTER (WHERE state <> 'rejected') AS unsent, count(*) FILTER (WHERE state = 'rejected') AS refused,
      (SELECT count(*) FROM operation WHERE unsettled = 1) AS unsettled
    FROM operation WHERE ${isOpen}`)
  const oldest = db.prepare(`
    SELECT performed_at_raw AS due FROM operation WHERE seq = (
      SELECT min(first) FROM (
        SELECT min(seq) AS first FROM operation WHERE state = 'queued'
        UNION ALL SELECT min(seq) FROM operation WHERE state = 'sending' AND unsettled = 0
        UNION ALL SELECT min(seq) FROM operation WHERE state = 'unknown' AND unsettled = 0))`)
  const update = db.prepare(`
    UPDATE operation SET state = @state,
      attempts = coalesce(@attempts, attempts), faults = coalesce(@faults, faults),
      next_attempt_at = coalesce(@nextAttemptAt, next_attempt_at), uncertain = coalesce(@uncertain, uncertain),
      reason = iif(@setReason, @reason, reason), note = coalesce(@note, note),
      dismissed_because = coalesce(@dismissedBecause, dismissed_because),
      unsettled = coalesce(@unsettled, unsettled)
    WHERE seq = @seq`)
  // That they are open, too, lets the index find them.
  const isWaiting = `state IN ('queued', 'unknown') AND ${isOpen} AND next_attempt_at > 0`
  const allDue = db.prepare(`UPDATE operation SET next_attempt_at = 0 WHERE ${isWaiting}`)
  // Who was told to wait (busy, failing) goes on waiting: that the service answers somebody else changes nothing for it.
  const unreachedDue = db.prepare(`
    UPDATE operation SET next_attempt_at = 0 WHERE ${isWaiting} AND reason ->> '$.code' IN
      (${[...outOfReach, ...withoutSignIn, 'service/failing', 'service/unreadable'].map((code) => `'${code}'`).join()})`)
  const setPayload = db.prepare('UPDATE operation SET kind = ?, payload = ? WHERE seq = ?')
  const blindBefore = db.prepare(
    `SELECT 1 FROM operation WHERE ${isOpen} AND state <> 'rejected' AND kind = 'blind-import' AND seq < ? LIMIT 1`,
  )

  const parseMaybe = (row: unknown) => (row === undefined ? undefined : operationOf(row))

  return {
    insert(row) {
      const { id, payload, performedAt, performedAtRaw, clockOffset, undoes } = row
      const { kind } = payload
      const { lastInsertRowid } = insert.run(
        id,
        kind,
        JSON.stringify(payload),
        performedAt,
        performedAtRaw,
        clockOffset,
        undoes,
      )
      const fresh = {
        state: 'queued',
        attempts: 0,
        faults: 0,
        nextAttemptAt: 0,
        isUncertain: false,
        blockers: 0,
        isUnsettled: false,
        shown: null,
      } as const
      const untold = { reason: null, note: null, dismissedBecause: null }
      return { seq: Number(lastInsertRowid), id, kind, payload, performedAt, undoes, ...fresh, ...untold }
    },
    bySeq: (seq) => operationOf(bySeq.get(seq)),
    byId(id) {
      const row = parseMaybe(byId.get(id))
      const seq = row ? undefined : seqOfId(id)
      const unreadable = seq === undefined ? undefined : parseMaybe(bySeq.get(seq))
      return row ?? (unreadable?.id === id ? unreadable : undefined)
    },
    byKey: (key) => byKey.all(key).map(operationOf),
    nextClaimable(now, untriedFirst) {
      const wanted = untriedFirst ? (untried.get() ?? waited.get(now)) : (waited.get(now) ?? untried.get())
      return parseMaybe(wanted ?? stranded.get(now + longestWait))
    },
    nextDueAt: () => Due.parse(nextDueAt.get()).due,
    inState: (state) => inState.all(state, -1).map(operationOf),
    waiting: (limit) =>
      (['queued', 'sending', 'unknown'] as const)
        .flatMap((state) => waiting.all(state, limit))
        .map(operationOf)
        .sort((a, b) => a.seq - b.seq)
        .slice(0, limit),
    attention: (limit) => attention.all(limit).map(operationOf),
    recent: (limit) => recent.all(limit).map(operationOf),
    heldUpBy(operation) {
      let first: Operation | undefined
      let next = parseMaybe(blockerOf.get(operation.seq))
      for (let steps = 0; next && steps < longestWalk; steps++) {
        first = next
        next = parseMaybe(blockerOf.get(first.seq))
      }
      return first
    },
    inverseOf: (id) => parseMaybe(inverseOf.get(id)),
    undoing: (id) => undoing.all(id).map(operationOf),
    counts: () => ({ ...Counts.parse(counts.get()), oldestUnsentAt: Due.optional().parse(oldest.get())?.due ?? null }),
    update(seq, change) {
      update.run({
        seq,
        state: change.state,
        attempts: change.attempts ?? null,
        faults: change.faults ?? null,
        nextAttemptAt: change.nextAttemptAt ?? null,
        uncertain: change.isUncertain === undefined ? null : Number(change.isUncertain),
        setReason: change.reason === undefined ? 0 : 1,
        reason: change.reason == null ? null : JSON.stringify({ ...change.reason, shown: change.shown }),
        note: change.note ?? null,
        dismissedBecause: change.dismissedBecause ?? null,
        unsettled: change.isUnsettled === undefined ? null : Number(change.isUnsettled),
      })
    },
    makeDue: (which) => void (which === 'all' ? allDue : unreachedDue).run(),
    setPayload: (seq, payload) => void setPayload.run(payload.kind, JSON.stringify(payload), seq),
    hasBlindBefore: (seq) => blindBefore.get(seq) !== undefined,
  }
}
