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
import type { MainEvents } from '../../core/events'
import type { Log } from '../../core/log'
import type { LookedUp } from '../../memory/lookup'
import type { CaseReading } from './case-reading'
import type { DeliveryRow, DeliveryRows } from './delivery-rows'

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

/** Something that changed. `known`: what was just answered; a dropped case that another package lists is still listed. */
type Mark =
  | { caseId: CaseId; isDropped?: boolean }
  | { packageUid: PackageUid; known?: LookedUp<PackageCases> | undefined }
  | { isBlind: true }

interface ChangesParts {
  rows: DeliveryRows
  viewer: CaseReading['viewer']
  viewPackage: (packageUid: PackageUid, known?: LookedUp<PackageCases>) => DeliveryPackage
  viewBlind: (seq: number) => DeliveryView['blind']
  events: Pick<MainEvents, 'emit'>
  log: Log
}

/**
 * Collects what changed in the delivery under way and announces it as it stands then: each thing once, in pieces, at most
 * every `pause` ms unless a command waits for it. What can't be viewed or announced is tried again later.
 */
export function createChanges({ rows, viewer, viewPackage, viewBlind, events, log }: ChangesParts) {
  /** The value is true for a case that was taken off the list. */
  const cases = new Map<CaseId, boolean>()
  const packages = new Map<PackageUid, LookedUp<PackageCases> | undefined>()
  const watchers = new Set<(caseId: CaseId) => void>()
  let isBlindChanged = false
  let isEnded = false
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let revision = 0
  /** What failed in the rounds under way. */
  let failed: Mark[] = []
  /** Something failed in the last round: logged already. */
  let isFailing = false

  const clear = () => {
    cases.clear()
    packages.clear()
    isBlindChanged = false
    isEnded = false
    failed = []
  }
  const isMarked = () => cases.size > 0 || packages.size > 0 || isBlindChanged || isEnded
  const keep = (mark: Mark) => {
    if ('caseId' in mark) cases.set(mark.caseId, mark.isDropped ?? cases.get(mark.caseId) ?? false)
    else if ('packageUid' in mark) packages.set(mark.packageUid, mark.known)
    else isBlindChanged = true
  }
  /** Marks again what failed, unless it was marked since. */
  const keepFailed = () => {
    for (const mark of failed) {
      const isNewer = 'caseId' in mark ? cases.has(mark.caseId) : 'packageUid' in mark && packages.has(mark.packageUid)
      if (!isNewer) keep(mark)
    }
    failed = []
  }
  const fail = (cause: unknown) => {
    if (!isFailing) log.error('a change of the delivery could not be announced', { cause })
    isFailing = true
  }

  /** Takes up to `viewedAtOnce` cases, all packages and the blind imports. */
  const takeMarks = (): Mark[] => {
    const some = [...cases].slice(0, viewedAtOnce)
    for (const [caseId] of some) cases.delete(caseId)
    const marks: Mark[] = [
      ...(isBlindChanged ? [{ isBlind: true } as const] : []),
      ...[...packages].map(([packageUid, known]) => ({ packageUid, known })),
      ...some.map(([caseId, isDropped]) => ({ caseId, isDropped })),
    ]
    packages.clear()
    isBlindChanged = false
    return marks
  }
  const viewMarks = (open: DeliveryRow, marks: Mark[]) => {
    const change = { ...emptyChange(), delivery: headOf(open, rows) }
    const listed = new Set(rows.packages(open.seq))
    const viewCase = viewer()
    const view = (mark: Mark) => {
      if ('isBlind' in mark) change.blind = viewBlind(open.seq)
      else if ('packageUid' in mark) {
        if (listed.has(mark.packageUid)) change.packages.push(viewPackage(mark.packageUid, mark.known))
        else change.dropped.packageUids.push(mark.packageUid)
      } else {
        const row = rows.case(open.seq, mark.caseId)
        if (row) change.cases.push(viewCase(row))
        else if (mark.isDropped) change.dropped.caseIds.push(mark.caseId)
      }
    }
    for (const mark of marks) {
      try {
        view(mark)
      } catch (cause) {
        failed.push(mark)
        fail(cause)
      }
    }
    if (cases.size === 0) change.undoable = rows.undoable(open.seq)
    return change
  }
  const send = (change: Omit<DeliveryChange, 'revision'>) => {
    revision++
    events.emit('receiving.changed', { ...change, revision })
  }

  /** True if there is more to announce. */
  const announcePiece = (): boolean => {
    if (isStopped) return false
    const open = rows.open()
    if (isEnded || !open) {
      if (isEnded) send({ ...emptyChange(), blind: [], undoable: 0 })
      clear()
      return false
    }
    const marks = takeMarks()
    try {
      const change = viewMarks(open, marks)
      const { dropped, blind } = change
      const lists = [change.packages, change.cases, dropped.packageUids, dropped.caseIds]
      if (blind || lists.some((one) => one.length > 0)) send(change)
    } catch (cause) {
      failed.push(...marks)
      throw cause
    }
    return cases.size > 0
  }

  const announceNow = async () => {
    clearTimeout(timer)
    timer = undefined
    try {
      while (announcePiece()) await setImmediate()
      isFailing = failed.length > 0
    } catch (cause) {
      fail(cause)
    }
    keepFailed()
    if (isFailing && isMarked() && !isStopped) timer ??= setTimeout(() => void announceNow(), pauseAfterFailure)
  }

  return {
    mark(change: Mark): void {
      keep(change)
      if ('caseId' in change) for (const watcher of watchers) watcher(change.caseId)
      if (!isStopped) timer ??= setTimeout(() => void announceNow(), pause)
    },
    /** The delivery is finished: whatever else changed in it is not announced. */
    end(): void {
      clear()
      isEnded = true
    },
    /** Announces at once what was marked, and resolves when all of it is announced. Never rejects. */
    announceNow,
    /** The revision of the last change that was announced. */
    revision: () => revision,
    /** Calls back with each case that is marked, until the returned function is called. */
    watch(watcher: (caseId: CaseId) => void): () => void {
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    },
    stop(): void {
      isStopped = true
      clearTimeout(timer)
      clear()
    },
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
