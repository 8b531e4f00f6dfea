import type { Database, Statement, Transaction } from 'better-sqlite3'
import { z } from 'zod'
import type { ResultOf } from '../../../src-shared/errors'
import { CaseId, type DeliveryId, PackageUid } from '../../../src-shared/ids'
import { err, ok } from '../../../src-shared/result'
import { DeliveryKey, type Finisher, thingOf } from '../../hub/rows'
import type { MergedEntry } from '../../hub/lists/list-parts'
import { type NotSaved, saved } from '../../database/saved'
import type { Delivery } from './delivery'
import type { DeliveryRows } from './delivery-rows'
import { ManifestRows } from '../manifest/manifest-rows'
import type { ReceivingContext } from '../receiving-context'
import type { Records } from '../record/record'
import type { RecordContext } from '../record/record-context'

type MergingContext = ReceivingContext & Pick<RecordContext, 'late' | 'notices'>

interface MergedNews {
  entries: MergedEntry<DeliveryKey>[]
  isFinished: boolean
  finishedBy: Finisher | null
}

const keyOf = (text: string) => DeliveryKey.safeParse(text).data ?? []

function statementsOf(db: Database) {
  const selectPackages = db
    .prepare('SELECT package_uid FROM delivery_package WHERE delivery = ? AND station IS NULL')
    .pluck()
  const selectCases = db
    .prepare('SELECT case_id FROM delivery_case WHERE delivery = ? AND dropped = 0 AND station IS NULL')
    .pluck()
  const setPackageStation = db.prepare('UPDATE delivery_package SET station = ? WHERE delivery = ? AND package_uid = ?')
  const setCase = db.prepare('UPDATE delivery_case SET station = ?, package_uid = ? WHERE delivery = ? AND case_id = ?')
  const unlistPackage = db.prepare('DELETE FROM delivery_package WHERE delivery = ? AND package_uid = ?')
  const handOver = db.prepare('UPDATE delivery_case SET package_uid = ? WHERE delivery = ? AND case_id = ?')
  const noteDropped = db.prepare(`
    INSERT INTO delivery_case (delivery, case_id, package_uid, dropped) VALUES (?, ?, ?, 1) ON CONFLICT DO NOTHING`)
  const rename = db.prepare('UPDATE delivery SET id = ? WHERE seq = ?')
  const begunBy = db.prepare('UPDATE delivery SET begun_by = ? WHERE seq = ?')
  // Photos of a correction, and of a delivery that is over, are never changed.
  const movePhotos = db.prepare(`
    UPDATE delivery_photo SET delivery = @to WHERE delivery = @from AND correction IS NULL
      AND (SELECT finished_at FROM delivery WHERE seq = @from) IS NULL`)
  // A record and a photo are never deleted.
  const isKept = db
    .prepare(
      `SELECT EXISTS (SELECT 1 FROM delivery_entry WHERE delivery = @seq)
      OR EXISTS (SELECT 1 FROM delivery_photo WHERE delivery = @seq)`,
    )
    .pluck()
  const remove = db.prepare('DELETE FROM delivery WHERE seq = ?')
  return {
    selectPackages,
    selectCases,
    setPackageStation,
    setCase,
    unlistPackage,
    handOver,
    noteDropped,
    rename,
    begunBy,
    movePhotos,
    isKept,
    remove,
  }
}

/** The tables of a delivery that several stations receive. Writing throws if the disk refuses. */
export class Merging {
  readonly #context: MergingContext
  readonly #rows: DeliveryRows
  readonly #delivery: Delivery['together']
  readonly #records: Pick<Records, 'finishedElsewhere'>
  readonly #sql: ReturnType<typeof statementsOf>
  readonly #moves: Statement[]
  readonly #leftovers: Statement[]
  readonly #manifests: ManifestRows
  readonly #inOne: Transaction<(step: () => void) => void>

