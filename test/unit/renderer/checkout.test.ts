import { describe, expect, it, vi } from 'vitest'
import { stepBetween } from '../../../src-shared/cart-step'
import type { AppError } from '../../../src-shared/errors'
import { isOver } from '../../../src-renderer/checkout/cart.svelte'
import { OrderId } from '../../../src-shared/ids'
import type { CartStep, CartView } from '../../../src-shared/ipc/contract/checkout'
import { at, cart, itemAdded, operation, tagId } from './examples'
import { turn } from './fake-wire'
import { added, changed, createCheckout, reported } from './till'

const full = cart('sale', [1, 2, 3, 4].map(tagId))

/** A cart that holds the first items of one line, at the revision of their number. */
function holding(count: number): CartView {
  const lines = full.lines.map((line) => ({ ...line, items: line.items.slice(0, count) }))
  return { ...full, revision: count, itemCount: count, lines }
}

function step(before: CartView, after: CartView): CartStep {
  const found = stepBetween(before, after)
  if (!found) throw new Error('not a step')
  return found
}

describe('a scanned item', () => {
  it('is added, counted in words, and can be undone', async () => {
    const { fake, checkout, scan } = createCheckout()
    const scanned = scan(tagId(1))
    await added(fake, cart('sale', [tagId(1)]))
    const outcome = await scanned
    expect(outcome).toMatchObject({ tone: 'good', what: { values: { name: 'Blue Dream 3.5 g' } } })
    const undone = outcome.undo?.()
    await changed(fake, 'checkout.removeItem', cart('sale', []))
    await undone
    expect(checkout.sale.itemCount).toBe(0)
  })

  it('is answered once its cart is shown, in either order of arrival; an older cart never replaces it', async () => {
    for (const isEventFirst of [true, false]) {
      const { fake, checkout, scan } = createCheckout()
      let isAnswered = false
      const scanned = scan(tagId(1)).finally(() => (isAnswered = true))
      const asked = fake.next('checkout.addItem')
      const view = cart('sale', [tagId(1)], { revision: 8 })
      const steps = [() => fake.emit('checkout.cart', view), () => asked.answer(itemAdded(view))]
      const [first, second] = isEventFirst ? steps : steps.reverse()
      await first?.()
      expect(isAnswered).toBe(false)
      await second?.()
      await fake.emit('checkout.cart', cart('sale', [], { revision: 7 }))
      expect(await scanned).toMatchObject({ tone: 'good' })
      expect(checkout.sale.itemCount).toBe(1)
    }
  })

  it('asks for the cart if its event does not arrive', async () => {
    const { fake, checkout, scan } = createCheckout()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const scanned = scan(tagId(1))
    const view = cart('sale', [tagId(1)], { revision: 8 })
    const answered = fake.next('checkout.addItem').answer(itemAdded(view))
    await vi.advanceTimersByTimeAsync(5_000)
    vi.useRealTimers()
    await answered
    await fake.next('checkout.cart').answer(view)
    expect([await scanned, checkout.sale.itemCount]).toMatchObject([{ tone: 'good' }, 1])
  })

  it('is put into the cart that is shown; without the view before it, the whole cart is asked for', async () => {
    const { fake, checkout } = createCheckout()
    const [one, two, three, four] = [holding(1), holding(2), holding(3), holding(4)]
    await fake.emit('checkout.cart', one)
    const [first] = checkout.sale.lines[0]?.items ?? []
    await fake.emit('checkout.cartStep', step(one, two))
    expect(checkout.sale.view).toEqual(two)
    // An item that has not changed is the same one: nothing of it is drawn again.
    expect(checkout.sale.lines[0]?.items[0]).toBe(first)
    expect(fake.asked).toHaveLength(0)
    await fake.emit('checkout.cartStep', step(three, four))
    expect(checkout.sale.view).toEqual(two)
    await fake.next('checkout.cart').answer(four)
    expect(checkout.sale.view).toEqual(four)
    await fake.emit('checkout.cartStep', step(two, three))
    expect(checkout.sale.view).toEqual(four)
  })

  it('is shown with what main learnt of it without a new revision', async () => {
    const { fake, checkout } = createCheckout()
    const loaded = checkout.sale.load()
    await fake.next('checkout.cart').answer(holding(2))
    await loaded
    const told = holding(2)
    const learnt = { ...told, lines: told.lines.map((line) => ({ ...line, brandName: 'Hudson' })) }
    await fake.emit('checkout.cartStep', step(holding(1), learnt))
    await fake.next('checkout.cart').answer(learnt)
    expect(checkout.sale.lines[0]?.brandName).toBe('Hudson')
  })

  it('asks for the whole cart once for all steps that arrive before the answer, and once more after it', async () => {
    const { fake, checkout } = createCheckout()
    await fake.emit('checkout.cart', holding(1))
    await fake.emit('checkout.cartStep', step(holding(2), holding(3)))
    await fake.emit('checkout.cartStep', step(holding(3), holding(4)))
    await fake.emit('checkout.cartStep', step(holding(3), holding(4)))
    expect(fake.asked).toHaveLength(1)
    await fake.next('checkout.cart').answer(holding(3))
    expect(fake.asked).toHaveLength(1)
    await fake.next('checkout.cart').answer(holding(4))
    expect([fake.asked.length, checkout.sale.itemCount]).toEqual([0, 4])
  })

  it('is not said to be in a cart that was asked for because a step was missed, and holds it no more', async () => {
    const { fake, checkout, strip, scan } = createCheckout()
    strip.begin({ seq: 1, at }, { key: 'scan.read.tag' })
    const scanned = scan(tagId(2))
    await added(fake, holding(2), tagId(2))
    strip.settle(1, await scanned)
    expect(strip.current?.about).toBe(tagId(2))
    const without = (count: number): CartView => ({ ...holding(1), revision: count })
    const counted = { ...without(4), mustConfirm: true }
    await fake.emit('checkout.cartStep', step(without(3), counted))
    await fake.next('checkout.cart').answer(counted)
    expect([checkout.sale.itemCount, strip.current]).toEqual([1, null])
  })

  it('is shown even if a newer change fails, whichever is answered first', async () => {
    for (const isLate of [false, true]) {
      const { fake, checkout, scan } = createCheckout()
      const scanned = scan(tagId(1))
      const changed = checkout.sale.expected.set('p', 3)
      const adding = fake.next('checkout.addItem')
      const changing = fake.next('checkout.setExpected')
      if (!isLate) await added(fake, cart('sale', [tagId(1)]), tagId(1), adding)
      await changing.refuse({ code: 'store/not-saved' })
      if (isLate) await added(fake, cart('sale', [tagId(1)]), tagId(1), adding)
      await Promise.all([scanned, changed])
      expect(checkout.sale.itemCount).toBe(1)
    }
  })

  it('says why it was refused, and changes nothing', async () => {
    const { fake, checkout, scan } = createCheckout()
    const scanned = scan(tagId(1))
    await fake.next('checkout.addItem').refuse({ code: 'checkout/duplicate', tagId: tagId(1) })
    expect(await scanned).toMatchObject({ tone: 'bad', what: { key: 'error.checkout/duplicate.what' } })
    expect(checkout.sale.itemCount).toBe(0)
  })

  it('is removed in remove mode, or refused without asking main if it is not in the order', async () => {
    const { fake, checkout, scan } = createCheckout()
    checkout.cartChanged(cart('sale', [tagId(1)]))
    checkout.sale.isRemoving = true
    expect(await scan(tagId(2))).toMatchObject({ tone: 'bad' })
    expect(fake.asked).toEqual([])
    const scanned = scan(tagId(1))
    await changed(fake, 'checkout.removeItem', cart('sale', []))
    expect(await scanned).toMatchObject({ what: { key: 'checkout.scan.removed' } })
  })
})

