import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { type AppError, type ErrorCode, outOfReach, withoutSignIn } from '../../src-shared/errors'
import type { OperationId } from '../../src-shared/ids'
import type { OperationState, Shown } from '../../src-shared/ipc/contract/outbox'
import { type Operation, operationOf, seqOfId, untouched } from './operation'
import type { Payload } from './payload'

interface NewRow {
  id: OperationId
  payload: Payload
  performedAt: string
  performedAtRaw: number
  clockOffset: number
  undoes: OperationId | null
}

type TimeColumn = 'performedAt' | 'performedAtRaw' | 'clockOffset'

/** The columns that change in an operation's life. Those left out keep their values. */
export interface Change {
  state: OperationState
  attempts?: number
  faults?: number
  nextAttemptAt?: number
  isUncertain?: boolean
  reason?: AppError | null
  /** What reading showed: stored beside the reason. */
  shown?: Shown | undefined
  isUnsettled?: boolean
  note?: string | null
  dismissedBecause?: string
}

const ClockColumns = z.object({ raw: z.number(), offset: z.number() })
const DueMoment = z.object({ due: z.number().nullable() })
const OutboxCounts = z
  .object({ unsent: z.number(), refused: z.number(), unsettled: z.number(), takenBack: z.number() })
  .transform(({ unsent, refused, unsettled, takenBack }) => ({
    unsent: unsent - unsettled,
    attention: refused + unsettled + takenBack,
  }))

const Done = z.object({ state: z.string(), at: z.number(), is_sale: z.number() })

/** So much later the clock may have been when an earlier report was made, in ms. */
const clockSlack = 86_400_000
/** After so many older reports, the earlier ones are older too. */
const mostOlder = 500
/** The longest pause or Retry-After, in ms. */
const longestWait = 3_600_000
/** How far a chain of waiting operations is followed. */
const longestWalk = 100

const isOpen = `state IN ('queued', 'sending', 'unknown', 'rejected')`
// `isOpen` is implied, but lets SQLite use the index.
const isWaiting = `state IN ('queued', 'unknown') AND ${isOpen} AND next_attempt_at > 0`

/** Makes due what waits for one of these reasons: an operation that the service told to wait keeps waiting. */
const dueAfter = (codes: readonly ErrorCode[]) => `
  UPDATE operation SET next_attempt_at = 0 WHERE ${isWaiting} AND next_attempt_at > 0 AND reason ->> '$.code' IN
    (${codes.map((code) => `'${code}'`).join()})`

