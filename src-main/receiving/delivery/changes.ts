import { setImmediate } from 'node:timers/promises'
import type { CaseId, PackageUid } from '../../../src-shared/ids'
import type {
  DeliveryChange,
  DeliveryHead,
  DeliveryPackage,
  DeliveryView,
} from '../../../src-shared/ipc/contract/delivery'
import type { PackageCases } from '../../../src-shared/service/imports'
import { iso } from '../../core/clock'
import type { LookedUp } from '../../memory/lookup'
import type { CaseReading } from './case-reading'
import type { DeliveryRow, DeliveryRows } from './delivery-rows'
import type { ReceivingContext } from '../receiving-context'

/** Shortest time between two announcements that nothing waits for, in ms. */
const pause = 50
/** The pause after something could not be viewed or announced, in ms. */
const pauseAfterFailure = 1_000
/** Cases viewed without a break; other work runs between two such pieces. */
export const viewedAtOnce = 25

export const headOf = ({ id, seq, startedAt }: DeliveryRow, rows: Pick<DeliveryRows, 'stations'>): DeliveryHead => ({
  id,
  startedAt: iso(startedAt),
  stations: rows.stations(seq),
})

export const blindOf = (seq: number, { deliveries, reporting }: ReceivingContext): DeliveryView['blind'] =>
  deliveries.blind(seq).map(reporting.view)

/** Something that changed. `known`: what was just answered; a dropped case that another package lists is still listed. */
type Mark =
  | { caseId: CaseId; isDropped?: boolean }
  | { packageUid: PackageUid; known?: LookedUp<PackageCases> | undefined }
  | { isBlind: true }

type ViewPackage = (packageUid: PackageUid, known?: LookedUp<PackageCases>) => DeliveryPackage

/**
 * Collects what changed in the delivery under way and announces it as it stands then: each thing once, in pieces, at most
 * every `pause` ms unless a command waits for it. What can't be viewed or announced is tried again later.
 */
export class Changes {
  readonly #context: ReceivingContext
  readonly #rows: DeliveryRows
  readonly #reading: Pick<CaseReading, 'viewer'>
  readonly #viewPackage: ViewPackage
  /** The value is true for a case that was taken off the list. */
  readonly #cases = new Map<CaseId, boolean>()
  readonly #packages = new Map<PackageUid, LookedUp<PackageCases> | undefined>()
  readonly #watchers = new Set<(caseId: CaseId) => void>()
  #isBlindChanged = false
  #isEnded = false
  #isStopped = false
  #timer: NodeJS.Timeout | undefined
  #revision = 0
  /** What failed in the rounds under way. */
  #failed: Mark[] = []
  /** Something failed in the last round: logged already. */
  #isFailing = false

  constructor(context: ReceivingContext, reading: Pick<CaseReading, 'viewer'>, viewPackage: ViewPackage) {
    this.#context = context
    this.#rows = context.deliveries
    this.#reading = reading
    this.#viewPackage = viewPackage
  }

