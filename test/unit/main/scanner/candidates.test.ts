import { describe, expect, it } from 'vitest'
import { candidatesAmong } from '../../../../src-main/scanner/roster'

const scanner = {
  path: '/dev/hidraw0',
  vendorId: 0x0c2e,
  productId: 0x0b8f,
  usagePage: 0x8c,
  usage: 2,
  release: 1,
  interface: 0,
}
const nameOf = (texts: object) => candidatesAmong([{ ...scanner, ...texts }])[0]?.name

describe('the scanners among the HID devices', () => {
  it('are found by usage page and usage, in path order, each path once', () => {
    const listed = [
      { ...scanner, path: 'b' },
      { ...scanner, path: 'a' },
      { ...scanner, path: 'a' },
      { ...scanner, path: 'c', usage: 1 },
      { ...scanner, path: 'd', usagePage: 0x8d },
    ]
    expect(candidatesAmong(listed).map(({ path }) => path)).toEqual(['a', 'b'])
  })

  it.each([
    ['a keyboard', 0x06],
    ['a keypad', 0x07],
  ])('exclude a device that is %s too, in either order of its entries', (_what, usage) => {
    const keys = { ...scanner, usagePage: 1, usage }
    expect(candidatesAmong([scanner, keys])).toEqual([])
    expect(candidatesAmong([keys, scanner])).toEqual([])
    expect(candidatesAmong([keys, { ...scanner, path: 'other' }])).toHaveLength(1)
  })

  it('exclude entries without a path, without a usage, or of another shape', () => {
    const { usage: _usage, ...withoutUsage } = scanner
    expect(
      candidatesAmong([
        { ...scanner, path: undefined },
        { ...scanner, path: '' },
      ]),
    ).toEqual([])
    expect(candidatesAmong([withoutUsage, { ...scanner, vendorId: 'x' }, null, 7, 'scanner', []])).toEqual([])
  })
})

describe('the name of a scanner', () => {
  it.each([
    [{ manufacturer: 'Honeywell', product: 'Voyager 1450g' }, 'Honeywell Voyager 1450g'],
    [{ manufacturer: 'Honeywell', product: 'honeywell Voyager' }, 'honeywell Voyager'],
    [{ manufacturer: 'Datalogic ADC, Inc.' }, 'Datalogic ADC, Inc.'],
    [{ product: 'Handheld Scanner' }, 'Handheld Scanner'],
    [{ manufacturer: ' \u0000Sym\u0007bol\n', product: '\tBar  Code\u0000\u0000 ' }, 'Sym bol Bar Code'],
    [{ manufacturer: '', product: '  ' }, 'Scanner 0c2e:0b8f'],
    [{ manufacturer: null, product: undefined }, 'Scanner 0c2e:0b8f'],
  ])('of %j is %s', (texts, name) => {
    expect(nameOf(texts)).toBe(name)
  })

  it('is at most 80 characters long', () => {
    expect(nameOf({ product: 'x'.repeat(5_000) })).toHaveLength(80)
  })
})
