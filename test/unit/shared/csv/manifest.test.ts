import { describe, expect, it } from 'vitest'
import { decimalMarkOf, readCount } from '../../../../src-shared/csv/count-cell'
import { knownInManifest, mapManifestHeader, proposeManifest } from '../../../../src-shared/csv/manifest-columns'
import { addUp, mapManifest } from '../../../../src-shared/csv/manifest-rows'
import { parseTable, readText } from '../../../../src-shared/csv/read'

const uid = (n: number) => `1A40E0300000B2F00000000${n}`
function mapped(text: string) {
  const table = parseTable(text, { knownIn: knownInManifest })
  return mapManifest(table, proposeManifest(table))
}
const header = 'Package Tag,Item Name,Shipped Qty,SKU,Product ID\n'
const faultsOf = (text: string) => mapped(text).faults.map(({ line, code, value }) => [line, code, value])

describe('the columns of a manifest', () => {
  it.each([
    ['Package Tag,Item Name,Shipped Qty,SKU,Product ID', [0, 1, 2, 3, 4]],
    ['"Etiqueta Metrc";Producto;Cantidad enviada;SKU;"ID de producto"', [0, 1, 2, 3, 4]],
    ['Quantity\tMetrc Tag\tProduct', [1, 2, 0, null, null]],
    ['Package UID,Product,Product,Count', [0, null, 3, null, null]],
    ['Package UID,Qty,Quantity', [0, null, 2, null, null]],
    ['Color,Size', [null, null, null, null, null]],
  ])('are found in %s', (line, expected) => {
    const { header: found } = parseTable(`${line}\n${uid(1)}`, { knownIn: knownInManifest })
    const { packageUid, productName, count, sku, posProductId } = mapManifestHeader(found?.cells ?? [])
    expect([packageUid, productName, count, sku, posProductId]).toEqual(expected)
  })
})

describe('the lines of a manifest', () => {
  it('are read with the tag as a scan writes it', () => {
    const { rows, faults } = mapped(`${header} ${uid(1).toLowerCase()} ,"Blue Dune, 3.5 g",24,="007",P-1\n`)
    expect(faults).toEqual([])
    expect(rows).toEqual([
      {
        line: 2,
        packageUid: uid(1),
        productName: 'Blue Dune, 3.5 g',
        count: 24,
        sku: '007',
        posProductId: 'P-1',
        lines: 1,
      },
    ])
  })

  it('are read from UTF-16, Windows-1252 and UTF-8 with a mark, with any separator', () => {
    const text = `Etiqueta Metrc;Producto;Cantidad\r\n${uid(1)};Jalapeño;12,0\r\n`
    const utf16 = new Uint8Array([
      0xff,
      0xfe,
      ...new Uint8Array(Uint16Array.from(text, (one) => one.charCodeAt(0)).buffer),
    ])
    const utf8 = new TextEncoder().encode(`\uFEFF${text}`)
    const latin = Uint8Array.from(text, (one) => one.charCodeAt(0))
    for (const bytes of [utf16, utf8, latin]) {
      const read = readText(bytes)
      if (!read.ok) throw new Error(read.error.code)
      expect(mapped(read.value.text).rows).toMatchObject([{ productName: 'Jalapeño', count: 12 }])
    }
    expect(mapped(text.replaceAll(';', '\t')).rows).toMatchObject([{ productName: 'Jalapeño', count: 12 }])
  })

  it('that can’t be loaded are listed with number and reason; the others are loaded', () => {
    const lines = [
      `${uid(1)},Fine,1,,`,
      ',No tag,1,,',
      'PKG-1,Own name,1,,',
      '1.40603E+23,Mangled,1,,',
      `${uid(2)},two`,
      `${uid(3)},"open,1,,`,
      `${uid(4)},${'x'.repeat(101)},1,,`,
      ',,,,',
      `${uid(5)},Fine,2,,`,
    ]
    const { rows, leftOut } = mapped(header + lines.join('\n'))
    expect(rows.map(({ line }) => line)).toEqual([2, 10])
    expect(leftOut).toBe(6)
    expect(faultsOf(header + lines.join('\n'))).toEqual([
      [3, 'missing', ''],
      [4, 'not-a-package', 'PKG-1'],
      [5, 'not-a-package', '1.40603E+23'],
      [6, 'uneven', '2'],
      [7, 'broken-quotes', expect.stringContaining('open')],
      [8, 'too-long', 'x'.repeat(60)],
    ])
  })

  it('may lack empty cells at their end, but none of a matched column', () => {
    const { rows, faults } = mapped(`Package Tag,Item Name,Shipped Qty,Note\n${uid(1)},Blue,24\n${uid(2)},Blue\n`)
    expect(rows.map(({ line, count }) => [line, count])).toEqual([[2, 24]])
    expect(faults.map(({ line, code }) => [line, code])).toEqual([[3, 'uneven']])
  })

  it('are loaded without a count that can’t be read, and it is said', () => {
    const counts = ['453.59 g', '2 g', '-3', 'many', '2.5', '', '1000001']
    const text = header + counts.map((count, at) => `${uid(at)},A,${count},,`).join('\n')
    expect(mapped(text).rows.map(({ count }) => count)).toEqual(counts.map(() => null))
    expect(mapped(text).leftOut).toBe(0)
    expect(faultsOf(text)).toEqual([
      [2, 'count-not-whole', '453.59 g'],
      [3, 'count-not-whole', '2 g'],
      [4, 'count-out-of-range', '-3'],
      [5, 'count-not-whole', 'many'],
      [6, 'count-not-whole', '2.5'],
      [8, 'count-out-of-range', '1000001'],
    ])
  })

  it('are loaded without a count if its unit is none of items, and it is said', () => {
    const text = [
      'Package Tag,Item Name,Shipped Qty,Unit of Measure',
      ...['24,Each', '453.59,Grams', '2,Cases', '12,'].map((cells, at) => `${uid(at)},A,${cells}`),
    ].join('\n')
    expect(mapped(text).rows.map(({ count }) => count)).toEqual([24, null, null, 12])
    expect(faultsOf(text)).toEqual([
      [3, 'count-not-whole', '453.59 Grams'],
      [4, 'count-not-whole', '2 Cases'],
    ])
    expect(mapped(`Package Tag,Item Name,Quantity (g)\n${uid(1)},A,28\n`)).toMatchObject({
      rows: [{ count: null }],
      faults: [{ code: 'count-not-whole', value: '28 g' }],
    })
  })

  it('of no items are left out, and it is said: their packages don’t come', () => {
    const text = `${header}${uid(1)},Blue,0,,\n${uid(2)},Blue,0.00,,\n${uid(2)},Green,2,,\n`
    const { rows, leftOut } = mapped(text)
    expect([rows.map(({ packageUid, count }) => [packageUid, count]), leftOut]).toEqual([[[uid(2), 2]], 2])
    expect(faultsOf(text)).toEqual([
      [2, 'count-zero', '0'],
      [3, 'count-zero', '0.00'],
    ])
  })

  it('about the same package and product are added up; other products of the package are lines of their own', () => {
    const lines = [
      `${uid(1)},Blue,10,,`,
      `${uid(1)},blue ,14,,`,
      `${uid(1)},Green,3,,`,
      `${uid(2)},Blue,5,,`,
      `${uid(2)},Blue,?,,`,
    ]
    const { rows, addedUp } = mapped(header + lines.join('\n'))
    expect(rows.map(({ line, count, lines: of }) => [line, count, of])).toEqual([
      [2, 24, 2],
      [4, 3, 1],
      [5, null, 2],
    ])
    expect(addedUp).toBe(2)
    expect(addUp(rows)).toEqual(rows)
  })

  it('are no more than asked for, of a file of a million', () => {
    const text = header + `${uid(1)},Blue,1,,\n`.repeat(1_000_000)
    expect(parseTable(text, { knownIn: knownInManifest, mostLines: 5_001 }).rows).toHaveLength(5_000)
  })
})