  /** Announces at once what was marked, and resolves when all of it is announced. Never rejects. */
  async announceNow() {
    clearTimeout(this.#timer)
    this.#timer = undefined
    try {
      while (this.#announcePiece()) await setImmediate()
      this.#isFailing = this.#failed.length > 0
    } catch (cause) {
      this.#fail(cause)
    }
    this.#keepFailed()
    if (this.#isFailing && this.#isMarked() && !this.#isStopped)
      this.#timer ??= setTimeout(() => void this.announceNow(), pauseAfterFailure)
  }

  mark(change: Mark): void {
    this.#keep(change)
    if ('caseId' in change) for (const watcher of this.#watchers) watcher(change.caseId)
    if (!this.#isStopped) this.#timer ??= setTimeout(() => void this.announceNow(), pause)
  }

  /** The delivery is finished: whatever else changed in it is not announced. */
  end(): void {
    this.#clear()
    this.#isEnded = true
  }

  /** The revision of the last change that was announced. */
  revision() {
    return this.#revision
  }

  /** Calls back with each case that is marked, until the returned function is called. */
  watch(watcher: (caseId: CaseId) => void): () => void {
    this.#watchers.add(watcher)
    return () => void this.#watchers.delete(watcher)
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
    this.#clear()
  }

  #clear() {
    this.#cases.clear()
    this.#packages.clear()
    this.#isBlindChanged = false
    this.#isEnded = false
    this.#failed = []
  }

  #isMarked() {
    return this.#cases.size > 0 || this.#packages.size > 0 || this.#isBlindChanged || this.#isEnded
  }

  #keep(mark: Mark) {
    if ('caseId' in mark) this.#cases.set(mark.caseId, mark.isDropped ?? this.#cases.get(mark.caseId) ?? false)
    else if ('packageUid' in mark) this.#packages.set(mark.packageUid, mark.known)
    else this.#isBlindChanged = true
  }

  /** Marks again what failed, unless it was marked since. */
  #keepFailed() {
    for (const mark of this.#failed) {
      const isNewer =
        'caseId' in mark ? this.#cases.has(mark.caseId) : 'packageUid' in mark && this.#packages.has(mark.packageUid)
      if (!isNewer) this.#keep(mark)
    }
    this.#failed = []
  }

  #fail(cause: unknown) {
    if (!this.#isFailing) this.#context.log.error('a change of the delivery could not be announced', { cause })
    this.#isFailing = true
  }

  /** Takes up to `viewedAtOnce` cases, all packages and the blind imports. */
  #takeMarks(): Mark[] {
    const some = [...this.#cases].slice(0, viewedAtOnce)
    for (const [caseId] of some) this.#cases.delete(caseId)
    const marks: Mark[] = [
      ...(this.#isBlindChanged ? [{ isBlind: true } as const] : []),
      ...[...this.#packages].map(([packageUid, known]) => ({ packageUid, known })),
      ...some.map(([caseId, isDropped]) => ({ caseId, isDropped })),
    ]
    this.#packages.clear()
    this.#isBlindChanged = false
    return marks
  }

  #viewMarks(open: DeliveryRow, marks: Mark[]) {
    const change = { ...emptyChange(), delivery: headOf(open, this.#rows) }
    const listed = new Set(this.#rows.packages(open.seq))
    const viewCase = this.#reading.viewer()
    const view = (mark: Mark) => {
      if ('isBlind' in mark) change.blind = blindOf(open.seq, this.#context)
      else if ('packageUid' in mark) {
        if (listed.has(mark.packageUid)) change.packages.push(this.#viewPackage(mark.packageUid, mark.known))
        else change.dropped.packageUids.push(mark.packageUid)
      } else {
        const row = this.#rows.case(open.seq, mark.caseId)
        if (row) change.cases.push(viewCase(row))
        else if (mark.isDropped) change.dropped.caseIds.push(mark.caseId)
      }
    }
    for (const mark of marks) {
      try {
        view(mark)
      } catch (cause) {
        this.#failed.push(mark)
        this.#fail(cause)
      }
    }
    if (this.#cases.size === 0) change.undoable = this.#rows.undoable(open.seq)
    return change
  }

  #send(change: Omit<DeliveryChange, 'revision'>) {
    this.#revision++
    this.#context.events.emit('receiving.changed', { ...change, revision: this.#revision })
  }

  /** True if there is more to announce. */
  #announcePiece(): boolean {
    if (this.#isStopped) return false
    const open = this.#rows.open()
    if (this.#isEnded || !open) {
      if (this.#isEnded) this.#send({ ...emptyChange(), blind: [], undoable: 0 })
      this.#clear()
      return false
    }
    const marks = this.#takeMarks()
    try {
      const change = this.#viewMarks(open, marks)
      const { dropped, blind } = change
      const lists = [change.packages, change.cases, dropped.packageUids, dropped.caseIds]
      if (blind || lists.some((one) => one.length > 0)) this.#send(change)
    } catch (cause) {
      this.#failed.push(...marks)
      throw cause
    }
    return this.#cases.size > 0
  }
}

const emptyChange = (): Omit<DeliveryChange, 'revision'> => ({
  delivery: null,
  packages: [],
  cases: [],
  dropped: { packageUids: [], caseIds: [] },
  blind: null,
  undoable: null,
})
