import { describe, expect, it } from 'vitest'
import { matchOf, readExpected, stepped } from '../../../src-renderer/checkout/expected.svelte'
import { cart, tagId } from './examples'

const line = (count: number, expected: number | null) => {
  const tags = Array.from({ length: count }, (_, index) => tagId(index))
  const [first] = cart('sale', tags).lines
  if (!first) throw new Error('a cart with items has a line')
  return { ...first, expected, difference: expected === null ? null : count - expected }
}

describe('the expected quantity', () => {
  it.each([
    ['6', 6],
    [' 6 ', 6],
    ['1', 1],
    ['999', 999],
    ['007', 7],
    ['', null],
    ['   ', null],
  ])('is read from %j', (text, value) => {
    expect(readExpected(text)).toEqual({ ok: true, value })
  })

  it.each(['0', '1000', '-1', '6.5', '6,5', '1e2', '0x10', 'six', '６', '9'.repeat(40), '6 6'])(
    'is not read from %j',
    (text) => {
      expect(readExpected(text).ok).toBe(false)
    },
  )

  it.each([
    [2, null, null],
    [2, 2, { tone: 'good', text: { key: 'checkout.expected.match' } }],
    [2, 6, { tone: 'attention', text: { key: 'checkout.expected.short', values: { count: 4 } } }],
    [2, 1, { tone: 'bad', text: { key: 'checkout.expected.over', values: { count: 1 } } }],
  ])('is compared: %i items against %j', (count, expected, match) => {
    expect(matchOf(line(count, expected))).toEqual(match)
  })

  it('steps from its value or from the item count, never below 1 or above 999', () => {
    expect([stepped(line(2, null), 1), stepped(line(2, 6), -1), stepped(line(2, 1), -1)]).toEqual([3, 5, 1])
    expect(stepped(line(2, 999), 1)).toBe(999)
  })
})
