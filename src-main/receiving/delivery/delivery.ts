import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Database } from 'better-sqlite3'
import type { LimitFunction } from 'p-limit'
import { type AppError, isUnanswered } from '../../../src-shared/errors'
import { CaseId, DeliveryId, type PackageUid, parseId } from '../../../src-shared/ids'
import type {
  DeliveryCase,
  DeliveryPackage,
  DeliverySummary,
  DeliveryView,
} from '../../../src-shared/ipc/contract/delivery'
import { type Result, err, ok } from '../../../src-shared/result'
import type { PackageCases } from '../../../src-shared/service/imports'
import { singleFlight } from '../../core/async'
import type { Clock } from '../../core/clock'
import type { MainEvents } from '../../core/events'
import type { Log } from '../../core/log'
import { type LookedUp, type Lookup, recall } from '../../memory/lookup'
import type { Memory } from '../../memory/store'
import type { Operation } from '../../outbox/operation'
import type { Reporting } from '../../outbox/reporting'
import type { AtStep } from '../../core/steps'
import { saved } from '../../database/saved'
import { type ToRead, createCaseReading } from './case-reading'
import { type CaseViews, askEntry } from './case-views'
import { createChanges, headOf, viewedAtOnce } from './changes'
import { type DeliveryRow, type DeliveryRows, canReopen, summaryOf } from './delivery-rows'
import type { UnreadCases } from './unread-cases'

interface DeliveryParts {
  db: Database
  rows: DeliveryRows
  unread: UnreadCases
  lookup: Lookup
  seen: Memory
  views: CaseViews
  events: Pick<MainEvents, 'emit' | 'on'>
  viewOperation: Reporting['view']
  /** Shared with everything else that reads many cases. */
  limit: LimitFunction
  clock: Clock
  log: Log
  atStep?: AtStep | undefined
}

/** A package that was added, and the cases that it lists. */
interface Added {
  packageUid: PackageUid
  caseIds: CaseId[]
  isNew: boolean
}

/** Whether the service has said that it knows no case of this store in a package. It says the same of one that doesn't exist. */
const isUnknown = (known: LookedUp<PackageCases> | undefined, error: AppError | undefined): boolean =>
  error?.code === 'service/not-found' ||
  (known?.knowledge.source === 'now' && Object.keys(known.value.case_ids).length === 0)

/** Deliveries in the list: about a season's. */
const mostListed = 100

export type Delivery = ReturnType<typeof createDelivery>

