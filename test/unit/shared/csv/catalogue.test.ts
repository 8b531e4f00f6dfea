import { describe, expect, it } from 'vitest'
import { mapRows } from '../../../../src-shared/csv/catalogue-rows'
import { mapHeader, proposeCatalogue } from '../../../../src-shared/csv/columns'
import { parseTable } from '../../../../src-shared/csv/read'

const read = (text: string) => {
  const table = parseTable(text)
  return mapRows(table, proposeCatalogue(table))
}
const found = (text: string) => {
  const { rows, errors } = read(text)
  return {
    lines: rows.map((row) => row.line),
    errors: errors.map(({ line, column, code, otherLine }) => ({ line, column, code, otherLine })),
  }
}
const header = 'Package UID,Product Name,Product ID,Inventory ID,SKU'

describe('a table from a file', () => {
  it.each([
    [',', 'Product ID,SKU,Name\n1,2,"a, b"\n3,4,c\n'],
    [';', 'Product ID;SKU;Name, long\n1;2;a, b\n3;4;c, d\n'],
    ['\t', 'Product ID\tSKU\tName\n1\t2\ta, b\n3\t4\tc; d\n'],
    [';', 'sep=;\nProduct ID;SKU\n1,5;2\n'],
    [',', 'Product ID\n1\n2\n'],
  ])('has the delimiter %j', (delimiter, text) => {
    const table = parseTable(text)
    expect(table.delimiter.value).toBe(delimiter)
    expect(table.header?.cells[0]).toBe('Product ID')
    expect(new Set(table.rows.map((row) => row.cells.length))).toEqual(new Set([table.columnCount]))
  })

  it('finds the header under titles, and numbers lines like the file', () => {
    const table = parseTable('Inventory report\r\n\r\nProduct ID,Product Name\r\n1,"two\r\nlines"\r\n\r\n2,x\r\n')
    expect(table.header?.line).toBe(3)
    expect(table.rows).toEqual([
      { line: 4, cells: ['1', 'two\nlines'], isBroken: false },
      { line: 7, cells: ['2', 'x'], isBroken: false },
    ])
  })

  it('has no header if the first line is like the other lines', () => {
    expect(parseTable('100,A-1,5\n101,A-2,6\n')).toMatchObject({
      header: null,
      columnCount: 3,
      rows: [{ line: 1 }, { line: 2 }],
    })
  })

  it.each([
    ['Metrc Tag', 'Item Name', 'POS Product ID', 'Inventory ID', 'SKU'],
    ['PACKAGE_UID', 'product_name', 'product-id', 'inventory id', 'Product SKU'],
    ['Etiqueta Metrc', 'Nombre del producto', 'ID de producto', 'ID de inventario', 'Código SKU'],
    ['UID del paquete', 'Artículo', 'Código del producto', 'Número de inventario', 'SKU'],
  ])('proposes the columns by the words %s, %s, %s …', (...words) => {
    expect(mapHeader(words)).toEqual({ packageUid: 0, productName: 1, posProductId: 2, posInventoryId: 3, sku: 4 })
  })

  it('proposes none of two columns with the same name, and finds the header by it', () => {
    const { header: found } = parseTable('Menu\nProduct ID,Name,Product-ID\n1,Blue,x\n')
    expect(found?.line).toBe(2)
    expect(mapHeader(found?.cells ?? [])).toMatchObject({ posProductId: null, productName: 1 })
  })

  it('proposes nothing for ambiguous words', () => {
    expect(mapHeader(['id', 'code', '', 'qty'])).toEqual({
      packageUid: null,
      productName: null,
      posProductId: null,
      posInventoryId: null,
      sku: null,
    })
  })
})

