import type { Database, Transaction } from 'better-sqlite3'
import { z } from 'zod'
import { CaseId, DeliveryId, ManifestId, PackageUid, ShortUuid } from '../../../src-shared/ids'
import { ManifestResult, type ManifestRow } from '../../../src-shared/ipc/contract/manifest'
import { parseStored } from '../../database/settings'

const ManifestHeadRow = z
  .object({
    seq: z.number(),
    id: ManifestId,
    delivery: z.number().nullable(),
    delivery_id: DeliveryId.nullable(),
    file_name: z.string(),
    loaded_at: z.number(),
    left_out: z.number(),
    gone: z.enum(['removed', 'replaced']).nullable(),
    gone_at: z.number().nullable(),
    result: z.string().nullable(),
  })
  .transform(({ delivery_id: deliveryId, file_name: fileName, loaded_at: loadedAt, left_out: leftOut, ...row }) => ({
    seq: row.seq,
    id: row.id,
    delivery: row.delivery,
    gone: row.gone,
    goneAt: row.gone_at,
    result: row.result,
    deliveryId,
    fileName,
    loadedAt,
    leftOut,
  }))
export type StoredManifest = z.output<typeof ManifestHeadRow>

const ManifestLineRow = z
  .object({
    line: z.number(),
    package_uid: PackageUid,
    product_name: z.string().nullable(),
    sku: z.string().nullable(),
    pos_product_id: z.string().nullable(),
    count: z.number().nullable(),
    lines: z.number(),
  })
  .transform((row): ManifestRow => {
    const { package_uid: packageUid, product_name: productName, pos_product_id: posProductId } = row
    return { line: row.line, packageUid, productName, sku: row.sku, posProductId, count: row.count, lines: row.lines }
  })

const Match = z.object({ said: z.string(), product_id: ShortUuid })
const Imported = z.object({ case_id: CaseId.nullable(), package_uid: PackageUid })

export interface NewManifest {
  id: ManifestId
  /** The delivery under way; null: it waits for the next. */
  delivery: number | null
  fileName: string
  at: number
  leftOut: number
  rows: ManifestRow[]
}

function statementsOf(db: Database) {
  const columns = `manifest.seq, manifest.id, manifest.delivery, delivery.id AS delivery_id, file_name, loaded_at, left_out,
    gone, gone_at, result FROM manifest LEFT JOIN delivery ON delivery.seq = manifest.delivery`
  // `IS` finds the one that waits too.
  const inForce = db.prepare(`SELECT ${columns} WHERE manifest.delivery IS ? AND gone IS NULL`)
  const goneLast = db.prepare(`
    SELECT ${columns} WHERE manifest.delivery IS +? AND gone IS NOT NULL ORDER BY gone_at DESC, manifest.seq DESC`)
  const byId = db.prepare(`SELECT ${columns} WHERE manifest.id = +?`)
  const ofDelivery = db.prepare(`SELECT ${columns} WHERE delivery.id = +? AND gone IS NULL`)
  const insert = db.prepare(
    'INSERT INTO manifest (id, delivery, file_name, loaded_at, left_out) VALUES (?, ?, ?, ?, ?)',
  )
  const insertLine = db.prepare(`
    INSERT INTO manifest_line (manifest, line, package_uid, product_name, sku, pos_product_id, count, lines)
    VALUES (@manifest, @line, @packageUid, @productName, @sku, @posProductId, @count, @lines)`)
  const selectLines = db.prepare('SELECT * FROM manifest_line WHERE manifest = ? ORDER BY line')
  const deleteLines = db.prepare('DELETE FROM manifest_line WHERE manifest = ?')
  const deleteOne = db.prepare('DELETE FROM manifest WHERE seq = ?')
  const setGone = db.prepare('UPDATE manifest SET gone = ?, gone_at = ? WHERE seq = ?')
  const setResult = db.prepare('UPDATE manifest SET result = ? WHERE seq = ?')
  // What it came to is of one of the two deliveries alone.
  const moveAll = db.prepare('UPDATE manifest SET delivery = ?, result = NULL WHERE delivery = ?')
  const setInForce = db.prepare(
    'UPDATE manifest SET gone = NULL, gone_at = NULL, delivery = ?, result = NULL WHERE seq = ?',
  )
  const upsertMatch = db.prepare(`
    INSERT INTO manifest_match (said, product_id, at) VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET product_id = excluded.product_id, at = excluded.at`)
  const deleteMatch = db.prepare('DELETE FROM manifest_match WHERE said = ?')
  const selectMatches = db.prepare('SELECT said, product_id FROM manifest_match')
  // Imports that stand; those of a blind import name no case yet.
  const imports = db.prepare(`
    SELECT iif(report.kind = 'import', payload ->> '$.caseId', NULL) AS case_id, payload ->> '$.packageUid' AS package_uid
    FROM delivery_operation JOIN operation AS report ON report.seq = operation_seq
    WHERE delivery = +? AND json_valid(payload) AND payload ->> '$.packageUid' IS NOT NULL
      AND (kind = 'import' AND state NOT IN ('rejected', 'cancelled')
        OR kind = 'blind-import' AND state NOT IN ('accepted', 'rejected', 'cancelled'))
      AND NOT EXISTS (
        SELECT 1 FROM operation AS inverse WHERE inverse.undoes = report.id AND inverse.state NOT IN ('cancelled', 'rejected'))
    ORDER BY report.seq`)
  return {
    inForce,
    goneLast,
    byId,
    ofDelivery,
    insert,
    insertLine,
    selectLines,
    deleteLines,
    deleteOne,
    setGone,
    setResult,
    moveAll,
    setInForce,
    upsertMatch,
    deleteMatch,
    selectMatches,
    imports,
  }
}

