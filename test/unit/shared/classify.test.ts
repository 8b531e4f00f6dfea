import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { classify } from '../../../src-shared/scan/classify'

const id = 'VaVSFGDiox2pHf8GmQmTfG'
const uuid = '9af49740-96f5-40ee-9e25-02420ae59635'
const metrc = '1A4060300020081000006609'

describe('classify', () => {
  it.each([
    `https://tag.example/${id}`,
    `HTTPS://TAG.EXAMPLE/${id}`,
    `http://tag.example/some/where/${id}/`,
    `https://tag.example/${id}?utm=label#top`,
    `https://tag.example/${uuid.toUpperCase()}`,
    `]Q1https://tag.example/${id}`,
    `  https://tag.example/${id}\r\n`,
  ])('takes the address %j for an item, wherever it was scanned', (text) => {
    for (const place of ['receiving', 'checkout', 'other'] as const) {
      expect(classify(text, place)).toEqual({ kind: 'tag', tagId: id, certain: true })
    }
  })

  it.each([
    `https://tag.example/case/${id}`,
    `https://tag.example/CASE/${id}/`,
    `]d2https://tag.example/x/case/${uuid}`,
  ])('takes the address %j for a case', (text) => {
    expect(classify(text, 'checkout')).toEqual({ kind: 'case', identifier: id, caseId: id, certain: true })
  })

  it('reads a case whose brand chose a text with a slash and a space for it', () => {
    expect(classify('https://tag.example/case/HARVEST%2024%2F7', 'receiving')).toEqual({
      kind: 'case',
      identifier: 'HARVEST 24/7',
      caseId: null,
      certain: true,
    })
  })

  it('takes a bare id for a case in receiving and for an item elsewhere, and says that it is not certain', () => {
    expect(classify(id, 'receiving')).toMatchObject({ kind: 'case', caseId: id, certain: false })
    expect(classify(uuid, 'checkout')).toEqual({ kind: 'tag', tagId: id, certain: false })
    expect(classify(id, 'other')).toMatchObject({ kind: 'tag', certain: false })
  })

  it('takes 24 letters and digits for a package, in capitals', () => {
    expect(classify(metrc.toLowerCase(), 'checkout')).toEqual({ kind: 'package', packageUid: metrc })
    expect(classify(`]C0${metrc}`, 'receiving')).toEqual({ kind: 'package', packageUid: metrc })
  })

  it.each([
    '',
    '   ',
    'hello',
    '10482',
    'https://',
    'https://tag.example/',
    'https://tag.example/%ZZ',
    'https://tag.example/case/',
    'https://tag.example/about',
    'x'.repeat(10_000),
    '\u0000',
    ']Q1',
    'javascript:alert(1)',
  ])('says that %j is no code it knows', (text) => {
    expect(classify(text, 'receiving')).toEqual({ kind: 'unknown', text: text.trim() })
  })

  it('gives a meaning to any text at all', () => {
    const places = fc.constantFrom('receiving' as const, 'checkout' as const, 'other' as const)
    const texts = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.webUrl({ withFragments: true, withQueryParameters: true }),
      fc.string().map((path) => `https://tag.example/case/${path}`),
      fc.stringMatching(/^[0-9A-Za-z]{20,26}$/),
    )
    fc.assert(
      fc.property(texts, places, (text, place) => {
        expect(['tag', 'case', 'package', 'unknown']).toContain(classify(text, place).kind)
      }),
      { numRuns: 3_000 },
    )
  })
})
