import fc from 'fast-check'
import { parseBarcode } from 'gs1-barcode-parser-mod'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { classify } from '../../../../src-shared/scan/classify'
import { guessElements, readElements, readGtin, readProductCode } from '../../../../src-shared/scan/gs1'

const gs = '\u001d'
const gtin = '09506000134352'

describe('GS1 element strings', () => {
  it.each([
    [`01${gtin}`, { gtin, batch: null, serial: null }],
    [`01${gtin}10AB-12`, { gtin, batch: 'AB-12', serial: null }],
    [`${gs}01${gtin}10AB-12${gs}2177`, { gtin, batch: 'AB-12', serial: '77' }],
    [`01${gtin}1726113010AB${gs}21X`, { gtin, batch: 'AB', serial: 'X' }],
    [`(01)${gtin}(10)AB(2)C(21)X`, { gtin, batch: 'AB(2)C', serial: 'X' }],
    [`10LOT${gs}21SER`, { gtin: null, batch: 'LOT', serial: 'SER' }],
    [`02${gtin}3712`, { gtin, batch: null, serial: null }],
    [`3103000123${gs}10A`, { gtin: null, batch: 'A', serial: null }],
  ])('are read from %j', (text, elements) => {
    expect(readElements(text)).toEqual(elements)
  })

  it.each([
    ...['7041ABCD', '4330000212-', '70112611301200', '716A1', '7172B', '8014MUDI', '725820A', '7242VCN'],
    `8040${'1'.repeat(15)}`,
  ])('are read from %s, given out in 2023 to 2025', (element) => {
    expect(readElements(`${element}${gs}10A`)).toEqual({ gtin: null, batch: 'A', serial: null })
  })

  it.each([
    '',
    gs,
    '01',
    '0109506000134353',
    '01095060001343',
    `01${gtin}10`,
    `01${gtin}10${'x'.repeat(21)}`,
    `01${gtin}98`,
    `01${gtin}0`,
    `01${gtin}10AB\u00e9`,
    '(01)',
    `(01)${gtin}(10`,
    `(9999)${gtin}`,
    'hello',
  ])('are not found in %j', (text) => {
    expect(readElements(text)).toBeUndefined()
  })

  it('are guessed only from a complete structure that begins with a key', () => {
    expect(guessElements(`01${gtin}10AB`)).toMatchObject({ gtin, batch: 'AB' })
    expect(guessElements(`(01)${gtin}`)).toMatchObject({ gtin })
    expect(guessElements('10482')).toBeUndefined()
    expect(guessElements('2177')).toBeUndefined()
  })

  it('are limited to sixteen, because a longer text is not a label', () => {
    const elements = (count: number) => Array.from({ length: count }, () => '10LOT').join('\u001d')
    expect(readElements(elements(16))).toMatchObject({ batch: 'LOT' })
    expect(readElements(elements(17))).toBeUndefined()
    const bracketed = (count: number) => '(10)LOT'.repeat(count)
    expect(readElements(bracketed(16))).toMatchObject({ batch: 'LOT' })
    expect(readElements(bracketed(17))).toBeUndefined()
  })

  it('are not found where one identifier has two values: two codes came at once', () => {
    const [one, other] = ['09506000134352', '09506000134369']
    expect(readElements(`01${one}01${other}`)).toBeUndefined()
    expect(readElements(`(01)${one}(01)${other}`)).toBeUndefined()
    expect(readElements(`01${one}10A${gs}01${one}10A`)).toMatchObject({ gtin: one, batch: 'A' })
  })

  it.each([
    ['a returnable asset', '800300614141123452ABC123'],
    ['a service relation', '8018123456789012345675'],
    ['a place to ship to', '410950600013435242112345X'],
    ['a temperature', '4330000500-'],
    ['a harvest date', '7007261126261127'],
    ['a price with decimals', '392212345'],
    ['a component', '8010#ABC-1'],
    ['one that looks like an id', '22ABCDEFGH23456789ABCD'],
    ['one that looks like a package of BioTrack', '8001123456789012'],
  ])('of %s are never a package or an item if the scanner declares GS1', (_what, text) => {
    for (const place of ['checkout', 'receiving', 'other'] as const) {
      for (const aim of [']C1', ']d2', ']Q3', ']e0', ']J1']) {
        expect(classify(`${aim}${text}`, place).kind, aim).toMatch(/gs1|unknown/)
        expect(classify(text, place, { symbology: aim }).kind, aim).toMatch(/gs1|unknown/)
      }
    }
  })

  it('of a declared GS1 code whatever its text: never a package by its length', () => {
    const lookAlike = fc.oneof(fc.stringMatching(/^[0-9A-Z]{24}$/), fc.stringMatching(/^[0-9]{16}$/))
    fc.assert(
      fc.property(
        lookAlike.filter((text) => !/^1A4[0-9A-F]{21}$/.test(text)),
        (text) => {
          expect(classify(text, 'receiving', { symbology: ']C1' }).kind).not.toBe('package')
        },
      ),
    )
  })

  it('are read the same way by another library', () => {
    const Parsed = z.object({
      parsedCodeItems: z.array(z.object({ ai: z.string(), data: z.union([z.string(), z.number(), z.date()]) })),
    })
    const value = fc.stringMatching(/^[0-9A-Z]{1,20}$/)
    fc.assert(
      fc.property(value, value, fc.stringMatching(/^\d{13}$/), (batch, serial, digits) => {
        const key = Array.from('0123456789', (check) => digits + check).find((text) => readGtin(text) !== undefined)
        const text = `01${key}10${batch}${gs}21${serial}`
        const theirs = Parsed.parse(parseBarcode(`]d2${text}`)).parsedCodeItems
        const dataOf = (ai: string) => theirs.find((item) => item.ai === ai)?.data
        expect(readElements(text)).toEqual({ gtin: dataOf('01'), batch: dataOf('10'), serial: dataOf('21') })
      }),
      { numRuns: 300 },
    )
  })

  it('mean a product barcode, never an item, since they identify only the product', () => {
    const meaning = { kind: 'gs1', gtin, batch: 'AB', serial: '77' }
    expect(classify(`01${gtin}10AB${gs}2177`, 'checkout')).toMatchObject(meaning)
    expect(classify(`https://id.gs1.org/01/${gtin}/10/AB/21/77?x=1`, 'checkout')).toMatchObject(meaning)
    expect(classify('9506000134352', 'checkout', { symbology: ']E0' })).toMatchObject({
      kind: 'gs1',
      gtin,
      batch: null,
    })
  })

  it('follow the AIM id if a BioTrack number looks the same', () => {
    const text = `01${gtin}`
    expect(classify(text, 'receiving')).toMatchObject({ kind: 'gs1', gtin })
    expect(classify(text, 'receiving', { symbology: ']C1' })).toMatchObject({ kind: 'gs1', gtin })
    expect(classify(`]C0${text}`, 'receiving')).toEqual({ kind: 'package', packageUid: text })
    expect(classify('0109506000134353', 'receiving')).toEqual({ kind: 'package', packageUid: '0109506000134353' })
    expect(classify('8832345600001234', 'receiving')).toEqual({ kind: 'package', packageUid: '8832345600001234' })
  })

  it('leave digits of no product as they are without an AIM id', () => {
    expect(classify('9506000134353', 'checkout')).toMatchObject({ kind: 'unknown' })
  })
})