describe('the order number', () => {
  it('is saved once, when typing pauses', async () => {
    vi.useFakeTimers()
    const { fake, checkout } = createCheckout()
    for (const text of ['1', '10', '104']) {
      checkout.sale.orderText = text
      checkout.sale.orderTyped()
    }
    vi.advanceTimersByTime(500)
    vi.useRealTimers()
    expect(fake.asked.map((asked) => asked.input)).toEqual([{ mode: 'sale', orderId: '104' }])
    await changed(fake, 'checkout.setOrder', cart('sale', [], { orderId: OrderId.parse('104') }))
  })

  it('is not overwritten by a cart event while it is being typed', () => {
    const { checkout } = createCheckout()
    checkout.sale.orderText = '10'
    checkout.sale.orderTyped()
    checkout.cartChanged(cart('sale', [tagId(1)]))
    expect(checkout.sale.orderText).toBe('10')
  })

  it('stays in the field if it was used before, with the reason beside it', async () => {
    const { fake, checkout } = createCheckout()
    const used = checkout.sale.useOrder('10482')
    await fake.next('checkout.setOrder').refuse({ code: 'checkout/order-id-used', orderId: '10482' })
    expect(await used).toMatchObject({ ok: false })
    expect(checkout.sale.orderText).toBe('10482')
    expect(checkout.sale.orderError?.code).toBe('checkout/order-id-used')
  })

  it('is required before anything is reported', async () => {
    const { fake, checkout } = createCheckout()
    checkout.cartChanged(cart('sale', [tagId(1)]))
    const finished = checkout.primary()
    await turn()
    await fake.next('checkout.finish').refuse({ code: 'checkout/order-id-missing' })
    await finished
    expect(checkout.sale.orderError?.code).toBe('checkout/order-id-missing')
  })
})

