import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { CaseId, PackageUid, ShortUuid, TagId } from '../../src-shared/ids'
import { OperationState } from '../../src-shared/ipc/contract/outbox'
import { UnreadCase } from '../../src-shared/ipc/contract/stock'
import { RowReader } from '../database/row-reader'
import { caseKey, tagKey } from '../outbox/payload'
import { SaidPlace, ShelfStatus, StockKind } from './shelf-status'

/**
 * An item of the ledger. `taught`: the change that taught that it is in this store's inventory. `importedAt`: since when, in ms since
 * 1970 by the service's clock; null if it was not read.
 */
export const StockItem = z
  .object({
    tag_id: TagId,
    case_id: CaseId,
    packaged_product_id: ShortUuid.nullable(),
    product_id: ShortUuid.nullable(),
    product_name: z.string().nullable(),
    brand_name: z.string().nullable(),
    said: SaidPlace,
    said_sold: z.number().nullable(),
    standing: ShelfStatus,
    moved: z.number(),
    reported: z.number(),
    taught: z.number(),
    imported_at: z.number().nullable(),
  })
  .transform((row) => ({
    tagId: row.tag_id,
    caseId: row.case_id,
    packagedProductId: row.packaged_product_id,
    productId: row.product_id,
    productName: row.product_name,
    brandName: row.brand_name,
    said: { place: row.said, isSold: row.said_sold === null ? null : row.said_sold === 1 },
    standing: row.standing,
    moved: row.moved,
    reported: row.reported,
    taught: row.taught,
    importedAt: row.imported_at,
  }))
export type StockItem = z.output<typeof StockItem>

/** A case of the ledger. `askedAt`: ms since 1970; null if it was never read as a whole. */
export const StockCase = z.object({
  caseId: CaseId,
  identifier: z.string().nullable(),
  position: z.number(),
  askedAt: z.number().nullable(),
})
export type StockCase = z.output<typeof StockCase>

/** A report, and the step of the journal that accepted it; null if it isn't accepted, or that step is lost. */
const StockReportRow = z.object({
  seq: z.number(),
  kind: StockKind,
  state: OperationState,
  accepted: z.number().nullable(),
  /** The product of an import or its removal; null for other reports. */
  product: z.string().nullable(),
})
export type KeptReport = z.output<typeof StockReportRow>

/** Reports about a whole case; the others are about single items. */
const caseKinds: readonly StockKind[] = ['import', 'import-removal', 'remove-collection', 'restore-collection']
const listed = (kinds: readonly StockKind[]) => kinds.map((kind) => `'${kind}'`).join(', ')
/** So many of the newest reports are looked at for those since a moment: a week of a busy till. */
const mostSince = 20_000

const DirtyKey = z.object({ key: z.string(), change: z.number() })
const Sums = z.object({ cases: z.number(), unread: z.number(), oldest: z.number().nullable() })
const Whole = z.number()
const CaseIds = z.array(CaseId)
const stockCases = new RowReader(StockCase)
const unreadCases = new RowReader(UnreadCase)
const isOfWholeCase = (kind: StockKind) => caseKinds.includes(kind)

