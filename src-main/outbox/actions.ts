import { type ResultOf, namedTags } from '../../src-shared/errors'
import type { OperationId, TagId } from '../../src-shared/ids'
import type { OperationAction } from '../../src-shared/ipc/contract/outbox'
import { err, ok } from '../../src-shared/result'
import { iso, nowByService } from '../core/clock'
import { canBeReported } from '../core/station-clock'
import { type NotSaved, noteCommit, saved } from '../database/saved'
import { accountOf, inversesOf, keysOf, sharesOnceRefused } from './kinds/kinds'
import type { Ledger } from './ledger'
import { type Operation, isFinished, isForPerson, isTakenBack, isWithdrawable } from './operation'
import type { OutboxContext } from './outbox-context'
import { type Payload, orderKey, tagKey } from './payload'
import type { Change } from './rows'

/** Why an operation was not changed. */
export type NotActed = NotSaved | 'outbox/not-found' | 'outbox/wrong-state'

/** A time that is typed has whole minutes, in ms. */
const aMinute = 60_000

/** The latest at which a report can have been made, ms since 1970. While the present is only estimated, a person knows better. */
const latestMoment = (context: OutboxContext): number =>
  context.stationClock?.isEstimate() ? Number.POSITIVE_INFINITY : nowByService(context) + aMinute

/**
 * What a person may do to an operation, each in one commit and from some states only.
 * Errors of all: outbox/not-found, outbox/wrong-state, store/not-saved.
 */
export class Actions {
  readonly #context: OutboxContext
  readonly #ledger: Ledger
  readonly #rows: Ledger['rows']
  readonly #locks: Ledger['locks']
  readonly #journal: Ledger['journal']
  readonly #takenBack: Ledger['takenBack']
  readonly #possible: [OperationAction, (operation: Operation) => boolean][]

