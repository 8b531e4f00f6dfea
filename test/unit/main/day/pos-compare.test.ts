import { describe, expect, it } from 'vitest'
import { type OrderReport, compareOrder, sideHere, sidePos } from '../../../../src-main/day/pos-compare'
import { OrderMatch, looseNumber } from '../../../../src-main/day/pos-orders'
import { type NamedByPos, type NamedHere, ProductMatch, productKeyOf } from '../../../../src-main/day/pos-products'

/** "a2 b1": two items of a, one of b. */
const counts = (text: string) =>
  new Map(text.split(' ').flatMap((one) => (one === '' ? [] : [[one.slice(0, 1), Number(one.slice(1)) * 1_000]])))
const side = (text: string | undefined) => {
  if (text === undefined) return undefined
  const isVoided = text.startsWith('void')
  return { isVoided, counts: counts(text.replace(/^void ?/, '')) }
}

describe('an order on both sides', () => {
  it.each([
    // The POS, this station, how it differs.
    ['a2 b1', 'a2 b1', null],
    ['a2', 'a1', 'count'],
    ['a2', 'b2', 'count'],
    ['a2 b1', 'a2', 'count'],
    ['a2', 'a2 b1', 'count'],
    ['a-1', 'a-1', null],
    ['a-1', 'a1', 'count'],
    ['a0.5', 'a1', 'count'],
    ['a2', undefined, 'only-pos'],
    ['a-1', undefined, 'only-pos'],
    [undefined, 'a2', 'only-here'],
    [undefined, 'a-1', 'only-here'],
    ['', undefined, null],
    [undefined, '', null],
    ['', '', null],
    ['', 'a1', 'count'],
    ['a1', '', 'count'],
    // Voided lines still have their counts in the POS; what was voided the same day has none here.
    ['void a2', 'a2', 'voided-pos'],
    ['void a2', undefined, null],
    ['void a2', 'void', null],
    ['void a2', 'void a-2', null],
    ['a2', 'void', 'voided-here'],
    ['', 'void', null],
    [undefined, 'void', null],
    ['a-2', 'void a-2', null],
    [undefined, 'void a-2', 'voided-here'],
  ] as const)('POS %s, here %s: %s', (pos, here, kind) => {
    expect(compareOrder(side(pos), side(here))?.kind ?? null).toBe(kind)
  })

  it('names only the products that differ, the largest difference first', () => {
    expect(compareOrder(side('a2 b1 c5'), side('a2 b2 d1'))?.lines).toEqual([
      { group: 'c', pos: 5_000, here: 0 },
      { group: 'b', pos: 1_000, here: 2_000 },
      { group: 'd', pos: 0, here: 1_000 },
    ])
  })
})

describe('what was reported of an order on a day', () => {
  const report = (kind: OrderReport['kind'], items: string, isOfDay = true): OrderReport => ({
    ...{ kind, isOfDay },
    items: items.split(' ').flatMap((tagId) => (tagId === '' ? [] : [{ tagId, group: tagId.slice(0, 1) }])),
  })
  it.each([
    ['a sale', [report('complete', 'a1 a2 b1')], 'a2 b1'],
    ['a sale and a return of the day', [report('complete', 'a1 a2'), report('return', 'a1')], 'a1'],
    ['a whole sale that came back', [report('complete', 'a1'), report('return', 'a1')], ''],
    ['a void of the day', [report('complete', 'a1 b1'), report('void', 'a1')], 'void'],
    ['a void that names nothing', [report('complete', 'a1 b1'), report('void', '')], 'void'],
    ['a return of an earlier sale', [report('complete', 'a1 a2', false), report('return', 'a1')], 'a-1'],
    ['a void of an earlier sale', [report('complete', 'a1 b1', false), report('void', '')], 'void a-1 b-1'],
    [
      'a void after a return, of an earlier sale',
      [report('complete', 'a1 b1', false), report('return', 'b1', false), report('void', '')],
      'void a-1',
    ],
    ['a void of a sale that this station never saw', [report('void', 'a1')], 'void a-1'],
    ['a sale of an earlier day only', [report('complete', 'a1', false)], undefined],
    ['nothing', [], undefined],
  ] as const)('%s', (_name, reports, expected) => {
    expect(sideHere(reports)).toEqual(side(expected))
  })

  it('of the POS, voided lines count for nothing unless all are voided', () => {
    const line = (group: string, count: number, isVoided = false) => ({ group, count: count * 1_000, isVoided })
    expect(sidePos([line('a', 2), line('a', -1), line('b', 1, true)])).toEqual(side('a1'))
    expect(sidePos([line('a', 2, true), line('b', 1, true)])).toEqual(side('void a2 b1'))
    expect(sidePos([line('a', 1), line('a', -1)])).toEqual(side(''))
    expect(sidePos([])).toBeUndefined()
  })

  it('of the POS, a voided line with a negative count takes a sale back', () => {
    const line = (group: string, count: number, isVoided = false) => ({ group, count: count * 1_000, isVoided })
    expect(sidePos([line('a', 2), line('a', -2, true)])).toEqual(side('void'))
    expect(sidePos([line('a', 2), line('b', 1), line('a', -2, true)])).toEqual(side('b1'))
    expect(sidePos([line('a', 2), line('a', -2, true), line('b', 1, true)])).toEqual(side('void'))
    expect(sidePos([line('a', -2, true)])).toEqual(side('void a-2'))
    // A return isn't a void.
    expect(sidePos([line('a', 2), line('a', -2)])).toEqual(side(''))
  })
})

