import type { Database } from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ShortUuid } from '../../../../src-shared/ids'
import type { CataloguePart, CatalogueRow, Prefill } from '../../../../src-shared/ipc/contract/receiving'
import { silentLog } from '../../../../src-main/core/log'
import type { CachedProduct } from '../../../../src-main/memory/store'
import { type Pos, createPos } from '../../../../src-main/receiving/manifest/pos'
import { openStore } from '../../../../src-main/database/open'
import { createSettings } from '../../../../src-main/database/settings'
import { type HandClock, handClock } from '../../../fakes/clock'
import { packageUid, thing } from '../../../fakes/ids'

let db: Database
let clock: HandClock
let pos: Pos
const products = new Map<string, CachedProduct>([
  [thing(1), { name: 'Blue Dream 3.5 g', sku: 'BD-35' }],
  [thing(2), { name: 'OG Kush', sku: null }],
])

/** The products known to be in each package. */
const held = new Map<string, ShortUuid[]>()

const open = () =>
  createPos({
    db,
    clock,
    settings: createSettings(db, silentLog),
    seen: { product: (id) => products.get(id), productsIn: (uid) => new Set(held.get(uid)) },
  })
beforeEach(() => {
  db = openStore(':memory:').db
  clock = handClock()
  held.clear()
  pos = open()
})
afterEach(() => {
  db.close()
})

const pair = (product: number, inPackage: number) => ({ productId: thing(product), packageUid: packageUid(inPackage) })
const row = (line: number, values: Partial<CatalogueRow> = {}): CatalogueRow => ({
  line,
  packageUid: null,
  productName: null,
  posProductId: `P${line}`,
  posInventoryId: null,
  sku: null,
  ...values,
})
const part = (rows: CatalogueRow[], values: Partial<CataloguePart> = {}): CataloguePart => ({
  fileName: 'stock.csv',
  start: 0,
  rows,
  isLast: true,
  ...values,
})
const load = (...rows: CatalogueRow[]) => {
  expect(pos.catalogue.load(part(rows))).toMatchObject({ ok: true, value: { rows: rows.length } })
}
const fill = (product: number, inPackage: number): Prefill => {
  const [found] = pos.prefills([pair(product, inPackage)])
  if (!found) throw new Error('no answer for the pair')
  return found
}
const values = (prefill: Prefill) => [
  prefill.posProductId.map((one) => one.value),
  prefill.posInventoryId.map((one) => one.value),
  prefill.sku.map((one) => one.value),
]

