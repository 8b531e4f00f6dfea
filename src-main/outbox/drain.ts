import type { CaseId, TagId } from '../../src-shared/ids'
import type { Clock } from '../clock'
import type { Log } from '../log'
import type { CaseFacts } from '../../src-shared/service/facts'
import type { AppError } from '../../src-shared/errors'
import { type Result, ok } from '../../src-shared/result'
import { type Seal, unsealed } from '../privacy/seal'
import { type ServiceClient, isOfAccount } from '../service-client/client'
import type { Operation } from './operation'
import { createGate } from './gate'
import { type IdentifyClient, identify } from './identify'
import { type Outcome, outcomeOf } from './outcome'
import type { Outbox } from './outbox'
import { createOwnImports } from './own-imports'
import { aboutOf, accountOf, requestOf } from './kinds/kinds'
import { type Payload, type Sendable, orderKey } from './payload'
import { type Finding, type ReconcileParts, lookAgain, reconcile, unsettled } from './reconcile'
import { createSales } from './sales'
import type { AtStep } from './steps'

/** Sends what the outbox holds, as long as the app runs. */
export interface Drain {
  /** Looks for work now: after an enqueue, a retry, or when the connection is back. */
  wake(): void
  /** Somebody was answered after a trouble: one operation finds out now whether the others may go too. */
  answering(): void
  /** The service answers again after an outage: whoever waited only for that goes now, after a moment's jitter. */
  recovered(): void
  /** A person said "now": nothing waits for its time any more. */
  sendNow(): void
  /** Whether nothing is sent at the moment, because nobody can be reached. */
  isHeldUp(): boolean
  /** How long the operation that has been in its lane longest is there, in ms; null while all lanes are free. */
  longestOnWireMs(): number | null
  /** Claims nothing more, gives what is on the wire `graceMs` (or Infinity) to be answered, and resolves. */
  stop(graceMs: number): Promise<void>
}

export interface DrainParts {
  outbox: Outbox
  client: Pick<ServiceClient, 'report'> & ReconcileParts['client'] & IdentifyClient
  /** Told of a case that was read to find out what a blind import is, and when it was asked for. */
  onCase?: (facts: CaseFacts, askedAt: number) => void
  /** The case that an item was last seen in. */
  caseOf: (tagId: TagId) => CaseId | undefined
  /** Our own dispensary in the service; null when unknown. */
  ownDispensaryId: string | null
  /** Whether imports carry the POS's SKU. */
  sendsSku?: boolean
  /** Opens what customers are sealed with. */
  seal?: Pick<Seal, 'reveal'>
  clock: Clock
  log: Log
  /** [0, 1), for the jitter. */
  random?: () => number
  atStep?: AtStep
}

/** What came of an attempt: no outcome when it only found out that it has to wait. */
interface Decision {
  outcome?: Outcome
  /** Its trouble is that of this one, and says nothing about others. */
  isOfOne?: boolean
}

/** Operations on the wire at once. */
const lanes = 8
/** Twenty tills of a store see the connection come back at the same moment: they come one after another, in ms. */
const recoveryJitter = 400
/** Pause after the store itself failed, in ms. */
const storePause = 2_000
/** A clock that goes back less than this, in ms, was put right and not set back. */
const clockSlack = 5_000
/** setTimeout takes no more than 2^31 - 1 ms; and a look every half a minute costs nothing. */
const longestSleep = 30_000

