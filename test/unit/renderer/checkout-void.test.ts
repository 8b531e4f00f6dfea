import { describe, expect, it } from 'vitest'
import { OrderId } from '../../../src-shared/ids'
import { cart, operation, order, tagId } from './examples'
import { turn } from './fake-wire'
import { createCheckout, reported } from './till'

describe('voiding', () => {
  it('asks before reporting, and forgets a look-up when another number is typed', async () => {
    const { fake, checkout } = createCheckout()
    checkout.openTab('void')
    checkout.voiding.orderText = '7'
    const looked = checkout.primary()
    await fake.next('checkout.order').answer({ ...order('7'), voidWill: 'withdraw' })
    await looked
    await checkout.primary()
    expect(checkout.voiding.isAsking).toBe(true)
    expect(fake.asked).toEqual([])
    checkout.voiding.orderTyped()
    expect(checkout.voiding.view).toBeNull()
  })

  it('shows nothing of a look-up that a newer one overtook', async () => {
    const { fake, checkout } = createCheckout()
    const slow = checkout.voiding.useOrder('7')
    const quick = checkout.voiding.useOrder('8')
    const late = fake.next('checkout.order')
    await fake.next('checkout.order').answer(order('8'))
    await late.answer(order('7'))
    await Promise.all([slow, quick])
    expect(checkout.voiding.view?.orderId).toBe('8')
  })
})

describe('a void that was saved', () => {
  it('leads back to selling', async () => {
    const { fake, checkout } = createCheckout()
    checkout.openTab('void')
    const looked = checkout.voiding.useOrder('7')
    await fake.next('checkout.order').answer(order('7'))
    await looked
    const voided = checkout.confirmVoidByButton()
    await fake.next('checkout.void').answer(operation({ kind: 'void', orderId: '7' }))
    await voided
    expect(checkout.tab).toBe('sale')
  })
})

describe('a void that is still being saved while another order is shown', () => {
  const voidOf7 = async () => {
    const all = createCheckout()
    const { fake, checkout } = all
    checkout.openTab('void')
    const looked = checkout.voiding.useOrder('7')
    await fake.next('checkout.order').answer(order('7'))
    await looked
    const voided = checkout.confirmVoidByButton()
    return { ...all, voided, answer: fake.next('checkout.void') }
  }
  const shownOf = ({ voiding }: ReturnType<typeof createCheckout>['checkout']) => [
    voiding.view?.orderId,
    voiding.orderText,
    voiding.note,
    voiding.error,
    voiding.isBusy,
  ]

  it('leaves that order and its reason, and sounds', async () => {
    const { fake, checkout, sounds, voided, answer } = await voidOf7()
    const found = checkout.voiding.useItem(tagId(2))
    await fake.next('checkout.orderOfItem').answer(order('8'))
    await found
    checkout.voiding.note = 'wrong item'
    await answer.answer(operation({ kind: 'void', orderId: '7' }))
    await voided
    expect(shownOf(checkout)).toEqual(['8', '8', 'wrong item', null, false])
    expect(sounds.at(-1)).toBe('back')
  })

  it('does not discard an order that is still being looked up', async () => {
    const { fake, checkout, voided, answer } = await voidOf7()
    const found = checkout.voiding.useItem(tagId(2))
    await answer.answer(operation({ kind: 'void', orderId: '7' }))
    await fake.next('checkout.orderOfItem').answer(order('8'))
    await Promise.all([found, voided])
    expect(shownOf(checkout)).toEqual(['8', '8', '', null, false])
  })

  it('leaves a number that is being typed', async () => {
    const { checkout, voided, answer } = await voidOf7()
    checkout.voiding.orderText = '8'
    checkout.voiding.orderTyped()
    await answer.answer(operation({ kind: 'void', orderId: '7' }))
    await voided
    expect(checkout.voiding.orderText).toBe('8')
  })

  it('shows a refusal in the strip, not over that order', async () => {
    const { fake, checkout, strip, sounds, voided, answer } = await voidOf7()
    const found = checkout.voiding.useItem(tagId(2))
    await fake.next('checkout.orderOfItem').answer(order('8'))
    await found
    await answer.refuse({ code: 'checkout/order-voided', orderId: '7' })
    await voided
    expect(shownOf(checkout)).toEqual(['8', '8', '', null, false])
    expect(strip.current).toMatchObject({ tone: 'bad', what: { key: 'error.checkout/order-voided.what' } })
    expect(sounds).toEqual(['bad'])
  })

  it('shows a refusal above its own order while that is shown', async () => {
    const { checkout, strip, voided, answer } = await voidOf7()
    await answer.refuse({ code: 'store/not-saved' })
    await voided
    expect([checkout.voiding.view?.orderId, checkout.voiding.error?.code, strip.previous]).toEqual([
      '7',
      'store/not-saved',
      null,
    ])
  })
})

describe('a reason', () => {
  it('is sent with a return or a void, and cleared afterwards', async () => {
    const { fake, checkout } = createCheckout()
    checkout.openTab('return')
    checkout.cartChanged(cart('return', [tagId(1)], { orderId: OrderId.parse('7') }))
    checkout.return.note = ' damaged '
    const finished = checkout.primary()
    await turn()
    const returning = fake.next('checkout.finish')
    expect(returning.input).toMatchObject({ mode: 'return', note: 'damaged' })
    await reported(fake, operation({ kind: 'return', orderId: '7', itemCount: 1 }), returning)
    await finished
    expect(checkout.return.note).toBe('')

    const looked = checkout.voiding.useOrder('7')
    await fake.next('checkout.order').answer(order('7'))
    await looked
    checkout.voiding.note = 'rung up twice'
    const voided = checkout.confirmVoid()
    const voiding = fake.next('checkout.void')
    expect(voiding.input).toEqual({ orderId: '7', note: 'rung up twice' })
    await voiding.answer(operation({ kind: 'void', orderId: '7' }))
    await voided
    expect(checkout.voiding.isEmpty).toBe(true)
  })
})

describe('an item whose order is to be voided', () => {
  it('finds its order; an item never sold here leaves what is shown', async () => {
    const { fake, checkout } = createCheckout()
    const found = checkout.voiding.useItem(tagId(1))
    await fake.next('checkout.orderOfItem').answer(order('7'))
    expect(await found).toMatchObject({ ok: true })
    checkout.voiding.note = 'wrong item'
    const unknown = checkout.voiding.useItem(tagId(2))
    await fake.next('checkout.orderOfItem').refuse({ code: 'checkout/never-sold-here', tagId: tagId(2) })
    expect(await unknown).toMatchObject({ ok: false })
    expect([checkout.voiding.view?.orderId, checkout.voiding.orderText, checkout.voiding.note]).toEqual([
      '7',
      '7',
      'wrong item',
    ])
  })

  it('does not keep the reason typed for another order', async () => {
    const { fake, checkout } = createCheckout()
    checkout.voiding.note = 'wrong item'
    const found = checkout.voiding.useItem(tagId(1))
    await fake.next('checkout.orderOfItem').answer(order('8'))
    await found
    expect(checkout.voiding.note).toBe('')
  })
})
