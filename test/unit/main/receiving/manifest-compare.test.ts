import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type DeliveryContents,
  type HeldCase,
  type HeldProduct,
  type ProductNames,
  compareManifest,
  sameProductBy,
} from '../../../../src-main/receiving/manifest/manifest-compare'
import { knownInManifest, proposeManifest } from '../../../../src-shared/csv/manifest-columns'
import { mapManifest } from '../../../../src-shared/csv/manifest-rows'
import { parseTable } from '../../../../src-shared/csv/read'
import type { ManifestRow } from '../../../../src-shared/ipc/contract/manifest'
import { caseOf, packageUid, thing } from '../../../fakes/ids'
import field from '../../../fixtures/field/files.json'

const row = (line: number, inPackage: number, values: Partial<ManifestRow> = {}): ManifestRow => ({
  line,
  packageUid: packageUid(inPackage),
  productName: null,
  sku: null,
  posProductId: null,
  count: null,
  lines: 1,
  ...values,
})
const product = (n: number, count: number, values: Partial<HeldProduct> = {}): HeldProduct => ({
  productId: thing(n),
  productName: `Product ${n}`,
  sku: `SKU-${n}`,
  count,
  isCounted: false,
  ...values,
})
const inCase = (n: number, inPackage: number | null, ...products: HeldProduct[]): HeldCase => ({
  caseId: caseOf(n),
  packageUid: inPackage === null ? null : packageUid(inPackage),
  identifier: `CASE-${n}`,
  products,
})
const held = (
  packages: number[],
  cases: HeldCase[] = [],
  values: Partial<DeliveryContents> = {},
): DeliveryContents => ({
  packages: packages.map((n) => ({ packageUid: packageUid(n), isKnown: true })),
  cases,
  blind: new Set(),
  ...values,
})
const unread = (n: number, inPackage: number): HeldCase => ({ ...inCase(n, inPackage), products: null })
const nothingSaid: ProductNames = {
  saidFor: () => undefined,
  posIdsOf: () => ({ posProductIds: new Set(), skus: new Set() }),
}
const compare = (rows: ManifestRow[], what: DeliveryContents, names: Partial<ProductNames> = {}) =>
  compareManifest(rows, what, sameProductBy({ ...nothingSaid, ...names }))
const stateOf = (rows: ManifestRow[], what: DeliveryContents, names: Partial<ProductNames> = {}) => {
  const { packages, extras } = compare(rows, what, names)
  return [packages.map(({ lines }) => lines.map(({ state, found }) => [state, found])), extras]
}

const named = { productName: 'Product 1', count: 24 }

