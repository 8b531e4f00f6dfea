import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import type { AppError } from '../../../src-shared/errors'
import { CaseId, type DeliveryId, PackageUid } from '../../../src-shared/ids'
import { type Result, err, ok } from '../../../src-shared/result'
import type { Clock } from '../../core/clock'
import type { MainEvents } from '../../core/events'
import { DeliveryKey, type Finisher, thingOf } from '../../hub/rows'
import type { MergedEntry } from '../../hub/lists/list-parts'
import { saved } from '../../database/saved'
import type { Delivery } from './delivery'
import type { DeliveryRow, DeliveryRows } from './delivery-rows'
import { createManifestRows } from '../manifest/manifest-rows'
import type { LateRows } from '../record/record-late'

interface MergingParts {
  db: Database
  events: Pick<MainEvents, 'emit'>
  rows: DeliveryRows
  delivery: Delivery['together']
  clock: Clock
  late: Pick<LateRows, 'note' | 'deliveries'>
  /** This station's own id. */
  stationId: string | null
  /**
   * Writes the record of a delivery that another station finished, in the commit that finishes it here; undefined: this one did.
   * Null: its name isn't known.
   */
  keepRecord: (open: DeliveryRow, at: number, station: string | null | undefined) => void
}

interface MergedNews {
  entries: MergedEntry<DeliveryKey>[]
  isFinished: boolean
  finishedBy: Finisher | null
}

const keyOf = (text: string) => DeliveryKey.safeParse(text).data ?? []

export type Merging = ReturnType<typeof createMerging>

