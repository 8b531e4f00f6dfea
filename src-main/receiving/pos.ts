import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import type { AppError } from '../../src-shared/errors'
import type { CataloguePart, CatalogueView, PosPair, Prefill, Suggestion } from '../../src-shared/ipc/pos-view'
import type { Result } from '../../src-shared/result'
import { comparable } from '../../src-shared/text'
import { type Clock, iso } from '../clock'
import type { SeenProduct, Memory } from '../memory/store'
import type { Settings } from '../store/settings'
import { type CatalogueLine, createCatalogue } from './catalogue'

/** What the POS calls a product in a package, as a clerk entered it. */
export interface PosEntry extends PosPair {
  posProductId: string
  posInventoryId: string
  sku?: string | undefined
}

/** What the POS calls things: what was entered before, and the POS's own catalogue. Rules: receiving.md. */
export interface Pos {
  /** Remembers what was entered; meant for the `alongside` of an import. Throws when the disk refuses. */
  remember(entry: PosEntry): void
  /** One for each pair, in their order. */
  prefills(pairs: PosPair[]): Prefill[]
  catalogue(): CatalogueView | null
  /** Errors: receiving/catalogue-broken, store/not-saved. */
  loadCatalogue(part: CataloguePart): Result<CatalogueView | null, AppError>
  /** Errors: store/not-saved. */
  forgetCatalogue(): Result<null, AppError>
}

export interface PosParts {
  db: Database
  seen: Pick<Memory, 'product' | 'productsIn'>
  settings: Settings
  clock: Clock
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

/** Nobody chooses from more. */
const mostSuggestions = 20

export function createPos({ db, seen, settings, clock }: PosParts): Pos {
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

  return {
    remember: ({ productId, packageUid, posProductId, posInventoryId, sku }) => {
      const at = clock.now()
      upsert.run({ productId, packageUid, posProductId, posInventoryId, sku: sku === '' ? null : (sku ?? null), at })
    },
    prefills(pairs) {
      const loadedAt = catalogue.view()?.loadedAt
      return pairs.map((pair) => prefill(pair, loadedAt))
    },
    catalogue: () => catalogue.view(),
    loadCatalogue: (part) => catalogue.load(part),
    forgetCatalogue: () => catalogue.forget(),
  }
}

// Of another package it is of the same product still: certain, but for the inventory id, which nobody takes from there.
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
 * Of the lines of a package those of a product: by name or SKU, else those that name none. These are certain only where
 * the package holds nothing else (`isAlone`). What names another product is never offered.
 */
function fitting(lines: CatalogueLine[], product: SeenProduct | undefined, isAlone: () => boolean): Fitting[] {
  if (!product) return lines.map((line) => ({ line, isCertain: false }))
  const name = comparable(product.name)
  const sku = product.sku?.trim() ?? ''
  const named = lines.filter((line) => line.productName === name || (sku !== '' && line.sku === sku))
  if (named.length > 0) return named.map(surely)
  const nameless = lines.filter((line) => line.productName === null && (line.sku === null || sku === ''))
  // A line that is left out names another product of this package.
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
