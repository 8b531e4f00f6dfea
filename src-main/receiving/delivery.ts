import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Database } from 'better-sqlite3'
import type { LimitFunction } from 'p-limit'
import type { AppError } from '../../src-shared/errors'
import { CaseId, DeliveryId, type PackageUid } from '../../src-shared/ids'
import type {
  DeliveryCase,
  DeliveryChange,
  DeliveryHead,
  DeliveryPackage,
  DeliverySummary,
  DeliveryView,
} from '../../src-shared/ipc/contract/delivery'
import type { ImportForm } from '../../src-shared/ipc/contract/receiving'
import { type Result, err, ok } from '../../src-shared/result'
import type { PackageCases } from '../../src-shared/service/imports'
import { singleFlight } from '../async'
import { type Clock, iso } from '../clock'
import type { Log } from '../log'
import { type LookedUp, type Lookup, recall } from '../memory/lookup'
import type { Memory } from '../memory/store'
import type { Operation } from '../outbox/operation'
import type { Outbox } from '../outbox/outbox'
import type { Reporting } from '../outbox/reporting'
import { saved } from '../store/saved'
import { type ToRead, createCaseReading } from './case-reading'
import { type CaseViews, askEntry } from './case-views'
import { type DeliveryRow, type DeliveryRows, summaryOf } from './delivery-rows'
import { canUndo } from './undo'

export interface DeliveryParts {
  db: Database
  rows: DeliveryRows
  lookup: Lookup
  seen: Memory
  views: CaseViews
  outbox: Outbox
  viewOperation: Reporting['view']
  /** Shared with everything else that reads many cases. */
  limit: LimitFunction
  clock: Clock
  log: Log
  announce: (change: DeliveryChange) => void
  /** A blind import turned out to be this one. */
  onIdentified: (form: ImportForm) => void
}

/** Shortest time between two announcements that nothing waits for, in ms. */
const pause = 50
/** Cases viewed without a break; other work runs between two such pieces. */
const viewedAtOnce = 25
/** Deliveries in the list: about a season's. */
const mostListed = 100

export type Delivery = ReturnType<typeof createDelivery>