describe('prefilled POS ids', () => {
  it('are empty if nothing is known', () => {
    expect(values(fill(1, 1))).toEqual([[], [], []])
  })

  it('are only the ones entered for the same package', () => {
    load(row(2, { packageUid: packageUid(1), posInventoryId: 'CAT', sku: 'CAT' }))
    pos.remember([{ ...pair(1, 1), posProductId: 'A', posInventoryId: 'I', sku: '' }])
    const at = '2026-11-21T14:00:00.000Z'
    const remembered = { source: 'remembered', isOfPackage: true, isCertain: true, at, line: null }
    expect(fill(1, 1)).toEqual({
      ...pair(1, 1),
      posProductId: [{ value: 'A', ...remembered }],
      posInventoryId: [{ value: 'I', ...remembered }],
      sku: [],
    })
  })

  it('are the ones entered last', () => {
    pos.remember([{ ...pair(1, 1), posProductId: 'A', posInventoryId: 'I', sku: 'S' }])
    clock.advance(1_000)
    pos.remember([{ ...pair(1, 1), posProductId: 'B', posInventoryId: 'J' }])
    expect(values(open().prefills([pair(1, 1)])[0] ?? fill(1, 1))).toEqual([['B'], ['J'], []])
  })

  it('include those entered for other packages of the product, newest first, but never their inventory ids', () => {
    pos.remember([{ ...pair(1, 1), posProductId: 'A', posInventoryId: 'I1', sku: 'S' }])
    clock.advance(1_000)
    pos.remember([{ ...pair(1, 2), posProductId: 'B', posInventoryId: 'I2', sku: 'S' }])
    clock.advance(1_000)
    pos.remember([{ ...pair(2, 3), posProductId: 'Z', posInventoryId: 'I3', sku: 'Z' }])
    const found = fill(1, 3)
    expect(values(found)).toEqual([['B', 'A'], [], ['S']])
    expect(found.posProductId[0]).toMatchObject({ source: 'remembered', isOfPackage: false })
  })

  it("prefer the catalog's line of the package to entries for other packages", () => {
    pos.remember([{ ...pair(1, 1), posProductId: 'A', posInventoryId: 'I1', sku: 'OLD' }])
    load(row(7, { packageUid: packageUid(2).toLowerCase(), posProductId: 'C', posInventoryId: 'I2' }))
    const found = fill(1, 2)
    expect(values(found)).toEqual([['C'], ['I2'], ['OLD']])
    expect(found.posInventoryId[0]).toMatchObject({ source: 'catalogue', isOfPackage: true, line: 7 })
  })

  it('come from the lines that match by name or SKU if a package has several lines', () => {
    const inPackage = { packageUid: packageUid(1) }
    load(
      row(2, { ...inPackage, productName: '  blue dream 3.5 G ', posInventoryId: 'I2' }),
      row(3, { ...inPackage, productName: 'OG Kush', posInventoryId: 'I3' }),
      row(4, { ...inPackage, sku: 'BD-35', posProductId: 'P2', posInventoryId: 'I4' }),
    )
    expect(values(fill(1, 1))).toEqual([['P2'], ['I2', 'I4'], ['BD-35']])
    expect(values(fill(2, 1))).toEqual([['P3'], ['I3'], []])
    // Product 3 has no known name or SKU, so all lines are offered.
    expect(values(fill(3, 1))[1]).toEqual(['I2', 'I3', 'I4'])
  })

  it.each([
    ['another name', { productName: 'OG Kush' }],
    ['another SKU', { sku: 'OG-1' }],
    ['another name and no SKU that fits', { productName: 'OG Kush', sku: 'OG-1' }],
  ])("never come from a package's only line if that line has %s", (_, values_) => {
    load(row(2, { packageUid: packageUid(1), posInventoryId: 'I2', ...values_ }))
    expect(values(fill(1, 1))).toEqual([[], [], []])
  })

  it("are certain from a package's only line without a product name, if no other product is known to be in the package", () => {
    load(row(2, { packageUid: packageUid(1), posInventoryId: 'I2' }), row(3, { packageUid: packageUid(2) }))
    const isCertain = (product = 1) => fill(product, 1).posProductId.map((one) => one.isCertain)
    expect(isCertain()).toEqual([true])
    held.set(packageUid(1), [thing(1)])
    expect(isCertain()).toEqual([true])
    // Still offered, but a person must decide which of the two products the line belongs to.
    held.set(packageUid(1), [thing(1), thing(2)])
    expect(isCertain()).toEqual([false])
    held.clear()
    pos.remember([{ ...pair(2, 1), posProductId: 'B', posInventoryId: 'J' }])
    expect(isCertain()).toEqual([false])
    expect(fill(1, 1).posInventoryId).toMatchObject([{ value: 'I2', isCertain: false }])
    // Product 3 has no known name or SKU to compare.
    expect(isCertain(3)).toEqual([false])
  })

  it('are not certain from a line without a product name next to a line with one', () => {
    load(
      row(2, { packageUid: packageUid(1), productName: 'OG Kush', posInventoryId: 'I2' }),
      row(3, { packageUid: packageUid(1), posInventoryId: 'I3' }),
    )
    expect(fill(1, 1).posInventoryId).toMatchObject([{ value: 'I3', isCertain: false }])
    expect(fill(2, 1).posInventoryId).toMatchObject([{ value: 'I2', isCertain: true }])
  })

  it('come from the catalog by SKU or name, ignoring case and width, if no better source exists', () => {
    load(
      row(2, { productName: 'ＢＬＵＥ Dream 3.5 g', posInventoryId: 'I2', sku: 'X' }),
      row(3, { sku: 'BD-35', posProductId: 'P2', posInventoryId: 'I3' }),
      row(4, { productName: 'Blue Dream', sku: 'bd-35' }),
    )
    expect(values(fill(1, 1))).toEqual([['P2'], [], ['BD-35', 'X']])
  })

  it('can be requested for many products, and are returned in the same order', () => {
    pos.remember([{ ...pair(1, 1), posProductId: 'A', posInventoryId: 'I' }])
    expect(pos.prefills([pair(2, 2), pair(1, 1)]).map((one) => one.posProductId.length)).toEqual([0, 1])
    expect(pos.prefills([])).toEqual([])
  })
})

