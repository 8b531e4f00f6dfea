import type { Clock } from '../../src-main/core/clock'
import type { Operation } from '../../src-main/outbox/operation'
import type { Queue } from '../../src-main/outbox/sender'
import { isOutOfReach } from '../../src-shared/errors'
import { afterFault } from '../../src-main/outbox/retrying'
import { saleOfOrder, saleOfTag } from './day'

interface QueueParts {
  /** As they were saved, in the order of their numbers, which begin with 1. */
  saved: readonly Operation[]
  clock: Clock
  random: () => number
  onSettled: (unsent: number) => void
}

/**
 * The outbox of one station of the fleet, in memory: ten thousand databases don't fit. It claims in the same order as the
 * outbox, and waits as long after a fault.
 */
export function createQueue({ saved, clock, random, onSettled }: QueueParts): Queue {
  /** The place of the first that was never claimed. */
  let untried = 0
  const waited: Operation[] = []
  const onTheWire = new Map<number, Operation>()
  const accepted = new Map<number, Operation>()
  let isUntriedsTurn = false

  const unsent = () => saved.length - accepted.size
  const earliest = () => {
    let first = waited[0]
    for (const one of waited) if (first && one.nextAttemptAt < first.nextAttemptAt) first = one
    return first
  }
  const takeWaited = () => {
    const first = earliest()
    if (!first || first.nextAttemptAt > clock.now()) return undefined
    waited.splice(waited.indexOf(first), 1)
    return first
  }
  const takeUntried = () => {
    const next = saved[untried]
    if (next) untried += 1
    return next
  }
  const claim = (): Operation | undefined => {
    const found = isUntriedsTurn ? (takeUntried() ?? takeWaited()) : (takeWaited() ?? takeUntried())
    if (!found) return undefined
    isUntriedsTurn = !isUntriedsTurn
    const claimed: Operation = { ...found, state: 'sending', attempts: found.attempts + 1 }
    onTheWire.set(claimed.seq, claimed)
    return claimed
  }

  const makeDue = (isMeant: (operation: Operation) => boolean) => {
    for (const [place, one] of waited.entries()) if (isMeant(one)) waited[place] = { ...one, nextAttemptAt: 0 }
  }

  return {
    claim,
    mayBeSent: () => 'yes',
    settle(seq, outcome, claimsNext = false) {
      const operation = onTheWire.get(seq)
      if (!operation) throw new Error(`operation ${seq} is not being sent`)
      onTheWire.delete(seq)
      switch (outcome.kind) {
        case 'accepted':
          accepted.set(seq, { ...operation, state: 'accepted', note: outcome.note })
          onSettled(unsent())
          break
        case 'rejected':
          throw new Error(`the service refused a sale: ${JSON.stringify(outcome.reason)}`)
        case 'retry':
        case 'unknown': {
          const { shown, ...change } = afterFault(operation, outcome, clock.now(), random)
          waited.push({ ...operation, ...change, shown: shown ?? null })
        }
      }
      return claimsNext ? claim() : undefined
    },
    identify: () => {
      throw new Error('there is no blind import here')
    },
    isPermitted: () => false,
    retryAll: () => undefined,
    retryAfterOutage() {
      makeDue(({ reason }) => reason?.code !== 'service/busy')
    },
    retryUnreached() {
      makeDue(({ reason }) => reason !== null && isOutOfReach(reason))
    },
    read: {
      bySeq(seq) {
        const operation = onTheWire.get(seq)
        if (!operation) throw new Error(`operation ${seq} is not being sent`)
        return operation
      },
      nextDueAt: () => (untried < saved.length ? 0 : (earliest()?.nextAttemptAt ?? null)),
      byKey(key) {
        const [kind, id = ''] = key.split(':')
        const n = (kind === 'tag' ? saleOfTag : saleOfOrder).get(id)
        const found = n === undefined ? undefined : (accepted.get(n + 1) ?? saved[n])
        return found ? [found] : []
      },
      recent: (limit) => [...accepted.values()].sort((a, b) => b.seq - a.seq).slice(0, limit),
      hasBlindBefore: () => false,
      counts: () => ({ unsent: unsent(), attention: 0, oldestUnsentAt: null }),
    },
  }
}