describe('the rows of a catalog', () => {
  it('are read trimmed, with empty cells as null and without empty lines', () => {
    expect(read(`${header}\n 1A4 , Blue Dream , 10 ,,S-1\n\n,,,,\n1A5,OG,11,I-1,\n`)).toEqual({
      rows: [
        { line: 2, packageUid: '1A4', productName: 'Blue Dream', posProductId: '10', posInventoryId: null, sku: 'S-1' },
        { line: 5, packageUid: '1A5', productName: 'OG', posProductId: '11', posInventoryId: 'I-1', sku: null },
      ],
      errors: [],
    })
  })

  it("report lines without a product id, with too long a text, and with characters that can't be sent", () => {
    const long = 'x'.repeat(101)
    const text = [header, 'P,N,,I,S', `P,N,${long},I,S`, `P,${long},1,I,S`, 'P,N,\uD800,I,S', 'P,N,2,I,S'].join('\n')
    expect(found(text)).toEqual({
      lines: [6],
      errors: [
        { line: 2, column: 'posProductId', code: 'missing', otherLine: null },
        { line: 3, column: 'posProductId', code: 'too-long', otherLine: null },
        { line: 4, column: 'productName', code: 'too-long', otherLine: null },
        { line: 5, column: 'posProductId', code: 'not-text', otherLine: null },
      ],
    })
  })

  it('report lines with a different number of cells and lines with broken quotes, and skip both', () => {
    expect(found(`${header}\nP,N,1\nP,N,2,I,S,more\nP,N,3,I,S,,\nQ,"N"x,4,I,S\nR,N,5,I,S\n`)).toEqual({
      lines: [4, 6],
      errors: [
        { line: 2, column: null, code: 'uneven', otherLine: null },
        { line: 3, column: null, code: 'uneven', otherLine: null },
        { line: 5, column: null, code: 'broken-quotes', otherLine: null },
      ],
    })
  })

  it('may lack empty cells at their end, but none of a matched column', () => {
    expect(found('Product ID,Product Name,Color,Size\n1,Blue\n2,Blue,Red\n3\n')).toEqual({
      lines: [2, 3],
      errors: [{ line: 4, column: null, code: 'uneven', otherLine: null }],
    })
  })

  it('report an unclosed quote instead of swallowing the rest of the file', () => {
    expect(found(`${header}\nP,N,1,I,S\nP,"N,2,I,S\nQ,N,3,I,S\n`)).toEqual({
      lines: [2, 4],
      errors: [{ line: 3, column: null, code: 'broken-quotes', otherLine: null }],
    })
  })

  it('omit and report all lines that give different ids to the same product in a package', () => {
    const text = [
      header,
      'P,Blue,1,I,S',
      'P,Blue,1,I,S',
      'p, BLUE ,2,I,S',
      'P,Red,3,I,S',
      'Q,Blue,4,I,S',
      'Q,Blue,4,J,S',
    ]
    expect(found(text.join('\n'))).toEqual({
      lines: [5],
      errors: [
        { line: 2, column: 'posProductId', code: 'duplicate', otherLine: 4 },
        { line: 3, column: 'posProductId', code: 'duplicate', otherLine: 4 },
        { line: 4, column: 'posProductId', code: 'duplicate', otherLine: 2 },
        { line: 6, column: 'posProductId', code: 'duplicate', otherLine: 7 },
        { line: 7, column: 'posProductId', code: 'duplicate', otherLine: 6 },
      ],
    })
  })

  it('keep a formula as text, and unwrap a formula that is only a text', () => {
    const { rows } = read(`${header}\nP,=HYPERLINK("x"),"=""0012""",@SUM(A1),-1\n`)
    expect(rows).toMatchObject([
      { productName: '=HYPERLINK("x")', posProductId: '0012', posInventoryId: '@SUM(A1)', sku: '-1' },
    ])
  })

  it('are empty without a column for the product id', () => {
    expect(found('Name,SKU\na,1\n')).toEqual({
      lines: [],
      errors: [{ line: 1, column: 'posProductId', code: 'no-column', otherLine: null }],
    })
  })

  it('are read for 50,000 lines', () => {
    const lines = Array.from({ length: 50_000 }, (_, n) => `1A4${n},"Product, no. ${n}",P${n},I${n},S${n}`)
    const { rows, errors } = read([header, ...lines].join('\r\n'))
    expect([rows.length, errors.length]).toEqual([50_000, 0])
    expect(rows.at(-1)).toMatchObject({ line: 50_001, posProductId: 'P49999' })
  })
})
