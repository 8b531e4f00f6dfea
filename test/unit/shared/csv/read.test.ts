import { describe, expect, it } from 'vitest'
import { readText } from '../../../../src-shared/csv/read'

const bytes = (...values: number[]) => Uint8Array.from(values)
const utf8 = (text: string) => new TextEncoder().encode(text)
const utf16 = (text: string, isBig: boolean) => {
  const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at))
  return bytes(...units.flatMap((unit) => (isBig ? [unit >> 8, unit & 255] : [unit & 255, unit >> 8])))
}
const text = 'Producto;SKU\r\nPiña "Niño" 🌿;1\r\n'

describe('the text of a file', () => {
  it.each([
    ['UTF-8', utf8(text), 'utf-8'],
    ['UTF-8 with its mark', bytes(0xef, 0xbb, 0xbf, ...utf8(text)), 'utf-8'],
    ['UTF-16, little end first', bytes(0xff, 0xfe, ...utf16(text, false)), 'utf-16le'],
    ['UTF-16, big end first', bytes(0xfe, 0xff, ...utf16(text, true)), 'utf-16be'],
  ])('is read as %s', (_, file, encoding) => {
    expect(readText(file)).toEqual({ ok: true, value: { text, encoding } })
  })

  it('is read as Windows-1252 if no other encoding fits, and says so', () => {
    // "Piña" and a euro sign as saved by older spreadsheets.
    const file = bytes(...utf8('SKU,Producto\nPi'), 0xf1, ...utf8('a,'), 0x80, ...utf8('5\n'))
    expect(readText(file)).toEqual({
      ok: true,
      value: { text: 'SKU,Producto\nPiña,€5\n', encoding: 'windows-1252' },
    })
  })

  it.each([
    ['an Excel workbook', bytes(0x50, 0x4b, 3, 4, 20, 0, 6, 0), 'csv/workbook'],
    ['an old Excel workbook', bytes(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1), 'csv/workbook'],
    ['a picture', bytes(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13), 'csv/binary'],
    ['a text with a NUL', utf8('a,b\0c\n'), 'csv/binary'],
    ['UTF-16 without its mark', utf16(text, false), 'csv/binary'],
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
