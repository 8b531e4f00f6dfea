import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { classify } from '../../../../src-shared/scan/classify'

const metrc = '1A4060300020081000006609'

describe('a package code', () => {
  it('is 24 letters and digits, in capitals', () => {
    expect(classify(metrc.toLowerCase(), 'checkout')).toEqual({ kind: 'package', packageUid: metrc })
    expect(classify(`]C0${metrc}`, 'receiving')).toEqual({ kind: 'package', packageUid: metrc })
    expect(classify('ZZ4FF0000000000000001234', 'receiving')).toMatchObject({ kind: 'package' })
  })

  it('is read from a Metrc Retail ID, with the number of the labeled item', () => {
    expect(classify('HTTPS://1A4.COM/5LN8CBN1UB33DON9CHKX', 'checkout')).toEqual({
      kind: 'package',
      packageUid: metrc,
      item: 1,
    })
  })

  it('is recovered from every Retail ID that can be made from it', () => {
    const varint = (value: number): string => {
      const low = value % 128
      const rest = Math.floor(value / 128)
      return (rest > 0 ? low + 128 : low).toString(16).padStart(2, '0') + (rest > 0 ? varint(rest) : '')
    }
    fc.assert(
      fc.property(fc.stringMatching(/^1a4[0-9a-f]{21}$/), fc.nat(1_000_000), (tag, item) => {
        const code = BigInt(`0x${tag}${varint(item)}`).toString(36)
        for (const url of [`https://1a4.com/${code}`, `HTTPS://1A4.COM/${code.toUpperCase()}/`]) {
          expect(classify(url, 'other')).toEqual({ kind: 'package', packageUid: tag.toUpperCase(), item })
        }
      }),
      { numRuns: 500 },
    )
  })

  it('omits the item if its number is invalid', () => {
    const unfinished = BigInt(`0x${metrc}ff`).toString(36)
    expect(classify(`https://1a4.com/${unfinished}`, 'other')).toEqual({ kind: 'package', packageUid: metrc })
  })

  it.each([
    'https://1a4.com/',
    'https://1a4.com/5LN8',
    `https://1a4.com/${'Z'.repeat(28)}`,
    `https://1a4.com/${'Z'.repeat(400)}`,
    'https://not1a4.com/5LN8CBN1UB33DON9CHKX',
    'https://1a4.com.evil.example/5LN8CBN1UB33DON9CHKX',
  ])('is not read from %s', (url) => {
    expect(classify(url, 'receiving')).toMatchObject({ kind: 'unknown', reason: 'foreign-address' })
  })

  it.each([`${metrc}0`, metrc.slice(1), `${metrc.slice(1)}-`, '123456789012345', '12345678901234567'])(
    'is not %s',
    (text) => {
      expect(classify(text, 'receiving')).toMatchObject({ kind: 'unknown' })
    },
  )
})
