import type { AppError } from '../../../src-shared/errors'
import type { CaseId } from '../../../src-shared/ids'
import type { DeliveryCase } from '../../../src-shared/ipc/contract/delivery'
import type { CaseFacts } from '../../../src-shared/service/facts'
import { type LookedUp, briefOf, recall } from '../../memory/lookup'
import type { CaseInBrief } from '../../memory/store'
import { type CaseViews, askEntry } from './case-views'
import type { ListedCase, NewCase } from './delivery-rows'
import type { PackageEntry } from '../import/import-state'
import type { ReceivingContext } from '../receiving-context'

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

/** Reads the cases of a delivery, keeps what was answered, and knows which cases are being read. */
export class CaseReading {
  readonly #context: ReceivingContext
  readonly #views: CaseViews
  readonly #onRead: (caseId: CaseId) => void
  #begun = 0
  /** The reading of each case that was begun last; only its answer counts. Readings are numbered in order. */
  readonly #running = new Map<CaseId, number>()
  /** The newest reading of each case that was answered. `answer` is null if the service refused or did not answer. */
  readonly #done = new Map<CaseId, { reading: number; answer: CaseAnswer | null; error: AppError | null }>()
  readonly #passes = new Set<Promise<void>>()
  #isStopped = false

  constructor(context: ReceivingContext, views: CaseViews, onRead: (caseId: CaseId) => void) {
    this.#context = context
    this.#views = views
    this.#onRead = onRead
  }

  /** Reads cases and calls `onRead` once for each. They count as being read from the call on. Never rejects. */
  read(cases: ToRead[]): Promise<void> {
    const reading = ++this.#begun
    for (const { caseId } of cases) this.#running.set(caseId, reading)
    const pass = this.#readAll(cases, reading).finally(() => this.#passes.delete(pass))
    this.#passes.add(pass)
    return pass
  }

  /**
   * Views cases as they stand now, by the last answer or by what the store remembers if that is newer. Make one for many
   * cases: it reads each package once.
   */
  viewer(): (listed: ListedCase) => DeliveryCase {
    const entryOf = this.#views.cachedEntries()
    return ({ caseId, packageUid, station }) => {
      const last = this.#done.get(caseId)
      const isNewest = last?.answer && (this.#context.seen.caseSeenAt(caseId) ?? 0) <= last.answer.answeredAt
      const stored = isNewest ? undefined : this.#context.seen.caseInBrief(caseId)
      const answer = stored ? null : (last?.answer ?? null)
      const known = answer?.known ?? (stored && recall(stored))
      const uids = packageUid === null ? known?.value.packageUids : [packageUid]
      const entry = answer ? answer.entry : entryOf(caseId, uids)
      const found = known ? this.#views.view(known, entry, answer?.askedAt) : null
      return {
        caseId,
        packageUid,
        importState: this.#views.stateOf(caseId, found, entry),
        case: found,
        error: found ? null : (last?.error ?? null),
        isReading: this.#running.has(caseId),
        station,
      }
    }
  }

  /**
   * Call before asking about a case elsewhere, and the returned function with the answer: it counts as a reading that
   * began then, and is ignored if a later reading was answered before.
   */
  begin(): (known: LookedUp<CaseFacts>, entry: PackageEntry) => void {
    const reading = ++this.#begun
    const askedAt = this.#views.acceptedSoFar()
    return (known, entry) => {
      const { caseId } = known.value
      if ((this.#done.get(caseId)?.reading ?? 0) > reading) return
      this.#done.set(caseId, { reading, answer: this.#answerOf(known, entry, askedAt), error: null })
      if ((this.#running.get(caseId) ?? reading) < reading) this.#running.delete(caseId)
    }
  }

  /** The delivery is finished: what is still being read for it is not told. */
  forget(): void {
    this.#running.clear()
    this.#done.clear()
  }

  /** Resolves once nothing is being read; no further reading begins. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.all(this.#passes)
  }

  #answerOf(known: LookedUp<CaseFacts>, entry: PackageEntry, askedAt: number): CaseAnswer {
    return {
      known: briefOf(known),
      entry,
      askedAt,
      answeredAt: this.#context.clock.now(),
    }
  }

  /** Returns the error if the service could not be asked. */
  async #readOne(wanted: ToRead, reading: number, unreachable: AppError | null): Promise<AppError | null> {
    const { caseId } = wanted
    if (this.#running.get(caseId) !== reading) return null
    const askedAt = this.#views.acceptedSoFar()
    const known = unreachable ? ({ ok: false, error: unreachable } as const) : await this.#context.lookup.case(caseId)
    const entry =
      wanted.entry !== undefined || !known.ok ? wanted.entry : await askEntry(known.value.value, this.#context.lookup)
    if (this.#isStopped || this.#running.get(caseId) !== reading) return null
    this.#running.delete(caseId)
    if (known.ok) this.#done.set(caseId, { reading, answer: this.#answerOf(known.value, entry, askedAt), error: null })
    else this.#done.set(caseId, { reading, answer: null, error: known.error })
    this.#onRead(caseId)
    return known.ok ? known.value.unreachable : known.error.code === 'service/not-found' ? null : known.error
  }

  async #readAll(cases: ToRead[], reading: number) {
    let unanswered = 0
    let unreachable: AppError | null = null
    await Promise.all(
      cases.map((wanted) =>
        this.#context
          .limit(async () => {
            if (this.#isStopped) return
            const error = await this.#readOne(wanted, reading, unanswered >= mostUnanswered ? unreachable : null)
            unanswered = error ? unanswered + 1 : 0
            unreachable = error
          })
          .catch((cause: unknown) => {
            this.#context.log.error('a case could not be read', { caseId: wanted.caseId, cause })
            if (this.#running.get(wanted.caseId) !== reading) return
            this.#running.delete(wanted.caseId)
            this.#onRead(wanted.caseId)
          }),
      ),
    )
  }
}