describe('a GTIN', () => {
  it.each(['96385074', '036000291452', '4006381333931', '10614141000415'])('%s is padded to 14 digits', (digits) => {
    expect(readGtin(digits)).toBe(digits.padStart(14, '0'))
  })
  it.each(['96385075', '4006381333930', '123', '', '400638133393x', '1'.repeat(15)])(
    'is not read from %j',
    (digits) => {
      expect(readGtin(digits)).toBeUndefined()
    },
  )
})

describe('a product barcode without its kind', () => {
  it.each([
    ['UPC-A', '036000291452', '00036000291452'],
    ['UPC-A of a practice product', '850022150746', '00850022150746'],
    ['EAN-13', '4006381333931', '04006381333931'],
    ['EAN-8', '96385074', '00000096385074'],
    ['ITF-14', '10012345678902', '10012345678902'],
    ['UPC-E ending in 0 to 2', '04252614', '00042100005264'],
    ['UPC-E ending in 3', '01234531', '00012300000451'],
    ['UPC-E ending in 4', '01234543', '00012340000053'],
    ['UPC-E ending in 5 to 9', '01234565', '00012345000065'],
  ])('is read by its check digit: %s', (_kind, text, gtin) => {
    expect(readProductCode(text)).toBe(gtin)
    for (const place of ['checkout', 'receiving', 'other'] as const) {
      expect(classify(text, place)).toEqual({ kind: 'gs1', text, gtin, batch: null, serial: null })
    }
  })

  it.each(['036000291453', '4006381333930', '96385075', '04252615', '12345', '1234567890', '12345678901', ''])(
    'is not found in %j',
    (text) => {
      expect(readProductCode(text)).toBeUndefined()
      expect(classify(text, 'checkout').kind).toBe('unknown')
    },
  )

  it('is not guessed where the scanner says that it is another kind, and never before an order prefix', () => {
    expect(classify('036000291452', 'checkout', { symbology: ']C0' }).kind).toBe('unknown')
    expect(classify('036000291452', 'checkout', { symbology: ']E0' }).kind).toBe('gs1')
    const known = { tagPrefixes: [], casePrefixes: [], scanPrefixes: { order: '0360', badge: '' } }
    expect(classify('036000291452', 'checkout', { known })).toEqual({ kind: 'order', orderId: '00291452' })
  })
})