  constructor(context: MergingContext, delivery: Delivery['together'], records: Pick<Records, 'finishedElsewhere'>) {
    const { db, deliveries } = context
    this.#context = context
    this.#rows = deliveries
    this.#delivery = delivery
    this.#records = records
    this.#sql = statementsOf(db)
    // What was dropped and not told stays to be told: the hub's copy may still list it.
    const moved = ['delivery_package', 'delivery_case', 'delivery_operation', 'tag_count']
    this.#moves = [
      ...moved.map((table) => `UPDATE OR IGNORE ${table} SET delivery = @to WHERE delivery = @from`),
      `UPDATE OR IGNORE dirty_key SET list = @to WHERE topic = 'deliveries' AND list = @from`,
    ].map((text) => db.prepare(text))
    this.#leftovers = [
      ...['delivery_package', 'delivery_case', 'delivery_operation'].map((table) => `${table} WHERE delivery = ?`),
      ...['shared_list', 'dirty_key'].map((table) => `${table} WHERE topic = 'deliveries' AND list = ?`),
    ].map((from) => db.prepare(`DELETE FROM ${from}`))
    this.#manifests = new ManifestRows(db)
    this.#inOne = db.transaction((step: () => void) => {
      step()
    })
  }

  head(seq: number): { id: DeliveryId; isFinished: boolean; finishedBy: Finisher | null } | undefined {
    const row = this.#rows.bySeq(seq)
    return row && { id: row.id, isFinished: row.finishedAt !== null, finishedBy: this.#rows.finishedBy(seq) }
  }

  startedAt(seq: number) {
    return this.#rows.bySeq(seq)?.startedAt
  }

  entry(seq: number, key: DeliveryKey): { at: number; value: string | null; station: string | null } | undefined {
    const thing = thingOf(key)
    if (!thing) return undefined
    if ('packageUid' in thing) {
      const station = this.#rows.packageStation(seq, thing.packageUid)
      return station === undefined ? undefined : { at: this.#context.clock.now(), value: null, station }
    }
    const listed = this.#rows.case(seq, thing.caseId)
    return listed && { at: this.#context.clock.now(), value: listed.packageUid, station: listed.station }
  }

  /** What this station listed. */
  entered(seq: number): DeliveryKey[] {
    return [
      ...z
        .array(PackageUid)
        .parse(this.#sql.selectPackages.all(seq))
        .flatMap((uid) => keyOf(`package ${uid}`)),
      ...z
        .array(CaseId)
        .parse(this.#sql.selectCases.all(seq))
        .flatMap((caseId) => keyOf(`case ${caseId}`)),
    ]
  }

  /** As `own.merge` of shared lists. */
  merge(
    seq: number,
    { entries, isFinished, finishedBy }: MergedNews,
    isOwn: (key: DeliveryKey) => boolean,
  ): () => void {
    const row = this.#rows.bySeq(seq)
    if (!row) return () => undefined
    const wasOpen = row.finishedAt === null
    const isEnded = wasOpen && isFinished
    const isOpened = !wasOpen && !isFinished && !this.#rows.open()
    // It stays finished here, also while others receive it again and this station receives another one.
    const staysOver = !wasOpen && !isOpened
    const listed = { packages: new Array<PackageUid>(), cases: new Array<CaseId>() }
    const dropped = { packages: new Array<PackageUid>(), cases: new Array<CaseId>() }
    for (const entry of entries) {
      const thing = isOwn(entry.key) ? undefined : thingOf(entry.key)
      const to = entry.isGone ? dropped : listed
      if (!thing) continue
      const isOfPackage = 'packageUid' in thing
      const isChange = isOfPackage
        ? this.#mergePackage(seq, thing.packageUid, entry)
        : this.#mergeCase(seq, thing.caseId, entry)
      if (!isChange) continue
      if (isOfPackage) to.packages.push(thing.packageUid)
      else to.cases.push(thing.caseId)
      // In the commit that lists it: no record is without it for good.
      if (staysOver) this.#context.late.note(seq, entry.key, entry.station, entry.isGone)
    }
    // One version, and not one for each scan, of what others do until they finish it.
    const isLate = staysOver && isFinished && this.#context.late.deliveries().includes(seq)
    const isByThis = finishedBy !== null && finishedBy.stationId === this.#context.hub.stationId
    const station = isByThis ? undefined : (finishedBy?.stationName ?? null)
    if (isEnded) {
      const at = this.#context.clock.now()
      this.#records.finishedElsewhere(row, at, station)
      if (station !== undefined) this.#context.notices.note(seq, 'finished', station)
      this.#rows.finish(seq, at)
      if (finishedBy && !isByThis) this.#rows.setFinishedBy(seq, finishedBy)
    }
    if (isOpened) this.#rows.reopen(seq)
    return () => {
      if (isLate) this.#context.events.emit('record.late', null)
      if (isEnded) {
        this.#delivery.ended()
        this.#context.events.emit('delivery.finished', null)
      } else if (isOpened) this.#opened(seq)
      else if (wasOpen) this.#delivery.listed(listed, dropped)
    }
  }

  /** The delivery became a part of another one at another station. */
  follow(seq: number, into: DeliveryId): void {
    this.#inOne.immediate(() => void this.#moveInto(seq, into))
    const open = this.#rows.open()
    if (open?.id === into) this.#opened(open.seq)
  }

  /** Receives along with another station, which began the delivery; the own one becomes a part of it. */
  join(
    id: DeliveryId,
    { startedAt, stationName }: { startedAt: number; stationName: string },
  ): ResultOf<null, NotSaved | 'receiving/no-delivery'> {
    let joined: number | undefined
    const done = saved(() => {
      this.#inOne.immediate(() => {
        const [open, there] = [this.#rows.open(), this.#rows.byId(id)]
        if (open) joined = this.#moveInto(open.seq, id)
        else joined = there?.seq ?? this.#rows.start(id, startedAt).seq
        if (!open && there?.finishedAt != null) this.#rows.reopen(there.seq)
        this.#sql.begunBy.run(stationName, joined)
      })
      return ok(null)
    })
    if (!done.ok) return done
    if (joined === undefined) return err({ code: 'receiving/no-delivery' })
    this.#opened(joined)
    return ok(null)
  }

  /** Makes a delivery a part of another one, or the other one itself if that is not known here. Returns its number. */
  #moveInto(seq: number, id: DeliveryId): number {
    const there = this.#rows.byId(id)
    if (there?.seq === seq) return seq
    if (!there) {
      this.#sql.rename.run(id, seq)
      return seq
    }
    const wasOpen = this.#rows.bySeq(seq)?.finishedAt === null
    for (const move of this.#moves) move.run({ from: seq, to: there.seq })
    this.#sql.movePhotos.run({ from: seq, to: there.seq })
    this.#manifests.moveTo(seq, there.seq, this.#context.clock.now())
    for (const leftover of this.#leftovers) leftover.run(seq)
    if (this.#sql.isKept.get({ seq }) === 0) this.#sql.remove.run(seq)
    else if (wasOpen) this.#rows.finish(seq, this.#context.clock.now())
    if (wasOpen && there.finishedAt !== null) this.#rows.reopen(there.seq)
    return there.seq
  }

  #opened(seq: number) {
    this.#delivery.opened(seq)
    this.#context.events.emit('delivery.opened', null)
  }

  #mergePackage(seq: number, packageUid: PackageUid, { isGone, station }: MergedEntry<DeliveryKey>) {
    const before = this.#rows.packageStation(seq, packageUid)
    if (!isGone) {
      if (before === undefined) this.#rows.addPackage(seq, packageUid, station)
      else this.#sql.setPackageStation.run(station, seq, packageUid)
      return before === undefined
    }
    if (before === undefined) return false
    this.#sql.unlistPackage.run(seq, packageUid)
    const heirOf = this.#delivery.heirAmong(seq)
    for (const one of this.#rows.cases(seq)) {
      const heir = one.packageUid === packageUid ? heirOf(one.caseId) : undefined
      if (heir !== undefined) this.#sql.handOver.run(heir, seq, one.caseId)
    }
    return true
  }

  #mergeCase(seq: number, caseId: CaseId, { isGone, station, value }: MergedEntry<DeliveryKey>) {
    const before = this.#rows.case(seq, caseId)
    const packageUid = PackageUid.nullable().safeParse(value).data ?? null
    if (isGone) {
      // A case that was never listed here is noted too: its package must not list it anew.
      if (!before) this.#sql.noteDropped.run(seq, caseId, packageUid)
      return this.#rows.dropCase(seq, caseId)
    }
    if (!before) this.#rows.addCase(seq, { caseId, packageUid }, station)
    else this.#sql.setCase.run(station, packageUid ?? before.packageUid, seq, caseId)
    return !before
  }
}
