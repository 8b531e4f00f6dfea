import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import type { CaseId, PackageUid, TagId } from '../../../src-shared/ids'
import { thingOf } from '../../hub/rows'

/** What other stations did in a delivery and this one heard of after it was finished. `station`: null if it isn't known. */
export interface Late {
  listed: { station: string | null; packageUids: PackageUid[]; caseIds: CaseId[] }[]
  dropped: { packageUids: PackageUid[]; caseIds: CaseId[] }
  scanned: { station: string | null; count: number }[]
  /** Scans that were taken back. */
  unscanned: number
}

const LateEntryRow = z.object({ key: z.string(), station: z.string().nullable(), is_gone: z.number() })
const Seqs = z.array(z.number())

export type LateRows = ReturnType<typeof createLateRows>

/** What no version of a record has yet, in the table `delivery_late`. Writing throws if the disk refuses. */
export function createLateRows(db: Database) {
  const again = 'ON CONFLICT DO UPDATE SET station = excluded.station, is_gone = excluded.is_gone'
  const note = db.prepare(`INSERT INTO delivery_late (delivery, key, station, is_gone) VALUES (?, ?, ?, ?) ${again}`)
  const noteScan = db.prepare(`
    INSERT INTO delivery_late (delivery, key, station, is_gone)
    SELECT delivery.seq, 'scan ' || @tagId, @station, @isGone FROM tag_count JOIN delivery ON delivery.seq = tag_count.delivery
    WHERE tag_count.seq = @count AND delivery.finished_at IS NOT NULL ${again}`)
  const selectDeliveries = db.prepare('SELECT DISTINCT delivery FROM delivery_late ORDER BY delivery').pluck()
  const select = db.prepare('SELECT key, station, is_gone FROM delivery_late WHERE delivery = ? ORDER BY key')
  const forget = db.prepare('DELETE FROM delivery_late WHERE delivery = ?')

  return {
    /** A package or case of a finished delivery. */
    note: (delivery: number, key: string, station: string | null, isGone: boolean) =>
      void note.run(delivery, key, station, isGone ? 1 : 0),
    /** A scan of a count; nothing happens unless its delivery is finished. */
    noteScan: (count: number, tagId: TagId, station: string | null, isGone: boolean) =>
      void noteScan.run({ count, tagId, station, isGone: isGone ? 1 : 0 }),
    deliveries: () => Seqs.parse(selectDeliveries.all()),
    ofDelivery: (delivery: number): Late => lateOf(select.all(delivery).map((row) => LateEntryRow.parse(row))),
    /** A version of the record has it. */
    forget: (delivery: number) => void forget.run(delivery),
  }
}

function lateOf(rows: z.infer<typeof LateEntryRow>[]): Late {
  const things = rows.flatMap(({ key, station, is_gone }) => {
    const thing = thingOf(key)
    return thing ? { thing, station, isGone: is_gone === 1 } : []
  })
  const namesOf = (some: typeof things) => ({
    packageUids: some.flatMap(({ thing }) => ('packageUid' in thing ? thing.packageUid : [])),
    caseIds: some.flatMap(({ thing }) => ('caseId' in thing ? thing.caseId : [])),
  })
  const scans = rows.filter(({ key }) => key.startsWith('scan '))
  const byStation = <Of extends { station: string | null }>(some: Of[]) => [
    ...Map.groupBy(some, ({ station }) => station),
  ]
  return {
    listed: byStation(things.filter(({ isGone }) => !isGone)).map(([station, some]) => ({ station, ...namesOf(some) })),
    dropped: namesOf(things.filter(({ isGone }) => isGone)),
    scanned: byStation(scans.filter(({ is_gone }) => is_gone === 0)).map(([station, some]) => ({
      station,
      count: some.length,
    })),
    unscanned: scans.filter(({ is_gone }) => is_gone === 1).length,
  }
}
