import { describe, expect, it } from 'vitest'
import { certificateWord, gravestCertificate } from '../../../../src-main/memory/certificate'

const now = Date.parse('2026-11-23T12:00:00Z')
const [past, future] = ['2026-11-20', '2999-01-01']

describe('the word for a certificate', () => {
  it.each([
    ['passed', future, 'passed'],
    ['partly-tested', null, 'partly-tested'],
    ['partly-tested', past, 'expired'],
    ['failed', future, 'failed'],
    // As at the scan of an item: a failed test is graver than a date.
    ['failed', past, 'failed'],
    ['none', null, 'none'],
    ['none', future, 'no-results'],
    ['none', past, 'expired'],
  ] as const)('%s, until %s: %s', (verdict, expiresOn, word) => {
    expect(certificateWord({ verdict, expiresOn }, now)).toBe(word)
  })

  it('is never "no certificate" of a certificate that is shown', () => {
    expect(certificateWord({ verdict: 'none', expiresOn: null }, now, true)).toBe('no-results')
  })

  it('of a case is the gravest, with the number of its products', () => {
    expect(gravestCertificate(['partly-tested', 'failed', 'expired'])).toEqual({ word: 'failed', count: 1 })
    expect(gravestCertificate(['expired', 'passed', 'expired'])).toEqual({ word: 'expired', count: 2 })
    expect(gravestCertificate(['passed', 'passed'])).toBeNull()
    expect(gravestCertificate([])).toBeNull()
  })
})
