import { describe, expect, it } from 'vitest'
import { App } from '../../../src-renderer/app.svelte'
import { say } from '../../../src-renderer/text/text.svelte'
import type { Sound } from '../../../src-renderer/scan/sounds'
import { OrderId } from '../../../src-shared/ids'
import { PersonId } from '../../../src-shared/people'
import type { Action } from '../../../src-shared/scan/meaning'
import { cart, held, operation, order, scan, tagId } from './examples'
import { createFakeWire, turn } from './fake-wire'
import { added, changed, reported } from './till'

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
      await added(fake, cart('sale', [tagId(1)]))
    },
    scanOrder: (text: string) =>
      fake.emit('scanner.scanned', scan(++seq, { kind: 'order', orderId: OrderId.parse(text) })),
    scanBadge: (badge: string, proof?: string | null) =>
      fake.emit('scanner.scanned', scan(++seq, { kind: 'badge', badge, ...(proof !== undefined && { proof }) })),
    scanText: (text: string) => fake.emit('scanner.scanned', scan(++seq, { kind: 'unknown', text })),
    strip: () => app.strip.current && [app.strip.current.tone, say(app.strip.current.what)],
  }
}

describe('a scanned action', () => {
  it('completes the order like its button, with one sound', async () => {
    const { app, fake, sounds, act, strip } = start()
    app.go('checkout')
    app.checkout.cartChanged(cart('sale', [tagId(1)], { orderId: OrderId.parse('7') }))
    await act('complete')
    const asked = fake.next('checkout.finish')
    expect(asked.input).toEqual({ mode: 'sale', orderId: '7', itemCount: 1, revision: 1 })
    await reported(fake, operation({ orderId: '7', itemCount: 1 }), asked)
    expect(strip()).toEqual(['good', 'Order 7, 1 item'])
    expect(sounds).toEqual(['good'])
  })

  it('says why main refuses to complete the order', async () => {
    const { app, fake, act, strip } = start()
    app.go('checkout')
    app.checkout.cartChanged(cart('sale', [tagId(1)]))
    await act('complete')
    await fake.next('checkout.finish').refuse({ code: 'checkout/order-id-missing' })
    expect(strip()).toEqual(['bad', 'The order number is missing.'])
  })

  it('undoes the scan before it, once', async () => {
    const { app, fake, act, addItem, strip } = start()
    app.go('checkout')
    await addItem()
    await act('undo')
    await changed(fake, 'checkout.removeItem', cart('sale', []))
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
    await changed(fake, 'checkout.clear', cart('sale', []))
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

  it('switches remove mode on and off, but not on for an empty order', async () => {
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

  it('complete is the primary action of receiving', async () => {
    const { act, strip } = start()
    await act('complete')
    expect(strip()).toEqual(['attention', 'There is nothing to import now'])
  })

  it.each(['complete', 'cancel', 'remove', 'hold'] as const)('%s is not available elsewhere', async (action) => {
    const { app, fake, act, strip } = start()
    app.go('outbox')
    await turn()
    fake.asked.length = 0
    await act(action)
    expect(strip()).toEqual(['attention', 'This is an action code'])
    await turn()
    expect(fake.asked).toEqual([])
  })

  it.each(['remove', 'hold'] as const)('%s is not available while voiding', async (action) => {
    const { app, fake, act, strip } = start()
    app.go('checkout')
    app.checkout.openTab('void')
    await act(action)
    expect(strip()).toEqual(['attention', 'This is an action code'])
    expect(fake.asked).toEqual([])
  })

  it('hold puts a sale on hold and names its number, but not an empty order or a return', async () => {
    const { app, fake, act, strip } = start()
    app.go('checkout')
    app.checkout.cartChanged(cart('sale', [tagId(1)], { orderId: OrderId.parse('7') }))
    await act('hold')
    await changed(fake, 'checkout.hold', cart('sale', []))
    expect(strip()).toEqual(['good', 'Order 7 is on hold'])
    await act('hold')
    await fake.next('checkout.hold').refuse({ code: 'checkout/nothing-to-hold' })
    expect(strip()).toEqual(['attention', 'The order is empty'])
    app.checkout.openTab('return')
    await act('hold')
    expect(strip()).toEqual(['attention', 'This is an action code'])
  })

  it("complete asks if quantities don't match, and confirms when it is scanned again", async () => {
    const { app, fake, act, strip } = start()
    app.go('checkout')
    const view = cart('sale', [tagId(1)], { orderId: OrderId.parse('7') })
    app.checkout.cartChanged({
      ...view,
      lines: view.lines.map((line) => ({ ...line, expected: 2, difference: -1 })),
      mustConfirm: true,
    })
    await act('complete')
    expect(strip()).toEqual(['attention', 'Quantities don’t match'])
    await act('cancel')
    expect([app.checkout.sale.isAskingToFinish, strip()?.[1]]).toEqual([false, 'Not completed. Keep scanning.'])
    await act('complete')
    await act('remove')
    expect(app.checkout.sale.isAskingToFinish).toBe(false)
    await act('complete')
    expect(fake.asked).toEqual([])
    await act('complete')
    const asked = fake.next('checkout.finish')
    expect(asked.input).toMatchObject({ isMeant: true })
    await reported(fake, operation({ orderId: '7', itemCount: 1 }), asked)
    expect(strip()).toEqual(['good', 'Order 7, 1 item'])
  })

  it('complete asks, then voids the shown order; cancel keeps it', async () => {
    const { app, fake, act, strip } = start()
    app.go('checkout')
    app.checkout.openTab('void')
    await act('complete')
    expect(strip()).toEqual(['bad', 'The order number is missing.'])
    await act('cancel')
    expect(strip()).toEqual(['attention', 'There is nothing to void on this screen'])
    const looked = app.checkout.voiding.useOrder('7')
    await fake.next('checkout.order').answer({ ...order('7'), voidWill: 'withdraw' })
    await looked
    await act('complete')
    expect(strip()).toEqual(['attention', 'Void order 7?'])
    await act('cancel')
    expect([app.checkout.voiding.isAsking, strip()?.[1]]).toEqual([false, 'Order 7 stays as it is'])
    await act('complete')
    await act('complete')
    await fake.next('checkout.void').answer(operation({ kind: 'void', orderId: '7' }))
    expect(strip()).toEqual(['good', 'Void of order 7'])
    await act('cancel')
    expect(fake.asked.map((asked) => asked.call)).not.toContain('checkout.void')
  })

  it('an order number replaces an order that is only looked at', async () => {
    const { app, fake, strip } = start()
    app.go('checkout')
    app.checkout.openTab('void')
    const looked = app.checkout.voiding.useOrder('7')
    await fake.next('checkout.order').answer(order('7'))
    await looked
    app.checkout.voiding.ask()
    await fake.emit('scanner.scanned', scan(1, { kind: 'order', orderId: OrderId.parse('8') }))
    await fake.next('checkout.order').answer(order('8'))
    const { voiding } = app.checkout
    expect([voiding.view?.orderId, voiding.orderText, voiding.isAsking]).toEqual(['8', '8', false])
    expect(strip()?.[0]).toBe('good')
  })

  it.each([
    [true, ['good', 'Sold in order 7']],
    [false, ['attention', 'There is nothing to void in order 7']],
  ])('an item finds its order, and it is said whether that can be voided (%s)', async (canVoid, said) => {
    const { app, fake, strip } = start()
    app.go('checkout')
    app.checkout.openTab('void')
    await fake.emit('scanner.scanned', scan(1, { kind: 'tag', tagId: tagId(1), certain: true }))
    await fake.next('checkout.orderOfItem').answer(order('7', { canVoid }))
    expect(strip()).toEqual(said)
  })

  it('complete says that an order can’t be voided, and cancel clears it', async () => {
    const { app, fake, act, strip } = start()
    app.go('checkout')
    app.checkout.openTab('void')
    const looked = app.checkout.voiding.useOrder('7')
    await fake.next('checkout.order').answer(order('7', { canVoid: false }))
    await looked
    await act('complete')
    expect(strip()).toEqual(['attention', 'There is nothing to void in order 7'])
    await act('cancel')
    expect([strip()?.[1], app.checkout.voiding.view]).toEqual(['Ready for another order', null])
  })
})

describe('a scanned order number', () => {
  it.each(['sale', 'void'] as const)('is refused with a sound when it can’t be used (%s)', async (tab) => {
    const { app, fake, scanOrder, strip, sounds } = start()
    app.go('checkout')
    app.checkout.openTab(tab)
    await scanOrder('10482')
    if (tab === 'sale') await fake.next('checkout.setOrder').refuse({ code: 'store/not-saved' })
    else await fake.next('checkout.order').refuse({ code: 'ipc/disconnected' })
    expect(strip()?.[0]).toBe('bad')
    expect(sounds).toEqual(['bad'])
  })

  it('resumes an order on hold while selling, even if another order is in front', async () => {
    const { app, fake, scanOrder, strip } = start()
    app.go('checkout')
    app.checkout.held.show([held(4, '10482')])
    app.checkout.cartChanged(cart('sale', [tagId(1)], { orderId: OrderId.parse('7') }))
    await scanOrder('10482')
    const asked = fake.next('checkout.resume')
    expect(asked.input).toEqual({ heldId: 4 })
    await changed(fake, asked, cart('sale', [tagId(2)], { orderId: OrderId.parse('10482') }))
    expect(strip()).toEqual(['good', 'Order 10482 resumed'])
    expect(app.checkout.sale.orderText).toBe('10482')
  })
})

describe('a badge', () => {
  const listed = { takesUnchecked: true, requiresBudtender: false, budtenders: [{ id: 'B-7', name: 'Ana' }] }

  it('sets the budtender; an unlisted badge is used, and the strip says so', async () => {
    const { app, fake, scanBadge, strip } = start()
    app.go('checkout')
    app.checkout.settings = listed
    await scanBadge('B-7')
    await changed(fake, 'checkout.setBudtender', cart('sale', [], { budtender: { id: 'B-7', name: 'Ana' } }))
    await fake.emit('checkout.cart', cart('return', []))
    expect(strip()).toEqual(['good', 'Budtender: Ana'])
    await scanBadge('B-8')
    await changed(fake, 'checkout.setBudtender', cart('sale', [], { budtender: { id: 'B-8', name: 'B-8' } }))
    await fake.emit('checkout.cart', cart('return', []))
    expect(strip()).toEqual(['attention', 'Budtender: B-8'])
  })

  it('needs no prefix when it is on the list', async () => {
    const { app, fake, scanText } = start()
    app.go('checkout')
    app.checkout.settings = listed
    await scanText('B-7')
    expect(fake.next('checkout.setBudtender').input).toEqual({ mode: 'sale', budtenderId: 'B-7' })
  })

  it('is sent to checkout from other screens, and fills the badge field in Settings', async () => {
    const { app, fake, scanBadge, strip } = start()
    await scanBadge('B-7')
    expect(strip()).toEqual(['attention', 'Badge read'])
    expect(app.strip.current?.actions).toHaveLength(1)
    const taken: string[] = []
    app.checkout.badgeField = (badge) => ({
      tone: 'good',
      what: { key: 'scan.badge' },
      about: (taken.push(badge), tagId(1)),
    })
    await scanBadge('B-8')
    expect([taken, strip()]).toEqual([['B-8'], ['good', 'Badge read']])
    expect(fake.asked).toEqual([])
  })

  it('of a person signs in on any screen; a printed one that belongs to no one says so', async () => {
    const { app, fake, scanBadge, strip } = start()
    const proof = '5f0c9e0a-4a7b-4c3e-9d55-1b1a7f6a2c11'
    const id = PersonId.parse('0d6a3e0c-7a58-4a3e-8a53-0f5f7b8b2c44')
    for (const screen of ['checkout', 'receiving'] as const) {
      app.go(screen)
      await scanBadge('AN', proof)
      const asked = fake.next('people.signIn')
      expect(asked.input).toEqual({ shown: { proof } })
      await asked.answer({ id, name: 'Ana Núñez', shortName: 'AN', role: 'lead' })
      expect(strip()).toEqual(['good', 'Signed in: Ana Núñez'])
    }
    await scanBadge('', null)
    expect(strip()).toEqual(['bad', 'No one here has this badge.'])
    await scanBadge('AN', proof)
    await fake.next('people.signIn').refuse({ code: 'people/no-badge' })
    expect(strip()).toEqual(['bad', 'No one here has this badge.'])
    expect(fake.asked).toEqual([])
  })
})
