import { describe, expect, it } from 'vitest'
import { App } from '../../../src-renderer/app.svelte'
import { say } from '../../../src-renderer/text/text.svelte'
import { OrderId } from '../../../src-shared/ids'
import type { Host } from '../../../src-renderer/host'
import { cart, operation, scan, tagId } from './examples'
import { createFakeWire } from './fake-wire'
import { changed, reported } from './till'

function start() {
  const fake = createFakeWire()
  const host: Host = { wire: fake.wire, onReach: () => () => undefined }
  fake.always('checkout.cart', cart('sale', []))
  fake.always('scanner.setPlace', null)
  const app = new App(host, () => undefined)
  app.start()
  const strip = () => {
    const { current } = app.strip
    return current && [current.tone, say(current.what), current.detail && say(current.detail)]
  }
  return { app, fake, strip }
}

const order = { kind: 'order', orderId: OrderId.parse('10482') } as const

describe('a scanned order number', () => {
  it('is used in checkout if there is none yet, or if it is the same number', async () => {
    const { app, fake, strip } = start()
    app.go('checkout')
    await fake.emit('scanner.scanned', scan(1, order))
    await changed(fake, 'checkout.setOrder', cart('sale', [], { orderId: order.orderId }))
    expect(app.checkout.sale.orderText).toBe('10482')
    expect(strip()).toEqual(['good', 'Order number 10482', null])
  })

  it('never replaces another number', async () => {
    const { app, fake, strip } = start()
    app.go('checkout')
    app.checkout.sale.orderText = '77'
    await fake.emit('scanner.scanned', scan(1, order))
    expect(app.checkout.sale.orderText).toBe('77')
    expect(strip()?.[0]).toBe('attention')
    expect(strip()?.[2]).toContain('Order 77 is open')
  })

  describe('scanned while the previous order is being reported', () => {
    const begin = async () => {
      const started = start()
      const { app, fake } = started
      app.go('checkout')
      app.checkout.cartChanged(cart('sale', [tagId(1)], { orderId: OrderId.parse('77') }))
      await fake.emit('scanner.scanned', scan(1, { kind: 'action', action: 'complete' }))
      await fake.emit('scanner.scanned', scan(2, order))
      expect(app.checkout.sale.orderText).toBe('77')
      return started
    }

    it('waits, and is used for the next order', async () => {
      const { app, fake, strip } = await begin()
      const reporting = fake.next('checkout.finish')
      expect(reporting.input).toMatchObject({ orderId: '77' })
      await reported(fake, operation({ orderId: '77', itemCount: 1 }), reporting)
      expect(fake.next('checkout.setOrder').input).toEqual({ mode: 'sale', orderId: '10482' })
      expect(app.checkout.sale.orderText).toBe('10482')
      expect(strip()?.slice(0, 2)).toEqual(['working', 'Order number 10482'])
    })

    it('is not used when that order could not be reported', async () => {
      const { app, fake, strip } = await begin()
      await fake.next('checkout.finish').refuse({ code: 'store/not-saved' })
      expect(app.checkout.sale.orderText).toBe('77')
      expect(strip()?.[2]).toContain('Order 77 is open')
      expect(fake.asked).toEqual([])
    })
  })

  it('is sent to checkout from other screens, without being used', async () => {
    const { app, fake, strip } = start()
    await fake.emit('scanner.scanned', scan(1, order))
    expect(strip()?.[0]).toBe('attention')
    app.strip.current?.actions[0]?.run()
    expect(app.screen).toBe('checkout')
    expect(app.checkout.sale.orderText).toBe('')
  })

  it.each([
    [
      { kind: 'gs1', text: 'x', gtin: '09506000134352', batch: null, serial: null },
      'A product’s barcode, not an item’s',
    ],
  ] as const)('is not read from %j, and the strip says so', async (meaning, what) => {
    const { app, fake, strip } = start()
    app.go('checkout')
    await fake.emit('scanner.scanned', scan(1, meaning))
    expect(strip()?.slice(0, 2)).toEqual(['attention', what])
    expect(strip()?.[2]).not.toBeNull()
  })
})

describe('two codes that came at once', () => {
  it.each(['receiving', 'checkout', 'orders', 'find', 'stock'] as const)(
    'are refused on %s, and neither is used',
    async (screen) => {
      const { app, fake, strip } = start()
      app.go(screen)
      const asked = fake.asked.length
      await fake.emit(
        'scanner.scanned',
        scan(1, { kind: 'unknown', text: 'https://a.example/xhttps://a.example/y', reason: 'several' }),
      )
      expect(strip()?.slice(0, 2)).toEqual(['bad', 'Two codes came at once'])
      expect(fake.asked.length).toBe(asked)
    },
  )
})