/** What this station reported, and which items are to be looked at again for it. */
const reportsOf = (db: Database) => ({
  due: db.prepare('SELECT key, change FROM stock_due ORDER BY key LIMIT 1'),
  dueKey: db.prepare('SELECT change FROM stock_due WHERE key = ?').pluck(),
  hasDue: db.prepare('SELECT 1 FROM stock_due LIMIT 1'),
  settleDue: db.prepare('DELETE FROM stock_due WHERE key = ? AND change = ?'),
  noteSince: db.prepare(`
    INSERT INTO stock_due (key)
      SELECT DISTINCT key FROM operation JOIN operation_key USING (seq)
      WHERE seq > (SELECT max(seq) FROM operation) - ${mostSince} AND performed_at_raw >= ?
        AND CASE WHEN kind IN (${listed(caseKinds)}) THEN key GLOB 'case:*' WHEN kind IN (${listed(StockKind.options)}) THEN key GLOB 'tag:*' END
    ON CONFLICT (key) DO UPDATE SET change = change + 1`),
  about: db.prepare(`
    SELECT seq, kind, state,
      CASE WHEN state = 'accepted' THEN
        (SELECT max(entry) FROM journal WHERE operation_seq = seq AND to_state = 'accepted') END AS accepted,
      CASE WHEN kind IN ('import', 'import-removal') AND json_valid(payload) THEN payload ->> '$.packagedProductId' END AS product
    FROM operation_key JOIN operation USING (seq)
    WHERE key = +? AND kind IN (${listed(StockKind.options)}) ORDER BY seq`),
  position: db.prepare('SELECT coalesce(max(entry), 0) FROM journal').pluck(),
  packageOf: db
    .prepare(
      `SELECT payload ->> '$.packageUid' FROM operation_key JOIN operation USING (seq)
       WHERE key = +? AND kind = 'import' AND json_valid(payload) ORDER BY seq DESC LIMIT 1`,
    )
    .pluck(),
})

/** The items. */
const itemsOf = (db: Database) => ({
  one: db.prepare('SELECT * FROM stock_item WHERE tag_id = ?'),
  ofCase: db.prepare('SELECT * FROM stock_item WHERE case_id = ?'),
  setStanding: db.prepare('UPDATE stock_item SET standing = ?, moved = ?, reported = ? WHERE tag_id = ?'),
  keep: db.prepare(`
    INSERT INTO stock_item VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (tag_id) DO UPDATE SET case_id = excluded.case_id, packaged_product_id = excluded.packaged_product_id,
      product_id = excluded.product_id, product_name = excluded.product_name, brand_name = excluded.brand_name,
      said = excluded.said, said_sold = excluded.said_sold, standing = excluded.standing, moved = excluded.moved,
      reported = excluded.reported, taught = excluded.taught, imported_at = excluded.imported_at`),
  setSaid: db.prepare('UPDATE stock_item SET said = ? WHERE tag_id = ?'),
  any: db.prepare('SELECT 1 FROM stock_item LIMIT 1'),
  countHere: db.prepare(`SELECT count(*) FROM stock_item WHERE standing = 'here'`).pluck(),
  newestMove: db
    .prepare(
      `SELECT max(coalesce((SELECT max(moved) FROM stock_item), 0), coalesce((SELECT max(started_move) FROM stock_count), 0),
        coalesce((SELECT max(asked_move) FROM stock_case), 0),
        coalesce((SELECT max(move) FROM stock_count_scan WHERE move IS NOT NULL), 0))`,
    )
    .pluck(),
})

