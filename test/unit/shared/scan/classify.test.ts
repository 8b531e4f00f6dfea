import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toShortUuid } from '../../../../src-shared/ids'
import { classify, longestCode } from '../../../../src-shared/scan/classify'
import { KnownPrefixes } from '../../../../src-shared/scan/known'
import { Meaning, Place } from '../../../../src-shared/scan/meaning'
import fixture from '../../../fixtures/shortuuid.json'

const id = 'VaVSFGDiox2pHf8GmQmTfG'
const other = 'nMqAx3W9PVPh23ndvzBh95'
const uuid = '9af49740-96f5-40ee-9e25-02420ae59635'
const metrc = '1A4060300020081000006609'
const places = fc.constantFrom(...Place.options)

describe('classify', () => {
  it.each([
    `https://tag.example/${id}`,
    `HTTPS://TAG.EXAMPLE/${id}`,
    `http://tag.example/some/where/${id}/`,
    `https://tag.example/${id}?utm=label#top`,
    `https://tag.example/${uuid.toUpperCase()}`,
    `]Q1https://tag.example/${id}`,
    `  https://tag.example/${id}\r\n`,
    `\u0002https://tag.example/${id}\u0003`,
  ])('reads the address %j as an item on every screen', (text) => {
    for (const place of Place.options) {
      expect(classify(text, place)).toEqual({ kind: 'tag', tagId: id, certain: true })
    }
  })

  it.each([
    `https://tag.example/case/${id}`,
    `https://tag.example/CASE/${id}/`,
    `]d2https://tag.example/x/case/${uuid}`,
  ])('reads the address %j as a case', (text) => {
    expect(classify(text, 'checkout')).toEqual({ kind: 'case', identifier: id, caseId: id, certain: true })
  })

  it('reads a case with a slash and a space in its identifier', () => {
    expect(classify('https://tag.example/case/HARVEST%2024%2F7', 'receiving')).toEqual({
      kind: 'case',
      identifier: 'HARVEST 24/7',
      caseId: null,
      certain: true,
    })
  })

  it('reads a bare id as a case in receiving and as an item elsewhere, and marks it as uncertain', () => {
    expect(classify(id, 'receiving')).toMatchObject({ kind: 'case', caseId: id, certain: false })
    expect(classify(uuid, 'checkout')).toEqual({ kind: 'tag', tagId: id, certain: false })
    expect(classify(id, 'other')).toMatchObject({ kind: 'tag', certain: false })
  })

  it.each(fixture.valid)('knows $short and $uuid in every printed form', ({ short, uuid: long }) => {
    const forms = [short, long, long.toUpperCase(), `{${long}}`, `{${long.toUpperCase()}}`, `urn:uuid:${long}`]
    for (const form of [...forms, `URN:UUID:${long.toUpperCase()}`]) {
      expect(classify(form, 'checkout')).toEqual({ kind: 'tag', tagId: short, certain: false })
      expect(classify(`https://tag.example/${encodeURIComponent(form)}`, 'receiving')).toMatchObject({ tagId: short })
      expect(classify(`https://tag.example/case/${form}`, 'other')).toMatchObject({ caseId: short, identifier: short })
    }
  })

  it.each(fixture.invalid)('does not read %j as an id, in an address either', (text) => {
    expect(classify(text, 'checkout')).not.toMatchObject({ kind: 'tag' })
    expect(classify(text, 'receiving')).not.toMatchObject({ kind: 'case' })
    expect(classify(`https://tag.example/${encodeURIComponent(text)}`, 'checkout')).not.toMatchObject({ kind: 'tag' })
  })

  it.each([
    ['', 'empty'],
    ['   ', 'empty'],
    [']Q1', 'empty'],
    ['\u0000', 'empty'],
    ['hello', 'other'],
    ['10482', 'other'],
    ['javascript:alert(1)', 'other'],
    ['https://', 'other'],
    ['https://tag.example/', 'foreign-address'],
    ['https://tag.example/%ZZ', 'foreign-address'],
    ['https://tag.example/case/', 'foreign-address'],
    ['https://tag.example/case/%ZZ', 'foreign-address'],
    ['https://tag.example/case/%00', 'foreign-address'],
    ['https://tag.example/about', 'foreign-address'],
    [`https://tag.example/${id.slice(1)}`, 'foreign-address'],
    [id.slice(1), 'near-id'],
    [`${id}x`, 'near-id'],
    ['z'.repeat(22), 'near-id'],
    [`ab\u0000cd`, 'damaged'],
    ['VaVSFGDiox2pHf8GmQmT\ufffdG', 'damaged'],
    ['ab\ud800cd', 'damaged'],
    ['x'.repeat(10_000), 'too-long'],
    ['x'.repeat(longestCode + 1), 'too-long'],
  ])('does not recognize %j, and says why: %s', (text, reason) => {
    expect(classify(text, 'receiving')).toMatchObject({ kind: 'unknown', reason })
  })

  it.each([
    `https://tag.example/${id}https://tag.example/${other}`,
    `https://tag.example/${id} https://tag.example/${other}`,
    `https://tag.example/${id}\r\nhttps://tag.example/${other}`,
    `https://tag.example/${id}?utm=label https://tag.example/${other}`,
    `https://tag.example/case/${id}HTTPS://TAG.EXAMPLE/case/${other}`,
    `HTTPS://1A4.COM/5LN8CBN1UB33DON9CHKXHTTPS://1A4.COM/5LN8CBN1UB33DON9CHKX`,
    `https://tag.example/${id} ${other}`,
    `https://tag.example/${id}\t${metrc}`,
    `${id}https://tag.example/${other}`,
    `${metrc}\nhttps://tag.example/${other}`,
    `]Q1https://tag.example/${id}]Q1https://tag.example/${other}`,
    `https://tag.example/${id}?s=1${metrc}`,
    `https://tag.example/${id}#top${metrc}`,
    `https://tag.example/case/${id}${other}`,
    `https://tag.example/${id}${other}/`,
    `${id}${other}`,
  ])('never takes one of two codes in %j', (text) => {
    for (const place of Place.options) {
      for (const symbology of [null, ']Q1', ']C1']) {
        expect(classify(text, place, { symbology })).toMatchObject({ kind: 'unknown', reason: 'several' })
      }
    }
  })

  it.each(['036000291452036000291452', '036000291452012345678905', '9638507496385074'])(
    'takes %s, two barcodes of products, for no package',
    (text) => {
      for (const place of Place.options)
        expect(classify(text, place)).toMatchObject({ kind: 'unknown', reason: 'several' })
    },
  )

  it('still takes digits of that length for a package, or for the elements of a product', () => {
    expect(classify('1234567890123456', 'receiving')).toMatchObject({ kind: 'package' })
    expect(classify('9638507412345670', 'receiving')).toMatchObject({ kind: 'package' })
    // Both halves have the check digit of a UPC.
    expect(classify('010950600007000117270204', 'receiving')).toMatchObject({ kind: 'gs1' })
  })

  it.each([
    `https://tag.example/${id}?from=https://shop.example/x`,
    `https://tag.example/${id}?package=${metrc}`,
    `https://shop.example/go?to=https%3A%2F%2Ftag.example%2Fx#${id}`,
  ])('takes an address in the query of %j for a part of it', (text) => {
    expect(classify(text, 'checkout')).not.toMatchObject({ reason: 'several' })
  })

  it.each([`${id}${other}`, `${id} ${other}`, `${metrc}${metrc}`, `(01)09506000134352(01)09506000134369`])(
    'takes no item, case or package from %j',
    (text) => {
      for (const place of Place.options) expect(classify(text, place).kind).toBe('unknown')
    },
  )

  it('keeps the printable part of an unknown text', () => {
    expect(classify('  hello ', 'other')).toMatchObject({ text: 'hello' })
    expect(classify('x'.repeat(10_000), 'other')).toMatchObject({ text: 'x'.repeat(longestCode) })
  })

  it('gives any text a meaning, whatever the scanner reports and the station knows', () => {
    const texts = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary', maxLength: 700 }),
      fc.webUrl({ withFragments: true, withQueryParameters: true }),
      fc.string().map((path) => `https://tag.example/case/${path}`),
      fc.stringMatching(/^[0-9A-Za-z]{20,26}$/),
      fc.stringMatching(/^\]?[A-Za-z]?[0-9]?\(?0[0-2][0-9()|]{0,60}$/).map((text) => text.replaceAll('|', '\u001d')),
      fc.stringMatching(/^https:\/\/1A4\.COM\/[0-9A-Z]{10,40}$/),
    )
    const contexts = fc.record({
      symbology: fc.option(fc.oneof(fc.string({ maxLength: 4 }), fc.constantFrom(']Q1', ']C1', ']d2', 'x]Q', ']E0'))),
      known: fc
        .record({
          tagPrefixes: fc.array(fc.string(), { maxLength: 3 }),
          casePrefixes: fc.array(fc.oneof(fc.string(), fc.constant('https://tag.example/')), { maxLength: 3 }),
          scanPrefixes: fc.record({ order: fc.string({ maxLength: 3 }), badge: fc.string({ maxLength: 3 }) }),
        })
        .map((known) => KnownPrefixes.parse(known)),
    })
    fc.assert(
      fc.property(texts, places, contexts, (text, place, context) => {
        const meaning = classify(text, place, context)
        expect(Meaning.parse(meaning)).toEqual(meaning)
      }),
      { numRuns: 2_000 },
    )
  })

  it('reads no more of a text than the length of the longest code', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }), places, (piece, place) => {
        const meaning = classify(piece.repeat(5_000), place)
        expect(meaning).toMatchObject({ kind: 'unknown', reason: 'too-long' })
        expect(meaning.kind === 'unknown' && meaning.text.length <= longestCode).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  it('recovers every id from every printed form', () => {
    fc.assert(
      fc.property(fc.uuid(), places, (long, place) => {
        const short = toShortUuid(long)
        for (const form of [short, long, long.toUpperCase(), `{${long}}`, `urn:uuid:${long}`]) {
          expect(classify(`https://any.example/x/${form}`, place)).toMatchObject({ kind: 'tag', tagId: short })
          expect(classify(`https://any.example/case/${form}`, place)).toMatchObject({ kind: 'case', caseId: short })
          expect(classify(`${form}`, place)).toMatchObject(
            place === 'receiving' ? { kind: 'case', caseId: short } : { kind: 'tag', tagId: short },
          )
        }
      }),
      { numRuns: 500 },
    )
  })

  describe('with the prefixes set at a station', () => {
    const known = KnownPrefixes.parse({ scanPrefixes: { order: 'ORD-', badge: 'ORD-E' } })

    it('recognizes orders and badges by their prefixes, ignoring case, and removes the prefixes', () => {
      expect(classify('ORD-10482', 'checkout', { known })).toEqual({ kind: 'order', orderId: '10482' })
      expect(classify(']C0ord-10482\r', 'other', { known })).toEqual({ kind: 'order', orderId: '10482' })
      expect(classify('ORD-E77', 'checkout', { known })).toEqual({ kind: 'badge', badge: '77' })
    })

    it('never reads an id, a Metrc tag or an address as an order', () => {
      const greedy = KnownPrefixes.parse({ scanPrefixes: { order: '1', badge: 'h' } })
      expect(classify(metrc, 'checkout', { known: greedy })).toMatchObject({ kind: 'package' })
      expect(classify(`1${id.slice(1)}`, 'checkout', { known: greedy })).toMatchObject({ kind: 'order' })
      expect(classify(`2${id.slice(1)}`, 'checkout', { known: greedy })).toMatchObject({ kind: 'tag' })
      expect(classify(`https://tag.example/${id}`, 'checkout', { known: greedy })).toMatchObject({ kind: 'tag' })
    })

    it.each(['ORD-', 'ORD-   ', `ORD-${'1'.repeat(101)}`])('does not read %j as an order', (text) => {
      expect(classify(text, 'checkout', { known })).toMatchObject({ kind: 'unknown' })
    })
  })
})

describe('a join code', () => {
  const text = `CTJOIN1${'MZXW6YTBOI'.repeat(300)}`

  it('is known by its form on every screen, whatever a scanner adds, and its meaning holds nothing of it', () => {
    for (const place of ['receiving', 'checkout', 'other'] as const)
      for (const read of [text, text.toLowerCase(), `]Q1${text}\r\n`, ` ${text} `, text.slice(0, 40), text.slice(500)])
        expect(classify(read, place)).toEqual({ kind: 'join' })
    expect(classify(text, 'checkout', { symbology: 'Q1' })).toEqual({ kind: 'join' })
  })

  it('is not mistaken for another code', () => {
    expect(classify('CTJOIN', 'checkout').kind).toBe('unknown')
    expect(classify('A'.repeat(99), 'checkout').kind).toBe('unknown')
    expect(classify('8'.repeat(200), 'checkout').kind).toBe('unknown')
    expect(classify('A'.repeat(5_000), 'checkout')).toMatchObject({ kind: 'unknown', reason: 'too-long' })
  })
})
