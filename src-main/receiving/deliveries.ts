import { randomUUID } from 'node:crypto'
import type { Database } from 'better-sqlite3'
import type { AppError } from '../../src-shared/errors'
import { CaseId, DeliveryId, type PackageUid } from '../../src-shared/ids'
import type {
  DeliveryCase,
  DeliveryHead,
  DeliveryPackage,
  DeliverySummary,
  DeliveryView,
} from '../../src-shared/ipc/delivery-view'
import type { ImportForm } from '../../src-shared/ipc/receiving-view'
import { type Result, err, ok } from '../../src-shared/result'
import { type Clock, iso } from '../clock'
import type { Log } from '../log'
import { type Known, type Lookup, briefOf } from '../memory/lookup'
import type { Memory } from '../memory/store'
import type { PackageCases } from '../../src-shared/service/package-uids'
import type { Operation } from '../outbox/operation'
import type { Outbox } from '../outbox/outbox'
import type { Reporting } from '../outbox/reporting'
import { saved } from '../store/saved'
import { askEntry } from './ask-entry'
import { createBatches } from './batches'
import { type Read, type ToRead, createCaseReading } from './case-reading'
import type { CaseViews } from './case-views'
import { createDeliveryPackages } from './delivery-packages'
import { summaryOf } from './delivery-summary'
import type { DeliveryRow, DeliveryRows } from './delivery-rows'
import { oneAtATime } from '../one-at-a-time'
import type { Turns } from '../turns'
import { canUndo } from './undo-delivery'
import { createViewCases } from './view-cases'

/** What a clerk receives in one go: its invariants are in receiving.md. Errors of every change: store/not-saved. */
export interface Deliveries {
  /** The one under way, as the station knows it, without asking anybody. */
  view(): Promise<DeliveryView | null>
  /** Never refused by the service: what nobody could be asked about is added as such. */
  addPackage(packageUid: PackageUid): Promise<Result<PackageAdded, AppError>>
  /** Errors: those of a read; service/not-found, scan/wrong-place. */
  addCase(identifier: string): Promise<Result<{ delivery: DeliveryHead; case: DeliveryCase }, AppError>>
  /** Asks anew about all of it; what is found is announced. */
  refresh(): void
  /** Errors: receiving/no-delivery, receiving/not-in-delivery. */
  dropPackage(packageUid: PackageUid): Result<null, AppError>
  dropCase(caseId: CaseId): Result<null, AppError>
  /** Errors: receiving/no-delivery. */
  finish(id: DeliveryId): Result<null, AppError>
  /** Newest first. */
  list(): DeliverySummary[]
  /** Asks nobody any more; resolves once nothing is being asked. */
  stop(): Promise<void>
}

export interface PackageAdded {
  delivery: DeliveryHead
  package: DeliveryPackage
  cases: DeliveryCase[]
}

export interface DeliveriesParts {
  db: Database
  rows: DeliveryRows
  lookup: Lookup
  seen: Memory
  views: CaseViews
  outbox: Outbox
  viewOperation: Reporting['view']
  /** Shared with whoever else reads many cases. */
  turns: Turns
  clock: Clock
  log: Log
  /** Cases of the delivery under way that were read, or found out; packages that were asked about. */
  announce: (found: { deliveryId: DeliveryId; cases: DeliveryCase[]; packages: DeliveryPackage[] }) => void
  /** A blind import turned out to be this one. */
  onIdentified: (form: ImportForm) => void
}

/** Between two announcements, in ms. */
const pause = 100
/** Deliveries in the list: about a season's. */
const mostListed = 100

const headOf = ({ id, startedAt }: DeliveryRow): DeliveryHead => ({ id, startedAt: iso(startedAt) })