  constructor(context: OutboxContext, ledger: Ledger) {
    const { rows, locks, journal, takenBack } = ledger
    this.#context = context
    this.#ledger = ledger
    this.#rows = rows
    this.#locks = locks
    this.#journal = journal
    this.#takenBack = takenBack
    this.#possible = [
      ['confirm', (operation) => this.#canConfirm(operation)],
      ['date', (operation) => this.#canDate(operation)],
      ['retry', (operation) => this.#canRetry(operation)],
      ['reopen', (operation) => this.#canReopenOrder(operation)],
      ['amend', (operation) => this.#canAmend(operation)],
      ['dismiss', (operation) => this.#canDismiss(operation)],
      ['undo', (operation) => this.#canUndo(operation)],
    ]
  }

  /** Call for each changed operation once it is on the disk. */
  protected announce(operation: Operation): Operation {
    this.#context.events.emit('operation.changed', operation)
    return operation
  }

  /** What undo would do to an operation now. */
  undoOf(operation: Operation): 'withdraw' | 'inverse' | null {
    if (this.#canWithdraw(operation)) return 'withdraw'
    const isStanding = operation.state !== 'rejected' && operation.state !== 'cancelled'
    const inverses = (operation.payload && inversesOf(operation.payload)) ?? []
    const canHaveInverse = inverses.length > 0 && isStanding
    return canHaveInverse && this.#rows.inverseOf(operation.id) === undefined ? 'inverse' : null
  }

  /** Takes back an operation that the service certainly doesn't have and no other waits for; a reason may be noted. */
  withdraw(id: OperationId, because?: string) {
    return this.#act(
      id,
      (operation) => this.#canWithdraw(operation),
      (operation) => {
        const { seq, state: from } = operation
        this.#cancel(seq)
        this.#journal.write({ seq, actor: 'person', what: 'withdrawn', from, to: 'cancelled', detail: because })
        return this.#takenBack.reviveBy(operation)
      },
    )
  }

  /** Counts an operation as accepted because a person saw that the service has it; `because` may say where. */
  confirm(id: OperationId, because?: string) {
    return this.#act(
      id,
      (operation) => this.#canConfirm(operation),
      ({ seq, state: from }) => {
        this.#write(seq, { state: 'accepted', faults: 0, note: 'confirmed', isUnsettled: false })
        this.#locks.release(seq)
        this.#journal.write({ seq, actor: 'person', what: 'confirmed', from, to: 'accepted', detail: because })
        return undefined
      },
    )
  }

  /**
   * Sends a rejected or unsettled operation again; without its customer if that can't be unsealed any more. `because`: the
   * reason with which a gate let it pass.
   */
  retry(id: OperationId, because?: string) {
    return this.#act(
      id,
      (operation) => this.#canRetry(operation),
      (operation) => {
        const { seq, payload, reason, isUncertain } = operation
        if (reason?.code !== 'outbox/customer-lost' || !payload || !('orderId' in payload)) {
          this.#sendAgain(operation, 'sent again')
          this.#ledger.approve(seq, isUncertain ? 'unknown' : 'queued', because)
          return undefined
        }
        // The sealed customer stays stored: if the key comes back in time, it is sent.
        const allowed = { ...payload, mayLackCustomer: true as const }
        this.#rows.setPayload(operation.seq, allowed)
        this.#sendAgain({ ...operation, payload: allowed }, 'sent again')
        this.#ledger.approve(seq, isUncertain ? 'unknown' : 'queued', because)
        return undefined
      },
    )
  }

  /**
   * Sets when an operation was done (ms since 1970), because its clock was wrong and a person knows better, and sends it.
   */
  date(id: OperationId, at: number): ResultOf<Operation, NotActed | 'outbox/impossible-time'> {
    if (!canBeReported(at, latestMoment(this.#context))) return err({ code: 'outbox/impossible-time' })
    return this.#act(
      id,
      (operation) => this.#canDate(operation),
      (operation) => {
        const { seq, performedAt } = operation
        this.#rows.setTime(seq, { performedAt: iso(at), performedAtRaw: at, clockOffset: 0 })
        this.#journal.write({
          seq,
          actor: 'person',
          what: 'dated',
          from: 'rejected',
          to: 'rejected',
          detail: { was: performedAt },
        })
        this.#sendAgain(operation, 'sent again')
        return undefined
      },
    )
  }

  /**
   * Sends a rejected operation again with a corrected payload, in its old place. What was saved to undo it is cancelled;
   * but returns and voids of an order stay, adjusted to what is in it then. `because`: the reason with which a gate let
   * it pass. `amended`: which items of an order are given up, and why.
   */
  correct(id: OperationId, payload: Payload, because?: string, amended?: { without: TagId[]; because: string }) {
    return this.#act(
      id,
      (one) => this.#isSendable(one),
      (operation) => {
        const others = 'orderId' in payload ? [] : this.#ledger.cancelUndoing(id)
        this.#rows.setPayload(operation.seq, payload)
        const left = new Set(itemsOf(payload))
        const gone = itemsOf(operation.payload).filter((tagId) => !left.has(tagId))
        this.#locks.giveUp(operation.seq, gone.map(tagKey))
        others.push(...this.#refit(operation, operation.kind === 'complete' ? new Set(gone) : undefined))
        // What was taken out may be of a report that was taken back, and is in no later one now.
        others.push(...this.#takenBack.reviveBy(operation))
        // A corrected blind import names its case, a corrected change of a collection may name other things.
        if (operation.kind !== payload.kind || accountOf(payload.kind) === 'sourcing')
          this.#locks.rekey(operation.seq, keysOf(payload, this.#context.caseOf))
        this.#sendAgain({ ...operation, payload }, 'corrected', amended)
        this.#ledger.approve(operation.seq, operation.isUncertain ? 'unknown' : 'queued', because)
        return others
      },
    )
  }

  /**
   * Gives a rejected operation up because `alongside` puts its contents back to where they can be changed: all items, or
   * those still missing of one that was taken back before. It needs attention until all are sent again (`taken-back.ts`).
   */
  reopen(id: OperationId, alongside: () => void) {
    return this.#act(
      id,
      (operation) => this.#canReopen(operation),
      (operation) => {
        const { seq, state: from } = operation
        const others = isTakenBack(operation) ? [] : this.#ledger.cancelUndoing(id)
        this.#cancel(seq, { note: 'reopened', isUnsettled: true })
        this.#journal.write({ seq, actor: 'person', what: 'reopened', from, to: 'cancelled' })
        if (!isTakenBack(operation)) others.push(...this.#refit(operation))
        alongside()
        return others
      },
    )
  }

  /** Gives up a rejected or unsettled operation for a stated reason, with what was saved to undo it. */
  dismiss(id: OperationId, because: string) {
    return this.#act(
      id,
      (operation) => this.#canDismiss(operation),
      (operation) => {
        const { seq, state: from } = operation
        const others = isTakenBack(operation) ? [] : this.#ledger.cancelUndoing(id)
        this.#cancel(seq, { dismissedBecause: because })
        this.#journal.write({ seq, actor: 'person', what: 'dismissed', from, to: 'cancelled', detail: because })
        if (!isTakenBack(operation)) others.push(...this.#refit(operation))
        return others
      },
    )
  }

  /** What a person can do to an operation in the Outbox now. */
  actionsOf(operation: Operation): OperationAction[] {
    return this.#possible.flatMap(([action, isPossible]) => (isPossible(operation) ? action : []))
  }

  #canWithdraw(operation: Operation) {
    return isWithdrawable(operation) && !this.#locks.hasWaiters(operation.seq)
  }

  #isSendable({ state, payload }: Operation) {
    return state === 'rejected' && payload !== null
  }

  /** While it is on the wire, its answer comes first. */
  #isOpenDoubt({ isUnsettled, state }: Operation) {
    return isUnsettled && state !== 'sending' && state !== 'cancelled'
  }

  #canConfirm(operation: Operation) {
    return isForPerson(operation) && operation.state !== 'sending'
  }

  /** Its time isn't known: it's sent once a person has entered it. */
  #canDate(operation: Operation) {
    return this.#isSendable(operation) && operation.reason?.code === 'outbox/time-unknown'
  }

