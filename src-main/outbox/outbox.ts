import { randomUUID } from 'node:crypto'
import type { Transaction } from 'better-sqlite3'
import type { ResultOf } from '../../src-shared/errors'
import { type CaseId, OperationId, type TagId } from '../../src-shared/ids'
import type { JournalEntry } from '../../src-shared/ipc/contract/outbox'
import { assertNever, err, ok } from '../../src-shared/result'
import { iso } from '../core/clock'
import { type NotSaved, noteCommit, saved } from '../database/saved'
import { Actions } from './actions'
import { keysOf, sharesOnceRefused } from './kinds/kinds'
import { Ledger } from './ledger'
import { type MayBeSent, Moments } from './moments'
import { type Operation, type Outcome, isTakenBack } from './operation'
import type { OutboxContext } from './outbox-context'
import type { Payload } from './payload'
import type { Identified } from './reconcile'
import { afterFault } from './retrying'
import type { Change, Rows } from './rows'
import type { AtStep } from '../core/steps'
import { missingOf } from './taken-back'

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

/** Operations saved in one commit. */
const mostAtOnce = 500

/** What an outcome changed, and the operation that is claimed with it. */
interface Settled {
  settled: Operation[]
  next: Operation | undefined
}

/**
 * The durable list of operations, and what a person may do to one (`actions.ts`): states, guarantees and crash cases are in
 * outbox.md.
 */
export class Outbox extends Actions {
  /** The operations, to be read. */
  readonly read: Omit<Rows, 'insert' | 'update' | 'setPayload' | 'setTime' | 'makeDue' | 'nextClaimable'>
  readonly #context: OutboxContext
  readonly #atStep: AtStep
  readonly #ledger: Ledger
  readonly #rows: Rows
  readonly #moments: Moments | undefined
  // Each transaction is made once: making one costs as much as several look-ups.
  readonly #insert: Transaction<(payload: Payload, options: EnqueueOptions) => Inserted>
  readonly #insertMany: Transaction<(entries: readonly NewOperation[]) => Inserted[]>
  readonly #claim: Transaction<() => Operation | undefined>
  readonly #identify: Transaction<(seq: number, found: Identified) => Operation>
  readonly #recordAndClaim: Transaction<(seq: number, outcome: Outcome, claimsNext: boolean) => Settled>
  readonly #takeBackSending: Transaction<() => void>
  // The two sorts alternate: operations that fail again and again must not keep back those never tried.
  #isUntriedsTurn = false
  #isRecovered = false

