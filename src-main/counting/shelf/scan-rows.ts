import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { CaseId, ShortUuid, TagId } from '../../../src-shared/ids'
import { RowReader } from '../../database/row-reader'
import { ScannedAs } from '../../stock/shelf-status'

/** A scan of a count, with what was known of the item at that moment. `station`: the other one that scanned it. */
const ShelfScanRow = z.object({
  number: z.number(),
  tagId: TagId,
  at: z.number(),
  standing: ScannedAs,
  productId: ShortUuid.nullable(),
  productName: z.string().nullable(),
  brandName: z.string().nullable(),
  caseId: CaseId.nullable(),
  station: z.string().nullable(),
})
export type ShelfScanRow = z.output<typeof ShelfScanRow>

/** A scan that was told after the count was signed. */
const LateScanRow = ShelfScanRow.pick({ tagId: true, at: true, station: true, productName: true, brandName: true })
export type LateScanRow = z.output<typeof LateScanRow>

const NumberColumn = z.number()
const TagIds = z.array(TagId)
const scans = new RowReader(ShelfScanRow)
const late = new RowReader(LateScanRow)
const others = new RowReader(z.object({ station: z.string(), scanned: z.number() }))

type ProductNames = Pick<ShelfScanRow, 'productId' | 'productName' | 'brandName' | 'caseId'>

const statementsOf = (db: Database) => {
  const columns = 'number, tag_id, at, standing, product_id, product_name, brand_name, case_id, station'
  return {
    scan: db.prepare(`SELECT ${columns} FROM stock_count_scan WHERE count = ? AND tag_id = ?`),
    // `move`: the newest change here when a scan of another station was heard; null for scans of this one.
    add: db.prepare(`
      INSERT INTO stock_count_scan (count, tag_id, at, standing, product_id, product_name, brand_name, case_id, station, move)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (count, tag_id) DO UPDATE SET at = excluded.at, standing = excluded.standing, product_id = excluded.product_id,
        product_name = excluded.product_name, brand_name = excluded.brand_name, case_id = excluded.case_id,
        station = excluded.station, move = excluded.move`),
    name: db.prepare(`
      UPDATE stock_count_scan SET product_id = @productId, product_name = @productName, brand_name = @brandName,
        case_id = coalesce(@caseId, case_id)
      WHERE count = @seq AND tag_id = @tagId AND product_id IS NULL AND product_name IS NULL`),
    remove: db.prepare('DELETE FROM stock_count_scan WHERE count = ? AND tag_id = ?'),
    count: db.prepare('SELECT count(*) FROM stock_count_scan WHERE count = ?').pluck(),
    countOthers: db.prepare(`
      SELECT station, count(*) AS scanned FROM stock_count_scan INDEXED BY stock_count_scan_others
      WHERE count = ? AND station IS NOT NULL GROUP BY station ORDER BY station`),
    own: db.prepare('SELECT tag_id FROM stock_count_scan WHERE count = ? AND station IS NULL').pluck(),
    recent: db.prepare(`
      SELECT ${columns} FROM stock_count_scan INDEXED BY stock_count_scan_of WHERE count = +? AND station IS NULL ORDER BY number DESC LIMIT 20`),
    unknown: db.prepare(`
      SELECT ${columns} FROM stock_count_scan WHERE count = +? AND standing = 'unknown'
        AND NOT EXISTS (SELECT 1 FROM stock_item WHERE stock_item.tag_id = stock_count_scan.tag_id) ORDER BY number LIMIT +?`),
    addLate: db.prepare(`
      INSERT INTO stock_count_late (count, tag_id, at, station, product_name, brand_name)
      VALUES (@seq, @tagId, @at, @station, @productName, @brandName) ON CONFLICT DO NOTHING`),
    late: db.prepare(`
      SELECT tag_id, at, station, product_name, brand_name FROM stock_count_late
      WHERE count = ? AND tag_id > ? ORDER BY tag_id LIMIT ?`),
    dropLate: db.prepare('DELETE FROM stock_count_late WHERE count = ? AND tag_id = ?'),
    countLate: db.prepare('SELECT count(*) FROM stock_count_late WHERE count = ?').pluck(),
  }
}

/** The scans of counts of the shelf. Writing throws if the disk refuses. Why `+?`: database.md. */
export class ShelfScanRows {
  readonly #statements: ReturnType<typeof statementsOf>
  readonly #listeners = new Set<(tagId: TagId) => void>()

  constructor(db: Database) {
    this.#statements = statementsOf(db)
  }

  /** Calls the listener with the item of each scan that is written or deleted, before the commit. Returns what ends that. */
  watch(listener: (tagId: TagId) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  one(seq: number, tagId: TagId): ShelfScanRow | undefined {
    return scans.get(this.#statements.scan, seq, tagId)
  }

  /** A scan of this station, or of another one that was heard at the change `move`. Of two of an item the new one counts. */
  add(seq: number, scan: Omit<ShelfScanRow, 'number'>, move: number | null = null): void {
    const { tagId, at, standing, productId, productName, brandName, caseId, station } = scan
    this.#statements.add.run([seq, tagId, at, standing, productId, productName, brandName, caseId, station, move])
    this.#note(tagId)
  }

  /** Says what an item is that nothing was known of when it was scanned. Returns whether that is news. */
  name(seq: number, tagId: TagId, { productId, productName, brandName, caseId }: ProductNames): boolean {
    if (productId === null && productName === null) return false
    return this.#statements.name.run({ seq, tagId, productId, productName, brandName, caseId }).changes > 0
  }

  remove(seq: number, tagId: TagId): void {
    this.#statements.remove.run(seq, tagId)
    this.#note(tagId)
  }

  scanned(seq: number): number {
    return NumberColumn.parse(this.#statements.count.get(seq))
  }

  /** How many items each other station scanned. */
  scannedByOthers(seq: number) {
    return others.all(this.#statements.countOthers, seq)
  }

  scannedHere(seq: number): TagId[] {
    return TagIds.parse(this.#statements.own.all(seq))
  }

  /** Those of this station, newest first. */
  recent(seq: number): ShelfScanRow[] {
    return scans.all(this.#statements.recent, seq)
  }

  /** Scans of items that nothing is known of, oldest first. */
  unknown(seq: number, limit: number): ShelfScanRow[] {
    return scans.all(this.#statements.unknown, seq, limit)
  }

  /** A scan of another station was told after the count was signed. Returns whether that is news. */
  addLate(seq: number, scan: LateScanRow): boolean {
    return this.#statements.addLate.run({ ...scan, seq }).changes > 0
  }

  /** A late scan was undone. Returns whether that is news. */
  dropLate(seq: number, tagId: TagId): boolean {
    return this.#statements.dropLate.run(seq, tagId).changes > 0
  }

  /** How many scans were told after the count was signed. */
  lateOnes(seq: number): number {
    return NumberColumn.parse(this.#statements.countLate.get(seq))
  }

  /** In the order of their items. */
  late(seq: number, after: TagId | null, limit: number): LateScanRow[] {
    return late.all(this.#statements.late, seq, after ?? '', limit)
  }

  #note(tagId: TagId): void {
    for (const listener of this.#listeners) listener(tagId)
  }
}
