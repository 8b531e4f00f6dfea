import fc from 'fast-check'
import Papa from 'papaparse'
import { describe, expect, it } from 'vitest'
import { textOf } from '../../../../src-shared/csv/cells'
import { idCell, toCsv } from '../../../../src-shared/csv/write'
import { parseTable } from '../../../../src-shared/csv/read'

const cellsOf = (csv: string, delimiter = ',') =>
  Papa.parse<string[]>(csv.replace(/^\uFEFF/, ''), { newline: '\r\n', delimiter }).data.slice(0, -1)
/** A cell that a spreadsheet computes. After an apostrophe it is text. */
const isTaken = (cell: string) => /^[\s\p{Cc}\p{Cf}"`´‘’“”„«»]*[=+\-@＝＋－＠]/u.test(cell)
/** The text without the guards against formulas, and with line breaks as spaces, without blanks around it. */
const bare = (cell: string) =>
  cell
    .replace(/\r\n|[\r\n\v\f\u0085\u2028\u2029]/g, ' ')
    .replaceAll("'", '')
    .trim()

/** Texts with the critical characters, and arbitrary texts. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({
    unit: fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '"', "'", ',', ';', '|', '\u2028', ' ', 'a', '1'),
    maxLength: 8,
  }),
)

describe('written CSV', () => {
  it('preserves every text, except for apostrophes before possible formulas and for line breaks', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text, text), { maxLength: 6 }), (rows) => {
        const cells = cellsOf(toCsv(['a', 'b', 'c'], rows))
        expect(cells.map((row) => row.map(bare))).toEqual([['a', 'b', 'c'], ...rows.map((row) => row.map(bare))])
      }),
      { numRuns: 500 },
    )
  })

  it('is read back by our own reader, line by line', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 6 }), (rows) => {
        const read = parseTable(toCsv(['Product ID', 'SKU'], rows))
        const kept = cellsOf(toCsv([], rows)).slice(1)
        expect(read.rows.map((row) => row.cells)).toEqual(kept.filter((row) => row.some((cell) => cell.trim() !== '')))
      }),
      { numRuns: 300 },
    )
  })

  const hostile = fc.string({
    unit: fc.constantFrom('=', '-', '@', '\t', '\x01', '"', "'", '\u2019', ',', ';', '|', ' ', 'a', 'T', '1', '.'),
    maxLength: 60,
  })
  const readBack = (written: string) => {
    const [line] = parseTable(written).rows
    return line ? [0, 1].map((at) => textOf(line, at)) : []
  }

  it('comes back as the texts that were written, whatever apostrophes they have', () => {
    fc.assert(
      fc.property(fc.oneof(text, hostile), (said) => {
        // Blanks at the ends and what has no width are never read.
        fc.pre(!/[\u200b-\u200f\u202a-\u202e\u2060\ufeff\u00ad]/.test(said))
        const kept = said.replace(/\r\n|[\r\n\v\f\u0085\u2028\u2029]/g, ' ').trim()
        expect(readBack(toCsv(['Product Name', 'SKU'], [[said, 'x']]))).toEqual([kept, 'x'])
      }),
      { numRuns: 2_000 },
    )
  })

  it.each(["'TIL", "'-5", 'a;=b', "a;'-5", "'Til Dawn", '-5', '=1+1', "''00701", '="00701"', 'a|\t@b', ";'\x01a"])(
    'brings back %j',
    (said) => {
      expect(readBack(toCsv(['Product Name', 'SKU'], [[said, idCell('00701')]]))).toEqual([said, '00701'])
    },
  )

  it.each([
    ['00701', '="00701"'],
    ['1E5', '="1E5"'],
    ['123456789012345678', '="123456789012345678"'],
    ['3-4', '="3-4"'],
    ['11/26', '="11/26"'],
    ['12MAY', '="12MAY"'],
    ['MAR-1', '="MAR-1"'],
    ['2.50', '="2.50"'],
    ['701', '701'],
    ['0', '0'],
    ['#1001', '#1001'],
    ['INV-1', 'INV-1'],
    ['1A40E0300000B2F000000001', '1A40E0300000B2F000000001'],
    ['', ''],
    ['=1+1', "'=1+1"],
    ['00"&cmd', '00"&cmd'],
  ])('keeps the identifier %s in a spreadsheet, as %s', (id, written) => {
    expect(cellsOf(toCsv(['a', 'b'], [[idCell(id), 'x']]))[1]).toEqual([written, 'x'])
  })

  it('writes an identifier as a formula only if it is nothing but a text', () => {
    fc.assert(
      fc.property(text, (id) => {
        const written = cellsOf(toCsv(['a'], [[idCell(id)]]))[1]?.[0] ?? ''
        expect(/^="[a-z0-9][a-z0-9 ./_-]*"$/i.test(written) || !isTaken(written)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  it('contains no text that a spreadsheet would read as a formula', () => {
    fc.assert(
      fc.property(text, (cell) => {
        const written = cellsOf(toCsv(['a'], [[cell]]))[1]?.[0] ?? ''
        expect(written).not.toMatch(/^[\s\p{Cc}\p{Cf}"`´‘’“”„«»]*[=+\-@＝＋－＠]/u)
        expect(written).not.toMatch(/^[\t\r\n]/)
      }),
      { numRuns: 500 },
    )
  })

  it.each([',', ';', '\t', '|'])('contains no formula either if it is opened with %j as the delimiter', (delimiter) => {
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text, text), { minLength: 1, maxLength: 4 }), (rows) => {
        expect(
          cellsOf(toCsv(['a', 'b', 'c'], rows), delimiter)
            .flat()
            .filter(isTaken),
        ).toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    ['Blue;=HYPERLINK("x")', `Blue;'=HYPERLINK("x")`],
    ['a\t=1', "a\t'=1"],
    ['\t=1', "'\t'=1"],
    ['a|@SUM(A1)', "a|'@SUM(A1)"],
    ['a; "+1"', `a;' "+1"`],
    ['a\n=1', 'a =1'],
    ['a;\r\n=1', "a;' =1"],
    ['a\u2028=1', 'a =1'],
    ['\n=1', "' =1"],
  ])('makes the text after a separator in %j harmless', (cell, written) => {
    expect(cellsOf(toCsv(['a'], [[cell]]))[1]).toEqual([written])
    for (const other of [';', '\t', '|']) {
      expect(
        cellsOf(toCsv(['a'], [[cell]]), other)
          .flat()
          .filter(isTaken),
      ).toEqual([])
    }
    expect(written).not.toMatch(/[\r\n]/)
  })

  it.each([
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    ' =1',
    '"=1"',
    "'=1",
    '\u00A0=1',
    '\uFEFF=1',
    '\u200B=1',
    '＝1',
    '\tx',
    '“=1”',
  ])('makes %j harmless', (cell) => {
    expect(cellsOf(toCsv(['a'], [[cell]]))).toEqual([['a'], [`'${cell}`]])
  })

  it.each(['', '1A40603000200810000', 'Blue Dream 3.5 g', 'a=b', 'A-1', '5 + 5', 'Nº 10/482 🌿', "it's", '0012'])(
    'leaves %j as it is',
    (cell) => {
      expect(cellsOf(toCsv(['a', 'b'], [[cell, 'x']]))[1]).toEqual([cell, 'x'])
    },
  )

  it('keeps numbers, including negative ones, and writes nothing for null', () => {
    expect(toCsv(['a', 'b', 'c'], [[-5, 1.5, null]])).toBe('\uFEFFa,b,c\r\n-5,1.5,\r\n')
  })

  it('guards the header too', () => {
    expect(toCsv(['=a'], [])).toBe("\uFEFF'=a\r\n")
  })
})