/** Their cases and packages, and which of them are to be read. */
const casesOf = (db: Database) => ({
  one: db.prepare('SELECT case_id, identifier, position, asked_at FROM stock_case WHERE case_id = ?'),
  add: db.prepare('INSERT INTO stock_case (case_id) VALUES (?) ON CONFLICT DO NOTHING'),
  keep: db.prepare(`
    INSERT INTO stock_case (case_id, identifier, product_name, position, asked_at, asked_move) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (case_id) DO UPDATE SET identifier = excluded.identifier, product_name = excluded.product_name,
      position = excluded.position, asked_at = excluded.asked_at, asked_move = excluded.asked_move, is_wanted = 0`),
  sums: db.prepare(`
    SELECT count(*) AS cases, count(*) - count(asked_at) AS unread, min(asked_at) AS oldest FROM stock_case
    WHERE EXISTS (SELECT 1 FROM stock_item INDEXED BY stock_item_here WHERE stock_item.case_id = stock_case.case_id AND standing = 'here')
      OR (asked_at IS NULL AND NOT EXISTS (SELECT 1 FROM stock_item WHERE stock_item.case_id = stock_case.case_id))`),
  unread: db.prepare(`
    SELECT case_id, coalesce(product_name, (SELECT product_name FROM stock_item WHERE stock_item.case_id = stock_case.case_id LIMIT 1))
      AS product_name FROM stock_case
    WHERE asked_at IS NULL AND (
      EXISTS (SELECT 1 FROM stock_item INDEXED BY stock_item_here WHERE stock_item.case_id = stock_case.case_id AND standing = 'here')
      OR NOT EXISTS (SELECT 1 FROM stock_item WHERE stock_item.case_id = stock_case.case_id))
    LIMIT 20`),
  want: db.prepare(`
    INSERT INTO stock_case (case_id, is_wanted) VALUES (?, 1) ON CONFLICT (case_id) DO UPDATE SET is_wanted = 1`),
  // A case that was read and has nothing left here is over.
  wantAll: db.prepare(`
    UPDATE stock_case SET is_wanted = 1
    WHERE asked_at IS NULL OR EXISTS (SELECT 1 FROM stock_item WHERE stock_item.case_id = stock_case.case_id AND standing = 'here')`),
  drop: db.prepare('UPDATE stock_case SET is_wanted = 0 WHERE case_id = ?'),
  dropAll: db.prepare('UPDATE stock_case SET is_wanted = 0 WHERE is_wanted = 1'),
  wanted: db.prepare('SELECT case_id FROM stock_case WHERE is_wanted = 1 LIMIT +?').pluck(),
  countWanted: db
    .prepare(
      `SELECT (SELECT count(*) FROM stock_case WHERE is_wanted = 1) + (SELECT count(*) FROM stock_package WHERE is_wanted = 1)`,
    )
    .pluck(),
  learnPackages: db.prepare(`
    INSERT INTO stock_package (package_uid)
    SELECT id FROM memory WHERE kind = 'package' AND form = 'facts'
    UNION SELECT payload ->> '$.packageUid' FROM operation INDEXED BY operation_received
      WHERE kind IN ('import', 'blind-import', 'import-removal', 'add-items', 'remove-item', 'restore-item')
        AND kind = 'import' AND json_valid(payload) AND payload ->> '$.packageUid' IS NOT NULL
    ON CONFLICT DO NOTHING`),
  wantPackages: db.prepare('UPDATE stock_package SET is_wanted = 1'),
  dropPackage: db.prepare('UPDATE stock_package SET is_wanted = 0 WHERE package_uid = ?'),
  dropPackages: db.prepare('UPDATE stock_package SET is_wanted = 0 WHERE is_wanted = 1'),
  wantedPackages: db.prepare('SELECT package_uid FROM stock_package WHERE is_wanted = 1 LIMIT +?').pluck(),
})

/** The tables of the ledger, and the operations that it is made from. Writing throws if the disk refuses. Why `+?`: database.md. */
export class LedgerRows {
  readonly #reports: ReturnType<typeof reportsOf>
  readonly #items: ReturnType<typeof itemsOf>
  readonly #cases: ReturnType<typeof casesOf>
  readonly #listeners = new Set<(tagId: TagId) => void>()

  constructor(db: Database) {
    this.#reports = reportsOf(db)
    this.#items = itemsOf(db)
    this.#cases = casesOf(db)
  }

