import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { TagId } from '../../../src-shared/ids'
import { RowReader } from '../../database/row-reader'

/** A scan of an item: when, in ms since 1970, and at which other station; null for this one. */
const CaseScanRow = z.object({ at: z.number(), station: z.string().nullable() })
export type CaseScanRow = z.output<typeof CaseScanRow>

const scans = new RowReader(CaseScanRow)
const stations = new RowReader(z.object({ station: z.string().nullable(), scanned: z.number() }))
const Scanned = z.tuple([TagId, z.number()])
const TagIds = z.array(TagId)

const statementsOf = (db: Database) => ({
  scan: db.prepare('SELECT at, station FROM tag_count_scanned WHERE count = ? AND tag_id = ?'),
  add: db.prepare('INSERT INTO tag_count_scanned (count, tag_id, at, station) VALUES (?, ?, ?, ?)'),
  remove: db.prepare('DELETE FROM tag_count_scanned WHERE count = ? AND tag_id = ?'),
  setStation: db.prepare('UPDATE tag_count_scanned SET station = ? WHERE count = ? AND tag_id = ?'),
  stations: db.prepare(
    'SELECT station, count(*) AS scanned FROM tag_count_scanned WHERE count = +? GROUP BY station ORDER BY station',
  ),
  all: db.prepare('SELECT tag_id, at FROM tag_count_scanned WHERE count = +? ORDER BY at').raw(),
  own: db.prepare('SELECT tag_id FROM tag_count_scanned WHERE count = ? AND station IS NULL').pluck(),
})

/** The scans of counts of a delivery's cases. Writing throws if the disk refuses. */
export class CaseScanRows {
  readonly #statements: ReturnType<typeof statementsOf>

  constructor(db: Database) {
    this.#statements = statementsOf(db)
  }

  one(seq: number, tagId: TagId): CaseScanRow | undefined {
    return scans.get(this.#statements.scan, seq, tagId)
  }

  add(seq: number, tagId: TagId, at: number, station: string | null = null): void {
    this.#statements.add.run(seq, tagId, at, station)
  }

  remove(seq: number, tagId: TagId): void {
    this.#statements.remove.run(seq, tagId)
  }

  setStation(seq: number, tagId: TagId, station: string | null): void {
    this.#statements.setStation.run(station, seq, tagId)
  }

  /** Who scanned how many. */
  stations(seq: number) {
    return stations.all(this.#statements.stations, seq)
  }

  /** When each item was scanned, in ms since 1970, in this order. */
  scanned(seq: number): Map<TagId, number> {
    return new Map(this.#statements.all.all(seq).map((row) => Scanned.parse(row)))
  }

  scannedHere(seq: number): TagId[] {
    return TagIds.parse(this.#statements.own.all(seq))
  }
}