describe('a finished order', () => {
  async function finish(fields: Parameters<typeof operation>[0]) {
    const { fake, checkout, strip, sounds } = createCheckout()
    strip.begin({ seq: 1, at: '' }, { key: 'scan.read.tag' })
    strip.settle(1, { tone: 'good', what: { key: 'scan.read.tag' }, undo: () => Promise.reject(new Error('closed')) })
    checkout.cartChanged(cart('sale', [tagId(1)], { orderId: OrderId.parse('7') }))
    const finished = checkout.primary()
    await turn()
    await reported(fake, operation({ orderId: '7', itemCount: 1, ...fields }))
    await finished
    return { checkout, strip, sounds }
  }

  it('leaves an empty order, and says nothing of its scans any more', async () => {
    const { checkout, strip, sounds } = await finish({ state: 'queued' })
    expect(sounds.at(-1)).toBe('good')
    expect([checkout.sale.itemCount, checkout.sale.orderText]).toEqual([0, ''])
    expect(strip.current).toBeNull()
  })
})

describe('the tab', () => {
  it('is that of selling again after a return, unless another return has begun', async () => {
    for (const next of [[], [tagId(2)]]) {
      const { fake, checkout } = createCheckout()
      checkout.openTab('return')
      checkout.cartChanged(cart('return', [tagId(1)], { orderId: OrderId.parse('7') }))
      const finished = checkout.primary()
      await turn()
      const reporting = fake.next('checkout.finish')
      await reporting.answer({
        ...operation({ kind: 'return', orderId: '7', itemCount: 1 }),
        mode: 'return',
        revision: 5,
      })
      await fake.emit('checkout.cart', cart('return', next, { id: 2, revision: 5 }))
      await finished
      expect(checkout.tab).toBe(next.length === 0 ? 'sale' : 'return')
    }
  })
})

describe('leaving the screen', () => {
  it('goes back to selling, unless a return has items', () => {
    const { checkout } = createCheckout()
    for (const tab of ['return', 'void'] as const) {
      checkout.openTab(tab)
      checkout.left()
      expect(checkout.tab).toBe('sale')
    }
    checkout.cartChanged(cart('return', [tagId(1)]))
    checkout.openTab('return')
    checkout.left()
    expect(checkout.tab).toBe('return')
    checkout.openTab('void')
    checkout.left()
    expect(checkout.tab).toBe('sale')
  })
})

describe('a returned item', () => {
  it('sounds unlike a sold one, and is not said to be sold', async () => {
    for (const [mode, sound, key] of [
      ['sale', 'good', 'checkout.scan.added'],
      ['return', 'back', 'checkout.scan.added.return'],
    ] as const) {
      const { fake, checkout, strip, sounds } = createCheckout()
      strip.begin({ seq: 1, at }, { key: 'scan.read.tag' })
      const scanned = checkout.scanItem(checkout[mode], tagId(1))
      await added(fake, cart(mode, [tagId(1)]))
      strip.settle(1, await scanned)
      expect([sounds, strip.current?.what.key]).toEqual([[sound], key])
    }
  })
})