describe('numbers of orders', () => {
  it.each([
    ['1001', '1001'],
    ['#1001', '1001'],
    [' # 1001 ', '1001'],
    ['01001', '1001'],
    ['０1001', '1001'],
    ['000', '0'],
    ['A-0042', 'a-0042'],
    ['a 42', 'a42'],
    ['#', '#'],
  ])('%s is compared as %s', (text, loose) => {
    expect(looseNumber(text)).toBe(loose)
  })

  const matched = (pos: string[], here: string[]) => {
    const match = new OrderMatch()
    for (const one of pos) match.add('pos', one)
    for (const one of here) match.add('here', one)
    return pos.map((one) => match.partner('pos', one))
  }
  it.each([
    ['the same number', ['1001'], ['1001'], ['1001']],
    ['another form of it', ['#1001'], ['1001'], ['1001']],
    ['leading zeros', ['001001'], ['1001'], ['1001']],
    ['case', ['AB-1'], ['ab-1'], ['ab-1']],
    ['two orders of the POS: only the equal one', ['#1001', '1001'], ['1001'], [null, '1001']],
    ['two orders of the POS, neither equal', ['#1001', '01001'], ['1001'], [null, null]],
    ['two orders here: only the equal one', ['1001'], ['1001', '01001'], ['1001']],
    ['two orders here, neither equal', ['#1001'], ['1001', '01001'], [null]],
    ['another number', ['1001'], ['1002'], [null]],
  ])('%s', (_name, pos, here, partners) => {
    expect(matched(pos, here)).toEqual(partners)
  })

  it('name the order that was not taken for this one', () => {
    const match = new OrderMatch()
    for (const one of ['#7', '7']) match.add('pos', one)
    match.add('here', '7')
    expect([match.similar('pos', '#7'), match.similar('pos', '7'), match.similar('here', '7')]).toEqual([
      '7',
      null,
      '#7',
    ])
    expect(match.partner('here', '7')).toBe('7')
  })
})

describe('products', () => {
  const ours = (key: string, more: Partial<NamedHere> = {}): NamedHere => ({
    ...{ key, name: `Product ${key}`, posProductIds: [], skus: [], ...more },
  })
  const theirs = (id: number, more: Partial<NamedByPos> = {}): NamedByPos => ({
    ...{ id, posProductId: null, sku: null, productName: null, isTracked: null, ...more },
  })
  it.each([
    ['its id', { posProductId: 'P-1', productName: 'Anything' }, 'a'],
    ['its SKU', { sku: ' s-2 ' }, 'b'],
    ['its name, in another case', { productName: 'PRODUCT C' }, 'c'],
    ['its id before its name', { posProductId: 'p-1', productName: 'Product c' }, 'a'],
    ['its SKU if none has the id', { posProductId: 'P-9', sku: 'S-2', productName: 'Product c' }, 'b'],
  ])('are known by %s', (_name, named, key) => {
    const match = new ProductMatch(
      [ours('a', { posProductIds: ['P-1'] }), ours('b', { skus: ['S-2'] }), ours('c')],
      [theirs(1, named)],
    )
    expect([match.statusOf(1), match.ofPos(1) === match.ofHere(key), match.nameOf(match.ofPos(1))]).toEqual([
      ...['compared', true],
      `Product ${key}`,
    ])
    const others = ['a', 'b', 'c'].filter((one) => one !== key)
    expect(others.map((one) => match.ofHere(one) === match.ofPos(1))).toEqual([false, false])
  })

  it('that nothing here is known by are unknown, until a person says whether they are compared', () => {
    const match = new ProductMatch(
      [ours('a')],
      [
        theirs(1, { productName: 'Lighter' }),
        theirs(2, { productName: 'Papers', isTracked: false }),
        theirs(3, { productName: 'Gummies', isTracked: true }),
        theirs(4, { productName: 'Product a', isTracked: false }),
      ],
    )
    expect([1, 2, 3, 4, 5].map((id) => match.statusOf(id))).toEqual([
      ...['unknown', 'untracked', 'compared', 'untracked', 'unknown'],
    ])
  })

  it('of ours that the POS calls the same are compared together', () => {
    const match = new ProductMatch(
      [ours('a', { posProductIds: ['P-1'] }), ours('b', { posProductIds: ['P-1'] }), ours('c')],
      [theirs(1, { posProductId: 'P-1' }), theirs(2, { productName: 'Product b' })],
    )
    expect(new Set([match.ofPos(1), match.ofPos(2), match.ofHere('a'), match.ofHere('b')]).size).toBe(1)
    expect(match.ofHere('c')).not.toBe(match.ofHere('a'))
  })

  it('of two names are two, and an empty cell is no name', () => {
    const key = (productName: string | null) => productKeyOf({ posProductId: null, sku: null, productName })
    expect(new Set([key('A'), key(' a '), key('B'), key(null)]).size).toBe(3)
  })
})