  /** Calls the listener with each item that is written, before the commit. Returns what ends that. */
  watch(listener: (tagId: TagId) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** The next key whose items are to be looked at again. */
  due(): z.output<typeof DirtyKey> | undefined {
    return DirtyKey.optional().parse(this.#reports.due.get())
  }

  dueKey(key: string): z.output<typeof DirtyKey> | undefined {
    const change = Whole.optional().parse(this.#reports.dueKey.get(key))
    return change === undefined ? undefined : { key, change }
  }

  hasDue(): boolean {
    return this.#reports.hasDue.get() !== undefined
  }

  settleDue(key: string, change: number): void {
    this.#reports.settleDue.run(key, change)
  }

  /** Notes again what this station has reported since a moment, in ms since 1970 by this computer's clock. */
  noteSince(at: number): void {
    this.#reports.noteSince.run(at)
  }

  /** Reports about an item, oldest first. */
  ofTag(tagId: TagId): KeptReport[] {
    return this.#about(tagKey(tagId))
  }

  /** Reports that import a case or remove it as a whole, and the other way, oldest first. */
  ofCase(caseId: CaseId): KeptReport[] {
    return this.#about(caseKey(caseId)).filter(({ kind }) => isOfWholeCase(kind))
  }

  /** The newest step of the journal. */
  position(): number {
    return Whole.parse(this.#reports.position.get())
  }

  /** The package of this station's newest import of a case. */
  packageOf(caseId: CaseId): PackageUid | undefined {
    return PackageUid.safeParse(this.#reports.packageOf.get(caseKey(caseId))).data
  }

  item(tagId: TagId): StockItem | undefined {
    return StockItem.optional().parse(this.#items.one.get(tagId))
  }

  itemsOf(caseId: CaseId): StockItem[] {
    return this.#items.ofCase.all(caseId).map((row) => StockItem.parse(row))
  }

  setStanding(item: Pick<StockItem, 'tagId' | 'standing' | 'moved' | 'reported'>): void {
    this.#items.setStanding.run(item.standing, item.moved, item.reported, item.tagId)
    this.#note(item.tagId)
  }

  keepItem({ said, taught, importedAt, ...item }: StockItem): void {
    const { tagId, caseId, packagedProductId, productId, productName, brandName, standing, moved, reported } = item
    this.#items.keep.run([
      ...[tagId, caseId, packagedProductId, productId, productName, brandName],
      ...[said.place, said.isSold === null ? null : Number(said.isSold), standing, moved, reported],
      ...[taught, importedAt],
    ])
    this.#note(tagId)
  }

  setSaid(tagId: TagId, place: SaidPlace): void {
    this.#items.setSaid.run(place, tagId)
    this.#note(tagId)
  }

  /** Whether any item is known, wherever it is by now. */
  hasItems(): boolean {
    return this.#items.any.get() !== undefined
  }

  here(): number {
    return Whole.parse(this.#items.countHere.get())
  }

  /** The newest change of an item, or start of a count. */
  newestMove(): number {
    return Whole.parse(this.#items.newestMove.get())
  }

  case(caseId: CaseId): StockCase | undefined {
    return stockCases.get(this.#cases.one, caseId)
  }

  addCase(caseId: CaseId): void {
    this.#cases.add.run(caseId)
  }

  /** `asked`: when it was read as a whole, in ms since 1970 and as the number of a change; null if it was not. */
  keepCase(
    { caseId, identifier }: Pick<StockCase, 'caseId'> & { identifier: string },
    name: string | null,
    position: number,
    asked: { at: number; move: number } | null,
  ): void {
    this.#cases.keep.run(caseId, identifier, name, position, asked?.at ?? null, asked?.move ?? 0)
  }

  /** Cases with items here, or of which nothing is known, and how old the knowledge of them is. */
  sums(): z.output<typeof Sums> {
    return Sums.parse(this.#cases.sums.get())
  }

  /** The first of the cases that `sums` counts as unread. */
  unread(): UnreadCase[] {
    return unreadCases.all(this.#cases.unread)
  }

  wantCase(caseId: CaseId): void {
    this.#cases.want.run(caseId)
  }

  /** Marks all that a refresh reads. */
  wantAll(): void {
    this.#cases.learnPackages.run()
    this.#cases.wantPackages.run()
    this.#cases.wantAll.run()
  }

  dropCase(caseId: CaseId): void {
    this.#cases.drop.run(caseId)
  }

  dropPackage(packageUid: PackageUid): void {
    this.#cases.dropPackage.run(packageUid)
  }

  dropWanted(): void {
    this.#cases.dropAll.run()
    this.#cases.dropPackages.run()
  }

  wantedCases(limit: number): CaseId[] {
    return CaseIds.parse(this.#cases.wanted.all(limit))
  }

  wantedPackages(limit: number): PackageUid[] {
    return this.#cases.wantedPackages.all(limit).flatMap((one) => PackageUid.safeParse(one).data ?? [])
  }

  wanted(): number {
    return Whole.parse(this.#cases.countWanted.get())
  }

  #about(key: string): KeptReport[] {
    return this.#reports.about.all(key).map((row) => StockReportRow.parse(row))
  }

  #note(tagId: TagId): void {
    for (const listener of this.#listeners) listener(tagId)
  }
}