describe('an order that is being reported', () => {
  it('is not reported twice, and is done once the empty cart is shown', async () => {
    const { fake, checkout } = createCheckout()
    checkout.cartChanged(cart('sale', [tagId(1)], { orderId: OrderId.parse('7') }))
    let isDone = false
    const finished = checkout.finish().finally(() => (isDone = true))
    await turn()
    const reporting = fake.next('checkout.finish')
    expect(await checkout.finish()).toBeNull()
    expect(fake.asked).toEqual([])
    await reporting.answer({ ...operation({ orderId: '7', itemCount: 1 }), mode: 'sale', revision: 5 })
    await fake.emit('checkout.cart', cart('sale', [tagId(1)], { revision: 4 }))
    expect(isDone).toBe(false)
    await fake.emit('checkout.cart', cart('sale', [], { id: 2, revision: 5 }))
    expect((await finished)?.orderId).toBe('7')
  })

  it('is closed as soon as its cart is emptied, here or by another page, while the report still waits', async () => {
    for (const isHere of [true, false]) {
      const { fake, checkout, strip } = createCheckout()
      checkout.cartChanged(cart('return', [tagId(1)], { orderId: OrderId.parse('7') }))
      checkout.openTab('return')
      checkout.return.note = 'wrong strain'
      checkout.return.isRemoving = true
      strip.begin({ seq: 1, at: '' }, { key: 'scan.read.tag' })
      strip.settle(1, { tone: 'good', what: { key: 'scan.read.tag' }, undo: () => Promise.reject(new Error('closed')) })
      if (isHere) void checkout.finish()
      await turn()
      await fake.emit('checkout.cart', cart('return', [], { id: 2, revision: 2 }))
      const { note, isRemoving } = checkout.return
      expect([note, isRemoving, strip.current]).toEqual(['', false, null])
      // What is entered from now on is the next order's.
      checkout.return.note = 'damaged'
      if (!isHere) continue
      const report = operation({ kind: 'return', orderId: '7', itemCount: 1 })
      await fake.next('checkout.finish').answer({ ...report, mode: 'return', revision: 2 })
      expect(checkout.return.note).toBe('damaged')
    }
  })
})

describe('why an order could not be completed', () => {
  const number = { orderId: OrderId.parse('7') }
  const budtender = { budtender: { id: 'B-7', name: 'Maya' } }
  const item = { tagId: tagId(1) }
  it.each([
    [{ code: 'checkout/empty-cart' }, cart('sale', []), false],
    [{ code: 'checkout/empty-cart' }, cart('sale', [tagId(1)]), true],
    [{ code: 'checkout/order-begun', orderId: '7' }, cart('sale', [], number), false],
    [{ code: 'checkout/order-begun', orderId: '7' }, cart('sale', [tagId(1)], number), true],
    [{ code: 'checkout/order-begun', orderId: '7' }, cart('sale', []), true],
    [{ code: 'checkout/order-id-missing' }, cart('sale', [tagId(1)]), false],
    [{ code: 'checkout/order-id-missing' }, cart('sale', [tagId(1)], number), true],
    [{ code: 'checkout/budtender-missing' }, cart('sale', [tagId(1)], { budtender: null }), false],
    [{ code: 'checkout/budtender-missing' }, cart('sale', [tagId(1)], budtender), true],
    [{ code: 'checkout/unchecked', ...item }, cart('sale', [tagId(1)]), false],
    [{ code: 'checkout/unchecked', ...item }, cart('sale', [tagId(2)]), true],
    [{ code: 'checkout/order-id-used', orderId: '7' }, cart('sale', [tagId(1)], number), false],
  ] as const)('is not said any more once it isn’t so: %j, %#', (error, view, over) => {
    expect(isOver(error, view)).toBe(over)
    const { checkout } = createCheckout()
    checkout.sale.error = error
    checkout.cartChanged(view)
    const shown = (): AppError | null => checkout.sale.error
    expect(shown() === null).toBe(over)
  })
})

