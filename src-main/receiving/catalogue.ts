import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import type { AppError } from '../../src-shared/errors'
import type { CataloguePart, CatalogueRow } from '../../src-shared/ipc/pos-view'
import { CatalogueView, mostCatalogueRows } from '../../src-shared/ipc/pos-view'
import { type Result, err, ok } from '../../src-shared/result'
import { comparable } from '../../src-shared/text'
import { type Clock, iso } from '../clock'
import { saved } from '../store/saved'
import type { Settings } from '../store/settings'

/** What the POS's catalogue says in one line; of the name only what it is compared by. */
export interface CatalogueLine {
  line: number
  posProductId: string
  posInventoryId: string | null
  sku: string | null
  /** As `comparable` gives it. */
  productName: string | null
}

/** The POS's catalogue, as it was last loaded. */
export interface Catalogue {
  view(): CatalogueView | null
  /**
   * Takes the next part. What is there so far is kept in memory: only the last part changes anything on the disk, and then
   * all at once. Errors: receiving/catalogue-broken, store/not-saved.
   */
  load(part: CataloguePart): Result<CatalogueView | null, AppError>
  /** Errors: store/not-saved. */
  forget(): Result<null, AppError>
  /** In the order of the file. */
  ofPackage(packageUid: string): CatalogueLine[]
  ofProduct(product: { name: string; sku: string | null }): CatalogueLine[]
}

const setting = 'pos.catalogue'
/** A product with more lines than this is called anything: nobody chooses from more. */
const mostLines = 50

const Line = z
  .object({
    line: z.number(),
    pos_product_id: z.string(),
    pos_inventory_id: z.string().nullable(),
    sku: z.string().nullable(),
    product_name: z.string().nullable(),
  })
  .transform((row): CatalogueLine => {
    const { line, pos_product_id: posProductId, pos_inventory_id: posInventoryId, sku, product_name: productName } = row
    return { line, posProductId, posInventoryId, sku, productName }
  })

export function createCatalogue(db: Database, settings: Settings, clock: Clock): Catalogue {
  // Names and packages are only ever compared: they are kept as they are compared.
  const insert = db.prepare(`
    INSERT INTO catalogue_row (line, package_uid, product_name, pos_product_id, pos_inventory_id, sku)
    VALUES (@line, @packageUid, @productName, @posProductId, @posInventoryId, @sku)`)
  const clear = db.prepare('DELETE FROM catalogue_row')
  const columns = 'line, pos_product_id, pos_inventory_id, sku, product_name'
  const ofPackage = db.prepare(
    `SELECT ${columns} FROM catalogue_row WHERE package_uid = ? ORDER BY line LIMIT ${mostLines}`,
  )
  const ofName = db.prepare(
    `SELECT ${columns} FROM catalogue_row WHERE product_name = ? ORDER BY line LIMIT ${mostLines}`,
  )
  const ofSku = db.prepare(`SELECT ${columns} FROM catalogue_row WHERE sku = ? ORDER BY line LIMIT ${mostLines}`)

  const replace = db.transaction((rows: CatalogueRow[], view: CatalogueView | null) => {
    clear.run()
    for (const row of rows) {
      insert.run({
        ...row,
        packageUid: row.packageUid === null ? null : comparable(row.packageUid),
        productName: row.productName === null ? null : comparable(row.productName),
      })
    }
    settings.write(setting, view)
  })

  let staged: { fileName: string; rows: CatalogueRow[] } = { fileName: '', rows: [] }
  const drop = () => {
    staged = { fileName: '', rows: [] }
  }

  const fits = ({ fileName, start, rows }: CataloguePart) =>
    fileName === staged.fileName &&
    start === staged.rows.length &&
    start + rows.length <= mostCatalogueRows &&
    rows.every((row, at) => row.line > (rows[at - 1] ?? staged.rows.at(-1) ?? { line: 0 }).line)

  return {
    view: () => settings.read(setting, CatalogueView.nullable()) ?? null,
    load(part) {
      if (part.start === 0) staged = { fileName: part.fileName, rows: [] }
      if (!fits(part)) {
        drop()
        return err({ code: 'receiving/catalogue-broken' })
      }
      staged.rows.push(...part.rows)
      if (!part.isLast) return ok(null)
      const { fileName, rows } = staged
      drop()
      return saved(() => {
        const view = { fileName, loadedAt: iso(clock.now()), rows: rows.length }
        replace.immediate(rows, view)
        return ok(view)
      })
    },
    forget() {
      drop()
      return saved(() => {
        replace.immediate([], null)
        return ok(null)
      })
    },
    ofPackage: (packageUid) => ofPackage.all(comparable(packageUid)).map((row) => Line.parse(row)),
    ofProduct({ name, sku }) {
      const rows = [
        ...(sku === null || sku.trim() === '' ? [] : ofSku.all(sku.trim())),
        ...ofName.all(comparable(name)),
      ]
      const lines = rows.map((row) => Line.parse(row))
      return lines.filter((one, at) => lines.findIndex(({ line }) => line === one.line) === at)
    },
  }
}