describe('a line of a manifest', () => {
  it.each([
    ['missing until its package is scanned', row(1, 1, named), held([]), { kind: 'missing' }, null],
    ['unread while a case is', row(1, 1, named), held([1], [unread(1, 1)]), { kind: 'unread' }, null],
    [
      'unread if the service knows no case of it',
      row(1, 1, named),
      held([], [], { packages: [{ packageUid: packageUid(1), isKnown: false }] }),
      { kind: 'unread' },
      null,
    ],
    [
      'unread after an import without lookup',
      row(1, 1, named),
      held([], [], { blind: new Set([packageUid(1)]) }),
      { kind: 'unread' },
      null,
    ],
    ['here', row(1, 1, named), held([1], [inCase(1, 1, product(1, 24))]), { kind: 'here' }, 24],
    ['here by a case alone', row(1, 1, named), held([], [inCase(1, 1, product(1, 24))]), { kind: 'here' }, 24],
    [
      'here over several cases',
      row(1, 1, named),
      held([1], [inCase(1, 1, product(1, 20)), inCase(2, 1, product(1, 4))]),
      { kind: 'here' },
      24,
    ],
    ['short', row(1, 1, named), held([1], [inCase(1, 1, product(1, 22))]), { kind: 'short', by: 2 }, 22],
    [
      'short of everything if all cases were taken off',
      row(1, 1, { count: 24 }),
      held([1]),
      { kind: 'short', by: 24 },
      0,
    ],
    ['over', row(1, 1, named), held([1], [inCase(1, 1, product(1, 25))]), { kind: 'over', by: 1 }, 25],
    [
      'here without a count',
      row(1, 1, { productName: 'Product 1' }),
      held([1], [inCase(1, 1, product(1, 7))]),
      { kind: 'here' },
      7,
    ],
    [
      'compared with all products if it names none',
      row(1, 1, { count: 30 }),
      held([1], [inCase(1, 1, product(1, 24), product(2, 6))]),
      { kind: 'here' },
      30,
    ],
    [
      'of another product, never by likeness',
      row(1, 1, { productName: 'Product 1 ', sku: 'SKU-9', count: 24 }),
      held([1], [inCase(1, 1, product(11, 24))]),
      { kind: 'other-product', instead: [{ productId: thing(11), productName: 'Product 11', count: 24 }] },
      0,
    ],
  ] as const)('is %s', (_name, line, what, state, found) => {
    expect(stateOf([line], what)).toEqual([[[[state, found]]], []])
  })

  it.each([
    ['its SKU, in any case', { sku: 'sku-1 ' }, {}, 'sku'],
    [
      'the SKU of the POS',
      { sku: 'POS-SKU' },
      { posIdsOf: () => ({ posProductIds: new Set<string>(), skus: new Set(['pos-sku']) }) },
      'sku',
    ],
    [
      'its id in the POS',
      { posProductId: 'P-7' },
      { posIdsOf: () => ({ posProductIds: new Set(['p-7']), skus: new Set<string>() }) },
      'pos-id',
    ],
    ['its name, in any case and width', { productName: ' ＰＲＯＤＵＣＴ 1' }, {}, 'name'],
    ['what a person said', { productName: 'BD eighths' }, { saidFor: () => thing(1) }, 'said'],
  ] as const)('finds its product by %s', (_name, words, names, by) => {
    const { packages } = compare([row(1, 1, { ...words, count: 5 })], held([1], [inCase(1, 1, product(1, 5))]), names)
    expect(packages[0]?.lines[0]).toMatchObject({ state: { kind: 'here' }, matched: { productId: thing(1), by } })
  })

  it('takes what a person said over a SKU, and a SKU over a name', () => {
    const lines = [row(1, 1, { productName: 'Product 2', count: 1 }), row(2, 1, { sku: 'SKU-2', count: 2 })]
    const what = held([1], [inCase(1, 1, product(1, 1), product(2, 2))])
    const matchedBy = (names: Partial<ProductNames> = {}) =>
      compare(lines, what, names).packages[0]?.lines.map(({ matched }) => [matched?.productId, matched?.by])
    expect(matchedBy()).toEqual([
      [undefined, undefined],
      [thing(2), 'sku'],
    ])
    expect(matchedBy({ saidFor: ({ line }) => (line === 1 ? thing(2) : undefined) })).toEqual([
      [thing(2), 'said'],
      [undefined, undefined],
    ])
  })

  it('says that the items were counted only if all of its cases were', () => {
    const counted = product(1, 2, { isCounted: true })
    const isCounted = (...cases: HeldCase[]) => compare([row(1, 1)], held([1], cases)).packages[0]?.lines[0]?.isCounted
    expect(isCounted(inCase(1, 1, counted), inCase(2, 1, counted))).toBe(true)
    expect(isCounted(inCase(1, 1, counted), inCase(2, 1, product(1, 2)))).toBe(false)
    expect(isCounted()).toBe(false)
  })
})

