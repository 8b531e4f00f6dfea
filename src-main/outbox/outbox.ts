import { randomUUID } from 'node:crypto'
import type { Database } from 'better-sqlite3'
import type { AppError } from '../../src-shared/errors'
import { type CaseId, OperationId, type TagId } from '../../src-shared/ids'
import type { JournalEntry } from '../../src-shared/ipc/operation-view'
import { type Result, err, ok } from '../../src-shared/result'
import { type Clock, type ServiceClock, iso } from '../clock'
import type { Log } from '../log'
import { noteCommit, saved } from '../store/saved'
import { type Identified, createAttempts } from './attempts'
import { openLedger } from './ledger'
import type { Operation } from './operation'
import type { Outcome } from './outcome'
import { keysOf } from './kinds/kinds'
import type { Payload } from './payload'
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
  /**
   * Saves many, in this order, so many in one commit; each comes back as saved or refused. Those of one commit are saved
   * together or not at all. Errors: store/not-saved.
   */
  enqueueMany(entries: readonly NewOperation[]): Result<Operation, AppError>[]
  /** Takes the next operation that is due and waits for nobody; it is `sending` from here on. */
  claim(): Operation | undefined
  /**
   * Makes a blind import that is on its way the import that it turned out to be. It is `sending` still, or has to wait for
   * others of its case first.
   */
  identify(seq: number, found: Identified): Operation
  /** Records what an attempt did; if `claimsNext`, what may go next is claimed in the same commit, and given. */
  settle(seq: number, outcome: Outcome, claimsNext?: boolean): Operation | undefined
  /** Makes everything that waits for its next attempt due now: a person said so. Throws when the disk refuses. */
  dueNow(): void
  /** Makes due what waits only because nobody could be reached. Throws when the disk refuses. */
  dueAfterOutage(): void
  read: Pick<
    Rows,
    | 'byId'
    | 'byKey'
    | 'nextDueAt'
    | 'inState'
    | 'waiting'
    | 'attention'
    | 'recent'
    | 'heldUpBy'
    | 'counts'
    | 'hasBlindBefore'
  >
  /** Every step of an operation, oldest first. Errors: outbox/not-found. */
  journalOf(id: OperationId): Result<JournalEntry[], AppError>
  onChange(listener: (operation: Operation) => void): () => void
}

export interface EnqueueOptions {
  undoes?: OperationId
  /** Writes local state in the same commit. */
  alongside?: (operation: Operation) => void
}

/** An operation to be saved with others. */
export interface NewOperation extends EnqueueOptions {
  payload: Payload
}

/** Operations saved in one commit. */
const mostAtOnce = 500

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
  const attempts = createAttempts({ ledger, clock, caseOf, random })
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
    const operation = { ...inserted, blockers }
    alongside?.(operation)
    return operation
  })
  const insertMany = db.transaction((entries: readonly NewOperation[]) =>
    entries.map(({ payload, ...options }) => insert(payload, options)),
  )
  const claim = db.transaction(() => attempts.claimNext())
  const onItsWay = (seq: number) => {
    const operation = rows.bySeq(seq)
    if (operation.state !== 'sending') throw new Error(`operation ${seq} is ${operation.state}, not sending`)
    return operation
  }
  const identify = db.transaction((seq: number, found: Identified) => {
    attempts.identify(onItsWay(seq), found)
    return rows.bySeq(seq)
  })
  const recordAndClaim = db.transaction((seq: number, outcome: Outcome, claimsNext: boolean) => {
    const others = attempts.record(onItsWay(seq), outcome)
    // Read in here: once it is on the disk, nothing may fail any more.
    return {
      settled: [...others, seq].map((one) => rows.bySeq(one)),
      next: claimsNext ? attempts.claimNext() : undefined,
    }
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
    ...createPersonSteps({ ledger, caseOf, announce }),
    enqueue: (payload, options = {}) =>
      saved(() => {
        const operation = insert.immediate(payload, options)
        noteCommit()
        atStep('enqueue.saved')
        return ok(announce(operation))
      }),
    enqueueMany(entries) {
      const results: Result<Operation, AppError>[] = []
      for (let from = 0; from < entries.length; from += mostAtOnce) {
        const part = entries.slice(from, from + mostAtOnce)
        const done = saved(() => ok(insertMany.immediate(part)))
        if (done.ok) atStep('enqueue.saved')
        results.push(...(done.ok ? done.value.map((operation) => ok(announce(operation))) : part.map(() => done)))
      }
      return results
    },
    claim() {
      recover()
      // Outside a transaction first: most looks find nothing, and a commit is not for free.
      if (!attempts.hasNext()) return undefined
      const claimed = claim.immediate()
      if (!claimed) return undefined
      atStep('claim.saved')
      return announce(claimed)
    },
    identify(seq, found) {
      const identified = identify.immediate(seq, found)
      atStep('identify.saved')
      return announce(identified)
    },
    settle(seq, outcome, claimsNext = false) {
      const { settled, next } = recordAndClaim.immediate(seq, outcome, claimsNext)
      atStep('settle.saved')
      for (const one of settled) announce(one)
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