  #canRetry(operation: Operation) {
    return (this.#isSendable(operation) && !this.#canDate(operation)) || this.#isOpenDoubt(operation)
  }

  #canDismiss(operation: Operation) {
    return operation.state === 'rejected' || this.#isOpenDoubt(operation) || isTakenBack(operation)
  }

  // A sale that may have been taken could be doubled if it were sold again under another number.
  #canReopen(operation: Operation) {
    return (this.#isSendable(operation) && !isForPerson(operation)) || isTakenBack(operation)
  }

  /** Undo in the Outbox: withdraws; an import that is on its way gets its inverse. */
  #canUndo(operation: Operation) {
    return (
      this.#canWithdraw(operation) ||
      (operation.kind === 'import' &&
        !isFinished(operation.state) &&
        !operation.isUnsettled &&
        this.undoOf(operation) === 'inverse')
    )
  }

  #canReopenOrder(operation: Operation) {
    return (operation.kind === 'complete' || operation.kind === 'return') && this.#canReopen(operation)
  }

  /** A sale or return that the service refused because of some of its items may be accepted without them. */
  #canAmend(operation: Operation) {
    return this.#canReopenOrder(operation) && !isTakenBack(operation) && namedTags(operation.reason).length > 0
  }

  /** Runs one action in a commit. `change` returns the other operations that it changed. */
  #act(
    id: OperationId,
    isAllowed: (operation: Operation) => boolean,
    change: (operation: Operation) => number[] | undefined,
  ): ResultOf<Operation, NotActed> {
    return saved(() => {
      const changed = this.#context.db
        .transaction((): ResultOf<{ seq: number; others: number[] }, 'outbox/not-found' | 'outbox/wrong-state'> => {
          const operation = this.#rows.byId(id)
          if (!operation) return err({ code: 'outbox/not-found' })
          if (!isAllowed(operation)) return err({ code: 'outbox/wrong-state', state: operation.state })
          return ok({ seq: operation.seq, others: change(operation) ?? [] })
        })
        .immediate()
      if (changed.ok) noteCommit()
      this.#ledger.atStep('person.saved')
      if (!changed.ok) return changed
      const { seq, others } = changed.value
      for (const other of others) this.announce(this.#rows.bySeq(other))
      return ok(this.announce(this.#rows.bySeq(seq)))
    })
  }

  #write(seq: number, change: Change) {
    this.#rows.update(seq, change)
    this.#ledger.atStep('person.writing')
  }

  #cancel(seq: number, change: Omit<Change, 'state'> = {}) {
    this.#write(seq, { isUnsettled: false, ...change, state: 'cancelled' })
    this.#locks.release(seq)
  }

  /**
   * Adjusts the unsent returns and voids of an order after an earlier report of it was corrected or given up: a return
   * loses the items that were never sold (`gone`), and a void covers whatever the order holds by then. Returns those changed.
   */
  #refit({ seq, payload }: Operation, gone: ReadonlySet<TagId> = new Set()): number[] {
    if (!payload || !('orderId' in payload)) return []
    const held = new Set<TagId>()
    return this.#rows.byKey(orderKey(payload.orderId)).flatMap((one) => {
      if (one.state === 'cancelled' || !one.payload || !('orderId' in one.payload)) return []
      const canChange = one.seq > seq && isWithdrawable(one)
      const { kind, tagIds } = one.payload
      const fitting = !canChange || kind === 'complete' ? tagIds : fitted(one.payload, held, gone)
      for (const tagId of fitting) {
        if (kind === 'complete') held.add(tagId)
        else held.delete(tagId)
      }
      if (kind === 'void') held.clear()
      if (fitting.length === tagIds.length && fitting.every((tagId) => tagIds.includes(tagId))) return []
      if (kind === 'return' && fitting.length === 0) return this.#ledger.takeBack(one)
      const detail = { ...one.payload, tagIds: fitting }
      this.#rows.setPayload(one.seq, detail)
      this.#locks.rekey(one.seq, keysOf(detail, this.#context.caseOf))
      this.#journal.write({ seq: one.seq, actor: 'station', what: 'corrected', from: one.state, to: one.state, detail })
      return [...this.#takenBack.reviveBy(one), one.seq]
    })
  }

  /** Sends it again in its old place in the queue. One that may have been taken is read about first. */
  #sendAgain(
    { seq, state: from, isUncertain, payload }: Operation,
    what: 'sent again' | 'corrected',
    detail: unknown = payload,
  ) {
    const to = isUncertain ? 'unknown' : 'queued'
    this.#write(seq, { state: to, faults: 0, nextAttemptAt: 0, isUnsettled: false })
    if (from !== 'rejected') {
      this.#journal.write({ seq, actor: 'person', what, from, to })
      return
    }
    // Since its refusal it shared its exclusive keys.
    if (payload && sharesOnceRefused(payload.kind)) this.#locks.rekey(seq, keysOf(payload, this.#context.caseOf))
    else this.#locks.reacquire(seq)
    this.#journal.write({ seq, actor: 'person', what, from: 'rejected', to, detail })
  }
}

const itemsOf = (payload: Payload | null) => (payload && 'tagIds' in payload ? payload.tagIds : [])

type OrderPayload = Extract<Payload, { orderId: string }>

/** The items of a return or void, if the order holds `held` before it and `gone` was never sold in it. */
const fitted = ({ kind, tagIds }: OrderPayload, held: ReadonlySet<TagId>, gone: ReadonlySet<TagId>): TagId[] =>
  kind === 'void' ? [...held] : tagIds.filter((tagId) => !gone.has(tagId))