describe('a product that a line probably means', () => {
  const blue = { productName: 'Blue Dune, 3.5 g', sku: 'BD-35' }
  const proposalFor = (said: Partial<ManifestRow>, ...products: HeldProduct[]) => {
    const [own] = compare([row(1, 1, { count: 24, ...said })], held([1], [inCase(1, 1, ...products)])).packages
    return own?.lines.map(({ state, proposal, found }) => [state.kind, proposal?.productName, proposal?.by, found])
  }

  it.each([
    ['M00001234: Blue Dune, 3.5 g', null, 'prefix'],
    ['m00001234 - blue dune, 3.5 g', null, 'prefix'],
    ['1234567 | Blue Dune, 3.5 g', null, 'prefix'],
    ['Dune eighth', 'bd35', 'sku'],
    ['Dune eighth (BD-35)', null, 'sku'],
    ['Dunes Blue Dune 3.5g Flower', null, 'name'],
    ['Blue Dune', null, 'name'],
  ])('is proposed for %s, SKU %s, by its %s', (productName, sku, by) => {
    const other = product(2, 6, { productName: 'Palisades Pre-Roll, 1 g', sku: 'PP-1' })
    expect(proposalFor({ productName, sku }, product(1, 24, blue), other)).toEqual([
      ['other-product', 'Blue Dune, 3.5 g', by, null],
    ])
  })

  it('is proposed for the line of a file from the field', () => {
    const text = field.find(({ text: one }) => one.includes('M00001234'))?.text ?? ''
    const table = parseTable(text, { knownIn: knownInManifest })
    const { rows } = mapManifest(table, proposeManifest(table))
    const [first] = rows
    if (!first) throw new Error('no line')
    const what = { ...held([]), cases: [{ ...inCase(1, 1, product(1, 24, blue)), packageUid: first.packageUid }] }
    expect(compare(rows, what).packages[0]?.lines[0]?.proposal).toMatchObject({ by: 'prefix', count: 24 })
  })

  it.each([
    ['a name that is contained, with another number of items', { productName: 'Blue Dune', count: 23 }],
    ['a name that is contained, without a number of items', { productName: 'Blue Dune', count: null }],
    ['a size alone', { productName: '3.5 g' }],
    ['another name', { productName: 'Green Dune, 3.5 g' }],
    ['another number before another name', { productName: 'M00001234: Green Dune, 3.5 g' }],
  ])('is not proposed for %s', (_name, said) => {
    expect(proposalFor(said, product(1, 24, blue))).toEqual([['other-product', undefined, undefined, 0]])
  })

  it.each([
    ['10001 - Blue Dune', '10002 - Blue Dune'],
    ['M00001234: Blue Dune, 3.5 g', 'M00001235: Blue Dune, 3.5 g Flower'],
    ['1000mg: Gummy', 'Gummy'],
    ['1000mg: Gummy', '2000mg: Gummy'],
  ])('is not proposed if the numbers before the names differ, or are strengths: %s, %s', (productName, own) => {
    const open = [['other-product', undefined, undefined, 0]]
    expect(proposalFor({ productName }, product(1, 24, { productName: own, sku: null }))).toEqual(open)
    expect(proposalFor({ productName: own }, product(1, 24, { productName, sku: null }))).toEqual(open)
  })

  it('is proposed if the same number stands before both names', () => {
    const own = product(1, 24, { productName: '10001 - Blue Dune Flower', sku: null })
    expect(proposalFor({ productName: '10001: Blue Dune' }, own)).toEqual([
      ['other-product', '10001 - Blue Dune Flower', 'name', null],
    ])
  })

  it('is not proposed if two products, or two lines, could be meant', () => {
    const two = [product(1, 24, blue), product(2, 24, { productName: 'Blue Dune, 7 g', sku: 'BD-70' })]
    expect(proposalFor({ productName: 'Blue Dune' }, ...two)).toEqual([['other-product', undefined, undefined, 0]])
    const lines = [1, 2].map((n) => row(n, 1, { productName: `M0000123${n}: Blue Dune, 3.5 g`, count: 24 }))
    const { packages, sums } = compare(lines, held([1], [inCase(1, 1, product(1, 24, blue))]))
    expect(packages[0]?.lines.map(({ proposal }) => proposal)).toEqual([undefined, undefined])
    expect([sums.otherProduct, sums.proposed]).toEqual([1, 0])
  })

  it('is its own sum, and gone once a person has confirmed it, also for other packages', () => {
    const lines = [1, 2].map((n) => row(n, n, { productName: 'M00001234: Blue Dune, 3.5 g', count: 24 }))
    const what = held([1, 2], [inCase(1, 1, product(1, 24, blue)), inCase(2, 2, product(1, 24, blue))])
    expect(compare(lines, what).sums).toMatchObject({ otherProduct: 0, proposed: 2, isComplete: false })
    const { packages, sums } = compare(lines, what, { saidFor: () => thing(1) })
    expect(sums).toMatchObject({ proposed: 0, isComplete: true })
    expect(packages.map(({ state }) => state.kind)).toEqual(['here', 'here'])
  })
})

