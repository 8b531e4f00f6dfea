import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { CaseId, ShortUuid } from '../../../src-shared/ids'
import type { ShelfChoices, ShelfScope } from '../../../src-shared/ipc/contract/stock'
import { searchable } from '../../../src-shared/text'
import { RowReader } from '../../database/row-reader'
import { type KeptScope, type ScopeSql, scopeSql } from './scope'

/** Products, brands or cases that are offered at a time. */
const mostChoices = 100
/** Products of a large store, read to be searched. */
const mostSearched = 20_000

const ShelfProduct = z.object({
  productId: ShortUuid,
  productName: z.string().nullable(),
  brandName: z.string().nullable(),
})
const products = new RowReader(ShelfProduct)
const cases = new RowReader(
  z.object({ caseId: CaseId, identifier: z.string().nullable(), productName: z.string().nullable() }),
)
const Brands = z.array(z.string())
const CaseIds = z.array(CaseId)
const Texts = z.array(z.string())

const here = `standing = 'here'`

const statementsOf = (db: Database) => ({
  products: db.prepare(`
    SELECT product_id, max(product_name) AS product_name, max(brand_name) AS brand_name
    FROM stock_item INDEXED BY stock_item_product WHERE ${here} AND product_id IS NOT NULL
    GROUP BY product_id ORDER BY product_name, product_id LIMIT ${mostSearched}`),
  brands: db
    .prepare(
      `SELECT DISTINCT brand_name FROM stock_item INDEXED BY stock_item_brand WHERE ${here} AND brand_name IS NOT NULL
       ORDER BY brand_name LIMIT ${mostSearched}`,
    )
    .pluck(),
  cases: db.prepare(`
    SELECT case_id, identifier, product_name FROM stock_case
    WHERE EXISTS (SELECT 1 FROM stock_item INDEXED BY stock_item_here WHERE stock_item.case_id = stock_case.case_id AND ${here})
    ORDER BY identifier, case_id LIMIT ${mostSearched}`),
  hasAny: db.prepare(`SELECT 1 FROM stock_item WHERE ${here} LIMIT 1`),
  hasBrand: db.prepare(`SELECT 1 FROM stock_item WHERE ${here} AND brand_name = ? LIMIT 1`),
  product: db.prepare(`
    SELECT product_id, product_name, brand_name FROM stock_item WHERE ${here} AND product_id = ? LIMIT 1`),
  case: db.prepare(`
    SELECT case_id, identifier, product_name FROM stock_case
    WHERE case_id = ? AND EXISTS (SELECT 1 FROM stock_item WHERE stock_item.case_id = stock_case.case_id AND ${here})`),
})

const inList = (column: Exclude<ScopeSql['column'], null>, values: string) =>
  `${column} IN (SELECT value FROM json_each(${values}))`

const inScope = (scope: KeptScope) => {
  const { column, values } = scopeSql(scope)
  return { condition: column === null ? '@values = @values' : inList(column, '@values'), values }
}

const productScope = (
  kind: 'product' | 'sample',
  found: readonly z.output<typeof ShelfProduct>[],
): KeptScope | undefined =>
  found.length === 0
    ? undefined
    : {
        kind,
        productIds: found.map((one) => one.productId),
        names: found.map((one) => one.productName ?? one.productId),
      }

const shares = (a: string, b: string) => {
  const held = new Set(Texts.parse(JSON.parse(a)))
  return Texts.parse(JSON.parse(b)).some((one) => held.has(one))
}

/** Some of many, each as likely as the others, in their order. */
function picked<T>(all: readonly T[], count: number, random: (limit: number) => number): T[] {
  const left = [...all.keys()]
  const chosen = new Set<number>()
  while (chosen.size < count && left.length > 0) for (const one of left.splice(random(left.length), 1)) chosen.add(one)
  return all.filter((_, index) => chosen.has(index))
}

/** What is expected here, as something to be counted. */
export class Shelf {
  readonly #db: Database
  readonly #statements: ReturnType<typeof statementsOf>

  constructor(db: Database) {
    this.#db = db
    this.#statements = statementsOf(db)
  }

  /** A scope as it is kept, with names; undefined if nothing of it is expected here. `random`: [0, limit). */
  keep(scope: ShelfScope, random: (limit: number) => number): KeptScope | undefined {
    const { hasAny, hasBrand, product, case: one, products: all } = this.#statements
    switch (scope.kind) {
      case 'all':
        return hasAny.get() === undefined ? undefined : scope
      case 'brand':
        return hasBrand.get(scope.brandName) === undefined ? undefined : scope
      case 'case': {
        const found = cases.get(one, scope.caseId)
        return found && { kind: 'case', caseId: found.caseId, names: [found.identifier ?? found.caseId] }
      }
      case 'product':
        return productScope('product', products.all(product, scope.productId))
      case 'sample':
        return productScope('sample', picked(products.all(all), scope.products, random))
    }
  }

  /** Whether anything of a scope was ever known here, wherever it is by now. */
  isKnown(scope: KeptScope): boolean {
    const { condition, values } = inScope(scope)
    return this.#db.prepare(`SELECT 1 FROM stock_item WHERE ${condition} LIMIT 1`).get({ values }) !== undefined
  }

  /** The cases in which something of a scope is expected here, up to `limit`. */
  casesOf(scope: KeptScope, limit: number): CaseId[] {
    const { condition, values } = inScope(scope)
    const found = this.#db.prepare(
      `SELECT DISTINCT case_id FROM stock_item WHERE ${here} AND ${condition} LIMIT +@limit`,
    )
    return CaseIds.parse(found.pluck().all({ values, limit }))
  }

  /** Whether two scopes count some of the same items. */
  overlap(one: KeptScope, other: KeptScope): boolean {
    const [a, b] = [scopeSql(one), scopeSql(other)]
    if (a.column === null || b.column === null || (a.column === b.column && shares(a.values, b.values))) return true
    if (a.column === b.column) return false
    const inBoth = this.#db.prepare(
      `SELECT 1 FROM stock_item WHERE ${inList(a.column, '@a')} AND ${inList(b.column, '@b')} LIMIT 1`,
    )
    return inBoth.get({ a: a.values, b: b.values }) !== undefined
  }

  /** What can be counted, by a part of its name. */
  choices(text: string): ShelfChoices {
    const { products: allProducts, brands, cases: allCases } = this.#statements
    const wanted = searchable(text)
    const fits = (...names: (string | null)[]) => names.some((name) => searchable(name ?? '').includes(wanted))
    return {
      products: products
        .all(allProducts)
        .filter((one) => fits(one.productName, one.brandName))
        .slice(0, mostChoices)
        .map((one) => ({ ...one, productName: one.productName ?? one.productId })),
      brands: Brands.parse(brands.all())
        .filter((one) => fits(one))
        .slice(0, mostChoices),
      cases: cases
        .all(allCases)
        .filter((one) => fits(one.identifier, one.productName, one.caseId))
        .slice(0, mostChoices)
        .map((one) => ({ ...one, identifier: one.identifier ?? one.caseId })),
    }
  }
}