/** What a clerk receives in one go. Invariants: receiving.md. Every change may fail with store/not-saved. */
export function createDelivery(parts: DeliveryParts) {
  const { db, rows, lookup, seen, views, outbox, viewOperation, limit, clock, log, onIdentified } = parts
  let isStopped = false
  const reading = createCaseReading({
    lookup,
    seen,
    views,
    limit,
    clock,
    log,
    onRead: (caseId) => {
      changes.mark({ caseId })
    },
  })
  /** Why a package could not be asked about, the last time. */
  const packageErrors = new Map<PackageUid, AppError>()

  /** Returns the answer, or what is remembered if the service does not answer; undefined if the package was never seen. */
  const askPackage = async (packageUid: PackageUid): Promise<LookedUp<PackageCases> | undefined> => {
    const known = await lookup.package(packageUid)
    const error = known.ok ? known.value.unreachable : known.error
    if (error) packageErrors.set(packageUid, error)
    else packageErrors.delete(packageUid)
    if (known.ok) return known.value
    const stored = seen.package(packageUid)
    return stored && recall(stored)
  }
  const viewPackage = (packageUid: PackageUid, known?: LookedUp<PackageCases>): DeliveryPackage => {
    const stored = known ? undefined : seen.package(packageUid)
    const knowledge = known?.knowledge ?? (stored ? recall(stored).knowledge : null)
    return { packageUid, knowledge, error: packageErrors.get(packageUid) ?? null }
  }
  const viewBlind = (seq: number) => rows.blind(seq).map(viewOperation)

  const changes = createChanges(parts, () => ({ viewCase: reading.viewer(), viewPackage, viewBlind }))

  const currentView = async (): Promise<DeliveryView | null> => {
    const before = rows.open()
    if (!before) return null
    const looked = new Map<CaseId, DeliveryCase>()
    const outdated = new Set<CaseId>()
    const stop = changes.watch((caseId) => outdated.add(caseId))
    try {
      const listed = rows.cases(before.seq)
      for (let from = 0; from < listed.length; from += viewedAtOnce) {
        if (from > 0) await setImmediate()
        const viewCase = reading.viewer()
        for (const one of listed.slice(from, from + viewedAtOnce)) looked.set(one.caseId, viewCase(one))
      }
    } finally {
      stop()
    }
    const open = rows.open()
    if (open?.seq !== before.seq) return currentView()
    // Everything as it stands now: this answer must not undo a change that was announced meanwhile.
    const viewCase = reading.viewer()
    const operations = rows.operations(open.seq)
    return {
      ...headOf(open),
      packages: rows.packages(open.seq).map((uid) => viewPackage(uid)),
      cases: rows
        .cases(open.seq)
        .map((one) => (outdated.has(one.caseId) ? undefined : looked.get(one.caseId)) ?? viewCase(one)),
      blind: viewBlind(open.seq),
      undoable: operations.filter((operation) => canUndo(operation, outbox)).length,
    }
  }

  const openOrStart = () => rows.open() ?? rows.start(DeliveryId.parse(randomUUID()), clock.now())

  /** `isScan`: a person wants all of its cases; otherwise dropped cases stay dropped. */
  const takeIn = db.transaction(
    (packageUid: PackageUid, known: LookedUp<PackageCases> | undefined, isScan: boolean) => {
      const open = openOrStart()
      const isNew = !rows.packages(open.seq).includes(packageUid)
      rows.addPackage(open.seq, packageUid)
      const entries = Object.entries(known?.value.case_ids ?? {})
      const listed = entries.flatMap(([id, entry]): ToRead[] => {
        const caseId = CaseId.parse(id)
        if (isScan) rows.addCase(open.seq, { caseId, packageUid })
        else rows.listCase(open.seq, { caseId, packageUid })
        const one = rows.case(open.seq, caseId)
        return one ? [{ ...one, entry }] : []
      })
      return { open, isNew, listed }
    },
  )

  const refreshAll = async () => {
    const before = rows.open()
    if (!before) return
    const entries = new Map<CaseId, ToRead>()
    await Promise.all(
      rows.packages(before.seq).map((packageUid) =>
        limit(async () => {
          const known = await askPackage(packageUid)
          if (rows.open()?.seq !== before.seq || !rows.packages(before.seq).includes(packageUid)) return
          for (const one of takeIn(packageUid, known, false).listed) entries.set(one.caseId, one)
          changes.mark({ packageUid, known })
        }),
      ),
    )
    if (rows.open()?.seq !== before.seq) return
    await reading.read(rows.cases(before.seq).map((listed) => ({ ...entries.get(listed.caseId), ...listed })))
  }
  const refreshing = singleFlight(refreshAll, (cause) => {
    log.error('a delivery could not be asked about anew', { cause })
  })

  /** An import of a delivery whose case is not listed was a blind one. */
  const adopt = ({ payload, seq }: Operation) => {
    const delivery = rows.byOperation(seq)
    if (!delivery || payload?.kind !== 'import' || rows.case(delivery.seq, payload.caseId)) return
    const listed = { caseId: payload.caseId, packageUid: payload.packageUid }
    rows.addCase(delivery.seq, listed)
    log.info('a blind import became a case of its delivery', { operation: seq })
    if (isStopped) return
    void reading.read([listed]).then(() => {
      onIdentified(payload)
    })
    changes.mark({ isBlind: true })
  }
  outbox.onChange((operation) => {
    const { kind, payload, state } = operation
    if (kind === 'import') adopt(operation)
    if (isStopped) return
    if (kind === 'blind-import') changes.mark({ isBlind: true })
    const caseId = payload && 'caseId' in payload ? payload.caseId : null
    if (caseId === null) return
    changes.mark({ caseId })
    // What it left in the case, or in whose inventory the case is, only the service can say.
    const isChange = state === 'accepted' && kind !== 'import' && kind !== 'import-removal' && kind !== 'blind-import'
    const isGivenUp = state === 'cancelled' && kind === 'import-removal'
    const open = isChange || isGivenUp ? rows.open() : undefined
    const listed = open && rows.case(open.seq, caseId)
    if (listed) void reading.read([listed])
  })

  /** The first of the packages that lists a case, judging by the remembered packages. */
  const heirAmong = (uids: PackageUid[]) => {
    const listed = uids.map((uid) => [uid, seen.package(uid)?.value.case_ids ?? {}] as const)
    return (caseId: CaseId) => listed.find(([, caseIds]) => caseId in caseIds)?.[0]
  }
  const ofOpen = async (change: (open: DeliveryRow) => Result<null, AppError>) => {
    const done = saved(() => {
      const open = rows.open()
      return open ? change(open) : err({ code: 'receiving/no-delivery' })
    })
    await changes.announceNow()
    return done
  }
  const dropped = (isDropped: boolean): Result<null, AppError> =>
    isDropped ? ok(null) : err({ code: 'receiving/not-in-delivery' })

  return {
    /** The delivery under way, as the station knows it, without asking the service. */
    view: currentView,
    /** Also adds a package that could not be asked about; never refused by the service. */
    async addPackage(packageUid: PackageUid) {
      const known = await askPackage(packageUid)
      const taken = saved(() => ok(takeIn.immediate(packageUid, known, true)))
      if (!taken.ok) return taken
      const { open, isNew, listed } = taken.value
      void reading.read(listed)
      changes.mark({ packageUid, known })
      for (const { caseId } of listed) changes.mark({ caseId })
      await changes.announceNow()
      const caseIds = listed.map(({ caseId }) => caseId)
      return ok({ delivery: headOf(open), package: viewPackage(packageUid, known), caseIds, isNew })
    },
    /** Reads a case and adds it. Errors: those of a read; service/not-found, scan/wrong-place. */
    async addCase(identifier: string) {
      const answer = reading.begin()
      const known = await lookup.case(identifier)
      if (!known.ok) return known
      const { caseId, packageUids } = known.value.value
      const entry = await askEntry(known.value.value, lookup)
      const [packageUid = null, ...others] = packageUids
      const taken = saved(() => {
        const open = openOrStart()
        const isNew = !rows.case(open.seq, caseId)
        rows.addCase(open.seq, { caseId, packageUid: others.length > 0 ? null : packageUid })
        return ok({ open, isNew, listed: rows.case(open.seq, caseId) ?? { caseId, packageUid: null } })
      })
      if (!taken.ok) return taken
      const { open, isNew, listed } = taken.value
      answer(known.value, entry)
      changes.mark({ caseId })
      await changes.announceNow()
      return ok({ delivery: headOf(open), case: reading.viewer()(listed), isNew })
    },
    /** Asks again about all of it; what is found is announced. */
    refresh(): void {
      refreshing.ask()
    },
    /** Errors: receiving/no-delivery, receiving/not-in-delivery. */
    dropPackage: (packageUid: PackageUid) =>
      ofOpen((open) => {
        const others = rows.packages(open.seq).filter((uid) => uid !== packageUid)
        const listed = rows.cases(open.seq).filter((one) => one.packageUid === packageUid)
        const isDropped = rows.dropPackage(open.seq, packageUid, heirAmong(others))
        if (isDropped) changes.mark({ packageUid })
        if (isDropped) for (const { caseId } of listed) changes.mark({ caseId, isDropped })
        return dropped(isDropped)
      }),
    /** Errors: receiving/no-delivery, receiving/not-in-delivery. */
    dropCase: (caseId: CaseId) =>
      ofOpen((open) => {
        const isDropped = rows.dropCase(open.seq, caseId)
        if (isDropped) changes.mark({ caseId, isDropped })
        return dropped(isDropped)
      }),
    /** Errors: receiving/no-delivery. */
    finish: (id: DeliveryId) =>
      ofOpen((open) => {
        if (open.id !== id) return err({ code: 'receiving/no-delivery' })
        rows.finish(open.seq, clock.now())
        packageErrors.clear()
        reading.forget()
        changes.end()
        return ok(null)
      }),
    /** Newest first. */
    list: (): DeliverySummary[] => rows.newest(mostListed).map((row) => summaryOf(row, rows)),
    /** Call before answering a command that changed operations: its answer must not arrive before what it changed. */
    announceNow: () => changes.announceNow(),
    /** Asks and announces nothing from now on; resolves once nothing is being asked. */
    async stop(): Promise<void> {
      isStopped = true
      changes.stop()
      await Promise.all([reading.stop(), refreshing.stop()])
    },
  }
}

