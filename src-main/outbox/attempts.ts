import { assertNever } from '../../src-shared/result'
import type { Clock } from '../clock'
import type { Ledger } from './ledger'
import type { Operation } from './operation'
import { type Outcome, pauseAfter } from './outcome'
import type { Change } from './rows'

/** The station's own steps, for use inside a transaction: what goes on the wire, and what came of it. */
export interface Attempts {
  /** The next operation that is due and waits for nobody; it is `sending` from here on. */
  claimNext(): Operation | undefined
  record(operation: Operation, outcome: Outcome): void
  /** Whatever was on the wire when the last process ended may have arrived. */
  takeBackSending(): void
}

export interface AttemptParts {
  ledger: Ledger
  clock: Clock
  /** [0, 1), for the jitter of retries. */
  random: () => number
}

export function createAttempts({ ledger, clock, random }: AttemptParts): Attempts {
  const { rows, locks, journal, atStep } = ledger

  const write = (seq: number, change: Change) => {
    rows.update(seq, change)
    atStep('settle.writing')
  }

  return {
    claimNext() {
      const operation = rows.nextClaimable(clock.now())
      if (!operation) return undefined
      const { seq, state, attempts } = operation
      rows.update(seq, { state: 'sending', attempts: attempts + 1 })
      atStep('claim.writing')
      journal.write({ seq, actor: 'station', what: 'claimed', from: state, to: 'sending' })
      return { ...operation, state: 'sending', attempts: attempts + 1 }
    },
    record(operation, outcome) {
      const { seq, state: from } = operation
      const own = { seq, actor: 'station', from } as const
      switch (outcome.kind) {
        case 'accepted':
          write(seq, { state: 'accepted', faults: 0, reason: null, note: outcome.note })
          locks.release(seq)
          journal.write({ ...own, what: 'accepted', to: 'accepted', detail: outcome.note ?? undefined })
          return
        case 'rejected':
          write(seq, { state: 'rejected', faults: 0, reason: outcome.reason })
          locks.loosen(seq)
          journal.write({ ...own, what: 'rejected', to: 'rejected', detail: outcome.reason })
          return
        case 'retry':
        case 'unknown': {
          // An attempt that certainly did nothing doesn't clear up what an earlier one may have done.
          const isUncertain = outcome.kind === 'unknown' || operation.isUncertain
          const to = isUncertain ? 'unknown' : 'queued'
          const nextAttemptAt = clock.now() + pauseAfter(operation.faults, outcome.afterMs, random)
          const faults = operation.faults + 1
          write(seq, { state: to, faults, reason: outcome.reason, isUncertain, nextAttemptAt })
          journal.write({ ...own, what: outcome.kind, to, detail: outcome.reason })
          return
        }
        default:
          assertNever(outcome)
      }
    },
    takeBackSending() {
      for (const { seq } of rows.inState('sending')) {
        rows.update(seq, { state: 'unknown', isUncertain: true, nextAttemptAt: 0 })
        journal.write({ seq, actor: 'station', what: 'found sending at start', from: 'sending', to: 'unknown' })
      }
    },
  }
}
