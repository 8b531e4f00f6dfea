import { beforeEach, describe, expect, it } from 'vitest'
import { App } from '../../../src-renderer/app.svelte'
import { language, say } from '../../../src-renderer/messages/text.svelte'
import type { Sound } from '../../../src-renderer/scan/sounds'
import { OrderId } from '../../../src-shared/ids'
import type { Action } from '../../../src-shared/scan/actions'
import { cart, itemAdded, operation, scan, tagId } from './examples'
import { createFakeWire, turn } from './fake-wire'

function start() {
  const fake = createFakeWire()
  const sounds: Sound[] = []
  fake.always('scanner.setPlace', null)
  const app = new App({ wire: fake.wire, onReach: () => () => undefined }, (sound) => sounds.push(sound))
  app.start()
  let seq = 0
  return {
    app,
    fake,
    sounds,
    act: (action: Action) => fake.emit('scanner.scanned', scan(++seq, { kind: 'action', action })),
    addItem: async () => {
      await fake.emit('scanner.scanned', scan(++seq, { kind: 'tag', tagId: tagId(1), certain: true }))
      await fake.next('checkout.addItem').answer(itemAdded('sale', [tagId(1)]))
    },
    strip: () => app.strip.current && [app.strip.current.tone, say(app.strip.current.what)],
  }
}

describe('a scanned action', () => {
  beforeEach(() => {
    language.locale = 'en'
  })

  it('completes the order as its button does, with one sound', async () => {
    const { app, fake, sounds, act, strip } = start()
    app.go('checkout')
    app.checkout.cartChanged(cart('sale', [tagId(1)], { orderId: OrderId.parse('7') }))
    await act('complete')
    const asked = fake.next('checkout.finish')
    expect(asked.input).toEqual({ mode: 'sale', orderId: '7', itemCount: 1 })
    await asked.answer(operation({ orderId: '7', itemCount: 1 }))
    await fake.next('checkout.cart').answer(cart('sale', []))
    expect(strip()).toEqual(['good', 'Order 7 reported, 1 item'])
    expect(sounds).toEqual(['good'])
    expect(app.checkout.banner.operation?.orderId).toBe('7')
  })

  it('says why the order can’t be completed, and reports nothing', async () => {
    const { app, fake, act, strip } = start()
    app.go('checkout')
    await act('complete')
    expect(strip()?.[0]).toBe('bad')
    app.checkout.cartChanged(cart('sale', [tagId(1)]))
    await act('complete')
    expect(strip()).toEqual(['bad', 'The order number is missing.'])
    expect(fake.asked).toEqual([])
  })

  it('takes the scan before it back, once', async () => {
    const { app, fake, act, addItem, strip } = start()
    app.go('checkout')
    await addItem()
    await act('undo')
    await fake.next('checkout.removeItem').answer(cart('sale', []))
    expect(strip()).toEqual(['attention', 'Undone: Blue Dream 3.5 g taken out'])
    await act('undo')
    expect(strip()).toEqual(['attention', 'There is nothing to undo'])
    expect(fake.asked).toEqual([])
  })

  it('clears the order only when it is scanned again after the question', async () => {
    const { app, fake, act, addItem, strip } = start()
    app.go('checkout')
    await act('cancel')
    expect(strip()).toEqual(['attention', 'The order is empty'])
    await addItem()
    await act('cancel')
    expect([app.checkout.sale.isAskingToClear, strip()?.[1]]).toEqual([true, 'Clear this order?'])
    expect(fake.asked).toEqual([])
    await act('cancel')
    await fake.next('checkout.clear').answer(cart('sale', []))
    expect([app.checkout.sale.isAskingToClear, strip()?.[1]]).toEqual([false, 'Order cleared'])
  })

  it('keeps the order when anything else is scanned after the question', async () => {
    const { app, fake, act, addItem } = start()
    app.go('checkout')
    await addItem()
    await act('cancel')
    await addItem()
    expect(app.checkout.sale.isAskingToClear).toBe(false)
    await act('cancel')
    expect(app.checkout.sale.isAskingToClear).toBe(true)
    expect(fake.asked).toEqual([])
  })

  it('switches remove mode on and off, and not on for an empty order', async () => {
    const { app, act, strip } = start()
    app.go('checkout')
    await act('remove')
    expect([app.checkout.sale.isRemoving, strip()?.[1]]).toEqual([false, 'The order is empty'])
    app.checkout.cartChanged(cart('sale', [tagId(1)]))
    await act('remove')
    expect(app.checkout.sale.isRemoving).toBe(true)
    await act('remove')
    expect(app.checkout.sale.isRemoving).toBe(false)
  })

  it.each(['complete', 'cancel', 'remove'] as const)(
    '%s is not available elsewhere, nor while voiding',
    async (action) => {
      const { app, fake, act, strip } = start()
      await act(action)
      expect(strip()).toEqual(['attention', 'This is an action code'])
      app.go('checkout')
      app.checkout.openTab('void')
      await act(action)
      expect(strip()).toEqual(['attention', 'This is an action code'])
      await turn()
      expect(fake.asked).toEqual([])
    },
  )
})
