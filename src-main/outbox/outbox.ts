import { randomUUID } from 'node:crypto'
import type { Database } from 'better-sqlite3'
import type { AppError } from '../../src-shared/errors'
import { type CaseId, OperationId, type TagId } from '../../src-shared/ids'
import type { JournalEntry } from '../../src-shared/ipc/operation-view'
import { type Result, assertNever, err, ok } from '../../src-shared/result'
import { type Clock, type ServiceClock, iso } from '../clock'
import type { Log } from '../log'
import { saved } from '../store/saved'
import { createJournal } from './journal'
import { createLocks } from './locks'
import { type Operation, isWithdrawable } from './operation'
import { type Outcome, pauseAfter } from './outcome'
import { type Payload, keysOf } from './payload'
import { type Change, type Rows, createRows } from './rows'
import type { AtStep } from './steps'

/** The durable list of operations: states, guarantees and crash cases are in outbox.md. */
export interface Outbox {
  /**
   * Saves an operation, together with the local state it changes (`alongside`), in one commit. Only after that may
   * anyone be told that it is saved. Errors: store/not-saved.
   */
  enqueue(payload: Payload, options?: EnqueueOptions): Result<Operation, AppError>
  /** Takes the next operation that is due and waits for nobody; it is `sending` from here on. */
  claim(): Operation | undefined
  /** Records what an attempt did; if `claimsNext`, what may go next is claimed in the same commit, and given. */
  settle(seq: number, outcome: Outcome, claimsNext?: boolean): Operation | undefined
  /**
   * Takes back what the service certainly doesn't have and nobody waits for.
   * Errors: outbox/not-found, outbox/wrong-state, store/not-saved.
   */
  withdraw(id: OperationId): Result<Operation, AppError>
  /** Sends a rejected operation again with what a person corrected; it keeps its place. Errors: as withdraw. */
  correct(id: OperationId, payload: Payload): Result<Operation, AppError>
  /** Gives a rejected operation up because `alongside` puts its contents back to where they can be changed. Errors: as withdraw. */
  reopen(id: OperationId, alongside: () => void): Result<Operation, AppError>
  /** Sends a rejected operation again. Errors: as withdraw. */
  retry(id: OperationId): Result<Operation, AppError>
  /** A person gives up a rejected operation, and says why. Errors: as withdraw. */
  dismiss(id: OperationId, because: string): Result<Operation, AppError>
  /** Makes everything that waits for its next attempt due now: a person said so. */
  dueNow(): void
  /** Makes due what waits only because nobody could be reached. */
  dueAfterOutage(): void
  read: Pick<
    Rows,
    'byId' | 'byKey' | 'nextDueAt' | 'inState' | 'waiting' | 'attention' | 'recent' | 'heldUpBy' | 'counts'
  >
  /** Every step of an operation, oldest first. Errors: outbox/not-found. */
  journalOf(id: OperationId): Result<JournalEntry[], AppError>
  /** What undo would do to an operation now. */
  undoOf(operation: Operation): 'withdraw' | 'inverse' | null
  onChange(listener: (operation: Operation) => void): () => void
}

export interface EnqueueOptions {
  undoes?: OperationId
  alongside?: () => void
}

export interface OutboxParts {
  db: Database
  clock: Clock
  serviceClock: ServiceClock
  /** The case that an item is known to be in. */
  caseOf: (tagId: TagId) => CaseId | undefined
  log: Log
  /** [0, 1), for the jitter of retries. */
  random?: () => number
  atStep?: AtStep
}

