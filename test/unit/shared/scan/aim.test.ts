import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { familyOf, readAim } from '../../../../src-shared/scan/aim'

describe('the AIM id', () => {
  it.each([
    [']Q1abc', undefined, 'abc', ']Q1'],
    ['\u0002]Q1abc\r\n', undefined, 'abc', ']Q1'],
    ['abc', ']Q1', 'abc', ']Q1'],
    ['abc', 'Q1', 'abc', ']Q1'],
    ['abc', ']Q1\0', 'abc', ']Q1'],
    [']Q1abc', ']Q1', 'abc', ']Q1'],
    ['abc', null, 'abc', null],
    ['abc', '', 'abc', null],
    ['abc', '???', 'abc', null],
    [']Qabc', undefined, 'bc', ']Qa'],
    [']9abc', undefined, ']9abc', null],
    [']', undefined, ']', null],
    [']C1\u001d0112', undefined, '\u001d0112', ']C1'],
  ])('is found in %j, reported as %j', (scanned, symbology, text, aim) => {
    expect(readAim(scanned, symbology)).toEqual({ text, aim })
  })

  it.each(['x]Q', '\u0000]Q', ']Q'])('is put together again if the report is one byte late (%j)', (symbology) => {
    expect(readAim('1https://tag.example/', symbology)).toEqual({ text: 'https://tag.example/', aim: ']Q1' })
  })

  it('is left alone if the rest of a late report is missing', () => {
    expect(readAim('', 'x]Q')).toEqual({ text: '', aim: null })
    expect(readAim('/abc', 'x]Q')).toEqual({ text: '/abc', aim: null })
  })

  it('says what the code may contain', () => {
    expect([']C1', ']d2', ']Q3', ']e0', ']J1'].map(familyOf)).toEqual(Array(5).fill('gs1'))
    expect([']E0', ']E4'].map(familyOf)).toEqual(['retail', 'retail'])
    expect([']C0', ']Q1', ']d1', null].map(familyOf)).toEqual(['plain', 'plain', 'plain', 'unsaid'])
  })

  it('is separated from any text, and the rest of the text stays unchanged', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[!-~]{1,40}$/), fc.stringMatching(/^[A-Za-z][0-9A-Za-z]$/), (text, letters) => {
        fc.pre(!/^\][A-Za-z][0-9A-Za-z]/.test(text))
        expect(readAim(`]${letters}${text}`)).toEqual({ text, aim: `]${letters}` })
        expect(readAim(text, `]${letters}`)).toEqual({ text, aim: `]${letters}` })
      }),
    )
  })
})