describe("the POS's catalog", () => {
  it('is loaded in parts, is used after the last part, and survives a restart', () => {
    expect(pos.catalogue.view()).toBeNull()
    expect(pos.catalogue.load(part([row(2)], { isLast: false }))).toEqual({ ok: true, value: null })
    expect(pos.catalogue.view()).toBeNull()
    const view = { fileName: 'stock.csv', loadedAt: '2026-11-21T14:00:00.000Z', rows: 2 }
    expect(pos.catalogue.load(part([row(3)], { start: 1 }))).toEqual({ ok: true, value: view })
    expect(open().catalogue.view()).toEqual(view)
  })

  it.each([
    ['skip rows', part([row(9)], { start: 2 })],
    ['are of another file', part([row(9)], { start: 1, fileName: 'other.csv' })],
    ['name a line twice', part([row(2)], { start: 1 })],
    ['have lines out of order', part([row(9), row(8)], { start: 1 })],
  ])('is left unchanged if parts %s', (_, next) => {
    load(row(2, { packageUid: packageUid(1), posProductId: 'OLD' }))
    pos.catalogue.load(part([row(2)], { isLast: false }))
    expect(pos.catalogue.load(next)).toEqual({ ok: false, error: { code: 'receiving/catalogue-broken' } })
    expect(values(fill(1, 1))[0]).toEqual(['OLD'])
    expect(pos.catalogue.view()?.rows).toBe(1)
  })

  it('is left unchanged if the disk refuses the new one', () => {
    load(row(2, { packageUid: packageUid(1), posProductId: 'OLD' }))
    db.pragma('query_only = ON')
    expect(pos.catalogue.load(part([row(2)]))).toEqual({ ok: false, error: { code: 'store/not-saved' } })
    expect(pos.catalogue.forget()).toEqual({ ok: false, error: { code: 'store/not-saved' } })
    db.pragma('query_only = OFF')
    expect(values(fill(1, 1))[0]).toEqual(['OLD'])
  })

  it('is removed as a whole', () => {
    load(row(2, { packageUid: packageUid(1) }))
    expect(pos.catalogue.forget()).toEqual({ ok: true, value: null })
    expect(pos.catalogue.view()).toBeNull()
    expect(values(fill(1, 1))).toEqual([[], [], []])
  })

  it('can have 100,000 lines', () => {
    for (let start = 0; start < 100_000; start += 300) {
      const rows = Array.from({ length: Math.min(300, 100_000 - start) }, (_, n) =>
        row(start + n + 2, { packageUid: `P-${start + n}`, productName: `Product ${start + n}`, sku: `S${start + n}` }),
      )
      expect(pos.catalogue.load(part(rows, { start, isLast: start + rows.length === 100_000 })).ok).toBe(true)
    }
    expect(pos.catalogue.view()?.rows).toBe(100_000)
    products.set(thing(9), { name: 'Product 77777', sku: null })
    expect(values(fill(9, 1))).toEqual([['P77779'], [], ['S77777']])
  })
})
