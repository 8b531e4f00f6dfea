import type { CaseId, TagId } from '../../src-shared/ids'
import type { Clock } from '../clock'
import type { Log } from '../log'
import type { V12Client } from '../service-client/v12'
import type { Operation } from './operation'
import { createGate } from './gate'
import { type Outcome, outcomeOf } from './outcome'
import type { Outbox } from './outbox'
import { requestOf } from './payload'
import { type ReconcileParts, lookAgain, reconcile } from './reconcile'
import { createSales } from './sales'
import type { AtStep } from './steps'

/** Sends what the outbox holds, as long as the app runs. */
export interface Drain {
  /** Looks for work now: after an enqueue, a retry, or when the connection is back. */
  wake(): void
  /** The service answers again: whoever waited only for that goes now, after a moment's jitter. */
  recovered(): void
  /** A person said "now": nothing waits for its time any more. */
  sendNow(): void
  /** Whether nothing is sent at the moment, because nobody can be reached. */
  isHeldUp(): boolean
  /** Claims nothing more, gives what is on the wire `graceMs` to be answered, and resolves. */
  stop(graceMs: number): Promise<void>
}

export interface DrainParts {
  outbox: Outbox
  client: Pick<V12Client, 'report'> & ReconcileParts['client']
  /** The case that an item was last seen in. */
  caseOf: (tagId: TagId) => CaseId | undefined
  /** Our own dispensary in the service; null when unknown. */
  ownDispensaryId: string | null
  clock: Clock
  log: Log
  /** [0, 1), for the jitter. */
  random?: () => number
  atStep?: AtStep
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
  caseOf,
  ownDispensaryId,
  clock,
  log,
  random = Math.random,
  atStep = () => undefined,
}: DrainParts): Drain {
  const gate = createGate({ clock, lanes, random })
  const reading: ReconcileParts = { client, caseOf, ownDispensaryId, sales: createSales(outbox.read) }
  const onTheWire = new Set<Promise<void>>()
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
      operation = await attempt(operation)
      // What was freed besides may go in other lanes.
      if (operation) pump()
    }
  }

  /** One attempt; gives what goes next in its lane. Never rejects. */
  async function attempt(operation: Operation): Promise<Operation | undefined> {
    const leave = gate.enter()
    const outcome = await decide(operation)
    leave('reason' in outcome ? outcome.reason : null)
    log.info('attempt', {
      seq: operation.seq,
      kind: operation.kind,
      outcome: outcome.kind,
      attempts: operation.attempts,
    })
    return record(operation, outcome)
  }

  async function decide(operation: Operation): Promise<Outcome> {
    const { payload } = operation
    if (payload === null) return { kind: 'rejected', reason: { code: 'outbox/unreadable' } }
    try {
      let { isUncertain } = operation
      if (isUncertain) {
        atStep('reconcile.asking')
        const found = await reconcile(operation, reading)
        atStep('reconcile.found')
        if (found.kind === 'decided') return found.outcome
        isUncertain = found.wasTaken === 'unclear'
      }
      const { path, body } = requestOf(payload, operation.performedAt)
      atStep('report.sending')
      const reply = await client.report(path, body)
      atStep('report.answered')
      return await lookAgain(operation, outcomeOf({ kind: operation.kind, reply, isUncertain }), reading)
    } catch (cause) {
      // A bug of ours, at a moment we can't know: the request may have been sent.
      log.error('an attempt failed', { seq: operation.seq, cause })
      return {
        kind: 'unknown',
        reason: { code: 'app/unexpected', reference: `operation ${operation.seq}` },
        afterMs: null,
      }
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
    recovered: () => {
      go(() => outbox.dueAfterOutage(), random() * recoveryJitter)
    },
    sendNow: () => {
      go(() => outbox.dueNow(), 0)
    },
    isHeldUp: () => gate.lanes() === 0,
    async stop(graceMs) {
      isStopped = true
      clearTimeout(timer)
      let grace: NodeJS.Timeout | undefined
      const patience = new Promise<void>((resolve) => (grace = setTimeout(resolve, graceMs)))
      await Promise.race([Promise.all(onTheWire), patience])
      clearTimeout(grace)
    },
  }
}
