import { describe, expect, it } from 'vitest'
import { PosScan } from '../../../src-renderer/orders/pos/pos-scan.svelte'
import { OrderId } from '../../../src-shared/ids'
import { PosDifference } from '../../../src-shared/ipc/contract/pos-day'
import { cart } from './examples'
import { changed, createCheckout } from './till'

const difference = PosDifference.parse({
  ...{
    orderId: '704',
    kind: 'only-pos',
    hereId: null,
    moreLines: 0,
    similar: null,
    scan: 'sale',
    mark: 'm',
    reason: null,
  },
  ...{ stations: [], isOwn: false, isPending: false, lines: [{ name: 'Blue Dune', pos: 1, here: 0 }] },
})

/** Checkout has a sale under another number. */
async function create() {
  const { fake, checkout } = createCheckout()
  await fake.emit('checkout.cart', cart('sale', [], { orderId: OrderId.parse('700'), revision: 3 }))
  let shown = 0
  const scanning = new PosScan({
    checkout,
    saleNumber: ({ orderId }) => Promise.resolve(orderId),
    go: () => shown++,
  })
  return { fake, checkout, scanning, shown: () => shown }
}

describe('scanning what is missing', () => {
  it('never replaces another order in Checkout unasked, and puts it on hold when asked', async () => {
    const { fake, checkout, scanning, shown } = await create()
    await scanning.scan(difference)
    expect([scanning.taken, checkout.sale.orderText, shown()]).toEqual([difference, '700', 0])
    const holding = scanning.holdAndScan(difference)
    await expect.poll(() => fake.asked.map(({ call }) => call)).toContain('checkout.hold')
    await changed(fake, 'checkout.hold', cart('sale', [], { revision: 4 }))
    await holding
    expect([scanning.taken, scanning.refused, checkout.sale.orderText, shown()]).toEqual([null, null, '704', 1])
  })

  it('says why the other order could not be put on hold', async () => {
    const { fake, checkout, scanning, shown } = await create()
    await scanning.scan(difference)
    const holding = scanning.holdAndScan(difference)
    await expect.poll(() => fake.asked.map(({ call }) => call)).toContain('checkout.hold')
    await fake.next('checkout.hold').refuse({ code: 'store/not-saved' })
    await holding
    expect([scanning.refused, scanning.taken, checkout.sale.orderText, shown()]).toEqual([
      ...[{ code: 'store/not-saved' }, difference, '700', 0],
    ])
    const again = scanning.holdAndScan(difference)
    expect(scanning.refused).toBeNull()
    await expect.poll(() => fake.asked.map(({ call }) => call)).toContain('checkout.hold')
    await changed(fake, 'checkout.hold', cart('sale', [], { revision: 4 }))
    await again
    expect([scanning.taken, shown()]).toEqual([null, 1])
  })
})