describe('a package of which only cases were scanned', () => {
  it('is partly here: the others may still come', () => {
    const one = inCase(1, 1, product(1, 12))
    const of = (what: DeliveryContents) => {
      const { packages, sums } = compare([row(1, 1, named)], what)
      return [packages[0]?.state, sums.short, sums.partly]
    }
    expect(of(held([], [one]))).toEqual([{ kind: 'short', by: 12, isPartly: true }, 0, 1])
    expect(of(held([1], [one]))).toEqual([{ kind: 'short', by: 12 }, 1, 0])
    expect(of(held([], [inCase(1, 1, product(1, 12, { isCounted: true }))]))).toEqual([{ kind: 'short', by: 12 }, 1, 0])
  })
})

describe('a line of which nothing is here in such a package', () => {
  const gummy = row(1, 1, { productName: 'Gummy', count: 10 })
  const dune = row(2, 1, { productName: 'Blue Dune', count: 24 })
  const here = product(1, 10, { productName: 'Gummy' })
  const of = (rows: ManifestRow[], what: DeliveryContents) => {
    const { packages, extras, sums } = compare(rows, what)
    const [own] = packages
    return {
      lines: own?.lines.map(({ state, found }) => [state.kind, found]),
      state: own?.state,
      sums: [sums.here, sums.missing, sums.partly, sums.short, sums.otherProduct, sums.proposed],
      extras,
    }
  }
  const partly = { kind: 'short', isPartly: true } as const
  const lines = [
    ['here', 10],
    ['missing', null],
  ]

  it('is not here yet, and its package is partly here', () => {
    expect(of([gummy, dune], held([], [inCase(1, 1, here)]))).toEqual({
      ...{ lines, state: { ...partly, by: 24 }, extras: [] },
      sums: [1, 0, 1, 0, 0, 0],
    })
    const short = held([], [inCase(1, 1, { ...here, count: 4 })])
    expect(of([gummy, dune], short).state).toEqual({ ...partly, by: 30 })
  })

  it('is so also if the manifest gives no number of items', () => {
    expect(of([gummy, { ...dune, count: null }], held([], [inCase(1, 1, here)]))).toMatchObject({
      ...{ lines, state: { ...partly, by: 0 } },
      sums: [1, 0, 1, 0, 0, 0],
    })
  })

  it('has another product once the package was scanned, or while one stands in its place', () => {
    const isOther = {
      lines: [
        ['here', 10],
        ['other-product', 0],
      ],
      sums: [1, 0, 0, 0, 1, 0],
    }
    expect(of([gummy, dune], held([1], [inCase(1, 1, here)]))).toMatchObject(isOther)
    expect(of([gummy, dune], held([], [inCase(1, 1, here, product(2, 24))]))).toMatchObject(isOther)
  })

  it('is not here yet beside a product that is proposed for another line', () => {
    const meant = product(3, 24, { productName: 'M00001234: Blue Dune' })
    const other = row(3, 1, { productName: 'Palisades Pre-Roll', count: 6 })
    expect(of([dune, other], held([], [inCase(1, 1, meant)]))).toMatchObject({
      lines: [
        ['other-product', null],
        ['missing', null],
      ],
      sums: [1, 0, 0, 0, 0, 1],
    })
  })
})

