import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import type { ResultOf } from '../../../src-shared/errors'
import type { ShortUuid } from '../../../src-shared/ids'
import {
  type CataloguePart,
  type CatalogueRow,
  CatalogueView,
  type PosPair,
  type Prefill,
  type Suggestion,
  mostCatalogueRows,
} from '../../../src-shared/ipc/contract/receiving'
import { err, ok } from '../../../src-shared/result'
import { comparable } from '../../../src-shared/text'
import { type Clock, iso } from '../../core/clock'
import type { CachedProduct, Memory } from '../../memory/store'
import { type NotSaved, saved } from '../../database/saved'
import type { Settings } from '../../database/settings'
import type { ReceivingContext } from '../receiving-context'

/** What the POS calls a product in a package, as a clerk entered it. */
export interface PosEntry extends PosPair {
  posProductId: string
  posInventoryId: string
  sku?: string | undefined
}

const Remembered = z
  .object({
    package_uid: z.string(),
    pos_product_id: z.string(),
    pos_inventory_id: z.string(),
    sku: z.string().nullable(),
    at: z.number(),
  })
  .transform(({ package_uid: packageUid, pos_product_id: posProductId, pos_inventory_id: posInventoryId, ...row }) => ({
    packageUid,
    posProductId,
    posInventoryId,
    ...row,
  }))
type Remembered = z.output<typeof Remembered>

/** More are not offered to choose from. */
const mostSuggestions = 20

type PosContext = Pick<ReceivingContext, 'db' | 'settings' | 'clock'> & { seen: Pick<Memory, 'product' | 'productsIn'> }

export type Pos = ReturnType<typeof createPos>

/** What the POS calls products: what was entered before, and the POS's own catalogue. Rules: receiving.md. */
export function createPos({ db, seen, settings, clock }: PosContext) {
  const catalogue = createCatalogue(db, settings, clock)
  const upsert = db.prepare(`
    INSERT INTO pos_mapping (product_id, package_uid, pos_product_id, pos_inventory_id, sku, at)
    VALUES (@productId, @packageUid, @posProductId, @posInventoryId, @sku, @at)
    ON CONFLICT DO UPDATE SET pos_product_id = excluded.pos_product_id, pos_inventory_id = excluded.pos_inventory_id,
      sku = excluded.sku, at = excluded.at`)
  const columns = 'package_uid, pos_product_id, pos_inventory_id, sku, at'
  const selectOne = db.prepare(`SELECT ${columns} FROM pos_mapping WHERE product_id = ? AND package_uid = ?`)
  const mappedIn = db.prepare('SELECT 1 FROM pos_mapping WHERE package_uid = ? AND product_id <> ? LIMIT 1')
  const selectAll = db.prepare(
    `SELECT ${columns} FROM pos_mapping WHERE product_id = ? ORDER BY at DESC, package_uid DESC LIMIT 200`,
  )

  const prefill = ({ productId, packageUid }: PosPair, loadedAt: string | undefined): Prefill => {
    const pair = { productId, packageUid }
    const own = Remembered.optional().parse(selectOne.get(productId, packageUid))
    if (own) {
      const said = (value: string | null) => oneOfEach([remembered(own, value, true)])
      return {
        ...pair,
        posProductId: said(own.posProductId),
        posInventoryId: said(own.posInventoryId),
        sku: said(own.sku),
      }
    }
    const product = seen.product(productId)
    const listed = (lines: Fitting[], isOfPackage: boolean, field: 'posProductId' | 'posInventoryId' | 'sku') =>
      oneOfEach(lines.map(({ line, isCertain }) => inCatalogue(line, line[field], isOfPackage, isCertain, loadedAt)))
    const isAlone = () =>
      [...seen.productsIn(packageUid)].every((one) => one === productId) && !mappedIn.get(packageUid, productId)
    const ofPackage = loadedAt === undefined ? [] : fitting(catalogue.ofPackage(packageUid), product, isAlone)
    const ofProduct = loadedAt === undefined || !product ? [] : catalogue.ofProduct(product).map(surely)
    const elsewhere = selectAll.all(productId).map((row) => Remembered.parse(row))
    const field = (name: 'posProductId' | 'sku') =>
      firstThatSays(
        listed(ofPackage, true, name),
        oneOfEach(elsewhere.map((one) => remembered(one, one[name], false))),
        listed(ofProduct, false, name),
      )
    return {
      ...pair,
      posProductId: field('posProductId'),
      // An inventory id is of one package: another package's would book into the wrong one.
      posInventoryId: listed(ofPackage, true, 'posInventoryId'),
      sku: field('sku'),
    }
  }

  const rememberAll = db.transaction((entries: PosEntry[]) => {
    const at = clock.now()
    for (const { productId, packageUid, posProductId, posInventoryId, sku } of entries) {
      upsert.run({ productId, packageUid, posProductId, posInventoryId, sku: sku === '' ? null : (sku ?? null), at })
    }
  })

  return {
    /** In one commit. Throws if the disk refuses. */
    remember: (entries: PosEntry[]): void => rememberAll.immediate(entries),
    /** One for each pair, in their order. */
    prefills(pairs: PosPair[]): Prefill[] {
      const loadedAt = catalogue.view()?.loadedAt
      return pairs.map((pair) => prefill(pair, loadedAt))
    },
    /** What a product is called in the POS, as it was entered or the catalogue has it; `comparable`. */
    idsOf({ productId, name, sku }: CachedProduct & { productId: ShortUuid }) {
      const entered = selectAll.all(productId).map((row) => Remembered.parse(row))
      const all = [...entered, ...catalogue.ofProduct({ name, sku })]
      return {
        posProductIds: new Set(all.map((one) => comparable(one.posProductId))),
        skus: new Set(all.flatMap((one) => (one.sku === null ? [] : comparable(one.sku)))),
      }
    },
    catalogue,
  }
}