/** The tables of a delivery that several stations receive. Writing throws if the disk refuses. */
export function createMerging(parts: MergingParts) {
  const { db, events, rows, delivery, clock, stationId, late, keepRecord } = parts
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
  const begunBy = db.prepare('UPDATE hub_delivery SET station = ? WHERE delivery = ?')
  // What was dropped and not told stays to be told: the hub's copy may still list it.
  const moved = ['delivery_package', 'delivery_case', 'delivery_operation', 'tag_count', 'hub_delivery_due']
  const moves = moved.map((table) => db.prepare(`UPDATE OR IGNORE ${table} SET delivery = @to WHERE delivery = @from`))
  const leftovers = ['delivery_package', 'delivery_case', 'delivery_operation', 'hub_delivery', 'hub_delivery_due'].map(
    (table) => db.prepare(`DELETE FROM ${table} WHERE delivery = ?`),
  )
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
  const manifests = createManifestRows(db)

  /** Makes a delivery a part of another one, or the other one itself if that is not known here. Returns its number. */
  const moveInto = (seq: number, id: DeliveryId): number => {
    const there = rows.byId(id)
    if (there?.seq === seq) return seq
    if (!there) {
      rename.run(id, seq)
      return seq
    }
    const wasOpen = rows.bySeq(seq)?.finishedAt === null
    for (const move of moves) move.run({ from: seq, to: there.seq })
    movePhotos.run({ from: seq, to: there.seq })
    manifests.moveTo(seq, there.seq, clock.now())
    for (const leftover of leftovers) leftover.run(seq)
    if (isKept.get({ seq }) === 0) remove.run(seq)
    else if (wasOpen) rows.finish(seq, clock.now())
    if (wasOpen && there.finishedAt !== null) rows.reopen(there.seq)
    return there.seq
  }
  const opened = (seq: number) => {
    delivery.opened(seq)
    events.emit('delivery.opened', null)
  }
  const inOne = db.transaction((step: () => void) => {
    step()
  })

  const mergePackage = (seq: number, packageUid: PackageUid, { isGone, station }: MergedEntry<DeliveryKey>) => {
    const before = rows.packageStation(seq, packageUid)
    if (!isGone) {
      if (before === undefined) rows.addPackage(seq, packageUid, station)
      else setPackageStation.run(station, seq, packageUid)
      return before === undefined
    }
    if (before === undefined) return false
    unlistPackage.run(seq, packageUid)
    const heirOf = delivery.heirAmong(seq)
    for (const one of rows.cases(seq)) {
      const heir = one.packageUid === packageUid ? heirOf(one.caseId) : undefined
      if (heir !== undefined) handOver.run(heir, seq, one.caseId)
    }
    return true
  }
  const mergeCase = (seq: number, caseId: CaseId, { isGone, station, value }: MergedEntry<DeliveryKey>) => {
    const before = rows.case(seq, caseId)
    const packageUid = PackageUid.nullable().safeParse(value).data ?? null
    if (isGone) {
      // A case that was never listed here is noted too: its package must not list it anew.
      if (!before) noteDropped.run(seq, caseId, packageUid)
      return rows.dropCase(seq, caseId)
    }
    if (!before) rows.addCase(seq, { caseId, packageUid }, station)
    else setCase.run(station, packageUid ?? before.packageUid, seq, caseId)
    return !before
  }

  return {
    head(seq: number): { id: DeliveryId; isFinished: boolean; finishedBy: Finisher | null } | undefined {
      const row = rows.bySeq(seq)
      return row && { id: row.id, isFinished: row.finishedAt !== null, finishedBy: rows.finishedBy(seq) }
    },
    startedAt: (seq: number) => rows.bySeq(seq)?.startedAt,
    entry(seq: number, key: DeliveryKey): { at: number; value: string | null; station: string | null } | undefined {
      const thing = thingOf(key)
      if (!thing) return undefined
      if ('packageUid' in thing) {
        const station = rows.packageStation(seq, thing.packageUid)
        return station === undefined ? undefined : { at: clock.now(), value: null, station }
      }
      const listed = rows.case(seq, thing.caseId)
      return listed && { at: clock.now(), value: listed.packageUid, station: listed.station }
    },
    /** What this station listed. */
    entered: (seq: number): DeliveryKey[] => [
      ...z
        .array(PackageUid)
        .parse(selectPackages.all(seq))
        .flatMap((uid) => keyOf(`package ${uid}`)),
      ...z
        .array(CaseId)
        .parse(selectCases.all(seq))
        .flatMap((caseId) => keyOf(`case ${caseId}`)),
    ],
    /** As `own.merge` of shared lists. */
    merge(
      seq: number,
      { entries, isFinished, finishedBy }: MergedNews,
      isOwn: (key: DeliveryKey) => boolean,
    ): () => void {
      const row = rows.bySeq(seq)
      if (!row) return () => undefined
      const wasOpen = row.finishedAt === null
      const isEnded = wasOpen && isFinished
      const isOpened = !wasOpen && !isFinished && !rows.open()
      // It stays finished here, also while others receive it again and this station receives another one.
      const staysOver = !wasOpen && !isOpened
      const listed = { packages: new Array<PackageUid>(), cases: new Array<CaseId>() }
      const dropped = { packages: new Array<PackageUid>(), cases: new Array<CaseId>() }
      for (const entry of entries) {
        const thing = isOwn(entry.key) ? undefined : thingOf(entry.key)
        const to = entry.isGone ? dropped : listed
        if (!thing) continue
        const isOfPackage = 'packageUid' in thing
        const isChange = isOfPackage ? mergePackage(seq, thing.packageUid, entry) : mergeCase(seq, thing.caseId, entry)
        if (!isChange) continue
        if (isOfPackage) to.packages.push(thing.packageUid)
        else to.cases.push(thing.caseId)
        // In the commit that lists it: no record is without it for good.
        if (staysOver) late.note(seq, entry.key, entry.station, entry.isGone)
      }
      // One version, and not one for each scan, of what others do until they finish it.
      const isLate = staysOver && isFinished && late.deliveries().includes(seq)
      const isByThis = finishedBy !== null && finishedBy.stationId === stationId
      const station = isByThis ? undefined : (finishedBy?.stationName ?? null)
      if (isEnded) {
        const at = clock.now()
        keepRecord(row, at, station)
        rows.finish(seq, at)
        if (finishedBy && !isByThis) rows.setFinishedBy(seq, finishedBy)
      }
      if (isOpened) rows.reopen(seq)
      return () => {
        if (isLate) events.emit('record.late', null)
        if (isEnded) {
          delivery.ended()
          events.emit('delivery.finished', null)
        } else if (isOpened) opened(seq)
        else if (wasOpen) delivery.listed(listed, dropped)
      }
    },
    /** The delivery became a part of another one at another station. */
    follow(seq: number, into: DeliveryId): void {
      inOne.immediate(() => void moveInto(seq, into))
      const open = rows.open()
      if (open?.id === into) opened(open.seq)
    },
    /** Receives along with another station, which began the delivery; the own one becomes a part of it. Errors: store/not-saved. */
    join(
      id: DeliveryId,
      { startedAt, stationName }: { startedAt: number; stationName: string },
    ): Result<null, AppError> {
      let joined: number | undefined
      const done = saved(() => {
        inOne.immediate(() => {
          const [open, there] = [rows.open(), rows.byId(id)]
          if (open) joined = moveInto(open.seq, id)
          else joined = there?.seq ?? rows.start(id, startedAt).seq
          if (!open && there?.finishedAt != null) rows.reopen(there.seq)
          begunBy.run(stationName, joined)
        })
        return ok(null)
      })
      if (!done.ok) return done
      if (joined === undefined) return err({ code: 'receiving/no-delivery' })
      opened(joined)
      return ok(null)
    },
  }
}
