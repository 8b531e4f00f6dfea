import { describe, expect, it } from 'vitest'
import { type Encoding, parseTable, readText } from '../../../../src-shared/csv/read'

const bytes = (...values: number[]) => Uint8Array.from(values)
const utf8 = (text: string) => new TextEncoder().encode(text)
const utf16 = (text: string, isBig: boolean) => {
  const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at))
  return bytes(...units.flatMap((unit) => (isBig ? [unit >> 8, unit & 255] : [unit & 255, unit >> 8])))
}
const text = 'Producto;SKU\r\nPiña "Niño" 🌿;1\r\n'

describe('the text of a file', () => {
  it.each([
    ['UTF-8', utf8(text), 'utf-8', ['utf-8', 'windows-1252', 'macintosh']],
    ['UTF-8 with its mark', bytes(0xef, 0xbb, 0xbf, ...utf8(text)), 'utf-8', ['utf-8']],
    ['UTF-16, little end first', bytes(0xff, 0xfe, ...utf16(text, false)), 'utf-16le', ['utf-16le']],
    ['UTF-16, big end first', bytes(0xfe, 0xff, ...utf16(text, true)), 'utf-16be', ['utf-16be']],
    ['UTF-16 without its mark', utf16(text, false), 'utf-16le', ['utf-16le']],
    ['UTF-16 without its mark, big end first', utf16(text, true), 'utf-16be', ['utf-16be']],
  ])('is read as %s', (_, file, encoding, choices) => {
    expect(readText(file)).toEqual({
      ok: true,
      value: { text, encoding: { guess: encoding, value: encoding, choices: [...choices] } },
    })
  })

  it('is read as Windows-1252 if no other encoding fits, and says so', () => {
    // "Piña" and a euro sign as saved by older spreadsheets.
    const file = bytes(...utf8('SKU,Producto\nPi'), 0xf1, ...utf8('a,'), 0x80, ...utf8('5\n'))
    expect(readText(file)).toEqual({
      ok: true,
      value: {
        text: 'SKU,Producto\nPiña,€5\n',
        encoding: { guess: 'windows-1252', value: 'windows-1252', choices: ['utf-8', 'windows-1252', 'macintosh'] },
      },
    })
  })

  it('is read as a person says: a Mac’s, or UTF-8 with a broken character', () => {
    const read = (file: Uint8Array, chosen: Encoding) => {
      const found = readText(file, chosen)
      return found.ok ? [found.value.text, found.value.encoding.guess, found.value.encoding.value] : found.error.code
    }
    const mac = bytes(...utf8('Pi'), 0x96, ...utf8('a\n'))
    expect(read(mac, 'macintosh')).toEqual(['Piña\n', 'windows-1252', 'macintosh'])
    const broken = bytes(...utf8('Piña '), 0xff)
    expect(read(broken, 'windows-1252')).toEqual(['PiÃ±a ÿ', 'windows-1252', 'windows-1252'])
    expect(read(broken, 'utf-8')).toEqual(['Piña \uFFFD', 'windows-1252', 'utf-8'])
  })

  it.each([
    ['plain letters', utf8('SKU,Name\n1,Blue Dune\n')],
    ['a mark of UTF-8', bytes(0xef, 0xbb, 0xbf, ...utf8('Piña\n'))],
    ['UTF-16', utf16(text, false)],
  ])('leaves no choice where no other would be right: %s', (_, file) => {
    const found = readText(file, 'macintosh')
    expect(found.ok && found.value.encoding.choices).toEqual([found.ok && found.value.encoding.value])
    expect(found).toEqual(readText(file))
  })

  it.each([
    ['an Excel workbook', bytes(0x50, 0x4b, 3, 4, 20, 0, 6, 0), 'csv/workbook'],
    ['an old Excel workbook', bytes(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1), 'csv/workbook'],
    ['a picture', bytes(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13), 'csv/binary'],
    ['a text with a NUL', utf8('a,b\0c\n'), 'csv/binary'],
    ['half a character of UTF-16', bytes(0xff, 0xfe, 0x41), 'csv/binary'],
    ['bytes of no text', bytes(0xff, 0x01, 0x02, 0xe9), 'csv/binary'],
    ['nothing', bytes(), 'csv/empty'],
    ['blanks', utf8(' \r\n\t\n'), 'csv/empty'],
    ['nothing but a mark', bytes(0xef, 0xbb, 0xbf), 'csv/empty'],
    ['more than anybody has', new Uint8Array(50 * 1024 * 1024 + 1), 'csv/too-large'],
  ])('is refused for %s', (_, file, code) => {
    expect(readText(file)).toMatchObject({ ok: false, error: { code } })
  })
})