const headOf = ({ id, startedAt }: DeliveryRow): DeliveryHead => ({ id, startedAt: iso(startedAt) })

/** Something that changed. `known`: what was just answered; a dropped case that another package lists is still listed. */
type Mark =
  | { caseId: CaseId; isDropped?: true }
  | { packageUid: PackageUid; known?: LookedUp<PackageCases> | undefined }
  | { isBlind: true }

interface Viewers {
  viewCase: ReturnType<ReturnType<typeof createCaseReading>['viewer']>
  viewPackage: (packageUid: PackageUid, known?: LookedUp<PackageCases>) => DeliveryPackage
  viewBlind: (seq: number) => DeliveryView['blind']
}

/**
 * Collects what changed in the delivery under way and announces it as it stands then: each thing once, in pieces, at most
 * every `pause` ms unless a command waits for it.
 */
function createChanges(
  { rows, announce, log }: Pick<DeliveryParts, 'rows' | 'announce' | 'log'>,
  viewers: () => Viewers,
) {
  /** The value is true for a case that was taken off the list. */
  const cases = new Map<CaseId, boolean>()
  const packages = new Map<PackageUid, LookedUp<PackageCases> | undefined>()
  const watchers = new Set<(caseId: CaseId) => void>()
  let isBlindChanged = false
  let isEnded = false
  let isStopped = false
  let timer: NodeJS.Timeout | undefined

  const clear = () => {
    cases.clear()
    packages.clear()
    isBlindChanged = false
    isEnded = false
  }

  const takePiece = (open: DeliveryRow): DeliveryChange => {
    const { viewCase, viewPackage, viewBlind } = viewers()
    const change: DeliveryChange = {
      delivery: headOf(open),
      packages: [],
      cases: [],
      dropped: { packageUids: [], caseIds: [] },
      blind: isBlindChanged ? viewBlind(open.seq) : null,
    }
    isBlindChanged = false
    if (packages.size > 0) {
      const listed = new Set(rows.packages(open.seq))
      for (const [uid, known] of packages) {
        if (listed.has(uid)) change.packages.push(viewPackage(uid, known))
        else change.dropped.packageUids.push(uid)
      }
      packages.clear()
    }
    for (const [caseId, isDropped] of [...cases].slice(0, viewedAtOnce)) {
      cases.delete(caseId)
      const listed = rows.case(open.seq, caseId)
      if (listed) change.cases.push(viewCase(listed))
      else if (isDropped) change.dropped.caseIds.push(caseId)
    }
    return change
  }

  /** True if there is more to announce. */
  const announcePiece = (): boolean => {
    clearTimeout(timer)
    timer = undefined
    if (isStopped) return false
    const open = rows.open()
    if (isEnded || !open) {
      if (isEnded)
        announce({ delivery: null, packages: [], cases: [], dropped: { packageUids: [], caseIds: [] }, blind: [] })
      clear()
      return false
    }
    const change = takePiece(open)
    const { dropped } = change
    if (
      change.blind ||
      change.packages.length + change.cases.length + dropped.packageUids.length + dropped.caseIds.length > 0
    )
      announce(change)
    return cases.size > 0
  }

  const announceNow = async () => {
    try {
      while (announcePiece()) await setImmediate()
    } catch (cause) {
      log.error('a change of the delivery could not be announced', { cause })
    }
  }

  return {
    mark(change: Mark): void {
      if ('caseId' in change) {
        cases.set(change.caseId, change.isDropped ?? cases.get(change.caseId) ?? false)
        for (const watcher of watchers) watcher(change.caseId)
      } else if ('packageUid' in change) packages.set(change.packageUid, change.known)
      else isBlindChanged = true
      if (!isStopped) timer ??= setTimeout(() => void announceNow(), pause)
    },
    /** The delivery is finished: whatever else changed in it is not announced. */
    end(): void {
      clear()
      isEnded = true
    },
    /** Announces at once what was marked, and resolves when all of it is announced. Never rejects. */
    announceNow,
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
