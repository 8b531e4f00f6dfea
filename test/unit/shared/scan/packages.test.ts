import { describe, expect, it } from 'vitest'
import { isPackageByLengthOnly, packageUidOf } from '../../../../src-shared/scan/packages'

const tag = '1A40E0300000B2F000000901'

describe('a package in a field', () => {
  it.each([
    ['a tag in lower case', ' 1a40e0300000b2f000000901 ', tag],
    ['a code of the length of a tag', 'abcdefghijklmnopqrstuvwx', 'ABCDEFGHIJKLMNOPQRSTUVWX'],
    ['a BioTrack number', '1234567890123456', '1234567890123456'],
    ['a name that has no known form', ' Back room, May ', 'Back room, May'],
    ['nothing', '  ', ''],
  ])('is written as a scan writes it: %s', (_what, entered, packageUid) => {
    expect(packageUidOf(entered)).toBe(packageUid)
  })
})

describe('a text that is a package by its length only', () => {
  it('has no form that only package tags have', () => {
    expect([tag, 'abcdefghijklmnopqrstuvwx', '1234567890123456', 'Back room'].map(isPackageByLengthOnly)).toEqual([
      false,
      true,
      true,
      false,
    ])
  })
})
