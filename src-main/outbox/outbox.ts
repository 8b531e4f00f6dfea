import { randomUUID } from 'node:crypto'
import type { Database } from 'better-sqlite3'
import type { AppError } from '../../src-shared/errors'
import { OperationId, type TagId } from '../../src-shared/ids'
import type { JournalEntry } from '../../src-shared/ipc/contract/outbox'
import { type Result, assertNever, err, ok } from '../../src-shared/result'
import { type Clock, type ServiceClock, iso } from '../core/clock'
import type { MainEvents } from '../core/events'
import type { Log } from '../core/log'
import type { StationClock } from '../core/station-clock'
import { noteCommit, saved } from '../database/saved'
import { createActions } from './actions'
import { keysOf, sharesOnceRefused } from './kinds/kinds'
import { openLedger } from './ledger'
import { type MayBeSent, Moments } from './moments'
import { type Operation, type Outcome, isTakenBack } from './operation'
import type { CaseOf, Payload } from './payload'
import type { Identified } from './reconcile'
import { afterFault } from './retrying'
import type { Change, Rows } from './rows'
import type { AtStep } from '../core/steps'
import { missingOf } from './taken-back'

export type Outbox = ReturnType<typeof createOutbox>

interface EnqueueOptions {
  undoes?: OperationId
  /** The reason with which a gate let it pass. */
  because?: string | undefined
  /** Writes local state in the same commit. */
  alongside?: (operation: Operation) => void
}

/** An operation to be saved with others. */
export interface NewOperation extends EnqueueOptions {
  payload: Payload
}

/** A saved operation, and the refused ones that were taken back and that it settles. */
interface Inserted {
  operation: Operation
  settled: number[]
}

/** A time that is typed has whole minutes, in ms. */
const aMinute = 60_000
/** Operations saved in one commit. */
const mostAtOnce = 500

interface OutboxParts {
  db: Database
  events: Pick<MainEvents, 'emit'>
  clock: Clock
  serviceClock: ServiceClock
  caseOf: CaseOf
  /** The name of an item's product, if it is known; none if omitted. */
  productOf?: (tagId: TagId) => string | null
  log: Log
  /** Corrects times by a wrong clock; if omitted, no time is corrected. */
  station?: StationClock
  /** [0, 1), for the jitter of retries. */
  random?: () => number
  atStep?: AtStep
}

