import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toCsv } from '../../../../src-shared/csv/write'
import { Memory } from '../../../../src-main/memory/store'
import { caseFactsOf } from '../../../fakes/case-facts'
import { order, tag } from '../../../fakes/ids'
import { facts } from '../counter/counter-desk'
import { day, usePosDesk } from './pos-desk'

/** An order of the generated day: how many items of each product, how many of the first come back, whether it is voided. */
interface Planned {
  orderId: string
  counts: number[]
  returned: number
  isVoided: boolean
}

/** A line of the POS as it is written. */
interface Line {
  orderId: string
  product: number
  qty: number
  isVoided: boolean
}

const products = 3

const planned = (orderId: string): fc.Arbitrary<Planned> =>
  fc
    .record({
      counts: fc.array(fc.integer({ min: 0, max: 2 }), { minLength: products, maxLength: products }),
      returned: fc.integer({ min: 0, max: 1 }),
      isVoided: fc.boolean(),
    })
    .map(({ counts, returned, isVoided }) => {
      const sold = counts.every((count) => count === 0) ? [1, ...counts.slice(1)] : counts
      return { orderId, counts: sold, returned: Math.min(returned, sold[0] ?? 0), isVoided }
    })

/** Numbers as different systems write them: all different in their loose form. */
const numbers = ['#1001', '01002', 'A-17', '1004', 'b 5']
const plan = fc
  .integer({ min: 1, max: numbers.length })
  .chain((count) => fc.tuple(...numbers.slice(0, count).map((orderId) => planned(orderId))))

/** The POS's own lines of a day; a product of an order may be split into two lines. */
const linesOf = (orders: Planned[], isSplit: boolean): Line[] =>
  orders.flatMap(({ orderId, counts, returned, isVoided }) =>
    counts.flatMap((count, product) => {
      const line = { orderId, product, isVoided }
      const back = product === 0 && returned > 0 ? [{ ...line, qty: -returned }] : []
      if (count === 0) return back
      const sold =
        isSplit && count > 1
          ? [
              { ...line, qty: 1 },
              { ...line, qty: count - 1 },
            ]
          : [{ ...line, qty: count }]
      return [...sold, ...back]
    }),
  )

const csvOf = (lines: Line[]) =>
  toCsv(
    ['Order', 'Date', 'Product', 'Qty', 'Voided', 'Customer'],
    lines.map(({ orderId, product, qty, isVoided }) => [
      ...[orderId, `11/21/2026 10:00`, `Product ${product + 1}`, qty, isVoided ? 'Yes' : 'No', 'Jane Roe'],
    ]),
  )

const mutations = ['drop order', 'add order', 'one more', 'another product', 'void', 'unvoid'] as const

describe('a generated day and its own file', () => {
  const desk = usePosDesk()

  const report = async (orders: Planned[]) => {
    const { counter } = desk
    new Memory(counter.db).keepCase(caseFactsOf(1, { products: [1, 2, 3, 4] }), 1, 1)
    let next = 0
    for (const { orderId, counts, returned, isVoided } of orders) {
      const tagIds = counts.map((count, product) =>
        Array.from({ length: count }, () => {
          const item = facts(tag(next++), { product: product + 1 })
          counter.shelf.put(item)
          counter.shelf.remember(item)
          return item.tagId
        }),
      )
      await counter.sell(orderId, ...tagIds.flat())
      counter.send()
      if (returned > 0) {
        counter.value(counter.checkout.setOrder('return', order(orderId)))
        for (const tagId of (tagIds[0] ?? []).slice(0, returned)) await counter.add(tagId, 'return')
        counter.finish('return')
        counter.send()
      }
      const isLeft = counts.reduce((sum, count) => sum + count, 0) > returned
      if (isVoided && isLeft) {
        counter.value(counter.checkout.orders.void(order(orderId)))
        counter.send()
      }
    }
  }
  const isVoid = ({ counts, returned, isVoided }: Planned) =>
    isVoided && counts.reduce((sum, count) => sum + count, 0) > returned
  const asReported = (orders: Planned[]) => orders.map((one) => ({ ...one, isVoided: isVoid(one) }))
  const netOf = ({ counts, returned }: Planned) => counts.reduce((sum, count) => sum + count, 0) - returned

  /** One change of the file, and what it must be found as; null if the order can't be changed so. */
  function mutated(lines: Line[], target: Planned, mutation: (typeof mutations)[number]) {
    const { orderId } = target
    const ofTarget = lines.filter((line) => line.orderId === orderId)
    const others = lines.filter((line) => line.orderId !== orderId)
    const isEven = target.counts.every((count, product) => count === (product === 0 ? target.returned : 0))
    const found = (kind: string, changed: Line[]) => ({ lines: changed, expected: [`${orderId} ${kind}`] })
    switch (mutation) {
      case 'drop order':
        return target.isVoided || isEven ? null : found('only-here', others)
      case 'add order':
        return {
          lines: [...lines, { orderId: 'NEW-9', product: 1, qty: 2, isVoided: false }],
          expected: ['NEW-9 only-pos'],
        }
      case 'one more':
        if (target.isVoided) return null
        return found('count', [...others, ...ofTarget, { orderId, product: 2, qty: 1, isVoided: false }])
      case 'another product': {
        const [first, ...rest] = ofTarget
        return target.isVoided || !first ? null : found('count', [...others, { ...first, product: 3 }, ...rest])
      }
      case 'void':
        if (target.isVoided || isEven) return null
        return found('voided-pos', [...others, ...ofTarget.map((line) => ({ ...line, isVoided: true }))])
      case 'unvoid':
        if (!target.isVoided || netOf(target) === 0) return null
        return found('voided-here', [...others, ...ofTarget.map((line) => ({ ...line, isVoided: false }))])
    }
  }

  it('are the same; and each single change of the file is found as exactly that difference', async () => {
    let changes = 0
    await fc.assert(
      fc.asyncProperty(
        plan,
        fc.boolean(),
        fc.constantFrom(...mutations),
        fc.nat(),
        async (drawn, isSplit, mutation, at) => {
          await desk.reset()
          const orders = asReported(drawn)
          await report(orders)
          const lines = linesOf(orders, isSplit)
          expect(await desk.load(csvOf(lines))).toMatchObject({ isSettled: true, unknownCount: 0, reasoned: 0 })
          expect(desk.differences()).toEqual([])
          const target = orders[at % orders.length]
          const change = target && mutated(lines, target, mutation)
          if (!change) return
          changes++
          await desk.load(csvOf(change.lines))
          expect(desk.differences().map(({ orderId, kind }) => `${orderId} ${kind}`)).toEqual(change.expected)
          // The file as it was settles it again.
          await desk.load(csvOf(lines))
          expect(desk.days.view(day).isSettled).toBe(true)
        },
      ),
      { numRuns: 40 },
    )
    expect(changes).toBeGreaterThan(10)
  })
})
