import { describe, expect, it } from 'vitest'
import type { AppError } from '../../../src-shared/errors'
import { OrderId } from '../../../src-shared/ids'
import { cart, held, tagId } from './examples'
import { turn } from './fake-wire'
import { changed, createCheckout } from './till'

describe('an order on hold', () => {
  it('keeps the number that is still being typed, and leaves an empty order', async () => {
    const { fake, checkout } = createCheckout()
    checkout.cartChanged(cart('sale', [tagId(1)]))
    checkout.sale.orderText = '77'
    checkout.sale.orderTyped()
    const holding = checkout.hold()
    await turn()
    const saving = fake.next('checkout.setOrder')
    expect(saving.input).toEqual({ mode: 'sale', orderId: '77' })
    await changed(fake, saving, cart('sale', [tagId(1)], { orderId: OrderId.parse('77') }))
    await changed(fake, 'checkout.hold', cart('sale', []))
    expect(await holding).toMatchObject({ ok: true })
    expect([checkout.sale.orderText, checkout.sale.itemCount]).toEqual(['', 0])
  })

  it('is not put on hold if its number is refused, and says why', async () => {
    const { fake, checkout } = createCheckout()
    checkout.sale.orderText = '77'
    checkout.sale.orderTyped()
    const holding = checkout.hold()
    await turn()
    await fake.next('checkout.setOrder').refuse({ code: 'store/not-saved' })
    expect(await holding).toMatchObject({ ok: false, error: { code: 'store/not-saved' } })
    expect(fake.asked).toEqual([])
  })

  it('is resumed on its tab; if it no longer exists, the list is read again', async () => {
    const { fake, checkout } = createCheckout()
    checkout.held.show([held(4, '10482')])
    checkout.openTab('void')
    const resumed = checkout.resume(held(4, '10482'))
    await turn()
    const asked = fake.next('checkout.resume')
    expect(asked.input).toEqual({ heldId: 4 })
    await asked.refuse({ code: 'checkout/not-held' })
    await fake.next('checkout.held').answer([])
    expect(await resumed).toMatchObject({ ok: false })
    expect([checkout.tab, checkout.held.list, checkout.sale.error?.code]).toEqual(['sale', [], 'checkout/not-held'])
  })

  it('is refused where what was typed in front is seen, and otherwise in the list', async () => {
    const { fake, checkout } = createCheckout()
    const refused = async (error: AppError) => {
      checkout.held.show([held(4, '10482')])
      checkout.held.isOpen = true
      const resumed = checkout.resume(held(4, '10482'))
      await turn()
      await fake.next('checkout.resume').refuse(error)
      await fake.next('checkout.held').answer([held(4, '10482')])
      await resumed
      return [checkout.held.isOpen, checkout.held.error?.code]
    }
    expect(await refused({ code: 'checkout/order-begun', orderId: '7' })).toEqual([false, undefined])
    expect(checkout.sale.error?.code).toBe('checkout/order-begun')
    expect(await refused({ code: 'checkout/held-unreachable' })).toEqual([true, 'checkout/held-unreachable'])
  })

  it('is deleted only after a confirmation', async () => {
    const { fake, checkout } = createCheckout()
    checkout.held.show([held(4, '10482'), held(5, null)])
    await checkout.held.drop()
    expect(fake.asked).toEqual([])
    checkout.held.dropping = held(5, null)
    const dropped = checkout.held.drop()
    const asked = fake.next('checkout.dropHeld')
    expect(asked.input).toEqual({ heldId: 5 })
    await fake.emit('checkout.held', [held(4, '10482')])
    await asked.answer(null)
    await dropped
    expect(checkout.held.list).toHaveLength(1)
  })

  it('is offered for a scanned item that it holds, but not if another tab has the item', async () => {
    const { fake, checkout, scan } = createCheckout()
    checkout.held.show([held(4, '10482')])
    const error = { code: 'checkout/in-open-order', tagId: tagId(1), orderId: '10482' } as const
    const inHeld = scan(tagId(1))
    await fake.next('checkout.addItem').refuse(error)
    const { what, actions } = await inHeld
    expect(what).toEqual({ key: 'checkout.scan.in-held', values: { orderId: '10482' } })
    expect(actions?.map(({ label }) => label.key)).toEqual(['checkout.resume-order'])
    checkout.cartChanged(cart('return', [tagId(1)]))
    const inReturn = scan(tagId(1))
    await fake.next('checkout.addItem').refuse(error)
    expect((await inReturn).actions?.map(({ label }) => label.key)).toEqual(['checkout.open-tab.return'])
  })
})