export function createOutbox({
  db,
  clock,
  serviceClock,
  caseOf,
  log,
  random = Math.random,
  atStep = () => undefined,
}: OutboxParts): Outbox {
  const rows = createRows(db)
  const locks = createLocks(db)
  const journal = createJournal(db, () => clock.now())
  const listeners = new Set<(operation: Operation) => void>()
  const announce = (operation: Operation) => {
    for (const listener of [...listeners]) {
      try {
        listener(operation)
      } catch (cause) {
        // The step is on the disk: a listener's trouble must not make it look as if it were not.
        log.error('an operation could not be announced', { seq: operation.seq, cause })
      }
    }
    return operation
  }

  const writeByPerson = (seq: number, change: Change) => {
    rows.update(seq, change)
    atStep('person.writing')
  }

  /** One step of a person, in one commit, allowed from some states only. */
  const personStep = (
    id: OperationId,
    isAllowed: (operation: Operation) => boolean,
    step: (operation: Operation) => void,
  ) =>
    saved(() => {
      const changed = db
        .transaction((): Result<number, AppError> => {
          const operation = rows.byId(id)
          if (!operation) return err({ code: 'outbox/not-found' })
          if (!isAllowed(operation)) return err({ code: 'outbox/wrong-state', state: operation.state })
          step(operation)
          return ok(operation.seq)
        })
        .immediate()
      atStep('person.saved')
      return changed.ok ? ok(announce(rows.bySeq(changed.value))) : changed
    })

  const record = (operation: Operation, outcome: Outcome) => {
    const { seq } = operation
    const from = operation.state
    const write = (change: Change) => {
      rows.update(seq, change)
      atStep('settle.writing')
    }
    switch (outcome.kind) {
      case 'accepted':
        write({ state: 'accepted', faults: 0, reason: null, note: outcome.note })
        locks.release(seq)
        journal.write({
          seq,
          actor: 'station',
          what: 'accepted',
          from,
          to: 'accepted',
          detail: outcome.note ?? undefined,
        })
        return
      case 'rejected':
        write({ state: 'rejected', faults: 0, reason: outcome.reason })
        locks.loosen(seq)
        journal.write({ seq, actor: 'station', what: 'rejected', from, to: 'rejected', detail: outcome.reason })
        return
      case 'retry':
      case 'unknown': {
        // An attempt that certainly did nothing doesn't clear up what an earlier one may have done.
        const isUncertain = outcome.kind === 'unknown' || operation.isUncertain
        const to = isUncertain ? 'unknown' : 'queued'
        const nextAttemptAt = clock.now() + pauseAfter(operation.faults, outcome.afterMs, random)
        write({
          state: to,
          faults: operation.faults + 1,
          reason: outcome.reason,
          isUncertain,
          nextAttemptAt,
        })
        journal.write({ seq, actor: 'station', what: outcome.kind, from, to, detail: outcome.reason })
        return
      }
      default:
        assertNever(outcome)
    }
  }

  const canWithdraw = (operation: Operation) => isWithdrawable(operation) && !locks.hasWaiters(operation.seq)
  const isSendable = ({ state, payload }: Operation) => state === 'rejected' && payload !== null

  /** A rejected operation, to be sent in its old place. One that may have been taken is looked into first. */
  const sendAgain = ({ seq, isUncertain, payload }: Operation, what: 'sent again' | 'corrected') => {
    const to = isUncertain ? 'unknown' : 'queued'
    writeByPerson(seq, { state: to, faults: 0, nextAttemptAt: 0 })
    locks.retake(seq)
    journal.write({ seq, actor: 'person', what, from: 'rejected', to, detail: payload })
  }

  const claimNext = (): Operation | undefined => {
    const operation = rows.nextClaimable(clock.now())
    if (!operation) return undefined
    const { seq, state, attempts } = operation
    rows.update(seq, { state: 'sending', attempts: attempts + 1 })
    atStep('claim.writing')
    journal.write({ seq, actor: 'station', what: 'claimed', from: state, to: 'sending' })
    return { ...operation, state: 'sending', attempts: attempts + 1 }
  }

  // Each made once: making a transaction costs as much as several look-ups.
  const insert = db.transaction((payload: Payload, { undoes, alongside }: EnqueueOptions): Operation => {
    alongside?.()
    const at = clock.now()
    const offset = serviceClock.offset()
    const inserted = rows.insert({
      id: OperationId.parse(randomUUID()),
      payload,
      performedAt: iso(at + offset),
      performedAtRaw: at,
      clockOffset: offset,
      undoes: undoes ?? null,
    })
    const { seq } = inserted
    const blockers = locks.take(seq, keysOf(payload, caseOf))
    journal.write({ seq, actor: 'person', what: 'saved', from: null, to: 'queued' })
    atStep('enqueue.writing')
    return { ...inserted, blockers }
  })
  const claim = db.transaction(claimNext)
  const recordAndClaim = db.transaction((seq: number, outcome: Outcome, claimsNext: boolean) => {
    const operation = rows.bySeq(seq)
    if (operation.state !== 'sending') throw new Error(`operation ${seq} is ${operation.state}, not sending`)
    record(operation, outcome)
    atStep('settle.writing')
    return claimsNext ? claimNext() : undefined
  })

  /** Whatever was on the wire when the last process ended may have arrived. Before the first claim, or nothing is claimed. */
  let isRecovered = false
  const recover = () => {
    if (isRecovered) return
    db.transaction(() => {
      for (const { seq } of rows.inState('sending')) {
        rows.update(seq, { state: 'unknown', isUncertain: true, nextAttemptAt: 0 })
        journal.write({ seq, actor: 'station', what: 'found sending at start', from: 'sending', to: 'unknown' })
      }
    }).immediate()
    isRecovered = true
  }
  try {
    recover()
  } catch (cause) {
    // A full disk must not keep a till from starting: the drain tries again before it sends anything.
    log.error('what was on the wire could not be taken back', { cause })
  }

  return {
    enqueue: (payload, options = {}) =>
      saved(() => {
        const operation = insert.immediate(payload, options)
        atStep('enqueue.saved')
        return ok(announce(operation))
      }),
    claim() {
      recover()
      // Outside a transaction first: most looks find nothing, and a commit is not for free.
      if (!rows.nextClaimable(clock.now())) return undefined
      const claimed = claim.immediate()
      if (!claimed) return undefined
      atStep('claim.saved')
      return announce(claimed)
    },
    settle(seq, outcome, claimsNext = false) {
      const next = recordAndClaim.immediate(seq, outcome, claimsNext)
      atStep('settle.saved')
      announce(rows.bySeq(seq))
      if (!next) return undefined
      atStep('claim.saved')
      return announce(next)
    },
    withdraw: (id) =>
      personStep(id, canWithdraw, ({ seq, state }) => {
        writeByPerson(seq, { state: 'cancelled' })
        locks.release(seq)
        journal.write({ seq, actor: 'person', what: 'withdrawn', from: state, to: 'cancelled' })
      }),
    retry: (id) => personStep(id, isSendable, (operation) => sendAgain(operation, 'sent again')),
    correct: (id, payload) =>
      personStep(id, isSendable, (operation) => {
        rows.setPayload(operation.seq, JSON.stringify(payload))
        sendAgain(operation, 'corrected')
      }),
    reopen: (id, alongside) =>
      personStep(id, isSendable, ({ seq }) => {
        writeByPerson(seq, { state: 'cancelled', note: 'reopened' })
        locks.release(seq)
        journal.write({ seq, actor: 'person', what: 'reopened', from: 'rejected', to: 'cancelled' })
        alongside()
      }),
    dismiss: (id, because) =>
      personStep(
        id,
        (operation) => operation.state === 'rejected',
        ({ seq }) => {
          writeByPerson(seq, { state: 'cancelled', dismissedBecause: because })
          locks.release(seq)
          journal.write({ seq, actor: 'person', what: 'dismissed', from: 'rejected', to: 'cancelled', detail: because })
        },
      ),
    dueNow: () => {
      rows.makeDue('all')
    },
    dueAfterOutage: () => {
      rows.makeDue('afterOutage')
    },
    read: rows,
    journalOf(id) {
      const operation = rows.byId(id)
      return operation ? ok(journal.of(operation.seq)) : err({ code: 'outbox/not-found' })
    },
    undoOf(operation) {
      if (canWithdraw(operation)) return 'withdraw'
      const canHaveInverse =
        operation.kind === 'import' && operation.state !== 'rejected' && operation.state !== 'cancelled'
      return canHaveInverse && rows.inverseOf(operation.id) === undefined ? 'inverse' : null
    },
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