// Entered for another package of the same product: certain too. The inventory id is never taken from there.
const remembered = ({ at }: Remembered, value: string | null, isOfPackage: boolean) =>
  value === null
    ? undefined
    : ({ value, source: 'remembered', isOfPackage, isCertain: true, at: iso(at), line: null } as const)

const inCatalogue = (
  { line }: CatalogueLine,
  value: string | null,
  isOfPackage: boolean,
  isCertain: boolean,
  at: string | undefined,
) =>
  value === null || at === undefined
    ? undefined
    : ({ value, source: 'catalogue', isOfPackage, isCertain, at, line } as const)

/** A line of the catalogue, and whether it is certainly of the product that is asked about. */
interface Fitting {
  line: CatalogueLine
  isCertain: boolean
}
const surely = (line: CatalogueLine): Fitting => ({ line, isCertain: true })

/**
 * The lines of a package that are about a product: those with its name or SKU, otherwise those that name no product, which
 * are certain only if the package holds nothing else (`isAlone`). A line that names another product is never offered.
 */
function fitting(lines: CatalogueLine[], product: CachedProduct | undefined, isAlone: () => boolean): Fitting[] {
  if (!product) return lines.map((line) => ({ line, isCertain: false }))
  const name = comparable(product.name)
  const sku = product.sku?.trim() ?? ''
  const named = lines.filter((line) => line.productName === name || (sku !== '' && line.sku === sku))
  if (named.length > 0) return named.map(surely)
  const nameless = lines.filter((line) => line.productName === null && (line.sku === null || sku === ''))
  // A line that was left out names another product of this package.
  const isCertain = nameless.length > 0 && nameless.length === lines.length && isAlone()
  return nameless.map((line) => ({ line, isCertain }))
}

/** Each value once, in its first place. */
function oneOfEach(suggestions: (Suggestion | undefined)[]): Suggestion[] {
  const values = new Map<string, Suggestion>()
  for (const one of suggestions) if (one && !values.has(one.value)) values.set(one.value, one)
  return [...values.values()].slice(0, mostSuggestions)
}

const firstThatSays = (...sources: Suggestion[][]): Suggestion[] => sources.find((source) => source.length > 0) ?? []

/** A line of the POS's catalogue; the name only as it is compared. */
interface CatalogueLine {
  line: number
  posProductId: string
  posInventoryId: string | null
  sku: string | null
  /** As `comparable` gives it. */
  productName: string | null
}

const setting = 'pos.catalogue'
/** Lines read for a package or product. A product with more of them can't be told apart by its name. */
const mostLines = 50

const PosIdLineRow = z
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

/** The POS's catalogue, as it was last loaded. */
function createCatalogue(db: Database, settings: Settings, clock: Clock) {
  // Names and packages are only compared, so they are stored in the form in which they are compared.
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
    view: (): CatalogueView | null => settings.read(setting, CatalogueView.nullable()) ?? null,
    /**
     * Takes the next part. Parts are kept in memory; the last one replaces the stored catalogue in one commit. Returns
     * the catalogue after the last part, null before.
     */
    load(part: CataloguePart): ResultOf<CatalogueView | null, NotSaved | 'receiving/catalogue-broken'> {
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
    forget(): ResultOf<null, NotSaved> {
      drop()
      return saved(() => {
        replace.immediate([], null)
        return ok(null)
      })
    },
    /** In the order of the file. */
    ofPackage: (packageUid: string): CatalogueLine[] =>
      ofPackage.all(comparable(packageUid)).map((row) => PosIdLineRow.parse(row)),
    ofProduct({ name, sku }: CachedProduct): CatalogueLine[] {
      const rows = [
        ...(sku === null || sku.trim() === '' ? [] : ofSku.all(sku.trim())),
        ...ofName.all(comparable(name)),
      ]
      const lines = rows.map((row) => PosIdLineRow.parse(row))
      return lines.filter((one, at) => lines.findIndex(({ line }) => line === one.line) === at)
    },
  }
}