describe('an order that could not be saved', () => {
  it('for want of items no longer says so once there is one', async () => {
    const { fake, checkout } = createCheckout()
    const seven = { orderId: OrderId.parse('7') }
    checkout.cartChanged(cart('sale', [], seven))
    const failed = checkout.primary()
    await turn()
    await fake.next('checkout.finish').refuse({ code: 'checkout/empty-cart' })
    await failed
    expect(checkout.sale.otherError?.code).toBe('checkout/empty-cart')
    checkout.cartChanged(cart('sale', [tagId(1)], { ...seven, revision: 2 }))
    expect(checkout.sale.otherError).toBeNull()
  })

  it('stays as it is, says why, and can be completed again', async () => {
    const { fake, checkout } = createCheckout()
    checkout.cartChanged(cart('sale', [tagId(1)], { orderId: OrderId.parse('7') }))
    const failed = checkout.primary()
    await turn()
    await fake.next('checkout.finish').refuse({ code: 'store/not-saved' })
    await failed
    expect(checkout.sale.otherError?.code).toBe('store/not-saved')
    expect([checkout.sale.itemCount, checkout.sale.orderText]).toEqual([1, '7'])
    void checkout.primary()
    await turn()
    expect(fake.next('checkout.finish').input).toMatchObject({ mode: 'sale', itemCount: 1 })
    expect(checkout.sale.error).toBeNull()
  })
})

describe('a reloaded page', () => {
  it('asks for the cart, and accepts a lower revision, since main may have restarted as well', async () => {
    const { fake, checkout } = createCheckout()
    await fake.emit('checkout.cart', cart('sale', [tagId(1)], { revision: 50 }))
    const loaded = checkout.sale.load()
    await fake.next('checkout.cart').answer(cart('sale', [tagId(1), tagId(2)], { revision: 4 }))
    await loaded
    expect(checkout.sale.itemCount).toBe(2)
  })

  it('shows a change that arrives while it asks, not the older answer', async () => {
    const { fake, checkout } = createCheckout()
    const loaded = checkout.sale.load()
    await fake.emit('checkout.cart', cart('sale', [tagId(1)], { revision: 5 }))
    await fake.next('checkout.cart').answer(cart('sale', [], { revision: 4 }))
    await loaded
    expect(checkout.sale.itemCount).toBe(1)
  })
})

