import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { codesOf } from '../../../src-practice/practice-codes'
import { parseDataFile } from '../../../src-practice/data-file'

const parsed = parseDataFile(readFileSync(join(import.meta.dirname, '../../../resources/practice/store.json'), 'utf8'))
if (!parsed.ok) throw new Error(parsed.error)
const data = parsed.value
const here = data.dispensaries.find(({ name }) => name === 'Green Door, Newark')?.uuid ?? ''
const codes = codesOf(data, here)
const cases = codes.filter(({ kind }) => kind === 'case')

describe('the practice codes', () => {
  it('show each identifier as it is printed, even if its code contains it encoded', () => {
    expect(codes.map(({ text }) => text)).toContain('https://tag.example/case/HF%202026%2F0417')
    expect(codes.find(({ identifier }) => identifier === 'HF 2026/0417')).toMatchObject({
      text: 'https://tag.example/case/HF%202026%2F0417',
      label: 'Hudson Ground, 7 g',
      brand: 'Hudson Fields',
      items: { count: 12, required: 12 },
    })
  })

  it('show for each case which dispensary imported it, and how many items are missing', () => {
    expect(cases.map(({ about, importer }) => [about, importer])).toEqual([
      [null, null],
      [null, null],
      [null, null],
      ['two-products', null],
      ['imported-by-company', 'Green Door, Hoboken'],
      ['imported-by-stranger', 'Corner Leaf, Jersey City'],
      ['short', null],
      ['imported-here', 'Green Door, Newark'],
      [null, null],
      [null, null],
      ['short', null],
      ...Array.from({ length: 4 }, () => ['imported-here', 'Green Door, Newark']),
    ])
    expect(cases[6]?.items).toEqual({ count: 18, required: 20 })
  })

  it('put every item into a case of the same list, or loose into a package, under a product with a brand', () => {
    const tags = codes.filter(({ kind }) => kind === 'tag')
    expect(tags).toHaveLength(30)
    const texts = cases.map(({ text }) => text)
    expect(tags.filter(({ caseText }) => caseText === null)).toHaveLength(2)
    for (const { caseText, brand, identifier, text } of tags) {
      if (caseText !== null) expect(texts).toContain(caseText)
      expect(brand).not.toBeFalsy()
      expect(text.endsWith(`/${identifier}`)).toBe(true)
    }
  })

  it('contain each text once, so that a scanned code has one meaning', () => {
    expect(new Set(codes.map(({ text }) => text)).size).toBe(codes.length)
  })

  it('show the cases, but no packages and nothing to sell, to a dispensary without deliveries', () => {
    const elsewhere = codesOf(data, 'unknown')
    expect(elsewhere.filter(({ kind }) => kind === 'package')).toEqual([])
    expect(elsewhere.filter(({ kind, about }) => kind === 'tag' && about === null)).toEqual([])
    expect(elsewhere.filter(({ kind }) => kind === 'case')).toHaveLength(15)
  })
})
