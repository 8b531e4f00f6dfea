import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toShortUuid, toUuid } from '../../../../src-shared/ids'
import { classify } from '../../../../src-shared/scan/classify'
import { KnownPrefixes, learn } from '../../../../src-shared/scan/known'

const id = 'VaVSFGDiox2pHf8GmQmTfG'

describe('a learned prefix', () => {
  it.each([
    [`https://tag.example/${id}`, 'https://tag.example/'],
    [`https://tag.example/t/${id}/`, 'https://tag.example/t/'],
    [`https://tag.example/?t=${id}`, 'https://tag.example/?t='],
    [`https://tag.example/t?id=${id}&from=label`, 'https://tag.example/t?id='],
    [`https://tag.example/${toUuid(id)}`, 'https://tag.example/'],
    [`https://tag.example/${toUuid(id)?.toUpperCase()}?x`, 'https://tag.example/'],
  ])('from %s is %s', (url, prefix) => {
    expect(learn(url, id)).toBe(prefix)
  })

  it('is found before a percent-encoded identifier', () => {
    expect(learn('https://tag.example/case/HF%202026%2F0417', 'HF 2026/0417')).toBe('https://tag.example/case/')
  })

  it.each([
    ['https://tag.example/other', id],
    [`https://tag.example/${id}/more`, id],
    [`https://${id}`, id],
    [`https://${id}/`, id],
    [id, id],
    [`ftp://tag.example/${id}`, id],
    ['https://tag.example/', ''],
    ['', ''],
    ['https://tag.example/\ud800', '\ud800x'],
  ])('is not learned from %j and %j', (url, identifier) => {
    expect(learn(url, identifier)).toBeUndefined()
  })

  it('identifies items and cases of another brand, whose addresses look alike', () => {
    const known = KnownPrefixes.parse({
      tagPrefixes: ['https://brand.example/i/', 'https://brand.example/?item='],
      casePrefixes: ['https://brand.example/i/box/', 'https://brand.example/?box='],
    })
    const read = (text: string) => classify(text, 'other', { known })
    expect(read(`https://brand.example/i/box/${id}`)).toMatchObject({ kind: 'case', caseId: id, certain: true })
    expect(read('HTTPS://BRAND.EXAMPLE/i/box/A%2F7?x=1')).toMatchObject({ kind: 'case', identifier: 'A/7' })
    expect(read(`https://brand.example/?box=${id}&from=label`)).toMatchObject({ kind: 'case', caseId: id })
    expect(read(`https://brand.example/?item=${id}#top`)).toMatchObject({ kind: 'tag', tagId: id })
    expect(read(`https://brand.example/i/${id}`)).toMatchObject({ kind: 'tag', tagId: id })
    expect(read(`https://other.example/${id}`)).toMatchObject({ kind: 'tag', tagId: id })
  })

  it('takes priority over a GS1 reading of the same address', () => {
    const known = KnownPrefixes.parse({ casePrefixes: ['https://brand.example/01/'] })
    expect(classify('https://brand.example/01/09506000134352', 'other')).toMatchObject({ kind: 'gs1' })
    expect(classify('https://brand.example/01/09506000134352', 'other', { known })).toMatchObject({
      kind: 'case',
      identifier: '09506000134352',
    })
  })

  it.each(['https://tag.example/', 'https://tag.example/%ZZ', 'https://tag.example/%00'])(
    'does not apply to %s, which contains no identifier',
    (text) => {
      const known = KnownPrefixes.parse({
        tagPrefixes: ['', 'https://tag.example/'],
        casePrefixes: ['https://tag.example/'],
      })
      expect(classify(text, 'other', { known })).toMatchObject({ kind: 'unknown' })
    },
  )

  it('returns the item of any address it was learned from', () => {
    fc.assert(
      fc.property(fc.webUrl(), fc.uuid(), fc.boolean(), (base, uuid, isCase) => {
        const short = toShortUuid(uuid) ?? ''
        const url = `${base.replace(/\/?$/, '/')}${short}`
        const prefix = learn(url, short)
        expect(prefix).toBeDefined()
        const known = KnownPrefixes.parse(isCase ? { casePrefixes: [prefix] } : { tagPrefixes: [prefix] })
        expect(classify(url, 'other', { known })).toMatchObject(isCase ? { caseId: short } : { tagId: short })
      }),
      { numRuns: 50 },
    )
  })
})