  constructor(context: OutboxContext) {
    const { db, clock, stationClock, log, atStep = () => undefined } = context
    const ledger = new Ledger(db, () => clock.now(), atStep)
    super(context, ledger)
    this.#context = context
    this.#atStep = atStep
    this.#ledger = ledger
    this.#rows = ledger.rows
    this.read = ledger.rows
    this.#moments = stationClock && new Moments(context, stationClock, ledger)
    this.#insert = db.transaction((payload, options) => this.#writeNew(payload, options))
    this.#insertMany = db.transaction((entries) =>
      entries.map(({ payload, ...options }) => this.#insert(payload, options)),
    )
    this.#claim = db.transaction(() => this.#claimNext())
    this.#identify = db.transaction((seq, found) => this.#writeIdentified(seq, found))
    this.#recordAndClaim = db.transaction((...step) => this.#writeOutcome(...step))
    this.#takeBackSending = db.transaction(() => {
      this.#writeTakenBack()
    })
    try {
      this.#recover()
    } catch (cause) {
      // A full disk must not keep a till from starting. Nothing is claimed before this has succeeded.
      log.error('what was on the wire could not be taken back', { cause })
    }
  }

  /** Corrects the times of reports that were saved while the clock was wrong. Returns whether some may be sent now. */
  correctTimes(): boolean {
    return this.#moments?.correct() ?? false
  }

  /** Whether an operation may be sent with its time. `mayAsk`: the service can be asked for its clock first. */
  mayBeSent(operation: Operation, mayAsk: boolean): MayBeSent {
    return this.#moments?.mayBeSent(operation, mayAsk) ?? 'yes'
  }

  /**
   * Saves an operation, together with the local state it changes (`alongside`), in one commit. Only after that may a
   * screen say that it is saved.
   */
  enqueue(payload: Payload, options: EnqueueOptions = {}): ResultOf<Operation, NotSaved> {
    return saved(() => {
      const inserted = this.#insert.immediate(payload, options)
      noteCommit()
      this.#atStep('enqueue.saved')
      return ok(this.#announceSaved(inserted))
    })
  }

  /**
   * Saves many in this order, up to 500 in a commit; those of one commit are saved together or not at all. Returns one
   * result each.
   */
  enqueueMany(entries: readonly NewOperation[]): ResultOf<Operation, NotSaved>[] {
    const results: ResultOf<Operation, NotSaved>[] = []
    for (let from = 0; from < entries.length; from += mostAtOnce) {
      const part = entries.slice(from, from + mostAtOnce)
      const done = saved(() => ok(this.#insertMany.immediate(part)))
      if (done.ok) this.#atStep('enqueue.saved')
      results.push(
        ...(done.ok ? done.value.map((inserted) => ok(this.#announceSaved(inserted))) : part.map(() => done)),
      )
    }
    return results
  }

  /** Claims the next operation that is due and not blocked: sets it to `sending`. */
  claim(): Operation | undefined {
    this.#recover()
    // Outside a transaction first: most looks find nothing, and a commit costs time.
    if (!this.#next()) return undefined
    const claimed = this.#claim.immediate()
    if (!claimed) return undefined
    this.#atStep('claim.saved')
    return this.announce(claimed)
  }

  /**
   * Turns a claimed blind import into the import that it turned out to be, or stores which case it is of. It is returned
   * as `sending`, or goes back to the queue if others of its case come first.
   */
  identify(seq: number, found: Identified): Operation {
    const identified = this.#identify.immediate(seq, found)
    this.#atStep('identify.saved')
    return this.announce(identified)
  }

  /** Records the outcome of an attempt; if `claimsNext`, claims the next operation in the same commit and returns it. */
  settle(seq: number, outcome: Outcome, claimsNext = false): Operation | undefined {
    const { settled, next: claimed } = this.#recordAndClaim.immediate(seq, outcome, claimsNext)
    this.#atStep('settle.saved')
    for (const one of settled) this.announce(one)
    if (!claimed) return undefined
    this.#atStep('claim.saved')
    return this.announce(claimed)
  }

  /** Makes everything that waits for its next attempt due now. Throws if the disk refuses. */
  retryAll(): void {
    this.#rows.makeDue('all')
  }

  /** Makes due what waits because of an outage: unreached, without a sign-in, or failing. Throws if the disk refuses. */
  retryAfterOutage(): void {
    this.#rows.makeDue('afterOutage')
  }

  /** Makes due what waits because its last attempt was not answered. Throws if the disk refuses. */
  retryUnreached(): void {
    this.#rows.makeDue('unreached')
  }

  /** Every step of an operation, oldest first. */
  journalOf(id: OperationId): ResultOf<JournalEntry[], 'outbox/not-found'> {
    const operation = this.#rows.byId(id)
    return operation ? ok(this.#ledger.journal.of(operation.seq)) : err({ code: 'outbox/not-found' })
  }

  /** The items of a refused report that was taken back, and that no later one has; none of any other. */
  missingOf(operation: Operation): TagId[] {
    return isTakenBack(operation) ? missingOf(operation, this.#rows) : []
  }

  /** The name of an item's product, if it is known. */
  productOf(tagId: TagId): string | null {
    return this.#context.productOf?.(tagId) ?? null
  }

  caseOf(tagId: TagId): CaseId | undefined {
    return this.#context.caseOf(tagId)
  }

  /** Whether a person permitted this operation at a gate. */
  isPermitted({ seq }: Operation): boolean {
    return this.#ledger.journal.isPermitted(seq)
  }

  /**
   * What gates let pass for a reason in a span of this computer's clock, ms since 1970; oldest first. Without what was
   * taken back before it was sent.
   */
  permitted(from: number, to: number): { at: number; operation: Operation; reason: string }[] {
    return this.#ledger.journal.permitted(from, to).flatMap(({ seq, at, because }) => {
      const operation = this.#rows.bySeq(seq)
      const isTakenBack = operation.state === 'cancelled' && operation.dismissedBecause === null
      return because === null || isTakenBack ? [] : { at, operation, reason: because }
    })
  }

  #writeNew(payload: Payload, { undoes, because, alongside }: EnqueueOptions): Inserted {
    const at = this.#context.clock.now()
    const offset = this.#context.serviceClock.offset()
    const inserted = this.#rows.insert({
      id: OperationId.parse(randomUUID()),
      payload,
      performedAt: iso(at + offset),
      performedAtRaw: at,
      clockOffset: offset,
      undoes: undoes ?? null,
    })
    this.#atStep('enqueue.writing')
    const { seq } = inserted
    const detail = this.#moments?.noteSaved(seq)
    const blockers = this.#ledger.locks.take(seq, keysOf(payload, this.#context.caseOf))
    this.#ledger.journal.write({ seq, actor: 'person', what: 'saved', from: null, to: 'queued', detail })
    this.#ledger.approve(seq, 'queued', because)
    const operation = { ...inserted, blockers }
    const settled = this.#ledger.takenBack.settleBy(operation)
    alongside?.(operation)
    return { operation, settled }
  }

  /** Announces a saved operation, and those that were taken back and that it settles. */
  #announceSaved({ operation, settled }: Inserted) {
    for (const one of settled) this.announce(this.#rows.bySeq(one))
    return this.announce(operation)
  }

  #next() {
    return this.#rows.nextClaimable(this.#context.clock.now(), this.#isUntriedsTurn)
  }

  #claimNext(): Operation | undefined {
    const operation = this.#next()
    if (!operation) return undefined
    const { seq, state, attempts } = operation
    this.#isUntriedsTurn = !this.#isUntriedsTurn
    this.#rows.update(seq, { state: 'sending', attempts: attempts + 1 })
    this.#atStep('claim.writing')
    this.#ledger.journal.write({ seq, actor: 'station', what: 'claimed', from: state, to: 'sending' })
    return { ...operation, state: 'sending', attempts: attempts + 1 }
  }

  #onItsWay(seq: number) {
    const operation = this.#rows.bySeq(seq)
    if (operation.state !== 'sending') throw new Error(`operation ${seq} is ${operation.state}, not sending`)
    return operation
  }

  #writeIdentified(seq: number, { payload, tagIds }: Identified): Operation {
    const { isUncertain } = this.#onItsWay(seq)
    this.#rows.setPayload(seq, payload)
    this.#atStep('identify.writing')
    const blockers = this.#ledger.locks.rekey(seq, keysOf(payload, this.#context.caseOf), tagIds)
    const to = blockers === 0 ? 'sending' : isUncertain ? 'unknown' : 'queued'
    if (to !== 'sending') this.#rows.update(seq, { state: to, nextAttemptAt: 0 })
    this.#ledger.journal.write({
      seq,
      actor: 'station',
      what: 'identified',
      from: 'sending',
      to,
      detail: payload.caseId,
    })
    return this.#rows.bySeq(seq)
  }

  /** Writes down an outcome. Returns the other operations it changed: those saved to undo a refused one, if it blocks none. */
  #record(operation: Operation, outcome: Outcome): number[] {
    const { seq, state: from } = operation
    const own = { seq, actor: 'station', from } as const
    const write = (change: Change) => {
      this.#rows.update(seq, change)
      this.#atStep('settle.writing')
    }
    switch (outcome.kind) {
      case 'accepted':
        write({ state: 'accepted', faults: 0, reason: null, note: outcome.note, isUnsettled: false })
        this.#ledger.locks.release(seq)
        this.#ledger.journal.write({ ...own, what: 'accepted', to: 'accepted', detail: outcome.note ?? undefined })
        return []
      case 'rejected': {
        write({ state: 'rejected', faults: 0, reason: outcome.reason, isUnsettled: false })
        const isFree = sharesOnceRefused(operation.kind)
        // What was saved to undo it is no longer blocked either, and would undo what another station did.
        const others = isFree ? this.#ledger.cancelUndoing(operation.id) : []
        // The collection is as it was: a sale from it has nothing to wait for.
        if (isFree) this.#ledger.locks.share(seq)
        this.#ledger.locks.releaseShared(seq)
        this.#ledger.journal.write({ ...own, what: 'rejected', to: 'rejected', detail: outcome.reason })
        return others
      }
      case 'retry':
      case 'unknown': {
        const change = afterFault(operation, outcome, this.#context.clock.now(), this.#context.random ?? Math.random)
        write(change)
        const shown = 'shown' in outcome ? outcome.shown : undefined
        this.#ledger.journal.write({
          ...own,
          what: outcome.kind,
          to: change.state,
          detail: { ...outcome.reason, shown },
        })
        return []
      }
      default:
        return assertNever(outcome)
    }
  }

  #writeOutcome(seq: number, outcome: Outcome, claimsNext: boolean): Settled {
    const others = this.#record(this.#onItsWay(seq), outcome)
    // Read inside the transaction: after the commit nothing may fail any more.
    return {
      settled: [...others, seq].map((one) => this.#rows.bySeq(one)),
      next: claimsNext ? this.#claimNext() : undefined,
    }
  }

  /** Operations that were on the wire when the last process ended may have arrived. */
  #writeTakenBack() {
    for (const { seq, kind, isUncertain } of this.#rows.inState('sending')) {
      // A blind import is never on the wire: it was being looked up.
      const mayHaveArrived = kind !== 'blind-import' || isUncertain
      const to = mayHaveArrived ? 'unknown' : 'queued'
      this.#rows.update(seq, { state: to, isUncertain: mayHaveArrived, nextAttemptAt: 0 })
      this.#ledger.journal.write({ seq, actor: 'station', what: 'found sending at start', from: 'sending', to })
    }
  }

  #recover() {
    if (this.#isRecovered) return
    this.#takeBackSending.immediate()
    this.#isRecovered = true
  }
}