/** What a clerk receives in one go. Invariants: receiving.md. Every change may fail with store/not-saved. */
export function createDelivery(parts: DeliveryParts) {
  const { db, rows, unread, lookup, seen, views, events, viewOperation, limit, clock, log } = parts
  const { atStep = () => undefined } = parts
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
    const open = rows.open()
    const station = (open && rows.packageStation(open.seq, packageUid)) ?? null
    return { packageUid, knowledge, error: packageErrors.get(packageUid) ?? null, station }
  }
  const viewBlind = (seq: number) => rows.blind(seq).map(viewOperation)

  const changes = createChanges({ rows, viewer: () => reading.viewer(), viewPackage, viewBlind, events, log })

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
    // Everything in its present state: this answer must not undo a change that was announced meanwhile.
    const viewCase = reading.viewer()
    return {
      ...headOf(open, rows),
      packages: rows.packages(open.seq).map((uid) => viewPackage(uid)),
      cases: rows
        .cases(open.seq)
        .map((one) => (outdated.has(one.caseId) ? undefined : looked.get(one.caseId)) ?? viewCase(one)),
      blind: viewBlind(open.seq),
      undoable: rows.undoable(open.seq),
      revision: changes.revision(),
    }
  }

  const isListed = (packageUid: PackageUid): boolean => {
    const open = rows.open()
    return open !== undefined && rows.packages(open.seq).includes(packageUid)
  }
  /** A listed case that was never read is kept with its delivery. */
  const isListedCase = (identifier: string): boolean => {
    const [open, id] = [rows.open(), parseId(identifier)]
    return open !== undefined && id !== undefined && rows.case(open.seq, CaseId.parse(id)) !== undefined
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
      return { isNew, listed }
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
          const taken = saved(() => ok(takeIn.immediate(packageUid, known, false)))
          // With a full disk no new case is listed, but those that are listed are read.
          if (taken.ok) for (const one of taken.value.listed) entries.set(one.caseId, one)
          changes.mark({ packageUid, known })
        }),
      ),
    )
    if (rows.open()?.seq !== before.seq) return
    await reading.read(rows.cases(before.seq).map((listed) => ({ ...entries.get(listed.caseId), ...listed })))
  }
  const refreshing = singleFlight(refreshAll, (cause) => {
    log.error('a delivery could not be refreshed', { cause })
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
      events.emit('import.identified', payload)
    })
    changes.mark({ isBlind: true })
  }
  events.on('operation.changed', 'receiving/delivery/delivery.ts', (operation) => {
    const { kind, payload, state } = operation
    if (kind === 'import') adopt(operation)
    if (isStopped) return
    if (kind === 'blind-import') changes.mark({ isBlind: true })
    // What else waits for a case may wait for something else now: a sale holds up the undo of an import.
    for (const heldId of rows.casesHeldBy(operation.seq)) changes.mark({ caseId: heldId })
    const caseId = payload && 'caseId' in payload ? payload.caseId : null
    if (caseId === null) return
    // What it left in the case, or in whose inventory the case is, only the service can say.
    const isChange = state === 'accepted' && kind !== 'import' && kind !== 'import-removal' && kind !== 'blind-import'
    const isGivenUp = state === 'cancelled' && kind === 'import-removal'
    const open = isChange || isGivenUp ? rows.open() : undefined
    const listed = open && rows.case(open.seq, caseId)
    if (listed) void reading.read([listed])
  })

  events.on('import.elsewhere', 'receiving/delivery/delivery.ts', ({ caseIds, over }) => {
    const open = rows.open()
    if (!open) return
    const listed = caseIds.flatMap((caseId) => rows.case(open.seq, caseId) ?? [])
    for (const { caseId } of listed) changes.mark({ caseId })
    const toRead = listed.filter(({ caseId }) => over.has(caseId))
    if (toRead.length > 0) void reading.read(toRead)
  })
  // Loads the contents of packages that were scanned without a network.
  events.on('service.recovered', 'receiving/delivery/delivery.ts', () => {
    refreshing.ask()
  })

  const finishWith = db.transaction(
    (open: DeliveryRow, at: number, record: (open: DeliveryRow, at: number) => void) => {
      record(open, at)
      atStep('record.writing')
      rows.finish(open.seq, at)
    },
  )

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
    if (done.ok) events.emit('delivery.stepped', null)
    return done
  }
  const dropped = (isDropped: boolean): Result<null, AppError> =>
    isDropped ? ok(null) : err({ code: 'receiving/not-in-delivery' })

  /** Announces all of the delivery under way. */
  const markAll = (seq: number) => {
    // A delivery that lists nothing is announced too.
    changes.mark({ isBlind: true })
    for (const packageUid of rows.packages(seq)) changes.mark({ packageUid })
    for (const { caseId } of rows.cases(seq)) changes.mark({ caseId })
  }
  const forgetEnded = () => {
    packageErrors.clear()
    reading.forget()
    changes.end()
  }
  /** Reads what another station listed. */
  const toLearn = { packages: new Set<PackageUid>(), cases: new Set<CaseId>() }
  const learning = singleFlight(
    async () => {
      const [packages, cases] = [[...toLearn.packages], [...toLearn.cases]]
      toLearn.packages.clear()
      toLearn.cases.clear()
      const before = rows.open()
      if (!before) return
      const entries = new Map<string, ToRead['entry']>()
      await Promise.all(
        packages.map((packageUid) =>
          limit(async () => {
            const known = await askPackage(packageUid)
            for (const [id, entry] of Object.entries(known?.value.case_ids ?? {})) entries.set(id, entry)
            if (!isStopped && rows.open()?.seq === before.seq) changes.mark({ packageUid, known })
          }),
        ),
      )
      if (isStopped || rows.open()?.seq !== before.seq) return
      const listed = cases.flatMap((caseId) => rows.case(before.seq, caseId) ?? [])
      await reading.read(listed.map((one) => ({ entry: entries.get(one.caseId), ...one })))
    },
    (cause) => {
      log.error('what another station listed could not be read', { cause })
    },
  )

  return {
    /** The delivery under way, as the station knows it, without asking the service. */
    view: currentView,
    /** Shows what became of the delivery under way with the other stations. */
    together: {
      heirAmong: (seq: number) => heirAmong(rows.packages(seq)),
      /** Packages and cases were listed or dropped elsewhere. */
      listed(listed: { packages: PackageUid[]; cases: CaseId[] }, dropped: Pick<typeof listed, 'packages' | 'cases'>) {
        for (const packageUid of [...listed.packages, ...dropped.packages]) changes.mark({ packageUid })
        for (const caseId of listed.cases) changes.mark({ caseId })
        for (const caseId of dropped.cases) changes.mark({ caseId, isDropped: true })
        for (const packageUid of listed.packages) toLearn.packages.add(packageUid)
        for (const caseId of listed.cases) toLearn.cases.add(caseId)
        learning.ask()
      },
      /** It was joined or opened again. */
      opened(seq: number) {
        markAll(seq)
        refreshing.ask()
      },
      ended() {
        forgetEnded()
        void changes.announceNow()
      },
    },
    /**
     * Adds a package, also one that could not be asked about, and, if a person means it (`isMeant`), one that the service lists no
     * cases in. Errors: receiving/unknown-package.
     */
    async addPackage(packageUid: PackageUid, isMeant = false): Promise<Result<Added, AppError>> {
      const known = await askPackage(packageUid)
      if (!isMeant && isUnknown(known, packageErrors.get(packageUid)) && !isListed(packageUid)) {
        packageErrors.delete(packageUid)
        return err({ code: 'receiving/unknown-package', packageUid })
      }
      const taken = saved(() => ok(takeIn.immediate(packageUid, known, true)))
      if (!taken.ok) return taken
      const { isNew, listed } = taken.value
      void reading.read(listed)
      changes.mark({ packageUid, known })
      for (const { caseId } of listed) changes.mark({ caseId })
      await changes.announceNow()
      events.emit('delivery.stepped', null)
      return ok({ packageUid, caseIds: listed.map(({ caseId }) => caseId), isNew })
    },
    /**
     * Reads a case and adds it; one that can't be asked about is kept as unread. Errors: those of a read; service/not-found,
     * scan/wrong-place.
     */
    async addCase(identifier: string) {
      const answer = reading.begin()
      const known = await lookup.case(identifier)
      if (!known.ok) {
        if (isUnanswered(known.error) && !isListedCase(identifier))
          unread.note({ scanned: identifier, error: known.error })
        return known
      }
      const { caseId, packageUids } = known.value.value
      const entry = await askEntry(known.value.value, lookup)
      const [packageUid = null, ...others] = packageUids
      const taken = saved(() => {
        const open = openOrStart()
        const isNew = !rows.case(open.seq, caseId)
        rows.addCase(open.seq, { caseId, packageUid: others.length > 0 ? null : packageUid })
        unread.forget(identifier)
        return ok({ caseId, isNew })
      })
      if (!taken.ok) return taken
      answer(known.value, entry)
      changes.mark({ caseId })
      await changes.announceNow()
      events.emit('delivery.stepped', null)
      return taken
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
    /** `record` writes what is kept of it, in the same commit. Errors: receiving/no-delivery. */
    async finish(id: DeliveryId, record: (open: DeliveryRow, at: number) => void): Promise<Result<null, AppError>> {
      const finished = await ofOpen((open) => {
        if (open.id !== id) return err({ code: 'receiving/no-delivery' })
        finishWith.immediate(open, clock.now(), record)
        atStep('record.saved')
        forgetEnded()
        return ok(null)
      })
      if (finished.ok) events.emit('delivery.finished', null)
      return finished
    },
    /**
     * Makes a delivery that was finished today the one under way again, and reads it anew. Errors: receiving/no-delivery,
     * receiving/delivery-open, receiving/delivery-over.
     */
    async reopen(id: DeliveryId): Promise<Result<null, AppError>> {
      const reopened = saved((): Result<DeliveryRow, AppError> => {
        const row = rows.byId(id)
        if (!row) return err({ code: 'receiving/no-delivery' })
        const open = rows.open()
        if (open && open.id !== id) return err({ code: 'receiving/delivery-open' })
        if (!open && !canReopen(row, rows, clock.now())) return err({ code: 'receiving/delivery-over' })
        if (!open) rows.reopen(row.seq)
        return ok(row)
      })
      if (!reopened.ok) return reopened
      const { seq } = reopened.value
      markAll(seq)
      await changes.announceNow()
      refreshing.ask()
      events.emit('delivery.stepped', null)
      events.emit('delivery.opened', null)
      return ok(null)
    },
    /** Newest first. `text`: in their packages and cases; all if it is empty. */
    list: (text = ''): DeliverySummary[] => {
      const now = clock.now()
      const found = text === '' ? rows.newest(mostListed) : rows.holding(text, mostListed)
      return found.map((row) => summaryOf(row, rows, now))
    },
    /** Call before answering a command that changed operations: its answer must not arrive before what it changed. */
    announceNow: () => changes.announceNow(),
    /** Asks and announces nothing from now on; resolves once nothing is being asked. */
    async stop(): Promise<void> {
      isStopped = true
      changes.stop()
      await Promise.all([reading.stop(), refreshing.stop(), learning.stop()])
    },
  }
}