export function createDeliveries(parts: DeliveriesParts): Deliveries {
  const { db, rows, lookup, seen, views, outbox, turns, clock, log, announce, onIdentified } = parts
  const packages = createDeliveryPackages({ lookup, seen })

  const batches = createBatches<Read | DeliveryPackage>(pause, (found) => {
    const open = rows.open()
    // What belonged to a delivery that is finished, or was dropped, is nobody's news any more.
    if (!open) return
    // Only now: while it was held back, something may have become of an import that everybody was told of at once.
    const cases = found
      .filter((one) => 'caseId' in one)
      .flatMap((one) => {
        const listed = rows.case(open.seq, one.caseId)
        return listed ? reading.view(listed, one) : []
      })
    const uids = new Set(rows.packages(open.seq))
    const asked = found.filter((one) => 'knowledge' in one).filter(({ packageUid }) => uids.has(packageUid))
    if (cases.length + asked.length > 0) announce({ deliveryId: open.id, cases, packages: asked })
  })
  const reading = createCaseReading({
    lookup,
    seen,
    views,
    turns,
    log,
    onRead: (read) => {
      batches.add(read.caseId, read)
    },
  })

  /** `isScan`: a person wants all of its cases; else those that were dropped stay so. */
  const takeIn = db.transaction((packageUid: PackageUid, known: Known<PackageCases> | undefined, isScan: boolean) => {
    const open = rows.open() ?? rows.start(DeliveryId.parse(randomUUID()), clock.now())
    rows.addPackage(open.seq, packageUid)
    const caseIds = Object.keys(known?.value.case_ids ?? {}).map((caseId) => CaseId.parse(caseId))
    for (const caseId of caseIds) {
      if (isScan) rows.addCase(open.seq, { caseId, packageUid })
      else rows.listCase(open.seq, { caseId, packageUid })
    }
    const listed = caseIds.flatMap((caseId) => rows.case(open.seq, caseId) ?? [])
    return { open, listed }
  })
  const toRead = (listed: ToRead[], known: Known<PackageCases> | undefined): ToRead[] =>
    listed.map((one) => {
      const entry = known?.value.case_ids[one.caseId]
      return entry ? { ...one, entry } : one
    })

  const viewCases = createViewCases(reading, outbox)

  const refreshAll = async () => {
    const before = rows.open()
    if (!before) return
    const entries = new Map<CaseId, ToRead['entry']>()
    await Promise.all(
      rows.packages(before.seq).map((packageUid) =>
        turns(async () => {
          const known = await packages.ask(packageUid)
          if (rows.open()?.seq !== before.seq || !rows.packages(before.seq).includes(packageUid)) return
          for (const { caseId, entry } of toRead(takeIn(packageUid, known, false).listed, known))
            entries.set(caseId, entry)
          batches.add(packageUid, packages.view(packageUid, known))
        }),
      ),
    )
    if (rows.open()?.seq !== before.seq) return
    await reading.read(
      rows.cases(before.seq).map((listed) => {
        const entry = entries.get(listed.caseId)
        return entry ? { ...listed, entry } : listed
      }),
    )
  }
  const refreshing = oneAtATime(refreshAll, (cause) => {
    log.error('a delivery could not be asked about anew', { cause })
  })
  let isStopped = false

  /** An import of a delivery whose case is not listed was a blind one. */
  const adopt = (operation: Operation, delivery: DeliveryRow | undefined) => {
    const { payload, seq } = operation
    if (!delivery || payload?.kind !== 'import' || rows.case(delivery.seq, payload.caseId)) return
    const listed = { caseId: payload.caseId, packageUid: payload.packageUid }
    rows.addCase(delivery.seq, listed)
    log.info('a blind import became a case of its delivery', { operation: seq })
    if (isStopped) return
    void reading.read([listed]).then(() => {
      onIdentified(payload)
    })
    if (delivery.finishedAt === null) batches.add(listed.caseId, { caseId: listed.caseId })
  }
  outbox.onChange((operation) => {
    if (operation.kind === 'import') adopt(operation, rows.byOperation(operation.seq))
  })

  /** The first of some packages that lists a case, as far as is remembered. */
  const heirAmong = (uids: PackageUid[]) => {
    const listed = uids.map((uid) => [uid, seen.package(uid)?.value.case_ids ?? {}] as const)
    return (caseId: CaseId) => listed.find(([, caseIds]) => caseId in caseIds)?.[0]
  }

  const ofOpen = (change: (open: DeliveryRow) => Result<null, AppError>) =>
    saved(() => {
      const open = rows.open()
      return open ? change(open) : err({ code: 'receiving/no-delivery' })
    })
  const dropped = (isDropped: boolean): Result<null, AppError> =>
    isDropped ? ok(null) : err({ code: 'receiving/not-in-delivery' })

  return {
    async view() {
      const open = rows.open()
      if (!open) return null
      const cases = await viewCases(rows.cases(open.seq))
      const operations = rows.operations(open.seq)
      const blind = operations.filter(({ kind, state }) => kind === 'blind-import' && state !== 'cancelled')
      return {
        ...headOf(open),
        packages: rows.packages(open.seq).map((uid) => packages.view(uid)),
        cases,
        blind: blind.toReversed().map(parts.viewOperation),
        undoable: operations.filter((operation) => canUndo(operation, outbox)).length,
      }
    },
    async addPackage(packageUid) {
      const known = await packages.ask(packageUid)
      const taken = saved(() => ok(takeIn.immediate(packageUid, known, true)))
      if (!taken.ok) return taken
      const { open, listed } = taken.value
      void reading.read(toRead(listed, known))
      const cases = await viewCases(listed)
      return ok({ delivery: headOf(open), package: packages.view(packageUid, known), cases })
    },
    async addCase(identifier) {
      const answer = reading.begin()
      const known = await lookup.case(identifier)
      if (!known.ok) return known
      const facts = known.value.value
      const entry = await askEntry(facts, lookup)
      const [packageUid = null, ...others] = facts.packageUids
      const { caseId } = facts
      const taken = saved(() => {
        const open = rows.open() ?? rows.start(DeliveryId.parse(randomUUID()), clock.now())
        rows.addCase(open.seq, { caseId, packageUid: others.length > 0 ? null : packageUid })
        return ok({ open, listed: rows.case(open.seq, caseId) ?? { caseId, packageUid: null } })
      })
      if (!taken.ok) return taken
      const { open, listed } = taken.value
      const read = answer(caseId, briefOf(known.value), entry)
      return ok({ delivery: headOf(open), case: reading.view(listed, read) })
    },
    refresh() {
      refreshing.ask()
    },
    dropPackage: (packageUid) =>
      ofOpen((open) => {
        const others = rows.packages(open.seq).filter((uid) => uid !== packageUid)
        const handedOver = rows.dropPackage(open.seq, packageUid, heirAmong(others))
        for (const caseId of handedOver ?? []) batches.add(caseId, { caseId })
        return dropped(handedOver !== undefined)
      }),
    dropCase: (caseId) => ofOpen((open) => dropped(rows.dropCase(open.seq, caseId))),
    finish: (id) =>
      ofOpen((open) => {
        if (open.id !== id) return err({ code: 'receiving/no-delivery' })
        rows.finish(open.seq, clock.now())
        packages.forget()
        return ok(null)
      }),
    list: () => rows.newest(mostListed).map((row) => summaryOf(row, rows)),
    async stop() {
      isStopped = true
      batches.stop()
      await Promise.all([reading.stop(), refreshing.stop()])
    },
  }
}