function statementsOf(db: Database) {
  const insert = db.prepare(`
    INSERT INTO operation (id, kind, payload, state, performed_at, performed_at_raw, clock_offset, undoes)
    VALUES (?, ?, ?, 'queued', ?, ?, ?, ?)`)
  const bySeq = db.prepare('SELECT * FROM operation WHERE seq = ?')
  const byId = db.prepare('SELECT * FROM operation WHERE id = ?')
  const byKey = db.prepare(
    'SELECT operation.* FROM operation_key JOIN operation USING (seq) WHERE key = +? ORDER BY seq',
  )
  const claimable = `FROM operation WHERE state IN ('queued', 'unknown') AND blockers = 0`
  // Both use one index: operations whose pause is over, and those never tried, in their order.
  const waited = db.prepare(
    `SELECT * ${claimable} AND next_attempt_at > 0 AND next_attempt_at <= ? ORDER BY next_attempt_at LIMIT 1`,
  )
  const untried = db.prepare(`SELECT * ${claimable} AND next_attempt_at = 0 ORDER BY seq LIMIT 1`)
  // A time further off than the longest pause was written before the clock was set back: the operation is due.
  const stranded = db.prepare(`SELECT * ${claimable} AND next_attempt_at > ? ORDER BY next_attempt_at DESC LIMIT 1`)
  const nextDueAt = db.prepare(`SELECT min(next_attempt_at) AS due ${claimable}`)
  // One state at a time, so that the index on it gives the order.
  const inState = db.prepare(`SELECT * FROM operation WHERE state = +? AND ${isOpen} ORDER BY seq LIMIT +?`)
  const waiting = db.prepare(
    `SELECT * FROM operation WHERE state = +? AND ${isOpen} AND unsettled = 0 ORDER BY seq LIMIT +?`,
  )
  const attention = db.prepare(`
    SELECT * FROM operation WHERE state = 'rejected' AND ${isOpen}
    UNION ALL SELECT * FROM operation WHERE unsettled = 1
    ORDER BY seq DESC LIMIT +?`)
  const isOver = `state IN ('accepted', 'cancelled')`
  const recent = db.prepare(
    `SELECT * FROM operation INDEXED BY operation_over WHERE ${isOver} AND unsettled = 0 ORDER BY seq DESC LIMIT +?`,
  )
  const newest = db.prepare(`
    SELECT iif(unsettled, 'unsettled', state) AS state, performed_at_raw + clock_offset AS at,
      kind IN ('complete', 'return', 'void') AS is_sale
    FROM operation ORDER BY seq DESC`)
  const takenBack = db.prepare(`SELECT 1 FROM operation WHERE unsettled = 1 AND state = 'cancelled' LIMIT 1`)
  const blockerOf = db.prepare(`
    SELECT operation.* FROM operation_wait JOIN operation ON seq = blocker WHERE waiter = +? ORDER BY blocker LIMIT 1`)
  const inverseOf = db.prepare(
    `SELECT * FROM operation WHERE undoes = +? AND state NOT IN ('cancelled', 'rejected') ORDER BY seq DESC LIMIT 1`,
  )
  const undoing = db.prepare('SELECT * FROM operation WHERE undoes = +? ORDER BY seq')
  const counts = db.prepare(`
    SELECT count(*) FILTER (WHERE state <> 'rejected') AS unsent, count(*) FILTER (WHERE state = 'rejected') AS refused,
      (SELECT count(*) FROM operation WHERE unsettled = 1 AND state <> 'cancelled') AS unsettled,
      (SELECT count(*) FROM operation WHERE unsettled = 1 AND state = 'cancelled') AS takenBack
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
  const allDue = db.prepare(`UPDATE operation SET next_attempt_at = 0 WHERE ${isWaiting}`)
  const unreachedDue = db.prepare(dueAfter(outOfReach))
  const undatedDue = db.prepare(dueAfter(['outbox/time-unknown']))
  const outageDue = db.prepare(dueAfter([...outOfReach, ...withoutSignIn, 'service/failing', 'service/unreadable']))
  const setPayload = db.prepare('UPDATE operation SET kind = ?, payload = ? WHERE seq = ?')
  const setTime = db.prepare(
    'UPDATE operation SET performed_at = ?, performed_at_raw = ?, clock_offset = ?, next_attempt_at = 0 WHERE seq = ?',
  )
  const setEntry = db.prepare('UPDATE sale_entry SET at = ? WHERE seq = ?')
  const clockOf = db.prepare('SELECT performed_at_raw AS raw, clock_offset AS offset FROM operation WHERE seq = ?')
  const latestBefore = db
    .prepare(
      `SELECT max(performed_at_raw + clock_offset) FROM operation
       WHERE seq < @seq AND seq >= @seq - @most AND performed_at_raw + clock_offset <= @now`,
    )
    .pluck()
  const blindBefore = db.prepare(
    `SELECT 1 FROM operation WHERE ${isOpen} AND state <> 'rejected' AND kind = 'blind-import' AND seq < ? LIMIT 1`,
  )
  return {
    insert,
    bySeq,
    byId,
    byKey,
    waited,
    untried,
    stranded,
    nextDueAt,
    inState,
    waiting,
    attention,
    recent,
    newest,
    takenBack,
    blockerOf,
    inverseOf,
    undoing,
    counts,
    oldest,
    update,
    allDue,
    unreachedDue,
    undatedDue,
    outageDue,
    setPayload,
    setTime,
    setEntry,
    clockOf,
    latestBefore,
    blindBefore,
  }
}

/** The table `operation` behind prepared statements: takes changes, returns parsed operations. Why `+?`: database.md. */
export class Rows {
  readonly #sql: ReturnType<typeof statementsOf>

  constructor(db: Database) {
    this.#sql = statementsOf(db)
  }

  /** Returns the operation as its new row holds it, without reading it back. */
  insert({ id, payload, performedAt, performedAtRaw, clockOffset, undoes }: NewRow): Operation {
    const { kind } = payload
    const values = [id, kind, JSON.stringify(payload), performedAt, performedAtRaw, clockOffset, undoes]
    const { lastInsertRowid } = this.#sql.insert.run(values)
    return { ...untouched, seq: Number(lastInsertRowid), id, kind, payload, performedAt, undoes }
  }

  bySeq(seq: number): Operation {
    return operationOf(this.#sql.bySeq.get(seq))
  }

  byId(id: OperationId): Operation | undefined {
    const row = this.#parseMaybe(this.#sql.byId.get(id))
    const seq = row ? undefined : seqOfId(id)
    const unreadable = seq === undefined ? undefined : this.#parseMaybe(this.#sql.bySeq.get(seq))
    return row ?? (unreadable?.id === id ? unreadable : undefined)
  }

  /** All operations that hold a key, oldest first. */
  byKey(key: string): Operation[] {
    return this.#sql.byKey.all(key).map(operationOf)
  }

  /** The next operation that may be sent: one never tried, or one whose pause is over; `untriedFirst` says which wins. */
  nextClaimable(now: number, untriedFirst: boolean): Operation | undefined {
    const wanted = untriedFirst
      ? (this.#sql.untried.get() ?? this.#sql.waited.get(now))
      : (this.#sql.waited.get(now) ?? this.#sql.untried.get())
    return this.#parseMaybe(wanted ?? this.#sql.stranded.get(now + longestWait))
  }

  /** When the next operation that no other blocks is due; null if there is none. */
  nextDueAt(): number | null {
    return DueMoment.parse(this.#sql.nextDueAt.get()).due
  }

  inState(state: OperationState): Operation[] {
    return this.#sql.inState.all(state, -1).map(operationOf)
  }

  /** Queued, sending and unknown ones, oldest first; without those that a person has to settle. */
  waiting(limit: number): Operation[] {
    return (['queued', 'sending', 'unknown'] as const)
      .flatMap((state) => this.#sql.waiting.all(state, limit))
      .map(operationOf)
      .sort((a, b) => a.seq - b.seq)
      .slice(0, limit)
  }

  /** Rejected ones, those that a person has to settle, and those taken back but not sent again, newest first. */
  attention(limit: number): Operation[] {
    return this.#sql.attention.all(limit).map(operationOf)
  }

  /** Whether any was taken back and not sent again. */
  hasTakenBack(): boolean {
    return this.#sql.takenBack.get() !== undefined
  }

  /** Accepted and cancelled ones that need no attention, newest first. */
  recent(limit: number): Operation[] {
    return this.#sql.recent.all(limit).map(operationOf)
  }

  /**
   * How many performed since a moment the service has, how many of them are sales, returns and voids (those that the closing
   * report counts), and how many were taken back or dismissed.
   */
  doneSince(moment: number): Record<'accepted' | 'sales' | 'cancelled', number> {
    const counted = { accepted: 0, sales: 0, cancelled: 0 }
    let older = 0
    for (const row of this.#sql.newest.iterate()) {
      const { state, at, is_sale: isSale } = Done.parse(row)
      // A person may have dated single ones days back.
      if (at < moment - clockSlack && ++older > mostOlder) break
      if (at < moment || (state !== 'accepted' && state !== 'cancelled')) continue
      counted[state]++
      if (state === 'accepted') counted.sales += isSale
    }
    return counted
  }

  /** The first operation this one waits for, over any number of others in between; undefined if none. */
  heldUpBy(operation: Operation): Operation | undefined {
    let first: Operation | undefined
    let next = this.#parseMaybe(this.#sql.blockerOf.get(operation.seq))
    for (let steps = 0; next && steps < longestWalk; steps++) {
      first = next
      next = this.#parseMaybe(this.#sql.blockerOf.get(first.seq))
    }
    return first
  }

  inverseOf(id: OperationId): Operation | undefined {
    return this.#parseMaybe(this.#sql.inverseOf.get(id))
  }

  /** What was saved to undo an operation, oldest first; some kinds have several. */
  undoing(id: OperationId): Operation[] {
    return this.#sql.undoing.all(id).map(operationOf)
  }

  /** `attention`: as many as that list has. `oldestUnsentAt`: by this station's clock; null if nothing is unsent. */
  counts() {
    return {
      ...OutboxCounts.parse(this.#sql.counts.get()),
      oldestUnsentAt: DueMoment.optional().parse(this.#sql.oldest.get())?.due ?? null,
    }
  }

  update(seq: number, change: Change): void {
    this.#sql.update.run({
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
  }

  /**
   * Ends the pauses of all, of those whose last attempt an outage of any kind may explain, or only of those that it didn't
   * reach the service in.
   */
  makeDue(which: 'all' | 'afterOutage' | 'unreached' | 'undated'): void {
    void {
      all: this.#sql.allDue,
      afterOutage: this.#sql.outageDue,
      unreached: this.#sql.unreachedDue,
      undated: this.#sql.undatedDue,
    }[which].run()
  }

  /** Replaces what an operation reports, and with it the kind. */
  setPayload(seq: number, payload: Payload): void {
    this.#sql.setPayload.run(payload.kind, JSON.stringify(payload), seq)
  }

  /** Sets when it was done, here and in the day; it's due at once. Call in a transaction. */
  setTime(seq: number, { performedAt, performedAtRaw, clockOffset }: Pick<NewRow, TimeColumn>): void {
    this.#sql.setTime.run(performedAt, performedAtRaw, clockOffset, seq)
    this.#sql.setEntry.run(performedAtRaw + clockOffset, seq)
  }

  /** What the computer's clock showed when an operation was done (ms since 1970), and the offset that was added (ms). */
  clockOf(seq: number): { raw: number; offset: number } {
    return ClockColumns.parse(this.#sql.clockOf.get(seq))
  }

  /** The latest time, up to `now`, of so many operations before one; null if there is none. */
  latestBefore(seq: number, most: number, now: number): number | null {
    return z.number().nullable().parse(this.#sql.latestBefore.get({ seq, most, now }))
  }

  /** Whether a blind import before an operation may still turn out to be the import of its items. */
  hasBlindBefore(seq: number): boolean {
    return this.#sql.blindBefore.get(seq) !== undefined
  }

  #parseMaybe(row: unknown) {
    return row === undefined ? undefined : operationOf(row)
  }
}
