import { describe, expect, it } from 'vitest'
import { OrderId } from '../../../src-shared/ids'
import type { CartView } from '../../../src-shared/ipc/contract/checkout'
import type { VerdictKind } from '../../../src-shared/verdict'
import { verdict } from '../../fakes/verdicts'
import { cart, operation, tagId } from './examples'
import { turn } from './fake-wire'
import { changed, createCheckout, reported } from './till'

describe('the expected quantity', () => {
  const expecting = (expected: number | null, fields: Partial<CartView> = {}) => {
    const view = cart('sale', [tagId(1), tagId(2)], { orderId: OrderId.parse('7'), ...fields })
    const difference = expected === null ? null : 2 - expected
    const lines = view.lines.map((line) => ({ ...line, expected, difference }))
    return { ...view, lines, mustConfirm: difference !== null && difference !== 0 }
  }

  it('is asked about before an order with a different quantity is reported, naming the line', async () => {
    const { fake, checkout } = createCheckout()
    checkout.cartChanged(expecting(3))
    await checkout.primary()
    expect(checkout.sale.isAskingToFinish).toBe(true)
    expect(checkout.sale.differences.map((line) => line.productName)).toEqual(['Blue Dream 3.5 g'])
    expect([checkout.sale.error, fake.asked]).toEqual([null, []])
  })

  it('is not asked about any more once it matches or the cart has another order', async () => {
    const { checkout } = createCheckout()
    for (const next of [expecting(2, { revision: 2 }), expecting(1, { revision: 5, id: 2 })]) {
      checkout.cartChanged(expecting(3, { revision: next.revision - 1 }))
      await checkout.primary()
      expect(checkout.sale.isAskingToFinish).toBe(true)
      checkout.cartChanged(next)
      expect(checkout.sale.isAskingToFinish).toBe(false)
    }
  })

  it('can be overridden: the order is reported as scanned', async () => {
    const { fake, checkout } = createCheckout()
    checkout.cartChanged(expecting(1))
    const finished = checkout.finish(true)
    await turn()
    const reporting = fake.next('checkout.finish')
    expect(reporting.input).toEqual({ mode: 'sale', orderId: '7', itemCount: 2, revision: 1, isMeant: true })
    await reported(fake, operation({ orderId: '7', itemCount: 2 }), reporting)
    expect((await finished)?.orderId).toBe('7')
  })

  it('is saved as typed before the order is completed; an unreadable quantity stops the order', async () => {
    const { fake, checkout } = createCheckout()
    checkout.cartChanged(expecting(2))
    for (const bad of ['0', '-1', '1000', 'six', '1.5']) {
      checkout.sale.expected.typed('p', bad)
      const refusals = checkout.sale.refusals
      expect(await checkout.finish()).toBeNull()
      expect([checkout.sale.refusals, checkout.sale.expected.fault?.key]).toEqual([
        refusals + 1,
        'checkout.expected.range',
      ])
    }
    expect(fake.asked).toEqual([])
    checkout.sale.expected.typed('p', '3')
    const finished = checkout.finish()
    await turn()
    const saving = fake.next('checkout.setExpected')
    expect(saving.input).toEqual({ mode: 'sale', key: 'p', expected: 3 })
    await changed(fake, saving, expecting(3))
    await finished
    expect([checkout.sale.isAskingToFinish, checkout.sale.expected.textOf('p'), fake.asked]).toEqual([
      true,
      undefined,
      [],
    ])
  })

  it('typed for a line follows it to the key that its product gives it, and is saved with that', async () => {
    const { fake, checkout } = createCheckout()
    const byName = expecting(1)
    checkout.cartChanged(byName)
    checkout.sale.expected.typed('p', '2')
    const known = { ...byName, revision: 2, lines: byName.lines.map((line) => ({ ...line, key: 'id' })) }
    checkout.cartChanged(known)
    expect([checkout.sale.expected.textOf('p'), checkout.sale.expected.textOf('id')]).toEqual([undefined, '2'])
    // The field of the line as it was loses the focus.
    await checkout.sale.expected.save('p')
    expect(fake.asked).toEqual([])
    const saved = checkout.sale.expected.save('id')
    const saving = fake.next('checkout.setExpected')
    expect(saving.input).toEqual({ mode: 'sale', key: 'id', expected: 2 })
    await changed(fake, saving, { ...known, revision: 3 })
    await saved
    expect(checkout.sale.expected.textOf('id')).toBeUndefined()
  })

  it('is cleared from its field once saved, even if its line got another key meanwhile', async () => {
    const { fake, checkout } = createCheckout()
    checkout.cartChanged(expecting(1))
    checkout.sale.expected.typed('p', '2')
    const saved = checkout.sale.expected.save('p')
    const lines = expecting(2).lines.map((line) => ({ ...line, key: 'id' }))
    await changed(fake, 'checkout.setExpected', { ...expecting(2), revision: 2, lines })
    await saved
    expect(checkout.sale.expected.textOf('id')).toBeUndefined()
  })

  it('asks nothing if it matches', async () => {
    const { fake, checkout } = createCheckout()
    checkout.cartChanged(expecting(2))
    void checkout.primary()
    await turn()
    expect(fake.next('checkout.finish').input).toMatchObject({ itemCount: 2 })
  })
})

