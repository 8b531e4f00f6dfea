import { randomUUID } from 'node:crypto'
import type { Database } from 'better-sqlite3'
import type { AppError } from '../../src-shared/errors'
import { type CaseId, OperationId, type TagId } from '../../src-shared/ids'
import type { JournalEntry } from '../../src-shared/ipc/operation-view'
import { type Result, err, ok } from '../../src-shared/result'
import { type Clock, type ServiceClock, iso } from '../clock'
import type { Log } from '../log'
import { saved } from '../store/saved'
import { createAttempts } from './attempts'
import { openLedger } from './ledger'
import type { Operation } from './operation'
import type { Outcome } from './outcome'
import { type Payload, keysOf } from './payload'
import { type PersonSteps, createPersonSteps } from './person-steps'
import type { Rows } from './rows'
import type { AtStep } from './steps'

/** The durable list of operations: states, guarantees and crash cases are in outbox.md. */
export interface Outbox extends PersonSteps {
  /**
   * Saves an operation, together with the local state it changes (`alongside`), in one commit. Only after that may
   * anyone be told that it is saved. Errors: store/not-saved.
   */
  enqueue(payload: Payload, options?: EnqueueOptions): Result<Operation, AppError>
  /** Takes the next operation that is due and waits for nobody; it is `sending` from here on. */
  claim(): Operation | undefined
  /** Records what an attempt did; if `claimsNext`, what may go next is claimed in the same commit, and given. */
  settle(seq: number, outcome: Outcome, claimsNext?: boolean): Operation | undefined
  /** Makes everything that waits for its next attempt due now: a person said so. Throws when the disk refuses. */
  dueNow(): void
  /** Makes due what waits only because nobody could be reached. Throws when the disk refuses. */
  dueAfterOutage(): void
  read: Pick<
    Rows,
    'byId' | 'byKey' | 'nextDueAt' | 'inState' | 'waiting' | 'attention' | 'recent' | 'heldUpBy' | 'counts'
  >
  /** Every step of an operation, oldest first. Errors: outbox/not-found. */
  journalOf(id: OperationId): Result<JournalEntry[], AppError>
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

export function createOutbox(parts: OutboxParts): Outbox {
  const { db, clock, serviceClock, caseOf, log, random = Math.random, atStep = () => undefined } = parts
  const ledger = openLedger(db, () => clock.now(), atStep)
  const { rows, locks, journal } = ledger
  const attempts = createAttempts({ ledger, clock, random })
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
    atStep('enqueue.writing')
    const { seq } = inserted
    const blockers = locks.take(seq, keysOf(payload, caseOf))
    journal.write({ seq, actor: 'person', what: 'saved', from: null, to: 'queued' })
    return { ...inserted, blockers }
  })
  const claim = db.transaction(() => attempts.claimNext())
  const recordAndClaim = db.transaction((seq: number, outcome: Outcome, claimsNext: boolean) => {
    const operation = rows.bySeq(seq)
    if (operation.state !== 'sending') throw new Error(`operation ${seq} is ${operation.state}, not sending`)
    attempts.record(operation, outcome)
    // Read in here: once it is on the disk, nothing may fail any more.
    return { settled: rows.bySeq(seq), next: claimsNext ? attempts.claimNext() : undefined }
  })
  const takeBackSending = db.transaction(() => {
    attempts.takeBackSending()
  })

  let isRecovered = false
  const recover = () => {
    if (isRecovered) return
    takeBackSending.immediate()
    isRecovered = true
  }
  try {
    recover()
  } catch (cause) {
    // A full disk must not keep a till from starting. Nothing is claimed before this has been done.
    log.error('what was on the wire could not be taken back', { cause })
  }

  return {
    ...createPersonSteps(ledger, announce),
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
      const { settled, next } = recordAndClaim.immediate(seq, outcome, claimsNext)
      atStep('settle.saved')
      announce(settled)
      if (!next) return undefined
      atStep('claim.saved')
      return announce(next)
    },
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
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