describe('what is not on the manifest', () => {
  it('is a package, a case of none, and a product of a package that is complete without it', () => {
    const what = held(
      [1, 2],
      [
        inCase(1, 1, product(1, 24), product(2, 6)),
        inCase(2, 2, product(3, 5)),
        inCase(3, null, product(4, 1)),
        inCase(4, 9, product(5, 2)),
      ],
    )
    expect(compare([row(1, 1, named)], what).extras).toEqual([
      { kind: 'product', packageUid: packageUid(1), productId: thing(2), productName: 'Product 2', count: 6 },
      { kind: 'package', packageUid: packageUid(2), count: 5 },
      { kind: 'case', caseId: caseOf(3), identifier: 'CASE-3', productName: 'Product 4', count: 1 },
      { kind: 'case', caseId: caseOf(4), identifier: 'CASE-4', productName: 'Product 5', count: 2 },
    ])
  })

  it('has no count while it is not read', () => {
    const what = held([2], [unread(1, 2), { ...unread(2, 3), packageUid: null }])
    expect(compare([], what).extras.map(({ count }) => count)).toEqual([null, null])
  })
})

describe('a package of several lines', () => {
  it('stands as its gravest line does, and what is short adds up', () => {
    const lines = [
      row(1, 1, { productName: 'Product 1', count: 10 }),
      row(2, 1, { productName: 'Product 2', count: 10 }),
    ]
    const state = (one: number, two: number) =>
      compare(lines, held([1], [inCase(1, 1, product(1, one), product(2, two))])).packages[0]?.state
    expect([state(10, 10), state(8, 9), state(11, 9), state(12, 11)]).toEqual([
      { kind: 'here' },
      { kind: 'short', by: 3 },
      { kind: 'short', by: 1 },
      { kind: 'over', by: 3 },
    ])
  })
})

describe('any delivery', () => {
  const size = 12
  const numbers = Array.from({ length: size }, (_, at) => at + 1)
  const manifest = numbers.map((n) => row(n, n, { productName: `Product ${n}`, count: n }))
  const scanned = fc.shuffledSubarray(numbers, { minLength: 0 })
  const strangers = fc.shuffledSubarray([21, 22, 23])

  it('misses exactly the packages that were not scanned, in whatever order the others came', () => {
    fc.assert(
      fc.property(scanned, strangers, fc.func(fc.integer({ min: -1, max: 1 })), (some, others, offBy) => {
        const off = (n: number) => (n === 1 ? Math.max(0, offBy(n)) : offBy(n))
        const cases = (list: number[]) => list.map((n) => inCase(n, n, product(n, n + off(n))))
        const result = compare(manifest, held([...some, ...others], cases([...some, ...others])))
        const kinds = new Map(result.packages.map(({ packageUid: uid, state }) => [uid, state.kind]))
        for (const n of numbers) {
          const expected = !some.includes(n) ? 'missing' : off(n) === 0 ? 'here' : off(n) < 0 ? 'short' : 'over'
          expect(kinds.get(packageUid(n))).toBe(expected)
        }
        const { sums } = result
        expect([sums.packages, sums.here, sums.missing, sums.extra]).toEqual([
          size,
          some.length,
          size - some.length,
          others.length,
        ])
        expect(sums.isComplete).toBe(sums.missing + sums.short + sums.over + sums.extra === 0)
        const sorted = [...some, ...others].toSorted((a, b) => a - b)
        const again = compare(manifest, held(sorted, cases(sorted)))
        expect(again.packages).toEqual(result.packages)
        expect(again.sums).toEqual(sums)
      }),
    )
  })
})