describe('a count', () => {
  it.each([
    ['24', { kind: 'count', count: 24 }],
    ['24.00', { kind: 'count', count: 24 }],
    ['24,0000', { kind: 'count', count: 24 }],
    ['24 ea', { kind: 'count', count: 24 }],
    ['24 Unidades', { kind: 'count', count: 24 }],
    ['1,000,000', { kind: 'count', count: 1_000_000 }],
    ['1.000,00', { kind: 'count', count: 1_000 }],
    ['1,000.0', { kind: 'count', count: 1_000 }],
    ["1'000", { kind: 'count', count: 1_000 }],
    ['1 000', { kind: 'count', count: 1_000 }],
    ['1,000', { kind: 'ambiguous' }],
    ['1.000', { kind: 'ambiguous' }],
    ['24.5', { kind: 'not-whole' }],
    ['24 g', { kind: 'not-whole' }],
    ['1e3', { kind: 'not-whole' }],
    ['=1+1', { kind: 'not-whole' }],
    ['-1', { kind: 'out-of-range' }],
    ['0', { kind: 'zero' }],
    ['-0.00 ea', { kind: 'zero' }],
    ['', { kind: 'not-whole' }],
  ])('is read from %s by itself', (cell, expected) => {
    expect(readCount(cell, 'unsaid')).toEqual(expected)
  })

  it('that may be one or a thousand is decided by the other cells of its column', () => {
    expect([
      decimalMarkOf(['1,000', '24,50']),
      decimalMarkOf(['1,000', '24.0']),
      decimalMarkOf(['1,000', '2']),
    ]).toEqual([',', '.', 'unsaid'])
    expect(decimalMarkOf(['1,5', '1.5'])).toBe('unsaid')
    expect([readCount('1,000', ','), readCount('1,000', '.'), readCount('1.000', ',')]).toEqual([
      { kind: 'count', count: 1 },
      { kind: 'count', count: 1_000 },
      { kind: 'count', count: 1_000 },
    ])
  })
})
