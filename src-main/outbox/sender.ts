import type { AppError, ResultOf } from '../../src-shared/errors'
import { ok } from '../../src-shared/result'
import type { CaseFacts } from '../../src-shared/service/facts'
import type { KeychainCode } from '../credentials/keychain'
import { settleWithin } from '../core/async'
import { certificateFaults } from '../memory/certificate'
import { type Clock, type ServiceClock, type Timers, systemTimers } from '../core/clock'
import type { Log } from '../core/log'
import { type Seal, unsealed } from '../privacy/seal'
import { type ServiceClient, isOfAccount } from '../service/client'
import { createCircuitBreaker } from './circuit-breaker'
import { type Evidence, type ReconcileParts, createOwnReports } from './evidence'
import { aboutOf, accountOf, requestOf } from './kinds/kinds'
import type { MayBeSent } from './moments'
import type { Operation, Outcome } from './operation'
import type { Outbox } from './outbox'
import { outcomeOf } from './outcome'
import { createPace } from './pace'
import { type CaseOf, type Sendable, orderKey } from './payload'
import {
  type Blind,
  type Identification,
  type IdentifyClient,
  identify,
  lookAgain,
  reconcile,
  unsettled,
} from './reconcile'
import type { AtStep } from '../core/steps'
import { endAfter } from '../database/saved'

/** What the sender needs of the outbox. */
export interface Queue extends Pick<
  Outbox,
  'claim' | 'identify' | 'settle' | 'isPermitted' | 'mayBeSent' | 'retryAll' | 'retryAfterOutage' | 'retryUnreached'
> {
  read: Pick<Outbox['read'], 'bySeq' | 'nextDueAt' | 'byKey' | 'recent' | 'hasBlindBefore' | 'counts'>
}

export interface SenderParts {
  outbox: Queue
  client: Pick<ServiceClient, 'report'> & ReconcileParts['client'] & IdentifyClient
  /** Called with each case that was read for a blind import, and when it was asked for. */
  onCase?: (facts: CaseFacts, askedAt: number) => void
  caseOf: CaseOf
  /** Our own dispensary in the service; null when unknown. */
  ownDispensaryId: string | null
  /** Whether imports carry the POS's SKU. */
  sendsSku?: boolean
  /** Asks the service for its clock. Returns why it didn't answer, or null. */
  askTime?: () => Promise<AppError | null>
  /** Unseals customers. */
  seal?: Pick<Seal, 'reveal'>
  clock: Clock
  serviceClock: Pick<ServiceClock, 'offset'>
  log: Log
  /** [0, 1), for the jitter. */
  random?: () => number
  timers?: Timers
  atStep?: AtStep
}

/** What came of an attempt: no outcome if a blind import was identified and has to wait. */
interface Decision {
  outcome?: Outcome
  /** Its trouble says nothing about other operations. */
  isOfOne?: boolean
}

/** Operations on the wire at once. */
const lanes = 8
/** Spreads the tills of a store, which all see the connection come back at the same moment, in ms. */
const recoveryJitter = 400
/** Pause after the store itself failed, in ms. */
const storePause = 2_000
/** A clock that goes back by less than this, in ms, was adjusted and not set back. */
const clockSlack = 5_000
/** In ms. A look every half a minute costs nothing, and setTimeout takes no more than 2^31 - 1. */
const longestSleep = 30_000

/** Sends what the outbox holds, eight operations at a time, as long as the app runs. */
export class Sender {
  readonly #outbox: SenderParts['outbox']
  readonly #client: SenderParts['client']
  readonly #onCase: NonNullable<SenderParts['onCase']>
  readonly #sendsSku: NonNullable<SenderParts['sendsSku']>
  readonly #askTime: NonNullable<SenderParts['askTime']>
  readonly #seal: NonNullable<SenderParts['seal']>
  readonly #clock: SenderParts['clock']
  readonly #serviceClock: SenderParts['serviceClock']
  readonly #log: SenderParts['log']
  readonly #random: NonNullable<SenderParts['random']>
  readonly #timers: NonNullable<SenderParts['timers']>
  readonly #atStep: NonNullable<SenderParts['atStep']>
  readonly #breaker: ReturnType<typeof createCircuitBreaker>
  readonly #pace: ReturnType<typeof createPace>
  readonly #reading: ReconcileParts
  readonly #onTheWire = new Set<Promise<void>>()
  /** When each operation on the wire was claimed, by its number. */
  readonly #since = new Map<number, number>()
  #cancelSleep: (() => void) | undefined
  #isStopped = false
  #latest: number