describe('a cart that changed meanwhile', () => {
  const begun = () => {
    const till = createCheckout()
    till.checkout.cartChanged(cart('sale', [tagId(1)], { orderId: OrderId.parse('7') }))
    const now = cart('sale', [tagId(1), tagId(2)], { orderId: OrderId.parse('7'), revision: 2 })
    return { ...till, now }
  }

  it.each(['finish', 'clear', 'hold'] as const)('is shown as it is now, with the reason, after %s', async (step) => {
    const { fake, checkout, now } = begun()
    const done = step === 'clear' ? checkout.sale.clear() : checkout[step]()
    await turn()
    await fake.next(`checkout.${step}`).refuse({ code: 'checkout/cart-changed' })
    await fake.next('checkout.cart').answer(now)
    await done
    expect([checkout.sale.itemCount, checkout.sale.error?.code]).toEqual([2, 'checkout/cart-changed'])
  })

  it('is completed if only the budtender is another one: who signed in for it', async () => {
    const { fake, checkout } = begun()
    const done = checkout.finish()
    await turn()
    await fake.next('checkout.finish').refuse({ code: 'checkout/cart-changed' })
    const budtender = { id: 'AN', name: 'Ana Ruiz' }
    const served = { ...cart('sale', [tagId(1)], { orderId: OrderId.parse('7'), revision: 2 }), budtender }
    await fake.next('checkout.cart').answer(served)
    await vi.waitUntil(() => fake.asked.length > 0, { interval: 1 })
    const again = fake.next('checkout.finish')
    expect(again.input).toMatchObject({ orderId: '7', itemCount: 1, revision: 2 })
    await reported(fake, operation({ orderId: '7', itemCount: 1 }), again)
    await done
    expect(checkout.sale.error).toBeNull()
  })

  it('is shown as it is now, and an error of something else stays', async () => {
    const { fake, checkout } = begun()
    const used = checkout.sale.useOrder('7')
    await fake.next('checkout.setOrder').refuse({ code: 'checkout/order-id-used', orderId: '7' })
    await used
    const loading = checkout.sale.load()
    await fake.next('checkout.cart').answer(cart('sale', [tagId(2)], { revision: 3 }))
    await loading
    expect([checkout.sale.itemCount, checkout.sale.orderError?.code]).toEqual([1, 'checkout/order-id-used'])
  })

  it('is shown as it is now, without an error, if the key of a line changed', async () => {
    const { fake, checkout, now } = begun()
    const set = checkout.sale.expected.set('p', 3)
    await fake.next('checkout.setExpected').refuse({ code: 'checkout/cart-changed' })
    await fake.next('checkout.cart').answer(now)
    await set
    expect([checkout.sale.itemCount, checkout.sale.error]).toEqual([2, null])
  })

  it('is closed and read again if its report was saved but the answer could not be shown', async () => {
    const { fake, checkout } = begun()
    checkout.sale.isRemoving = true
    const finished = checkout.finish()
    await turn()
    await fake.next('checkout.finish').refuse({ code: 'app/saved-unseen', reference: 'a1' })
    await fake.next('checkout.cart').answer(cart('sale', [], { id: 2, revision: 2 }))
    await finished
    expect([checkout.sale.itemCount, checkout.sale.isRemoving, checkout.sale.error?.code]).toEqual([
      0,
      false,
      'app/saved-unseen',
    ])
  })
})

describe('text typed during a save', () => {
  it('stays in the customer field', async () => {
    const { fake, checkout } = createCheckout()
    const type = (text: string) => {
      checkout.sale.customerText = text
      checkout.sale.customerTyped()
    }
    type('C-1')
    const saved = checkout.sale.saveCustomer()
    type('C-12')
    await changed(fake, 'checkout.setCustomer', cart('sale', [], { customerId: 'C-1' }))
    await saved
    expect(checkout.sale.customerText).toBe('C-12')
  })

  it('is saved as well before the order is reported', async () => {
    const { fake, checkout } = createCheckout()
    checkout.cartChanged(cart('sale', [tagId(1)]))
    const type = (text: string) => {
      checkout.sale.orderText = text
      checkout.sale.orderTyped()
    }
    type('7')
    const finished = checkout.primary()
    await turn()
    const saving = fake.next('checkout.setOrder')
    type('77')
    await changed(fake, saving, cart('sale', [tagId(1)], { orderId: OrderId.parse('7'), revision: 2 }))
    const again = fake.next('checkout.setOrder')
    expect(again.input).toEqual({ mode: 'sale', orderId: '77' })
    await changed(fake, again, cart('sale', [tagId(1)], { orderId: OrderId.parse('77'), revision: 3 }))
    const reporting = fake.next('checkout.finish')
    expect(reporting.input).toMatchObject({ orderId: '77', revision: 3 })
    await reported(fake, operation({ orderId: '77', itemCount: 1 }), reporting)
    await finished
    expect(checkout.sale.orderText).toBe('')
  })
})

describe('the next order', () => {
  it('keeps the number typed while the last order is still being reported', async () => {
    const { fake, checkout } = createCheckout()
    checkout.cartChanged(cart('sale', [tagId(1)], { orderId: OrderId.parse('7') }))
    const finished = checkout.primary()
    await turn()
    const reporting = fake.next('checkout.finish')
    checkout.cartChanged(cart('sale', [], { revision: 2 }))
    checkout.sale.orderText = '8'
    checkout.sale.orderTyped()
    await reported(fake, operation({ orderId: '7', itemCount: 1 }), reporting)
    await finished
    expect(checkout.sale.orderText).toBe('8')
    const saved = checkout.sale.saveOrder()
    expect(fake.next('checkout.setOrder').input).toEqual({ mode: 'sale', orderId: '8' })
    void saved
  })
})
