import { describe, expect, it } from 'vitest'
import { OrderId } from '../../../src-shared/ids'
import { cart, held, operation, tagId } from './examples'
import { turn } from './fake-wire'
import { changed, createCheckout, reported } from './till'

describe('the budtender', () => {
  it('is set by main, which announces it for both carts', async () => {
    const { fake, checkout } = createCheckout()
    const budtender = { id: 'B-7', name: 'Ana' }
    const set = checkout.setBudtender('B-7')
    const asked = fake.next('checkout.setBudtender')
    expect(asked.input).toEqual({ mode: 'sale', budtenderId: 'B-7' })
    await changed(fake, asked, cart('sale', [], { budtender }))
    await fake.emit('checkout.cart', cart('return', [], { budtender }))
    expect(await set).toMatchObject({ ok: true })
    expect([checkout.sale.budtender?.name, checkout.return.budtender?.name]).toEqual(['Ana', 'Ana'])
  })

  it('is asked for beside the name if missing, not as another error', async () => {
    const { fake, checkout } = createCheckout()
    checkout.cartChanged(cart('sale', [tagId(1)], { orderId: OrderId.parse('7') }))
    const finished = checkout.primary()
    await turn()
    await fake.next('checkout.finish').refuse({ code: 'checkout/budtender-missing' })
    await finished
    expect([checkout.sale.isBudtenderMissing, checkout.sale.otherError]).toEqual([true, null])
  })
})

describe('a customer id', () => {
  it('is saved when it changes, and removed from the order when the field is emptied', async () => {
    const { fake, checkout } = createCheckout()
    const type = (text: string) => {
      checkout.sale.customerText = text
      checkout.sale.customerTyped()
      return checkout.sale.saveCustomer()
    }
    await type('   ')
    expect(fake.asked).toEqual([])
    const set = type(' CUSTOMER-1 ')
    const asked = fake.next('checkout.setCustomer')
    expect(asked.input).toEqual({ mode: 'sale', customerId: 'CUSTOMER-1' })
    await changed(fake, asked, cart('sale', [], { customerId: 'CUSTOMER-1' }))
    await set
    expect(checkout.sale.customerText).toBe('CUSTOMER-1')
    void type('')
    expect(fake.next('checkout.setCustomer').input).toEqual({ mode: 'sale', customerId: null })
  })

  it.each(['finish', 'hold', 'resume'] as const)('is saved before %s while it is still being typed', async (step) => {
    const { fake, checkout } = createCheckout()
    const orderId = OrderId.parse('7')
    checkout.cartChanged(cart('sale', [tagId(1)], { orderId }))
    checkout.sale.customerText = 'CUSTOMER-1'
    checkout.sale.customerTyped()
    const done = step === 'resume' ? checkout.resume(held(4, '8')) : checkout[step]()
    await turn()
    const saving = fake.next('checkout.setCustomer')
    expect([saving.input, fake.asked]).toEqual([{ mode: 'sale', customerId: 'CUSTOMER-1' }, []])
    await changed(fake, saving, cart('sale', [tagId(1)], { orderId, customerId: 'CUSTOMER-1', revision: 2 }))
    const asked = fake.next(`checkout.${step}`)
    if (step !== 'resume') expect(asked.input).toMatchObject({ revision: 2 })
    if (step === 'finish') await reported(fake, operation({ orderId: '7', itemCount: 1 }), asked)
    else await changed(fake, asked, cart('sale', [], { revision: 3 }))
    await done
    expect(checkout.sale.customerText).toBe('')
  })

  it('is discarded when the order is cleared while it is being typed', async () => {
    const { fake, checkout } = createCheckout()
    checkout.cartChanged(cart('sale', [tagId(1)]))
    checkout.sale.customerText = 'CUSTOMER-1'
    checkout.sale.customerTyped()
    const cleared = checkout.sale.clear()
    await turn()
    const asked = fake.next('checkout.clear')
    expect(asked.input).toEqual({ mode: 'sale', revision: 1 })
    await changed(fake, asked, cart('sale', [], { id: 2 }))
    await cleared
    expect([checkout.sale.customerText, checkout.sale.isEmpty, fake.asked]).toEqual(['', true, []])
  })

  it('stays, with the order number, in an order that could not be cleared', async () => {
    const { fake, checkout } = createCheckout()
    checkout.cartChanged(cart('sale', [tagId(1)]))
    checkout.sale.customerText = 'CUSTOMER-1'
    checkout.sale.customerTyped()
    checkout.sale.orderText = '77'
    checkout.sale.orderTyped()
    const cleared = checkout.sale.clear()
    await turn()
    await fake.next('checkout.clear').refuse({ code: 'store/not-saved' })
    await cleared
    expect([checkout.sale.customerText, checkout.sale.orderText]).toEqual(['CUSTOMER-1', '77'])
  })
})