/** The tables of manifests behind prepared statements. Writing throws if the disk refuses. */
export class ManifestRows {
  readonly #db: Database
  readonly #sql: ReturnType<typeof statementsOf>
  /** Puts it in force; the one before stays to be put in force again. */
  readonly load: Transaction<({ id, delivery, fileName, at, leftOut, rows }: NewManifest) => void>
  readonly remove: Transaction<(one: StoredManifest, at: number) => void>
  /** In force again; the present one, if any, takes its place. */
  readonly restore: Transaction<({ seq, delivery }: StoredManifest, at: number) => void>
  /** Those of a delivery become those of another one. What is in force there stays so. */
  readonly moveTo: Transaction<(from: number, to: number, at: number) => void>

  constructor(db: Database) {
    this.#db = db
    this.#sql = statementsOf(this.#db)
    this.load = this.#db.transaction(({ id, delivery, fileName, at, leftOut, rows }: NewManifest) => {
      const before = this.#maybe(this.#sql.inForce.get(delivery))
      if (before) this.#setAside(before, 'replaced', at)
      const { lastInsertRowid: manifest } = this.#sql.insert.run(id, delivery, fileName, at, leftOut)
      for (const row of rows) this.#sql.insertLine.run({ manifest, ...row })
    })
    this.remove = this.#db.transaction((one: StoredManifest, at: number) => {
      this.#setAside(one, 'removed', at)
    })
    this.restore = this.#db.transaction(({ seq, delivery }: StoredManifest, at: number) => {
      const present = this.#maybe(this.#sql.inForce.get(delivery))
      if (present) this.#sql.setGone.run('replaced', at, present.seq)
      this.#sql.setInForce.run(delivery, seq)
    })
    this.moveTo = this.#db.transaction((from: number, to: number, at: number) => {
      const own = this.#maybe(this.#sql.inForce.get(from))
      if (own && this.#sql.inForce.get(to) !== undefined) this.#sql.setGone.run('replaced', at, own.seq)
      this.#sql.moveAll.run(to, from)
      for (const row of this.#sql.goneLast.all(to).slice(1)) this.#forget(ManifestHeadRow.parse(row).seq)
    })
  }

  /** That of a delivery (its `seq`), or the one that waits for the next (null). */
  inForce(delivery: number | null) {
    return this.#maybe(this.#sql.inForce.get(delivery))
  }

  /** The one that was removed or replaced last. */
  goneLast(delivery: number | null) {
    return this.#maybe(this.#sql.goneLast.get(delivery))
  }

  byId(id: ManifestId) {
    return this.#maybe(this.#sql.byId.get(id))
  }

  ofDelivery(id: DeliveryId) {
    return this.#maybe(this.#sql.ofDelivery.get(id))
  }

  lines(seq: number) {
    return this.#sql.selectLines.all(seq).map((row) => ManifestLineRow.parse(row))
  }

  /** The result of a delivery that is over; null: it is compared anew. */
  keepResult(seq: number, result: ManifestResult | null) {
    this.#sql.setResult.run(result && JSON.stringify(result), seq)
  }

  resultOf({ result }: StoredManifest) {
    return result === null ? undefined : parseStored(ManifestResult, result)
  }

  match(said: string, productId: ShortUuid, at: number) {
    this.#sql.upsertMatch.run(said, productId, at)
  }

  unmatch(said: string) {
    this.#sql.deleteMatch.run(said)
  }

  matches() {
    return new Map(
      this.#sql.selectMatches
        .all()
        .map((row) => Match.parse(row))
        .map((one) => [one.said, one.product_id]),
    )
  }

  /** The packages into which a delivery imported; of a blind import without its case. */
  imports(delivery: number) {
    return this.#sql.imports.all(delivery).map((row) => {
      const { case_id: caseId, package_uid: packageUid } = Imported.parse(row)
      return { caseId, packageUid }
    })
  }

  #maybe(row: unknown) {
    return row === undefined ? undefined : ManifestHeadRow.parse(row)
  }

  #forget(seq: number) {
    this.#sql.deleteLines.run(seq)
    this.#sql.deleteOne.run(seq)
  }

  /** Only the last one that went is kept. */
  #setAside({ seq, delivery }: StoredManifest, gone: 'removed' | 'replaced', at: number) {
    for (const row of this.#sql.goneLast.all(delivery)) this.#forget(ManifestHeadRow.parse(row).seq)
    this.#sql.setGone.run(gone, at, seq)
  }
}
