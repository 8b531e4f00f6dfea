import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Transaction } from 'better-sqlite3'
import { type AppError, type ResultOf, isUnanswered } from '../../../src-shared/errors'
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
import { type LookedUp, recall } from '../../memory/lookup'
import type { Operation } from '../../outbox/operation'
import { type NotSaved, saved } from '../../database/saved'
import type { ReceivingContext } from '../receiving-context'
import { type ToRead, CaseReading } from './case-reading'
import { type CaseViews, askEntry } from './case-views'
import { Changes, blindOf, headOf, viewedAtOnce } from './changes'
import { type DeliveryRow, type DeliveryRows, canReopen, summaryOf } from './delivery-rows'

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

/** What another station listed, or dropped. */
interface Listed {
  packages: PackageUid[]
  cases: CaseId[]
}

/** What a clerk receives in one go. Invariants: receiving.md. Every change may fail with store/not-saved. */
export class Delivery {
  readonly #context: ReceivingContext
  readonly #rows: DeliveryRows
  #isStopped = false
  readonly #reading: CaseReading
  /** Why a package could not be asked about, the last time. */
  readonly #packageErrors = new Map<PackageUid, AppError>()
  readonly #changes: Changes
  readonly #takeIn: Transaction<
    (
      packageUid: PackageUid,
      known: LookedUp<PackageCases> | undefined,
      isScan: boolean,
    ) => { isNew: boolean; listed: ToRead[] }
  >
  readonly #refreshing: ReturnType<typeof singleFlight>
  readonly #finishWith: Transaction<
    (open: DeliveryRow, at: number, record: (open: DeliveryRow, at: number) => void) => void
  >
  /** Reads what another station listed. */
  readonly #toLearn = { packages: new Set<PackageUid>(), cases: new Set<CaseId>() }
  readonly #learning: ReturnType<typeof singleFlight>
  /** Shows what became of the delivery under way with the other stations. */
  readonly together: {
    heirAmong: (seq: number) => (caseId: CaseId) => PackageUid | undefined
    listed: (listed: Listed, dropped: Listed) => void
    opened: (seq: number) => void
    ended: () => void
  }

