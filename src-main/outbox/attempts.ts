import type { CaseId, TagId } from '../../src-shared/ids'
import { assertNever } from '../../src-shared/result'
import { pauseAfter } from '../backoff'
import type { Clock } from '../clock'
import type { Ledger } from './ledger'
import type { Operation } from './operation'
import type { Outcome } from './outcome'
import { keysOf, sharesOnceRefused } from './kinds/kinds'
import type { Payload } from './payload'
import { doubtOf } from './reconcile'
import type { Change } from './rows'
import { createUndoing } from './undoing'

/** The station's own steps, for use inside a transaction: what goes on the wire, and what came of it. */
export interface Attempts {
  /** Whether there is one to claim; takes no transaction. */
  hasNext(): boolean
  /** The next operation that is due and waits for nobody; it is `sending` from here on. */
  claimNext(): Operation | undefined
  /**
   * A blind import that is on its way becomes the import that it turned out to be, before it is sent. Gives it back: it
   * goes back to the queue when others of its case are before it. Or it stays one, and its case is known.
   */
  identify(operation: Operation, found: Identified): void
  /** Gives others that it changed: what was to undo a refused change that holds nobody up. */
  record(operation: Operation, outcome: Outcome): number[]
  /** Whatever was on the wire when the last process ended may have arrived. */
  takeBackSending(): void
}

/** What a blind import turned out to be, and the items of its case. */
export interface Identified {
  payload: Extract<Payload, { kind: 'import' | 'blind-import' }>
  tagIds: readonly TagId[]
}

export interface AttemptParts {
  ledger: Ledger
  clock: Clock
  /** The case that an item is known to be in. */
  caseOf: (tagId: TagId) => CaseId | undefined
  /** [0, 1), for the jitter of retries. */
  random: () => number
}

export function createAttempts({ ledger, clock, caseOf, random }: AttemptParts): Attempts {
  const { rows, locks, journal, atStep } = ledger
  const undoing = createUndoing(ledger)

  const write = (seq: number, change: Change) => {
    rows.update(seq, change)
    atStep('settle.writing')
  }

  // By turns: some that fail again and again must not keep back all those never tried.
  let isUntriedsTurn = false
  const next = () => rows.nextClaimable(clock.now(), isUntriedsTurn)

  return {
    hasNext: () => next() !== undefined,
    claimNext() {
      const operation = next()
      if (!operation) return undefined
      const { seq, state, attempts } = operation
      isUntriedsTurn = !isUntriedsTurn
      rows.update(seq, { state: 'sending', attempts: attempts + 1 })
      atStep('claim.writing')
      journal.write({ seq, actor: 'station', what: 'claimed', from: state, to: 'sending' })
      return { ...operation, state: 'sending', attempts: attempts + 1 }
    },
    identify({ seq, isUncertain }, { payload, tagIds }) {
      rows.setPayload(seq, payload)
      atStep('identify.writing')
      const blockers = locks.rekey(seq, keysOf(payload, caseOf), tagIds)
      const to = blockers === 0 ? 'sending' : isUncertain ? 'unknown' : 'queued'
      if (to !== 'sending') rows.update(seq, { state: to, nextAttemptAt: 0 })
      journal.write({ seq, actor: 'station', what: 'identified', from: 'sending', to, detail: payload.caseId })
    },
    record(operation, outcome) {
      const { seq, state: from } = operation
      const own = { seq, actor: 'station', from } as const
      switch (outcome.kind) {
        case 'accepted':
          write(seq, { state: 'accepted', faults: 0, reason: null, note: outcome.note, isUnsettled: false })
          locks.release(seq)
          journal.write({ ...own, what: 'accepted', to: 'accepted', detail: outcome.note ?? undefined })
          return []
        case 'rejected': {
          write(seq, { state: 'rejected', faults: 0, reason: outcome.reason, isUnsettled: false })
          const isFree = sharesOnceRefused(operation.kind)
          // What waits to undo it would be free as well, and undo somebody else's.
          const others = isFree ? undoing.cancel(operation.id) : []
          // The collection is as it was: a sale from it has nothing to wait for.
          if (isFree) locks.share(seq)
          locks.loosen(seq)
          journal.write({ ...own, what: 'rejected', to: 'rejected', detail: outcome.reason })
          return others
        }
        case 'retry':
        case 'unknown': {
          // An attempt that certainly did nothing doesn't clear up what an earlier one may have done.
          const isUncertain = outcome.kind === 'unknown' || operation.isUncertain
          const to = isUncertain ? 'unknown' : 'queued'
          const nextAttemptAt = clock.now() + pauseAfter(operation.faults, outcome.afterMs, random)
          const faults = operation.faults + 1
          const shown = 'shown' in outcome ? outcome.shown : undefined
          const isUnsettled = operation.isUnsettled || outcome.reason.code === 'outbox/unsettled'
          // A person is asked about the last answer and the last reading there were.
          const why = isUnsettled
            ? { reason: doubtOf(outcome.reason, operation.reason), shown: shown ?? operation.shown ?? undefined }
            : { reason: outcome.reason, shown }
          write(seq, { state: to, faults, isUncertain, nextAttemptAt, isUnsettled, ...why })
          journal.write({ ...own, what: outcome.kind, to, detail: { ...outcome.reason, shown } })
          return []
        }
        default:
          return assertNever(outcome)
      }
    },
    takeBackSending() {
      for (const { seq, kind, isUncertain } of rows.inState('sending')) {
        // A blind import is never on the wire: what was under way was a reading.
        const mayHaveArrived = kind !== 'blind-import' || isUncertain
        const to = mayHaveArrived ? 'unknown' : 'queued'
        rows.update(seq, { state: to, isUncertain: mayHaveArrived, nextAttemptAt: 0 })
        journal.write({ seq, actor: 'station', what: 'found sending at start', from: 'sending', to })
      }
    },
  }
}
