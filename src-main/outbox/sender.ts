import type { AppError } from '../../src-shared/errors'
import { type Result, ok } from '../../src-shared/result'
import type { CaseFacts } from '../../src-shared/service/facts'
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

export type Sender = ReturnType<typeof createSender>

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
export function createSender({
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
  const breaker = createCircuitBreaker({ clock, lanes, random })
  const pace = createPace({ clock, random })
  const reading: ReconcileParts = { client, caseOf, ownDispensaryId, own: createOwnReports(outbox.read) }
  const onTheWire = new Set<Promise<void>>()
  /** When each operation on the wire was claimed, by its number. */
  const since = new Map<number, number>()
  let cancelSleep: (() => void) | undefined
  let isStopped = false
  let latest = clock.now()

  const sleep = (ms: number) => {
    cancelSleep?.()
    if (!isStopped) cancelSleep = timers.after(Math.min(Math.max(ms, 0), longestSleep), pump)
  }

  /** Times written before the clock was set back mean nothing any more. */
  function noticeClock(): void {
    const now = clock.now()
    if (now < latest - clockSlack) outbox.retryAll()
    latest = now
  }

  /** After an outage the pace takes the place of the pauses of those that weren't answered. Others keep their own. */
  const isTriedAtPace = () => pace.isDraining() && breaker.lanes() > 0

  const claim = () => {
    const next = outbox.claim()
    if (next || !isTriedAtPace()) return next
    outbox.retryUnreached()
    return outbox.claim()
  }

  /** Fills the lanes, then sleeps until something is due. No exception may end this loop. */
  function pump(): void {
    try {
      noticeClock()
      while (!isStopped && onTheWire.size < breaker.lanes() && pace.isDue()) {
        const operation = claim()
        pace.claimed()
        if (!operation) {
          // All was tried by now, or waits for what was: a fresh report need not wait for it.
          if (onTheWire.size === 0) pace.drained()
          break
        }
        const lane = run(operation).finally(() => {
          onTheWire.delete(lane)
          pump()
        })
        onTheWire.add(lane)
      }
      const due = outbox.read.nextDueAt()
      const trialAt = breaker.nextTrialAt()
      // If all lanes are busy, the next free one pumps.
      if (due !== null && (trialAt !== null || onTheWire.size < breaker.lanes())) {
        sleep(Math.max(isTriedAtPace() ? 0 : due, trialAt ?? 0, pace.nextAt()) - clock.now())
      }
    } catch (cause) {
      endAfter(cause)
      log.error('the sender could not claim', { cause })
      sleep(storePause)
    }
  }

  /** Sends one operation after the other while there is one for this lane. Never rejects. */
  async function run(first: Operation): Promise<void> {
    let operation: Operation | undefined = first
    while (operation) {
      const { seq } = operation
      since.set(seq, clock.now())
      operation = await attempt(operation)
      since.delete(seq)
      // Other operations that were freed may go in other lanes.
      if (operation) pump()
    }
  }

  /** Makes one attempt; returns the next operation for its lane. Never rejects. */
  async function attempt(operation: Operation): Promise<Operation | undefined> {
    const leave = breaker.enter()
    const { outcome, isOfOne } = await decide(operation)
    const reason = outcome && 'reason' in outcome ? outcome.reason : null
    leave(isOfOne ? 'of-one' : reason, outcome && 'afterMs' in outcome ? outcome.afterMs : null)
    if (outcome && !isOfOne) pace.note(outcome)
    log.info('attempt', {
      seq: operation.seq,
      kind: operation.kind,
      outcome: outcome?.kind ?? 'identified',
      attempts: operation.attempts,
    })
    // Without an outcome nothing was sent: the operation waits for others of its case.
    return outcome ? record(operation, outcome) : undefined
  }

  async function decide(operation: Operation): Promise<Decision> {
    try {
      const { payload } = operation
      if (payload === null) return { outcome: { kind: 'rejected', reason: { code: 'outbox/unreadable' } } }
      return payload.kind === 'blind-import' ? await findOut(operation, payload) : await report(operation, payload)
    } catch (cause) {
      endAfter(cause)
      // A bug of ours, at a moment we can't know: the request may have been sent.
      log.error('an attempt failed', { seq: operation.seq, cause })
      const reason = { code: 'app/unexpected', reference: `operation ${operation.seq}` } as const
      return { outcome: { kind: 'unknown', reason, afterMs: null } }
    }
  }

  /**
   * An import that turns out to be against its certificate, and that no person permitted, is for a person. It stays blind with
   * its case, so that it is looked up again once it is permitted. One that may have been sent is read about instead.
   */
  function unpermitted(operation: Operation, payload: Blind, { facts, known }: Identification) {
    if (!facts || known?.payload.kind !== 'import' || operation.isUncertain || outbox.isPermitted(operation)) return
    const now = clock.now() + serviceClock.offset()
    const isBad = facts.packagedProducts.some(({ coa }) => certificateFaults(coa, now).length > 0)
    if (!isBad) return undefined
    const { caseId } = facts
    const outcome: Outcome = { kind: 'rejected', reason: { code: 'receiving/bad-certificate', caseId } }
    return { known: { payload: { ...payload, caseId }, tagIds: known.tagIds }, outcome }
  }

  /** Finds out which case a blind import is of, and reports it once that is stored. */
  async function findOut(operation: Operation, payload: Blind): Promise<Decision> {
    const askedAt = clock.now()
    const found = await identify(payload, client)
    if (found.facts) remember(found.facts, askedAt)
    if (found.known === undefined) return { outcome: found.outcome }
    const { known, outcome } = unpermitted(operation, payload, found) ?? found
    const identified = outbox.identify(operation.seq, known)
    const { state, payload: next } = identified
    // It waits for others of its case, and is looked up again after them.
    if (state !== 'sending') return {}
    if (outcome) return { outcome }
    if (next === null || next.kind === 'blind-import') return {}
    return report(identified, next)
  }

  /** The payload with its customer unsealed; without one only if it can't be unsealed any more and a person allowed that. */
  const opened = async (payload: Sendable): Promise<Result<Sendable, AppError>> => {
    if (!('customerId' in payload) || payload.customerId === undefined) return ok(payload)
    const customer = await seal.reveal(payload.customerId)
    if (customer.ok) return ok({ ...payload, customerId: customer.value })
    if (customer.error.code !== 'outbox/customer-lost' || payload.mayLackCustomer !== true) return customer
    log.warn('sent without its customer, as a person decided', { kind: payload.kind })
    return ok({ ...payload, customerId: undefined })
  }

  /** The customers of an order, who are removed from the answer if the service repeats them; but never the order number. */
  const customersOf = async (payload: Sendable): Promise<string[]> => {
    if (!('orderId' in payload)) return []
    const own = payload.customerId === undefined ? [] : [payload.customerId]
    if (payload.kind === 'complete') return own.filter((one) => one !== payload.orderId)
    const sealed = outbox.read
      .byKey(orderKey(payload.orderId))
      .flatMap((one) => (one.payload && 'customerId' in one.payload ? (one.payload.customerId ?? []) : []))
    const opened = await Promise.all([...new Set(sealed)].map((one) => seal.reveal(one)))
    const known = opened.flatMap((one) => (one.ok ? [one.value] : []))
    return [...new Set([...own, ...known])].filter((one) => one !== payload.orderId)
  }

  /** The operation with the time with which it may be sent, corrected if its clock was wrong; or why it can't be sent now. */
  async function dated(operation: Operation): Promise<Operation | Decision> {
    const { seq } = operation
    let may = outbox.mayBeSent(operation, true)
    if (may === 'ask') {
      const trouble = await askTime()
      if (trouble) return { outcome: { kind: 'retry', reason: trouble, afterMs: null } }
      // A service that answers without its clock is no reason to keep the report.
      may = outbox.mayBeSent(outbox.read.bySeq(seq), false)
    }
    return may === 'yes' ? outbox.read.bySeq(seq) : { outcome: withoutTime(may), isOfOne: true }
  }

  async function report(claimed: Operation, payload: Sendable): Promise<Decision> {
    const operation = await dated(claimed)
    if (!('performedAt' in operation)) return operation
    let found: Extract<Evidence, { kind: 'resend' }> | undefined
    if (operation.isUncertain) {
      atStep('reconcile.asking')
      const evidence = await reconcile(operation, reading)
      atStep('reconcile.found')
      if (evidence.kind === 'decided') return { outcome: evidence.outcome }
      found = evidence
    }
    const sendable = await opened(payload)
    if (!sendable.ok) return { outcome: withoutCustomer(sendable.error), isOfOne: true }
    const request = requestOf(sendable.value, operation.performedAt, sendsSku)
    const hadBlindBefore = outbox.read.hasBlindBefore(operation.seq)
    atStep('report.sending')
    const conceal = await customersOf(sendable.value)
    const reply = await client.report(conceal.length === 0 ? request : { ...request, conceal })
    atStep('report.answered')
    const { kind } = operation
    const attempt = { kind, about: aboutOf(payload), reply, ifAlready: found?.ifAlready ?? 'rejected' }
    const settled = await lookAgain(operation, outcomeOf(attempt), reading)
    const outcome = found ? unsettled(operation, settled, found.shown) : settled
    // Cases are changed by another account than sales: its trouble says nothing about other operations.
    return { outcome: orLater(outcome, hadBlindBefore), isOfOne: accountOf(kind) === 'sourcing' && isOfAccount(reply) }
  }

  /**
   * Retries a sale that may have been refused only because the blind import of its case is not finished. What counts is
   * whether there was one when the sale was sent: identified meanwhile, it may still be on its way.
   */
  const orLater = (outcome: Outcome, hadBlindBefore: boolean): Outcome =>
    outcome.kind === 'rejected' && outcome.reason.code === 'service/not-imported' && hadBlindBefore
      ? { kind: 'retry', reason: outcome.reason, afterMs: null }
      : outcome

  const remember = (facts: CaseFacts, askedAt: number) => {
    try {
      onCase(facts, askedAt)
    } catch (cause) {
      log.warn('a case could not be remembered', { cause })
    }
  }

  /** Saves the outcome and doesn't give up: without it the operation would look as if it were on the wire. */
  async function record(operation: Operation, outcome: Outcome): Promise<Operation | undefined> {
    for (;;) {
      try {
        const hasLane = !isStopped && onTheWire.size <= breaker.lanes() && pace.isFree()
        return outbox.settle(operation.seq, outcome, hasLane)
      } catch (cause) {
        endAfter(cause)
        log.error('an outcome could not be saved', { seq: operation.seq, outcome: outcome.kind, cause })
        // At the next start it is found `sending`, becomes `unknown`, and is reconciled.
        if (isStopped) return undefined
        await new Promise((resolve) => setTimeout(resolve, storePause))
      }
    }
  }

  return {
    /** Looks for work now: after an enqueue, a retry, or when the connection is back. */
    wake(): void {
      sleep(0)
    },
    /** Some request was answered after a fault: one operation finds out now whether the others may be sent too. */
    answering(): void {
      breaker.allowTrial()
      sleep(random() * recoveryJitter)
    },
    /**
     * The service answers again after an outage of so many ms: what waited only for that is sent from now on, at a pace. Call
     * it without a length if other stations don't recover at the same moment.
     */
    recovered(outageMs = 0): void {
      breaker.reset()
      sleep(random() * recoveryJitter)
      pace.begin(outbox.read.counts().unsent, outageMs)
      outbox.retryAfterOutage()
    },
    /** A person said "now": nothing waits for its time any more. */
    sendNow(): void {
      breaker.reset()
      pace.reset()
      sleep(0)
      outbox.retryAll()
    },
    /** Whether a report that is saved now has to wait: the service can't be reached, or a queue is being sent. */
    isHeldUp: () => breaker.lanes() === 0 || pace.isDraining(),
    /** How long the oldest operation on the wire has been there, in ms; null if there is none. */
    longestOnWireMs: (): number | null =>
      since.size === 0 ? null : Math.max(0, clock.now() - Math.min(...since.values())),
    /** Claims nothing more and resolves once what is on the wire is answered, at the latest after `graceMs` (or Infinity). */
    async stop(graceMs: number): Promise<void> {
      isStopped = true
      cancelSleep?.()
      await settleWithin(Promise.all(onTheWire), graceMs)
    },
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