describe('an item that the service will refuse', () => {
  const doubtful = (kind: VerdictKind) => {
    const view = cart('sale', [tagId(1), tagId(2)], { orderId: OrderId.parse('7') })
    const isDoubtful = kind !== 'looking' && kind !== 'unchecked'
    const items = view.lines.flatMap((line) =>
      line.items.map((item, index) => (index === 0 ? { ...item, verdict: verdict(kind), isDoubtful } : item)),
    )
    return { ...view, lines: view.lines.map((line) => ({ ...line, items })), mustConfirm: isDoubtful }
  }

  it.each(['unknown', 'sold', 'not-imported'] as const)(
    'asks first if it is %s, and is reported once confirmed',
    async (kind) => {
      const { fake, checkout } = createCheckout()
      checkout.cartChanged(doubtful(kind))
      await checkout.primary()
      expect(checkout.sale.isAskingToFinish).toBe(true)
      expect(checkout.sale.doubts.map(({ line, item }) => [line.productName, item.tagId])).toEqual([
        ['Blue Dream 3.5 g', tagId(1)],
      ])
      expect(fake.asked).toEqual([])
      void checkout.finish(true)
      await turn()
      expect(fake.next('checkout.finish').input).toMatchObject({ itemCount: 2, isMeant: true })
    },
  )

  it.each(['looking', 'unchecked'] as const)('asks nothing if it is %s', async (kind) => {
    const { fake, checkout } = createCheckout()
    checkout.cartChanged(doubtful(kind))
    void checkout.primary()
    await turn()
    expect(fake.next('checkout.finish').input).toMatchObject({ itemCount: 2 })
  })

  it.each([false, true])(
    'asks at once if main finds it only when the order is completed, confirmed: %s',
    async (isMeant) => {
      const { fake, checkout } = createCheckout()
      checkout.cartChanged({ ...doubtful('unchecked'), mustConfirm: false })
      const finished = checkout.finish(isMeant)
      await turn()
      const asked = fake.next('checkout.finish')
      await asked.refuse({ code: 'checkout/doubtful-items', count: 1 })
      await fake.next('checkout.cart').answer({ ...doubtful('unknown'), revision: 2 })
      expect(await finished).toBeNull()
      expect([checkout.sale.isAskingToFinish, checkout.sale.error]).toEqual([true, null])
    },
  )

  it('can be removed, which closes the question', async () => {
    const { fake, checkout } = createCheckout()
    checkout.cartChanged(doubtful('sold'))
    await checkout.primary()
    const removed = checkout.sale.removeDoubts()
    const asked = fake.next('checkout.removeItem')
    expect(asked.input).toEqual({ mode: 'sale', tagId: tagId(1) })
    await changed(fake, asked, cart('sale', [tagId(2)]))
    await removed
    expect([checkout.sale.doubts, checkout.sale.isAskingToFinish, checkout.sale.itemCount]).toEqual([[], false, 1])
  })
})
