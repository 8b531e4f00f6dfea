import { describe, expect, it } from 'vitest'
import { Faults, createFaultBook } from '../../../src-practice/admin'
import { productTypeName, varietyName } from '../../../src-practice/data/codes'
import { latest } from '../../../src-practice/payloads/collections'

describe('the fault book', () => {
  it('applies the first matching rule, plus the first matching latency', () => {
    const book = createFaultBook()
    book.replace(
      Faults.parse({
        rules: [
          { kind: 'stall', method: 'POST' },
          { kind: 'latency', ms: 5 },
          { kind: 'latency', ms: 9 },
          { kind: 'status', code: 500 },
        ],
      }),
    )
    expect(book.meet('GET', '/x')).toMatchObject({ waitMs: 5, fault: { kind: 'status' } })
    expect(book.meet('POST', '/x')).toMatchObject({ waitMs: 5, fault: { kind: 'stall' } })
  })

  it('counts each rule separately, and only the requests that match it', () => {
    const book = createFaultBook()
    book.replace(
      Faults.parse({
        rules: [
          { kind: 'stall', path: '/a/', times: 1 },
          { kind: 'status', code: 503, times: 2 },
        ],
      }),
    )
    const met = ['/b', '/a/1', '/a/2', '/b'].map((path) => book.meet('GET', path).fault?.kind)
    expect(met).toEqual(['status', 'stall', 'status', undefined])
  })

  it('copies what it takes and returns', () => {
    const book = createFaultBook()
    const faults = Faults.parse({ rules: [{ kind: 'stall' }] })
    book.replace(faults)
    faults.rules.length = 0
    book.current().rules.length = 0
    expect(book.current().rules).toHaveLength(1)
  })
})

describe('type names from codes', () => {
  it('read like words', () => {
    expect(['FLOWER', 'PRE_ROLLS', 'LIVE_DIAMONDS_AND_SAUCE', 'CO2_OIL'].map(productTypeName)).toEqual([
      'Flower',
      'Pre-rolls',
      'Live diamonds and sauce',
      'CO2 oil',
    ])
    expect([varietyName('HID'), varietyName('CBD'), varietyName('CBG_CBD_THC')]).toEqual([
      'Indica dominant',
      'CBD',
      'CBG/CBD/THC',
    ])
  })
})

describe('the latest of several times', () => {
  it('compares times, not strings', () => {
    expect(latest([null, '2026-01-01T23:00:00Z', '2026-01-01T20:00:00-05:00'])).toBe('2026-01-01T20:00:00-05:00')
    expect(latest([null])).toBeNull()
  })
})
