import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { mapRows } from '../../../src-shared/csv/catalogue-rows'
import { proposeCatalogue } from '../../../src-shared/csv/columns'
import { parseTable, readText } from '../../../src-shared/csv/read'
import type { CatalogueRow } from '../../../src-shared/ipc/contract/receiving'
import { type Station, startStation } from './station'
import { stepsOf } from './steps'

describe('POS ids, against the practice service', () => {
  let station: Station
  const { caseToImport } = stepsOf(() => station)
  beforeEach(async () => {
    station = await startStation()
  })
  afterEach(async () => {
    await station.close()
  })

  const prefill = async (productId: string, packageUid: string) => {
    const [found] = await station.ask('receiving.prefills', { pairs: [{ productId, packageUid }] })
    if (!found) throw new Error('no answer for the pair')
    return found
  }
  const productOf = async (caseId: string) => {
    const view = await station.ask('receiving.case', { identifier: caseId })
    const [product] = view.packagedProducts
    if (!product) throw new Error('the case holds nothing')
    return product
  }
  /** From the bytes of a file to rows, as on the screen. */
  const rowsOf = (csv: string): CatalogueRow[] => {
    const text = readText(new TextEncoder().encode(csv))
    if (!text.ok) throw new Error(text.error.code)
    const table = parseTable(text.value.text)
    return mapRows(table, proposeCatalogue(table)).rows
  }
  const load = async (rows: CatalogueRow[], size = 300) => {
    const fileName = 'stock.csv'
    for (let start = 0; start < rows.length; start += size) {
      const isLast = start + size >= rows.length
      await station.ask('receiving.loadCatalogue', { fileName, start, rows: rows.slice(start, start + size), isLast })
    }
  }

  it('are remembered with the import, also over a restart, and offered for the product in another package', async () => {
    const { form } = await caseToImport()
    const { productId } = await productOf(form.caseId)
    expect(await prefill(productId, form.packageUid)).toMatchObject({ posProductId: [], posInventoryId: [], sku: [] })
    await station.ask('receiving.import', { ...form, sku: 'OWN-1' })
    await station.restart()
    expect(await prefill(productId, form.packageUid)).toMatchObject({
      posProductId: [{ value: 'POS-1', source: 'remembered', isOfPackage: true }],
      posInventoryId: [{ value: 'INV-1', source: 'remembered', isOfPackage: true }],
      sku: [{ value: 'OWN-1' }],
    })
    expect(await prefill(productId, '1A40E0300000B2F000000777')).toMatchObject({
      posProductId: [{ value: 'POS-1', source: 'remembered', isOfPackage: false }],
      posInventoryId: [],
      sku: [{ value: 'OWN-1', isOfPackage: false }],
    })
  })

  it('are remembered for an unsent import', async () => {
    const { form } = await caseToImport()
    const { productId } = await productOf(form.caseId)
    await station.knobs.setFaults({ offline: true })
    expect(await station.ask('receiving.import', form)).toMatchObject({ state: 'queued' })
    expect((await prefill(productId, form.packageUid)).posProductId).toMatchObject([{ value: 'POS-1' }])
  })

  it("come from the POS's file: by package, else by name, in as many parts as needed", async () => {
    const { form } = await caseToImport()
    const product = await productOf(form.caseId)
    const others = Array.from({ length: 2_000 }, (_, n) => `OTHER-${n};Other ${n};O${n};OI${n};OS${n}`)
    const csv = [
      'Etiqueta Metrc;Nombre del producto;ID de producto;ID de inventario;SKU',
      ...others,
      `${form.packageUid};${product.productName.toUpperCase()};N-1;N-INV-1;`,
      `${form.packageUid};something else;N-2;N-INV-2;`,
      `;${product.productName};N-3;;N-SKU`,
    ].join('\r\n')
    await load(rowsOf(csv))
    expect(await station.ask('receiving.catalogue', undefined)).toMatchObject({ fileName: 'stock.csv', rows: 2_003 })
    expect(await prefill(product.productId, form.packageUid)).toMatchObject({
      posProductId: [{ value: 'N-1', source: 'catalogue', isOfPackage: true, line: 2_002 }],
      posInventoryId: [{ value: 'N-INV-1' }],
      sku: [{ value: 'N-SKU', isOfPackage: false }],
    })
    // Two lines match by name, so a person has to choose.
    expect((await prefill(product.productId, 'ANOTHER')).posProductId.map((one) => one.value)).toEqual(['N-1', 'N-3'])
    await station.restart()
    expect(await station.ask('receiving.catalogue', undefined)).toMatchObject({ rows: 2_003 })
    await station.ask('receiving.forgetCatalogue', undefined)
    expect(await station.ask('receiving.catalogue', undefined)).toBeNull()
    expect((await prefill(product.productId, form.packageUid)).posProductId).toEqual([])
  })

  it("are unchanged by a file with parts that don't fit together", async () => {
    const rows = rowsOf('Product ID,Name\n1,a\n2,b\n3,c\n')
    await load(rows, 2)
    const before = await station.ask('receiving.catalogue', undefined)
    expect(
      await station.ask('receiving.loadCatalogue', {
        fileName: 'n.csv',
        start: 0,
        rows: rows.slice(0, 1),
        isLast: false,
      }),
    ).toBeNull()
    // An extra part, a part of another file, and a part without an earlier one.
    for (const part of [
      { fileName: 'n.csv', start: 2, rows: rows.slice(2), isLast: true },
      { fileName: 'm.csv', start: 1, rows: rows.slice(1), isLast: true },
      { fileName: 'n.csv', start: 1, rows: rows.slice(1), isLast: true },
    ]) {
      expect(await station.refused('receiving.loadCatalogue', part)).toEqual({ code: 'receiving/catalogue-broken' })
    }
    expect(await station.ask('receiving.catalogue', undefined)).toEqual(before)
  })
})