  constructor(context: ReceivingContext, views: CaseViews) {
    const { db, deliveries, events, log } = context
    this.#context = context
    this.#rows = deliveries
    this.#reading = new CaseReading(context, views, (caseId) => {
      this.#changes.mark({ caseId })
    })
    this.#changes = new Changes(context, this.#reading, (packageUid, known) => this.#viewPackage(packageUid, known))
    this.#takeIn = db.transaction((packageUid, known, isScan) => this.#writeTakenIn(packageUid, known, isScan))
    this.#refreshing = singleFlight(
      () => this.#refreshAll(),
      (cause) => {
        log.error('a delivery could not be refreshed', { cause })
      },
    )
    events.on('operation.changed', 'receiving/delivery/delivery.ts', (operation) => {
      this.#operationChanged(operation)
    })
    events.on('import.elsewhere', 'receiving/delivery/delivery.ts', ({ caseIds, over }) => {
      this.#importedElsewhere(caseIds, over)
    })
    // Loads the contents of packages that were scanned without a network.
    events.on('service.recovered', 'receiving/delivery/delivery.ts', () => {
      this.#refreshing.ask()
    })
    this.#finishWith = db.transaction((open, at, record) => this.#writeFinished(open, at, record))
    this.#learning = singleFlight(
      () => this.#learn(),
      (cause) => {
        log.error('what another station listed could not be read', { cause })
      },
    )
    this.together = {
      heirAmong: (seq: number) => this.#heirAmong(this.#rows.packages(seq)),
      /** Packages and cases were listed or dropped elsewhere. */
      listed: (listed, dropped) => {
        this.#listedElsewhere(listed, dropped)
      },
      /** It was joined or opened again. */
      opened: (seq: number) => {
        this.#markAll(seq)
        this.#refreshing.ask()
      },
      ended: () => {
        this.#forgetEnded()
        void this.#changes.announceNow()
      },
    }
  }

  /** The delivery under way, as the station knows it, without asking the service. */
  async view(): Promise<DeliveryView | null> {
    const before = this.#rows.open()
    if (!before) return null
    const looked = new Map<CaseId, DeliveryCase>()
    const outdated = new Set<CaseId>()
    const stop = this.#changes.watch((caseId) => outdated.add(caseId))
    try {
      const listed = this.#rows.cases(before.seq)
      for (let from = 0; from < listed.length; from += viewedAtOnce) {
        if (from > 0) await setImmediate()
        const viewCase = this.#reading.viewer()
        for (const one of listed.slice(from, from + viewedAtOnce)) looked.set(one.caseId, viewCase(one))
      }
    } finally {
      stop()
    }
    const open = this.#rows.open()
    if (open?.seq !== before.seq) return this.view()
    // Everything in its present state: this answer must not undo a change that was announced meanwhile.
    const viewCase = this.#reading.viewer()
    return {
      ...headOf(open, this.#rows),
      packages: this.#rows.packages(open.seq).map((uid) => this.#viewPackage(uid)),
      cases: this.#rows
        .cases(open.seq)
        .map((one) => (outdated.has(one.caseId) ? undefined : looked.get(one.caseId)) ?? viewCase(one)),
      blind: blindOf(open.seq, this.#context),
      undoable: this.#rows.undoable(open.seq),
      revision: this.#changes.revision(),
    }
  }

  /**
   * Adds a package, also one that could not be asked about, and, if a person means it (`isMeant`), one that the service
   * lists no cases in.
   */
  async addPackage(
    packageUid: PackageUid,
    isMeant = false,
  ): Promise<ResultOf<Added, NotSaved | 'receiving/unknown-package'>> {
    const known = await this.#askPackage(packageUid)
    if (!isMeant && isUnknown(known, this.#packageErrors.get(packageUid)) && !this.#isListed(packageUid)) {
      this.#packageErrors.delete(packageUid)
      return err({ code: 'receiving/unknown-package', packageUid })
    }
    const taken = saved(() => ok(this.#takeIn.immediate(packageUid, known, true)))
    if (!taken.ok) return taken
    const { isNew, listed } = taken.value
    void this.#reading.read(listed)
    this.#changes.mark({ packageUid, known })
    for (const { caseId } of listed) this.#changes.mark({ caseId })
    await this.#changes.announceNow()
    this.#context.events.emit('delivery.stepped', null)
    return ok({ packageUid, caseIds: listed.map(({ caseId }) => caseId), isNew })
  }

  /** Reads a case and adds it; one that can't be asked about is kept as unread. */
  async addCase(identifier: string) {
    const answer = this.#reading.begin()
    const known = await this.#context.lookup.case(identifier)
    if (!known.ok) {
      if (isUnanswered(known.error) && !this.#isListedCase(identifier))
        this.#context.unread.note({ scanned: identifier, error: known.error })
      return known
    }
    const { caseId, packageUids } = known.value.value
    const entry = await askEntry(known.value.value, this.#context.lookup)
    const [packageUid = null, ...others] = packageUids
    const taken = saved(() => {
      const open = this.#openOrStart()
      const isNew = !this.#rows.case(open.seq, caseId)
      this.#rows.addCase(open.seq, { caseId, packageUid: others.length > 0 ? null : packageUid })
      this.#context.unread.forget(identifier)
      return ok({ caseId, isNew })
    })
    if (!taken.ok) return taken
    answer(known.value, entry)
    this.#changes.mark({ caseId })
    await this.#changes.announceNow()
    this.#context.events.emit('delivery.stepped', null)
    return taken
  }

  /** Asks again about all of it; what is found is announced. */
  refresh(): void {
    this.#refreshing.ask()
  }

  dropPackage(packageUid: PackageUid) {
    return this.#ofOpen((open) => {
      const others = this.#rows.packages(open.seq).filter((uid) => uid !== packageUid)
      const listed = this.#rows.cases(open.seq).filter((one) => one.packageUid === packageUid)
      const isDropped = this.#rows.dropPackage(open.seq, packageUid, this.#heirAmong(others))
      if (isDropped) this.#changes.mark({ packageUid })
      if (isDropped) for (const { caseId } of listed) this.#changes.mark({ caseId, isDropped })
      return this.#dropped(isDropped)
    })
  }

  dropCase(caseId: CaseId) {
    return this.#ofOpen((open) => {
      const isDropped = this.#rows.dropCase(open.seq, caseId)
      if (isDropped) this.#changes.mark({ caseId, isDropped })
      return this.#dropped(isDropped)
    })
  }

  /** `record` writes what is kept of it, in the same commit. */
  async finish(
    id: DeliveryId,
    record: (open: DeliveryRow, at: number) => void,
  ): Promise<ResultOf<null, NotSaved | 'receiving/no-delivery'>> {
    const finished = await this.#ofOpen((open) => {
      if (open.id !== id) return err({ code: 'receiving/no-delivery' })
      this.#finishWith.immediate(open, this.#context.clock.now(), record)
      this.#context.atStep('record.saved')
      this.#forgetEnded()
      return ok(null)
    })
    if (finished.ok) this.#context.events.emit('delivery.finished', null)
    return finished
  }

  /** Makes a delivery that was finished today the one under way again, and reads it anew. */
  async reopen(
    id: DeliveryId,
  ): Promise<
    ResultOf<null, NotSaved | 'receiving/delivery-open' | 'receiving/delivery-over' | 'receiving/no-delivery'>
  > {
    const reopened = saved(
      (): ResultOf<DeliveryRow, 'receiving/delivery-open' | 'receiving/delivery-over' | 'receiving/no-delivery'> => {
        const row = this.#rows.byId(id)
        if (!row) return err({ code: 'receiving/no-delivery' })
        const open = this.#rows.open()
        if (open && open.id !== id) return err({ code: 'receiving/delivery-open' })
        if (!open && !canReopen(row, this.#rows, this.#context.clock.now()))
          return err({ code: 'receiving/delivery-over' })
        if (!open) this.#rows.reopen(row.seq)
        return ok(row)
      },
    )
    if (!reopened.ok) return reopened
    const { seq } = reopened.value
    this.#markAll(seq)
    await this.#changes.announceNow()
    this.#refreshing.ask()
    this.#context.events.emit('delivery.stepped', null)
    this.#context.events.emit('delivery.opened', null)
    return ok(null)
  }

  /** Newest first. `text`: in their packages and cases; all if it is empty. */
  list(text = ''): DeliverySummary[] {
    const now = this.#context.clock.now()
    const found = text === '' ? this.#rows.newest(mostListed) : this.#rows.holding(text, mostListed)
    return found.map((row) => summaryOf(row, this.#rows, now))
  }

  /** Call before answering a command that changed operations: its answer must not arrive before what it changed. */
  announceNow() {
    return this.#changes.announceNow()
  }

  /** Asks and announces nothing from now on; resolves once nothing is being asked. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#changes.stop()
    await Promise.all([this.#reading.stop(), this.#refreshing.stop(), this.#learning.stop()])
  }

  /** An import joins the delivery; whatever else changes a case of it is shown. */
  #operationChanged(operation: Operation) {
    const { kind, payload, state } = operation
    if (kind === 'import') this.#adopt(operation)
    if (this.#isStopped) return
    if (kind === 'blind-import') this.#changes.mark({ isBlind: true })
    // What else waits for a case may wait for something else now: a sale holds up the undo of an import.
    for (const heldId of this.#rows.casesHeldBy(operation.seq)) this.#changes.mark({ caseId: heldId })
    const caseId = payload && 'caseId' in payload ? payload.caseId : null
    if (caseId === null) return
    // What it left in the case, or in whose inventory the case is, only the service can say.
    const isChange = state === 'accepted' && kind !== 'import' && kind !== 'import-removal' && kind !== 'blind-import'
    const isGivenUp = state === 'cancelled' && kind === 'import-removal'
    const open = isChange || isGivenUp ? this.#rows.open() : undefined
    const listed = open && this.#rows.case(open.seq, caseId)
    if (listed) void this.#reading.read([listed])
  }

  #importedElsewhere(caseIds: readonly CaseId[], over: ReadonlySet<CaseId>) {
    const open = this.#rows.open()
    if (!open) return
    const listed = caseIds.flatMap((caseId) => this.#rows.case(open.seq, caseId) ?? [])
    for (const { caseId } of listed) this.#changes.mark({ caseId })
    const toRead = listed.filter(({ caseId }) => over.has(caseId))
    if (toRead.length > 0) void this.#reading.read(toRead)
  }

  #listedElsewhere(listed: Listed, dropped: Listed) {
    for (const packageUid of [...listed.packages, ...dropped.packages]) this.#changes.mark({ packageUid })
    for (const caseId of listed.cases) this.#changes.mark({ caseId })
    for (const caseId of dropped.cases) this.#changes.mark({ caseId, isDropped: true })
    for (const packageUid of listed.packages) this.#toLearn.packages.add(packageUid)
    for (const caseId of listed.cases) this.#toLearn.cases.add(caseId)
    this.#learning.ask()
  }

  /** Returns the answer, or what is remembered if the service does not answer; undefined if the package was never seen. */
  async #askPackage(packageUid: PackageUid): Promise<LookedUp<PackageCases> | undefined> {
    const known = await this.#context.lookup.package(packageUid)
    const error = known.ok ? known.value.unreachable : known.error
    if (error) this.#packageErrors.set(packageUid, error)
    else this.#packageErrors.delete(packageUid)
    if (known.ok) return known.value
    const stored = this.#context.seen.package(packageUid)
    return stored && recall(stored)
  }

  #viewPackage(packageUid: PackageUid, known?: LookedUp<PackageCases>): DeliveryPackage {
    const stored = known ? undefined : this.#context.seen.package(packageUid)
    const knowledge = known?.knowledge ?? (stored ? recall(stored).knowledge : null)
    const open = this.#rows.open()
    const station = (open && this.#rows.packageStation(open.seq, packageUid)) ?? null
    return { packageUid, knowledge, error: this.#packageErrors.get(packageUid) ?? null, station }
  }

  #isListed(packageUid: PackageUid): boolean {
    const open = this.#rows.open()
    return open !== undefined && this.#rows.packages(open.seq).includes(packageUid)
  }

  /** A listed case that was never read is kept with its delivery. */
  #isListedCase(identifier: string): boolean {
    const [open, id] = [this.#rows.open(), parseId(identifier)]
    return open !== undefined && id !== undefined && this.#rows.case(open.seq, CaseId.parse(id)) !== undefined
  }

  #openOrStart() {
    return this.#rows.open() ?? this.#rows.start(DeliveryId.parse(randomUUID()), this.#context.clock.now())
  }

  /** `isScan`: a person wants all of its cases; otherwise dropped cases stay dropped. */
  #writeTakenIn(packageUid: PackageUid, known: LookedUp<PackageCases> | undefined, isScan: boolean) {
    const open = this.#openOrStart()
    const isNew = !this.#rows.packages(open.seq).includes(packageUid)
    this.#rows.addPackage(open.seq, packageUid)
    const entries = Object.entries(known?.value.case_ids ?? {})
    const listed = entries.flatMap(([id, entry]): ToRead[] => {
      const caseId = CaseId.parse(id)
      if (isScan) this.#rows.addCase(open.seq, { caseId, packageUid })
      else this.#rows.listCase(open.seq, { caseId, packageUid })
      const one = this.#rows.case(open.seq, caseId)
      return one ? [{ ...one, entry }] : []
    })
    return { isNew, listed }
  }

  async #refreshAll() {
    const before = this.#rows.open()
    if (!before) return
    const entries = new Map<CaseId, ToRead>()
    await Promise.all(
      this.#rows.packages(before.seq).map((packageUid) =>
        this.#context.limit(async () => {
          const known = await this.#askPackage(packageUid)
          if (this.#rows.open()?.seq !== before.seq || !this.#rows.packages(before.seq).includes(packageUid)) return
          const taken = saved(() => ok(this.#takeIn.immediate(packageUid, known, false)))
          // With a full disk no new case is listed, but those that are listed are read.
          if (taken.ok) for (const one of taken.value.listed) entries.set(one.caseId, one)
          this.#changes.mark({ packageUid, known })
        }),
      ),
    )
    if (this.#rows.open()?.seq !== before.seq) return
    await this.#reading.read(
      this.#rows.cases(before.seq).map((listed) => ({ ...entries.get(listed.caseId), ...listed })),
    )
  }

  /** An import of a delivery whose case is not listed was a blind one. */
  #adopt({ payload, seq }: Operation) {
    const delivery = this.#rows.byOperation(seq)
    if (!delivery || payload?.kind !== 'import' || this.#rows.case(delivery.seq, payload.caseId)) return
    const listed = { caseId: payload.caseId, packageUid: payload.packageUid }
    this.#rows.addCase(delivery.seq, listed)
    this.#context.log.info('a blind import became a case of its delivery', { operation: seq })
    if (this.#isStopped) return
    void this.#reading.read([listed]).then(() => {
      this.#context.events.emit('import.identified', payload)
    })
    this.#changes.mark({ isBlind: true })
  }

  #writeFinished(open: DeliveryRow, at: number, record: (open: DeliveryRow, at: number) => void) {
    record(open, at)
    this.#context.atStep('record.writing')
    this.#rows.finish(open.seq, at)
  }

  /** The first of the packages that lists a case, judging by the remembered packages. */
  #heirAmong(uids: PackageUid[]) {
    const listed = uids.map((uid) => [uid, this.#context.seen.package(uid)?.value.case_ids ?? {}] as const)
    return (caseId: CaseId) => listed.find(([, caseIds]) => caseId in caseIds)?.[0]
  }

  async #ofOpen<E extends AppError>(change: (open: DeliveryRow) => Result<null, E>) {
    const done = saved(() => {
      const open = this.#rows.open()
      return open ? change(open) : err({ code: 'receiving/no-delivery' })
    })
    await this.#changes.announceNow()
    if (done.ok) this.#context.events.emit('delivery.stepped', null)
    return done
  }

  #dropped(isDropped: boolean): ResultOf<null, 'receiving/not-in-delivery'> {
    return isDropped ? ok(null) : err({ code: 'receiving/not-in-delivery' })
  }

  /** Announces all of the delivery under way. */
  #markAll(seq: number) {
    // A delivery that lists nothing is announced too.
    this.#changes.mark({ isBlind: true })
    for (const packageUid of this.#rows.packages(seq)) this.#changes.mark({ packageUid })
    for (const { caseId } of this.#rows.cases(seq)) this.#changes.mark({ caseId })
  }

  #forgetEnded() {
    this.#packageErrors.clear()
    this.#reading.forget()
    this.#changes.end()
  }

  async #learn() {
    const [packages, cases] = [[...this.#toLearn.packages], [...this.#toLearn.cases]]
    this.#toLearn.packages.clear()
    this.#toLearn.cases.clear()
    const before = this.#rows.open()
    if (!before) return
    const entries = new Map<string, ToRead['entry']>()
    await Promise.all(
      packages.map((packageUid) =>
        this.#context.limit(async () => {
          const known = await this.#askPackage(packageUid)
          for (const [id, entry] of Object.entries(known?.value.case_ids ?? {})) entries.set(id, entry)
          if (!this.#isStopped && this.#rows.open()?.seq === before.seq) this.#changes.mark({ packageUid, known })
        }),
      ),
    )
    if (this.#isStopped || this.#rows.open()?.seq !== before.seq) return
    const listed = cases.flatMap((caseId) => this.#rows.case(before.seq, caseId) ?? [])
    await this.#reading.read(listed.map((one) => ({ entry: entries.get(one.caseId), ...one })))
  }
}