  constructor({
    outbox,
    client,
    onCase = () => undefined,
    caseOf,
    ownDispensaryId,
    sendsSku = true,
    askTime = () => Promise.resolve(null),
    seal = unsealed,
    clock,
    serviceClock,
    log,
    random = Math.random,
    timers = systemTimers,
    atStep = () => undefined,
  }: SenderParts) {
    this.#outbox = outbox
    this.#client = client
    this.#onCase = onCase
    this.#sendsSku = sendsSku
    this.#askTime = askTime
    this.#seal = seal
    this.#clock = clock
    this.#serviceClock = serviceClock
    this.#log = log
    this.#random = random
    this.#timers = timers
    this.#atStep = atStep
    this.#breaker = createCircuitBreaker(clock, lanes, random)
    this.#pace = createPace(clock, random)
    this.#reading = { client: this.#client, caseOf, ownDispensaryId, own: createOwnReports(this.#outbox.read) }
    this.#latest = this.#clock.now()
  }

  /** Looks for work now: after an enqueue, a retry, or when the connection is back. */
  wake(): void {
    this.#sleep(0)
  }

  /** Some request was answered after a fault: one operation finds out now whether the others may be sent too. */
  answering(): void {
    this.#breaker.allowTrial()
    this.#sleep(this.#random() * recoveryJitter)
  }

  /**
   * The service answers again after an outage of so many ms: what waited only for that is sent from now on, at a pace. Call
   * it without a length if other stations don't recover at the same moment.
   */
  recovered(outageMs = 0): void {
    this.#breaker.reset()
    this.#sleep(this.#random() * recoveryJitter)
    this.#pace.begin(this.#outbox.read.counts().unsent, outageMs)
    this.#outbox.retryAfterOutage()
  }

  /** A person said "now": nothing waits for its time any more. */
  sendNow(): void {
    this.#breaker.reset()
    this.#pace.reset()
    this.#sleep(0)
    this.#outbox.retryAll()
  }

  /** Whether a report that is saved now has to wait: the service can't be reached, or a queue is being sent. */
  isHeldUp() {
    return this.#breaker.lanes() === 0 || this.#pace.isDraining()
  }

  /** How long the oldest operation on the wire has been there, in ms; null if there is none. */
  longestOnWireMs(): number | null {
    return this.#since.size === 0 ? null : Math.max(0, this.#clock.now() - Math.min(...this.#since.values()))
  }

  /** Claims nothing more and resolves once what is on the wire is answered, at the latest after `graceMs` (or Infinity). */
  async stop(graceMs: number): Promise<void> {
    this.#isStopped = true
    this.#cancelSleep?.()
    await settleWithin(Promise.all(this.#onTheWire), graceMs)
  }

  #sleep(ms: number) {
    this.#cancelSleep?.()
    if (!this.#isStopped)
      this.#cancelSleep = this.#timers.after(Math.min(Math.max(ms, 0), longestSleep), () => this.#pump())
  }

  /** Times written before the clock was set back mean nothing any more. */
  #noticeClock(): void {
    const now = this.#clock.now()
    if (now < this.#latest - clockSlack) this.#outbox.retryAll()
    this.#latest = now
  }

  /** After an outage the pace takes the place of the pauses of those that weren't answered. Others keep their own. */
  #isTriedAtPace() {
    return this.#pace.isDraining() && this.#breaker.lanes() > 0
  }

  #claim() {
    const next = this.#outbox.claim()
    if (next || !this.#isTriedAtPace()) return next
    this.#outbox.retryUnreached()
    return this.#outbox.claim()
  }

  /** Fills the lanes, then sleeps until something is due. No exception may end this loop. */
  #pump(): void {
    try {
      this.#noticeClock()
      while (!this.#isStopped && this.#onTheWire.size < this.#breaker.lanes() && this.#pace.isDue()) {
        const operation = this.#claim()
        this.#pace.claimed()
        if (!operation) {
          // All was tried by now, or waits for what was: a fresh report need not wait for it.
          if (this.#onTheWire.size === 0) this.#pace.drained()
          break
        }
        const lane = this.#run(operation).finally(() => {
          this.#onTheWire.delete(lane)
          this.#pump()
        })
        this.#onTheWire.add(lane)
      }
      const due = this.#outbox.read.nextDueAt()
      const trialAt = this.#breaker.nextTrialAt()
      // If all lanes are busy, the next free one pumps.
      if (due !== null && (trialAt !== null || this.#onTheWire.size < this.#breaker.lanes())) {
        this.#sleep(Math.max(this.#isTriedAtPace() ? 0 : due, trialAt ?? 0, this.#pace.nextAt()) - this.#clock.now())
      }
    } catch (cause) {
      endAfter(cause)
      this.#log.error('the sender could not claim', { cause })
      this.#sleep(storePause)
    }
  }

