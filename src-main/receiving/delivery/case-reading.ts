import type { LimitFunction } from 'p-limit'
import type { AppError } from '../../../src-shared/errors'
import type { CaseId } from '../../../src-shared/ids'
import type { DeliveryCase } from '../../../src-shared/ipc/contract/delivery'
import type { CaseFacts } from '../../../src-shared/service/facts'
import type { Clock } from '../../core/clock'
import type { Log } from '../../core/log'
import { type LookedUp, type Lookup, briefOf, recall } from '../../memory/lookup'
import type { CaseInBrief, Memory } from '../../memory/store'
import { type CaseViews, askEntry } from './case-views'
import type { ListedCase, NewCase } from './delivery-rows'
import type { PackageEntry } from '../import/import-state'

/** A case to be read. `entry`: what its package says of it; undefined if its packages are still to be asked. */
export interface ToRead extends NewCase {
  entry?: PackageEntry
}

/** What the service answered about a case. `askedAt`: see `CaseViews.view`; `answeredAt`: ms since 1970. */
interface CaseAnswer {
  known: LookedUp<CaseInBrief>
  entry: PackageEntry
  askedAt: number
  answeredAt: number
}

/** After this many cases in a row without an answer, the rest of a reading is not asked about: the shop is offline. */
const mostUnanswered = 8

export interface CaseReadingParts {
  lookup: Lookup
  seen: Memory
  views: CaseViews
  limit: LimitFunction
  clock: Clock
  log: Log
  onRead: (caseId: CaseId) => void
}

export type CaseReading = ReturnType<typeof createCaseReading>

/** Reads the cases of a delivery, keeps what was answered, and knows which cases are being read. */
export function createCaseReading({ lookup, seen, views, limit, clock, log, onRead }: CaseReadingParts) {
  let begun = 0
  /** The reading of each case that was begun last; only its answer counts. Readings are numbered in order. */
  const running = new Map<CaseId, number>()
  /** The newest reading of each case that was answered. `answer` is null if the service refused or did not answer. */
  const done = new Map<CaseId, { reading: number; answer: CaseAnswer | null; error: AppError | null }>()
  const passes = new Set<Promise<void>>()
  let isStopped = false

  const answerOf = (known: LookedUp<CaseFacts>, entry: PackageEntry, askedAt: number): CaseAnswer => ({
    known: briefOf(known),
    entry,
    askedAt,
    answeredAt: clock.now(),
  })

  /** Returns the error if the service could not be asked. */
  const readOne = async (wanted: ToRead, reading: number, unreachable: AppError | null): Promise<AppError | null> => {
    const { caseId } = wanted
    if (running.get(caseId) !== reading) return null
    const askedAt = views.acceptedSoFar()
    const known = unreachable ? ({ ok: false, error: unreachable } as const) : await lookup.case(caseId)
    const entry = wanted.entry !== undefined || !known.ok ? wanted.entry : await askEntry(known.value.value, lookup)
    if (isStopped || running.get(caseId) !== reading) return null
    running.delete(caseId)
    if (known.ok) done.set(caseId, { reading, answer: answerOf(known.value, entry, askedAt), error: null })
    else done.set(caseId, { reading, answer: null, error: known.error })
    onRead(caseId)
    return known.ok ? known.value.unreachable : known.error.code === 'service/not-found' ? null : known.error
  }

  const readAll = async (cases: ToRead[], reading: number) => {
    let unanswered = 0
    let unreachable: AppError | null = null
    await Promise.all(
      cases.map((wanted) =>
        limit(async () => {
          if (isStopped) return
          const error = await readOne(wanted, reading, unanswered >= mostUnanswered ? unreachable : null)
          unanswered = error ? unanswered + 1 : 0
          unreachable = error
        }).catch((cause: unknown) => {
          log.error('a case could not be read', { caseId: wanted.caseId, cause })
          if (running.get(wanted.caseId) !== reading) return
          running.delete(wanted.caseId)
          onRead(wanted.caseId)
        }),
      ),
    )
  }

  return {
    /** Reads cases and calls `onRead` once for each. They count as being read from the call on. Never rejects. */
    read(cases: ToRead[]): Promise<void> {
      const reading = ++begun
      for (const { caseId } of cases) running.set(caseId, reading)
      const pass = readAll(cases, reading).finally(() => passes.delete(pass))
      passes.add(pass)
      return pass
    },
    /**
     * Views cases as they stand now, by the last answer or by what the store remembers if that is newer. Make one for many
     * cases: it reads each package once.
     */
    viewer(): (listed: ListedCase) => DeliveryCase {
      const entryOf = views.cachedEntries()
      return ({ caseId, packageUid, station }) => {
        const last = done.get(caseId)
        const isNewest = last?.answer && (seen.caseSeenAt(caseId) ?? 0) <= last.answer.answeredAt
        const stored = isNewest ? undefined : seen.caseInBrief(caseId)
        const answer = stored ? null : (last?.answer ?? null)
        const known = answer?.known ?? (stored && recall(stored))
        const uids = packageUid === null ? (known?.value.packageUids ?? []) : [packageUid]
        const entry = answer ? answer.entry : entryOf(caseId, uids)
        const found = known ? views.view(known, entry, answer?.askedAt) : null
        return {
          caseId,
          packageUid,
          importState: views.stateOf(caseId, found, entry),
          case: found,
          error: found ? null : (last?.error ?? null),
          isReading: running.has(caseId),
          station,
        }
      }
    },
    /**
     * Call before asking about a case elsewhere, and the returned function with the answer: it counts as a reading that
     * began then, and is ignored if a later reading was answered before.
     */
    begin(): (known: LookedUp<CaseFacts>, entry: PackageEntry) => void {
      const reading = ++begun
      const askedAt = views.acceptedSoFar()
      return (known, entry) => {
        const { caseId } = known.value
        if ((done.get(caseId)?.reading ?? 0) > reading) return
        done.set(caseId, { reading, answer: answerOf(known, entry, askedAt), error: null })
        if ((running.get(caseId) ?? reading) < reading) running.delete(caseId)
      }
    },
    /** The delivery is finished: what is still being read for it is not told. */
    forget(): void {
      running.clear()
      done.clear()
    },
    /** Resolves once nothing is being read; no further reading begins. */
    async stop(): Promise<void> {
      isStopped = true
      await Promise.all(passes)
    },
  }
}