describe('lines with broken quotes', () => {
  const briefOf = (text: string) =>
    parseTable(text).rows.map(({ line, cells, isBroken }) => [line, isBroken ? 'broken' : cells.join('|')])

  it('are each by themselves, however many there are', () => {
    const pair = (n: number) => `${n},"Sour" Diesel 3.5g,1\n${n},"Blue, Dream",1\n`
    const text = `Product ID,Name,Qty\n${Array.from({ length: 5_000 }, (_, n) => pair(n)).join('')}`
    const { rows } = parseTable(text)
    expect(rows).toHaveLength(10_000)
    expect(rows.filter(({ isBroken }) => isBroken)).toHaveLength(5_000)
    expect(rows.filter(({ line, isBroken }) => isBroken === (line % 2 === 0))).toHaveLength(10_000)
    expect(rows.slice(-2)).toEqual([
      { line: 10_000, cells: ['4999,"Sour" Diesel 3.5g,1'], isBroken: true },
      { line: 10_001, cells: ['4999', 'Blue, Dream', '1'], isBroken: false },
    ])
  })

  it.each([
    ['are never closed', '1,"Sour,1\n'],
    ['are closed too early', '1,"Sour" Diesel,1\n'],
    ['open and close on other lines', '1,a"\n,"b"c\n'],
    ['close and open a cell on each line', 'b","a\n'],
  ])('are read in one pass: 100,000 that %s', (_name, line) => {
    const { rows } = parseTable(`Product ID,Name,Qty\n${line.repeat(100_000)}9,"Blue ""Dream""",1\n`)
    expect(rows.at(-1)).toMatchObject({ cells: ['9', 'Blue "Dream"', '1'], isBroken: false })
    expect(rows.filter(({ isBroken }) => isBroken).length).toBeGreaterThan(99_000)
  })

  it('leave the lines around them as they are, with their numbers', () => {
    const lines = [
      'Product ID,Name,Qty',
      '1,"two',
      'lines",1',
      '2,"open,1',
      '',
      '3,Tray 12" wide,1',
      '4,"two',
      'lines","bad"x',
      '"5" ,"closed" ,1',
      '6,"open at the end',
    ]
    expect(briefOf(lines.join('\n'))).toEqual([
      [2, '1|two\nlines|1'],
      [4, 'broken'],
      [6, '3|Tray 12" wide|1'],
      [7, 'broken'],
      [8, 'broken'],
      [9, '5|closed|1'],
      [10, 'broken'],
    ])
  })

  it('do not hide the delimiter, and do not count for the width of a file without column names', () => {
    expect(parseTable('Product ID|Name\n1|"a" b\n2|c\n')).toMatchObject({
      delimiter: { guess: '|', value: '|' },
      columnCount: 2,
    })
    expect(parseTable('sep=|\nProduct ID|Name, long\n1|2\n')).toMatchObject({
      delimiter: { guess: '|', value: '|' },
      columnCount: 2,
    })
    // Under a wrong delimiter every quoted line is a broken one; only the title isn't.
    const quoted = '"Product ID","Name"\n"1","A"\n"2","B"\n'
    expect(parseTable(`Products; Nov 21\n${quoted}`)).toMatchObject({
      delimiter: { guess: ',', value: ',' },
      header: { line: 2 },
    })
    expect(parseTable(`Products, Nov 21\n${quoted.replaceAll(',', ';')}`)).toMatchObject({
      delimiter: { guess: ';', value: ';' },
    })
    const broken = '7,"a" b,1\n'.repeat(3)
    expect(parseTable(`7,a,1\n8,b,2\n${broken}`)).toMatchObject({ header: null, columnCount: 3 })
  })

  it('and empty lines don’t count towards the most lines', () => {
    const text = `Product ID,Name\n\n${'1,"a" b\n\n2,c\n\n'.repeat(50)}`
    expect(parseTable(text, { mostLines: 11 })).toMatchObject({ isCut: true, rows: { length: 10 } })
    expect(parseTable(text, { mostLines: 101 })).toMatchObject({ isCut: false, rows: { length: 100 } })
  })
})

describe('what the columns are separated by', () => {
  const choicesIn = (text: string) => parseTable(text).delimiter.choices

  it('is a choice only where another one would give columns to most lines, or is named by the file', () => {
    expect(choicesIn('SKU,Name\n1,Blue Dune\n2,"Gummies; 10 pack"\n3,Dune\n')).toEqual([','])
    expect(choicesIn('Name\nDune\n')).toEqual([','])
    expect(choicesIn('SKU;Price\n1;2,5\n2;3,5\n')).toEqual([';', ','])
    expect(choicesIn('sep=;\nSKU;Price\n1;2,5\n2;3,5\n')).toEqual([';'])
  })

  it('is what a person says, and what was recognized is known still', () => {
    const table = parseTable('SKU;Price\n1;2,5\n2;3,5\n', { delimiter: ',' })
    expect(table.delimiter).toEqual({ guess: ';', value: ',', choices: [';', ','] })
    expect(table.rows[0]?.cells).toEqual(['1;2', '5'])
  })
})
