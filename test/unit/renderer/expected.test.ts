import { describe, expect, it } from 'vitest'
import { ExpectedCounts, matchOf, readExpected } from '../../../src-renderer/checkout/expected.svelte'
import { LinePlaces, productsIn } from '../../../src-renderer/checkout/line-places'
import { type CartLine, unknownLine } from '../../../src-shared/ipc/contract/checkout'
import { t } from '../../../src-renderer/text/text.svelte'
import { ok } from '../../../src-shared/result'
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

  it('steps from its value or from the item count, never below 1 or above 999', async () => {
    const step = async (one: CartLine, by: 1 | -1) => {
      const { expected, kept } = counts([one])
      await expected.step(one, by)
      return kept.at(-1)?.[1]
    }
    expect(await step(line(2, null), 1)).toBe(3)
    expect(await step(line(2, 6), -1)).toBe(5)
    expect(await step(line(2, 1), -1)).toBe(1)
    expect(await step(line(2, 999), 1)).toBe(999)
  })
})

/** The expected counts of a cart, and what main was asked to keep. Main answers when the test says so. */
function counts(lines: CartLine[], answers: Promise<unknown> = Promise.resolve()) {
  const cartNow = { lines }
  const kept: [string, number | null][] = []
  const expected = new ExpectedCounts(
    () => cartNow.lines,
    async (key, count) => {
      kept.push([key, count])
      await answers
      return ok(null)
    },
  )
  const show = (next: CartLine[]) => {
    const before = cartNow.lines
    cartNow.lines = next
    expected.follow(before)
  }
  return { expected, kept, show }
}

describe('a count that is being typed', () => {
  const named = { ...line(1, 1), key: 'Blue Dream 3.5 g' }
  const known = line(1, 1)

  it('follows its line to another key once the product is known', async () => {
    const { expected, kept, show } = counts([named])
    expected.typed(named.key, '3')
    show([known])
    expect([expected.textOf(named.key), expected.textOf('p')]).toEqual([undefined, '3'])
    await expected.save('p')
    expect(kept).toEqual([['p', 3]])
  })

  it('follows a line without items, which only the name of its product connects with the new one', () => {
    const { expected, show } = counts([{ ...named, items: [] }])
    expected.typed(named.key, '3')
    show([known])
    expect(expected.textOf('p')).toBe('3')
  })

  it("doesn't follow to another line of the same name that was there before", () => {
    const { expected, show } = counts([{ ...named, items: [] }, known])
    expected.typed(named.key, '3')
    show([known])
    expect(expected.textOf('p')).toBeUndefined()
  })

  it('is saved also if it is what the line still shows while another count is on its way', async () => {
    const { promise, resolve } = Promise.withResolvers<null>()
    const { expected, kept } = counts([known], promise)
    expected.typed('p', '3')
    const first = expected.save('p')
    expected.typed('p', '1')
    const second = expected.save('p')
    resolve(null)
    await Promise.all([first, second])
    expect(kept).toEqual([
      ['p', 3],
      ['p', 1],
    ])
  })

  it('is what a step begins at; quick steps add up', async () => {
    const { promise, resolve } = Promise.withResolvers<null>()
    const { expected, kept } = counts([known], promise)
    expected.typed('p', '5')
    const steps = [expected.step(known, 1), expected.step(known, 1)]
    resolve(null)
    await Promise.all(steps)
    expect(kept.map(([, count]) => count)).toEqual([6, 7])
  })
})

describe('the place of a line on the screen', () => {
  const other = { ...line(1, 2), items: [], key: 'q', productName: 'Other' }

  it('stays when its key changes, and differs from that of every other line', () => {
    const places = new LinePlaces()
    const named = { ...line(1, 1), key: 'Blue Dream 3.5 g' }
    places.follow([], [named, other])
    const before = places.of(named)
    places.follow([named, other], [other, line(1, 1)])
    expect(places.of(line(1, 1))).toBe(before)
    expect(places.of(other)).not.toBe(before)
  })

  it('is that of the first of two lines that become one, and is new for one that was split off', () => {
    const places = new LinePlaces()
    const unknown = { ...line(2, null), key: 'unknown', productName: null }
    const [item] = unknown.items
    places.follow([], [unknown])
    const before = places.of(unknown)
    const split = [
      { ...unknown, items: unknown.items.slice(1) },
      { ...line(1, null), items: item ? [item] : [] },
    ]
    places.follow([unknown], split)
    const after = split.map((one) => places.of(one))
    expect(after[0]).toBe(before)
    expect(new Set(after).size).toBe(2)
    places.follow(split, [line(2, null)])
    expect(places.of(line(2, null))).toBe(after[1])
  })
})

describe('the number of products', () => {
  it.each([
    [[], 'Nothing scanned yet'],
    [[['p', 10]], 'of 1 product'],
    [
      [
        ['p', 2],
        ['q', 0],
        ['r', 1],
      ],
      'of 2 products',
    ],
    [
      [
        ['p', 5],
        ['q', 4],
        ['r', 1],
        [unknownLine, 5],
      ],
      'of 3 products, 5 not known yet',
    ],
    [
      [
        ['p', 1],
        [unknownLine, 1],
      ],
      'of 1 product, 1 not known yet',
    ],
    [[[unknownLine, 5]], 'not known yet'],
  ] as const)('of %j is said as %s', (lines, words) => {
    const scanned = lines.map(([key, count]) => ({ key, items: count === 0 ? [] : line(count, null).items }))
    expect(t('checkout.products', { ...productsIn(scanned) })).toBe(words)
  })
})