/** The durable list of operations: states, guarantees and crash cases are in outbox.md. */
export function createOutbox(parts: OutboxParts) {
  const {
    db,
    events,
    clock,
    serviceClock,
    caseOf,
    log,
    station,
    random = Math.random,
    atStep = () => undefined,
  } = parts
  const ledger = openLedger(db, () => clock.now(), atStep)
  const { rows, locks, journal, takenBack } = ledger

  const announce = (operation: Operation) => {
    events.emit('operation.changed', operation)
    return operation
  }

  const moments = station && new Moments({ db, ledger, clock: station, serviceClock, log, announce })

  // Each transaction is made once: making one costs as much as several look-ups.
  const insert = db.transaction((payload: Payload, { undoes, because, alongside }: EnqueueOptions): Inserted => {
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
    const detail = moments?.noteSaved(seq)
    const blockers = locks.take(seq, keysOf(payload, caseOf))
    journal.write({ seq, actor: 'person', what: 'saved', from: null, to: 'queued', detail })
    ledger.approve(seq, 'queued', because)
    const operation = { ...inserted, blockers }
    const settled = takenBack.settleBy(operation)
    alongside?.(operation)
    return { operation, settled }
  })
  /** Announces a saved operation, and those that were taken back and that it settles. */
  const announceSaved = ({ operation, settled }: Inserted) => {
    for (const one of settled) announce(rows.bySeq(one))
    return announce(operation)
  }
  const insertMany = db.transaction((entries: readonly NewOperation[]) =>
    entries.map(({ payload, ...options }) => insert(payload, options)),
  )

  // The two sorts alternate: operations that fail again and again must not keep back those never tried.
  let isUntriedsTurn = false
  const next = () => rows.nextClaimable(clock.now(), isUntriedsTurn)
  const claimNext = (): Operation | undefined => {
    const operation = next()
    if (!operation) return undefined
    const { seq, state, attempts } = operation
    isUntriedsTurn = !isUntriedsTurn
    rows.update(seq, { state: 'sending', attempts: attempts + 1 })
    atStep('claim.writing')
    journal.write({ seq, actor: 'station', what: 'claimed', from: state, to: 'sending' })
    return { ...operation, state: 'sending', attempts: attempts + 1 }
  }
  const claim = db.transaction(claimNext)

  const onItsWay = (seq: number) => {
    const operation = rows.bySeq(seq)
    if (operation.state !== 'sending') throw new Error(`operation ${seq} is ${operation.state}, not sending`)
    return operation
  }
  const identify = db.transaction((seq: number, { payload, tagIds }: Identified) => {
    const { isUncertain } = onItsWay(seq)
    rows.setPayload(seq, payload)
    atStep('identify.writing')
    const blockers = locks.rekey(seq, keysOf(payload, caseOf), tagIds)
    const to = blockers === 0 ? 'sending' : isUncertain ? 'unknown' : 'queued'
    if (to !== 'sending') rows.update(seq, { state: to, nextAttemptAt: 0 })
    journal.write({ seq, actor: 'station', what: 'identified', from: 'sending', to, detail: payload.caseId })
    return rows.bySeq(seq)
  })

  /** Writes down an outcome. Returns the other operations it changed: those saved to undo a refused one, if it blocks none. */
  const record = (operation: Operation, outcome: Outcome): number[] => {
    const { seq, state: from } = operation
    const own = { seq, actor: 'station', from } as const
    const write = (change: Change) => {
      rows.update(seq, change)
      atStep('settle.writing')
    }
    switch (outcome.kind) {
      case 'accepted':
        write({ state: 'accepted', faults: 0, reason: null, note: outcome.note, isUnsettled: false })
        locks.release(seq)
        journal.write({ ...own, what: 'accepted', to: 'accepted', detail: outcome.note ?? undefined })
        return []
      case 'rejected': {
        write({ state: 'rejected', faults: 0, reason: outcome.reason, isUnsettled: false })
        const isFree = sharesOnceRefused(operation.kind)
        // What was saved to undo it is no longer blocked either, and would undo what another station did.
        const others = isFree ? ledger.cancelUndoing(operation.id) : []
        // The collection is as it was: a sale from it has nothing to wait for.
        if (isFree) locks.share(seq)
        locks.releaseShared(seq)
        journal.write({ ...own, what: 'rejected', to: 'rejected', detail: outcome.reason })
        return others
      }
      case 'retry':
      case 'unknown': {
        const change = afterFault(operation, outcome, clock.now(), random)
        write(change)
        const shown = 'shown' in outcome ? outcome.shown : undefined
        journal.write({ ...own, what: outcome.kind, to: change.state, detail: { ...outcome.reason, shown } })
        return []
      }
      default:
        return assertNever(outcome)
    }
  }
  const recordAndClaim = db.transaction((seq: number, outcome: Outcome, claimsNext: boolean) => {
    const others = record(onItsWay(seq), outcome)
    // Read inside the transaction: after the commit nothing may fail any more.
    return { settled: [...others, seq].map((one) => rows.bySeq(one)), next: claimsNext ? claimNext() : undefined }
  })

  /** Operations that were on the wire when the last process ended may have arrived. */
  const takeBackSending = db.transaction(() => {
    for (const { seq, kind, isUncertain } of rows.inState('sending')) {
      // A blind import is never on the wire: it was being looked up.
      const mayHaveArrived = kind !== 'blind-import' || isUncertain
      const to = mayHaveArrived ? 'unknown' : 'queued'
      rows.update(seq, { state: to, isUncertain: mayHaveArrived, nextAttemptAt: 0 })
      journal.write({ seq, actor: 'station', what: 'found sending at start', from: 'sending', to })
    }
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
    // A full disk must not keep a till from starting. Nothing is claimed before this has succeeded.
    log.error('what was on the wire could not be taken back', { cause })
  }

  const read: Omit<Rows, 'insert' | 'update' | 'setPayload' | 'setTime' | 'makeDue' | 'nextClaimable'> = rows

  /** While the present is only estimated, a person knows better. */
  const latest = () =>
    station?.isEstimate() ? Number.POSITIVE_INFINITY : clock.now() + serviceClock.offset() + aMinute

  return {
    ...createActions({ ledger, caseOf, announce, latest }),
    read,

    /** Corrects the times of reports that were saved while the clock was wrong. Returns whether some may be sent now. */
    correctTimes: (): boolean => moments?.correct() ?? false,
    /** Whether an operation may be sent with its time. `mayAsk`: the service can be asked for its clock first. */
    mayBeSent: (operation: Operation, mayAsk: boolean): MayBeSent => moments?.mayBeSent(operation, mayAsk) ?? 'yes',

    /**
     * Saves an operation, together with the local state it changes (`alongside`), in one commit. Only after that may a
     * screen say that it is saved. Errors: store/not-saved.
     */
    enqueue: (payload: Payload, options: EnqueueOptions = {}): Result<Operation, AppError> =>
      saved(() => {
        const inserted = insert.immediate(payload, options)
        noteCommit()
        atStep('enqueue.saved')
        return ok(announceSaved(inserted))
      }),

    /**
     * Saves many in this order, up to 500 in a commit; those of one commit are saved together or not at all. Returns one
     * result each. Errors: store/not-saved.
     */
    enqueueMany(entries: readonly NewOperation[]): Result<Operation, AppError>[] {
      const results: Result<Operation, AppError>[] = []
      for (let from = 0; from < entries.length; from += mostAtOnce) {
        const part = entries.slice(from, from + mostAtOnce)
        const done = saved(() => ok(insertMany.immediate(part)))
        if (done.ok) atStep('enqueue.saved')
        results.push(...(done.ok ? done.value.map((inserted) => ok(announceSaved(inserted))) : part.map(() => done)))
      }
      return results
    },

    /** Claims the next operation that is due and not blocked: sets it to `sending`. */
    claim(): Operation | undefined {
      recover()
      // Outside a transaction first: most looks find nothing, and a commit costs time.
      if (!next()) return undefined
      const claimed = claim.immediate()
      if (!claimed) return undefined
      atStep('claim.saved')
      return announce(claimed)
    },

    /**
     * Turns a claimed blind import into the import that it turned out to be, or stores which case it is of. It is returned
     * as `sending`, or goes back to the queue if others of its case come first.
     */
    identify(seq: number, found: Identified): Operation {
      const identified = identify.immediate(seq, found)
      atStep('identify.saved')
      return announce(identified)
    },

    /** Records the outcome of an attempt; if `claimsNext`, claims the next operation in the same commit and returns it. */
    settle(seq: number, outcome: Outcome, claimsNext = false): Operation | undefined {
      const { settled, next: claimed } = recordAndClaim.immediate(seq, outcome, claimsNext)
      atStep('settle.saved')
      for (const one of settled) announce(one)
      if (!claimed) return undefined
      atStep('claim.saved')
      return announce(claimed)
    },

    /** Makes everything that waits for its next attempt due now. Throws if the disk refuses. */
    retryAll(): void {
      rows.makeDue('all')
    },

    /** Makes due what waits because of an outage: unreached, without a sign-in, or failing. Throws if the disk refuses. */
    retryAfterOutage(): void {
      rows.makeDue('afterOutage')
    },

    /** Makes due what waits because its last attempt was not answered. Throws if the disk refuses. */
    retryUnreached(): void {
      rows.makeDue('unreached')
    },

    /** Every step of an operation, oldest first. Errors: outbox/not-found. */
    journalOf(id: OperationId): Result<JournalEntry[], AppError> {
      const operation = rows.byId(id)
      return operation ? ok(journal.of(operation.seq)) : err({ code: 'outbox/not-found' })
    },

    /** The items of a refused report that was taken back, and that no later one has; none of any other. */
    missingOf: (operation: Operation): TagId[] => (isTakenBack(operation) ? missingOf(operation, rows) : []),

    /** The name of an item's product, if it is known. */
    productOf: (tagId: TagId): string | null => parts.productOf?.(tagId) ?? null,

    /** Whether a person permitted this operation at a gate. */
    isPermitted: ({ seq }: Operation): boolean => journal.isPermitted(seq),

    /**
     * What gates let pass for a reason in a span of this computer's clock, ms since 1970; oldest first. Without what was
     * taken back before it was sent.
     */
    permitted: (from: number, to: number): { at: number; operation: Operation; reason: string }[] =>
      journal.permitted(from, to).flatMap(({ seq, at, because }) => {
        const operation = rows.bySeq(seq)
        const isTakenBack = operation.state === 'cancelled' && operation.dismissedBecause === null
        return because === null || isTakenBack ? [] : { at, operation, reason: because }
      }),
  }
}