export function createDrain({
  outbox,
  client,
  onCase = () => undefined,
  caseOf,
  ownDispensaryId,
  sendsSku = true,
  seal = unsealed,
  clock,
  log,
  random = Math.random,
  atStep = () => undefined,
}: DrainParts): Drain {
  const gate = createGate({ clock, lanes, random })
  const reading: ReconcileParts = {
    client,
    caseOf,
    ownDispensaryId,
    sales: createSales(outbox.read),
    imports: createOwnImports(outbox.read),
  }
  const onTheWire = new Set<Promise<void>>()
  /** When each operation that is in a lane came there, by its number. */
  const since = new Map<number, number>()
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let latest = clock.now()

  const sleep = (ms: number) => {
    clearTimeout(timer)
    if (!isStopped) timer = setTimeout(pump, Math.min(Math.max(ms, 0), longestSleep))
  }

  /** Times that were written before the clock was set back are worth nothing any more. */
  function noticeClock(): void {
    const now = clock.now()
    if (now < latest - clockSlack) outbox.dueNow()
    latest = now
  }

  /** Fills the lanes, then sleeps until something is due. Nothing that happens in here may end the loop. */
  function pump(): void {
    try {
      noticeClock()
      while (!isStopped && onTheWire.size < gate.lanes()) {
        const operation = outbox.claim()
        if (!operation) break
        const lane = run(operation).finally(() => {
          onTheWire.delete(lane)
          pump()
        })
        onTheWire.add(lane)
      }
      const due = outbox.read.nextDueAt()
      const opensAt = gate.opensAt()
      // With all lanes busy the next free one pumps.
      if (due !== null && (opensAt !== null || onTheWire.size < gate.lanes())) {
        sleep(Math.max(due, opensAt ?? 0) - clock.now())
      }
    } catch (cause) {
      log.error('the drain could not claim', { cause })
      sleep(storePause)
    }
  }

  /** One operation after the other, as long as there is one for this lane; never rejects. */
  async function run(first: Operation): Promise<void> {
    let operation: Operation | undefined = first
    while (operation) {
      const { seq } = operation
      since.set(seq, clock.now())
      operation = await attempt(operation)
      since.delete(seq)
      // What was freed besides may go in other lanes.
      if (operation) pump()
    }
  }

  /** One attempt; gives what goes next in its lane. Never rejects. */
  async function attempt(operation: Operation): Promise<Operation | undefined> {
    const leave = gate.enter()
    const { outcome, isOfOne } = await decide(operation)
    const reason = outcome && 'reason' in outcome ? outcome.reason : null
    leave(isOfOne ? 'of-one' : reason, outcome && 'afterMs' in outcome ? outcome.afterMs : null)
    log.info('attempt', {
      seq: operation.seq,
      kind: operation.kind,
      outcome: outcome?.kind ?? 'identified',
      attempts: operation.attempts,
    })
    // Identified, it waits for others of its case: nothing was tried that could have an outcome.
    return outcome ? record(operation, outcome) : undefined
  }

  async function decide(operation: Operation): Promise<Decision> {
    try {
      const { payload } = operation
      if (payload === null) return { outcome: { kind: 'rejected', reason: { code: 'outbox/unreadable' } } }
      return payload.kind === 'blind-import' ? await findOut(operation, payload) : await report(operation, payload)
    } catch (cause) {
      // A bug of ours, at a moment we can't know: the request may have been sent.
      log.error('an attempt failed', { seq: operation.seq, cause })
      const reason = { code: 'app/unexpected', reference: `operation ${operation.seq}` } as const
      return { outcome: { kind: 'unknown', reason, afterMs: null } }
    }
  }

  /** Which case a blind import is of; it is reported once that is written down. */
  async function findOut(operation: Operation, payload: Extract<Payload, { kind: 'blind-import' }>): Promise<Decision> {
    const askedAt = clock.now()
    const found = await identify(payload, client)
    if (found.facts) remember(found.facts, askedAt)
    if (found.known === undefined) return { outcome: found.outcome }
    const identified = outbox.identify(operation.seq, found.known)
    if (found.outcome) return { outcome: found.outcome }
    const { state, payload: next } = identified
    if (state !== 'sending' || next === null || next.kind === 'blind-import') return {}
    return report(identified, next)
  }

  /** As the service is told it. Without its customer only when that can't be opened any more, and a person said so. */
  const opened = async (payload: Sendable): Promise<Result<Sendable, AppError>> => {
    if (!('customerId' in payload) || payload.customerId === undefined) return ok(payload)
    const customer = await seal.reveal(payload.customerId)
    if (customer.ok) return ok({ ...payload, customerId: customer.value })
    if (customer.error.code !== 'outbox/customer-lost' || payload.mayLackCustomer !== true) return customer
    log.warn('sent without its customer, as a person decided', { kind: payload.kind })
    return ok({ ...payload, customerId: undefined })
  }

  /** The customers of an order, who are taken out of the answer should the service repeat them. Its number stays. */
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

  async function report(operation: Operation, payload: Sendable): Promise<Decision> {
    let found: Extract<Finding, { kind: 'resend' }> | undefined
    if (operation.isUncertain) {
      atStep('reconcile.asking')
      const finding = await reconcile(operation, reading)
      atStep('reconcile.found')
      if (finding.kind === 'decided') return { outcome: finding.outcome }
      found = finding
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
    // The account that changes cases is another than the one that sells: its trouble is not everybody's.
    return { outcome: orLater(outcome, hadBlindBefore), isOfOne: accountOf(kind) === 'sourcing' && isOfAccount(reply) }
  }

  /**
   * A sale may be refused only because the case of its items was imported blind, and is not in yet: it comes again. It
   * counts how that was when the sale was sent: found out meanwhile, the import may still be on its way.
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

  /** Writes the outcome down, and does not give up: without it the operation would look as if it were on the wire. */
  async function record(operation: Operation, outcome: Outcome): Promise<Operation | undefined> {
    for (;;) {
      try {
        const hasLane = !isStopped && onTheWire.size <= gate.lanes()
        return outbox.settle(operation.seq, outcome, hasLane)
      } catch (cause) {
        log.error('an outcome could not be saved', { seq: operation.seq, outcome: outcome.kind, cause })
        // At the next start it is found `sending`, becomes `unknown`, and is reconciled.
        if (isStopped) return undefined
        await new Promise((resolve) => setTimeout(resolve, storePause))
      }
    }
  }

  /** Opens the gate and sends, also when the store can't be told that nobody has to wait. */
  const go = (makeDue: () => void, afterMs: number) => {
    gate.open()
    sleep(afterMs)
    makeDue()
  }

  return {
    wake: () => {
      sleep(0)
    },
    answering: () => {
      gate.findOut()
      sleep(random() * recoveryJitter)
    },
    recovered: () => {
      go(() => outbox.dueAfterOutage(), random() * recoveryJitter)
    },
    sendNow: () => {
      go(() => outbox.dueNow(), 0)
    },
    isHeldUp: () => gate.lanes() === 0,
    longestOnWireMs: () => (since.size === 0 ? null : Math.max(0, clock.now() - Math.min(...since.values()))),
    async stop(graceMs) {
      isStopped = true
      clearTimeout(timer)
      let grace: NodeJS.Timeout | undefined
      const patience = new Promise<void>((resolve) => {
        // Which a timer would take for none.
        if (graceMs !== Number.POSITIVE_INFINITY) grace = setTimeout(resolve, graceMs)
      })
      await Promise.race([Promise.all(onTheWire), patience])
      clearTimeout(grace)
    },
  }
}

/** Of a report whose customer can't be opened: a keychain that refuses may still give the key. Nothing was sent. */
const withoutCustomer = (reason: AppError): Outcome =>
  reason.code === 'outbox/customer-lost' ? { kind: 'rejected', reason } : { kind: 'retry', reason, afterMs: null }