  /** Sends one operation after the other while there is one for this lane. Never rejects. */
  async #run(first: Operation): Promise<void> {
    let operation: Operation | undefined = first
    while (operation) {
      const { seq } = operation
      this.#since.set(seq, this.#clock.now())
      operation = await this.#attempt(operation)
      this.#since.delete(seq)
      // Other operations that were freed may go in other lanes.
      if (operation) this.#pump()
    }
  }

  /** Makes one attempt; returns the next operation for its lane. Never rejects. */
  async #attempt(operation: Operation): Promise<Operation | undefined> {
    const leave = this.#breaker.enter()
    const { outcome, isOfOne } = await this.#decide(operation)
    const reason = outcome && 'reason' in outcome ? outcome.reason : null
    leave(isOfOne ? 'of-one' : reason, outcome && 'afterMs' in outcome ? outcome.afterMs : null)
    if (outcome && !isOfOne) this.#pace.note(outcome)
    this.#log.info('attempt', {
      seq: operation.seq,
      kind: operation.kind,
      outcome: outcome?.kind ?? 'identified',
      attempts: operation.attempts,
    })
    // Without an outcome nothing was sent: the operation waits for others of its case.
    return outcome ? this.#record(operation, outcome) : undefined
  }

  async #decide(operation: Operation): Promise<Decision> {
    try {
      const { payload } = operation
      if (payload === null) return { outcome: { kind: 'rejected', reason: { code: 'outbox/unreadable' } } }
      return payload.kind === 'blind-import'
        ? await this.#findOut(operation, payload)
        : await this.#report(operation, payload)
    } catch (cause) {
      endAfter(cause)
      // A bug of ours, at a moment we can't know: the request may have been sent.
      this.#log.error('an attempt failed', { seq: operation.seq, cause })
      const reason = { code: 'app/unexpected', reference: `operation ${operation.seq}` } as const
      return { outcome: { kind: 'unknown', reason, afterMs: null } }
    }
  }

  /**
   * An import that turns out to be against its certificate, and that no person permitted, is for a person. It stays blind with
   * its case, so that it is looked up again once it is permitted. One that may have been sent is read about instead.
   */
  #unpermitted(operation: Operation, payload: Blind, { facts, known }: Identification) {
    if (!facts || known?.payload.kind !== 'import' || operation.isUncertain || this.#outbox.isPermitted(operation))
      return
    const now = this.#clock.now() + this.#serviceClock.offset()
    const isBad = facts.packagedProducts.some(({ coa }) => certificateFaults(coa, now).length > 0)
    if (!isBad) return undefined
    const { caseId } = facts
    const outcome: Outcome = { kind: 'rejected', reason: { code: 'receiving/bad-certificate', caseId } }
    return { known: { payload: { ...payload, caseId }, tagIds: known.tagIds }, outcome }
  }

  /** Finds out which case a blind import is of, and reports it once that is stored. */
  async #findOut(operation: Operation, payload: Blind): Promise<Decision> {
    const askedAt = this.#clock.now()
    const found = await identify(payload, this.#client)
    if (found.facts) this.#remember(found.facts, askedAt)
    if (found.known === undefined) return { outcome: found.outcome }
    const { known, outcome } = this.#unpermitted(operation, payload, found) ?? found
    const identified = this.#outbox.identify(operation.seq, known)
    const { state, payload: next } = identified
    // It waits for others of its case, and is looked up again after them.
    if (state !== 'sending') return {}
    if (outcome) return { outcome }
    if (next === null || next.kind === 'blind-import') return {}
    return this.#report(identified, next)
  }

  /** The payload with its customer unsealed; without one only if it can't be unsealed any more and a person allowed that. */
  async #opened(payload: Sendable): Promise<ResultOf<Sendable, KeychainCode | 'outbox/customer-lost'>> {
    if (!('customerId' in payload) || payload.customerId === undefined) return ok(payload)
    const customer = await this.#seal.reveal(payload.customerId)
    if (customer.ok) return ok({ ...payload, customerId: customer.value })
    if (customer.error.code !== 'outbox/customer-lost' || payload.mayLackCustomer !== true) return customer
    this.#log.warn('sent without its customer, as a person decided', { kind: payload.kind })
    return ok({ ...payload, customerId: undefined })
  }

  /** The customers of an order, who are removed from the answer if the service repeats them; but never the order number. */
  async #customersOf(payload: Sendable): Promise<string[]> {
    if (!('orderId' in payload)) return []
    const own = payload.customerId === undefined ? [] : [payload.customerId]
    if (payload.kind === 'complete') return own.filter((one) => one !== payload.orderId)
    const sealed = this.#outbox.read
      .byKey(orderKey(payload.orderId))
      .flatMap((one) => (one.payload && 'customerId' in one.payload ? (one.payload.customerId ?? []) : []))
    const opened = await Promise.all([...new Set(sealed)].map((one) => this.#seal.reveal(one)))
    const known = opened.flatMap((one) => (one.ok ? [one.value] : []))
    return [...new Set([...own, ...known])].filter((one) => one !== payload.orderId)
  }

  /** The operation with the time with which it may be sent, corrected if its clock was wrong; or why it can't be sent now. */
  async #dated(operation: Operation): Promise<Operation | Decision> {
    const { seq } = operation
    let may = this.#outbox.mayBeSent(operation, true)
    if (may === 'ask') {
      const trouble = await this.#askTime()
      if (trouble) return { outcome: { kind: 'retry', reason: trouble, afterMs: null } }
      // A service that answers without its clock is no reason to keep the report.
      may = this.#outbox.mayBeSent(this.#outbox.read.bySeq(seq), false)
    }
    return may === 'yes' ? this.#outbox.read.bySeq(seq) : { outcome: withoutTime(may), isOfOne: true }
  }

  async #report(claimed: Operation, payload: Sendable): Promise<Decision> {
    const operation = await this.#dated(claimed)
    if (!('performedAt' in operation)) return operation
    let found: Extract<Evidence, { kind: 'resend' }> | undefined
    if (operation.isUncertain) {
      this.#atStep('reconcile.asking')
      const evidence = await reconcile(operation, this.#reading)
      this.#atStep('reconcile.found')
      if (evidence.kind === 'decided') return { outcome: evidence.outcome }
      found = evidence
    }
    const sendable = await this.#opened(payload)
    if (!sendable.ok) return { outcome: withoutCustomer(sendable.error), isOfOne: true }
    const request = requestOf(sendable.value, operation.performedAt, this.#sendsSku)
    const hadBlindBefore = this.#outbox.read.hasBlindBefore(operation.seq)
    this.#atStep('report.sending')
    const conceal = await this.#customersOf(sendable.value)
    const reply = await this.#client.report(conceal.length === 0 ? request : { ...request, conceal })
    this.#atStep('report.answered')
    const { kind } = operation
    const attempt = { kind, about: aboutOf(payload), reply, ifAlready: found?.ifAlready ?? 'rejected' }
    const settled = await lookAgain(operation, outcomeOf(attempt), this.#reading)
    const outcome = found ? unsettled(operation, settled, found.shown) : settled
    // Cases are changed by another account than sales: its trouble says nothing about other operations.
    return {
      outcome: this.#orLater(outcome, hadBlindBefore),
      isOfOne: accountOf(kind) === 'sourcing' && isOfAccount(reply),
    }
  }

  /**
   * Retries a sale that may have been refused only because the blind import of its case is not finished. What counts is
   * whether there was one when the sale was sent: identified meanwhile, it may still be on its way.
   */
  #orLater(outcome: Outcome, hadBlindBefore: boolean): Outcome {
    return outcome.kind === 'rejected' && outcome.reason.code === 'service/not-imported' && hadBlindBefore
      ? { kind: 'retry', reason: outcome.reason, afterMs: null }
      : outcome
  }

  #remember(facts: CaseFacts, askedAt: number) {
    try {
      this.#onCase(facts, askedAt)
    } catch (cause) {
      this.#log.warn('a case could not be remembered', { cause })
    }
  }

  /** Saves the outcome and doesn't give up: without it the operation would look as if it were on the wire. */
  async #record(operation: Operation, outcome: Outcome): Promise<Operation | undefined> {
    for (;;) {
      try {
        const hasLane = !this.#isStopped && this.#onTheWire.size <= this.#breaker.lanes() && this.#pace.isFree()
        return this.#outbox.settle(operation.seq, outcome, hasLane)
      } catch (cause) {
        endAfter(cause)
        this.#log.error('an outcome could not be saved', { seq: operation.seq, outcome: outcome.kind, cause })
        // At the next start it is found `sending`, becomes `unknown`, and is reconciled.
        if (this.#isStopped) return undefined
        await new Promise((resolve) => setTimeout(resolve, storePause))
      }
    }
  }
}

/** The outcome if a report can't be sent with its time; nothing was sent. */
const withoutTime = (time: Exclude<MayBeSent, 'yes'>): Outcome => {
  const reason = { code: 'outbox/time-unknown' } as const
  return time === 'unknown' ? { kind: 'rejected', reason } : { kind: 'retry', reason, afterMs: null }
}

/** The outcome if a customer can't be unsealed; nothing was sent. A keychain that refuses now may give the key later. */
const withoutCustomer = (reason: AppError): Outcome =>
  reason.code === 'outbox/customer-lost' ? { kind: 'rejected', reason } : { kind: 'retry', reason, afterMs: null }
