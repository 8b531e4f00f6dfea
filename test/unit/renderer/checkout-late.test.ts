import { describe, expect, it, vi } from 'vitest'
import { OrderId } from '../../../src-shared/ids'
import type { VerdictKind } from '../../../src-shared/verdict'
import { verdict } from '../../fakes/verdicts'
import { at, cart, caseId, itemAdded, operation, tagId, held } from './examples'
import { turn } from './fake-wire'
import { added, changed, createCheckout, reported } from './till'

describe('a late answer', () => {
  const flagged = (kind: VerdictKind, tags = [tagId(1)]) => {
    const view = cart('sale', tags)
    const items = view.lines.flatMap((line) => line.items)
    const first = items.map((item, index) =>
      index === 0 ? { ...item, verdict: verdict(kind), caseId: caseId(1) } : item,
    )
    return { ...view, lines: view.lines.map((line) => ({ ...line, items: first })) }
  }
  /** The service's late answer, as main passes it on. */
  const answered = async ({ fake }: Pick<ReturnType<typeof createCheckout>, 'fake'>, kind: VerdictKind) => {
    const view = flagged(kind)
    await fake.emit('checkout.cart', view)
    await fake.emit('checkout.flags', [{ ...itemAdded(view), scannedAt: at }])
  }
  /** Scans an unknown item; `seq` is the number of the scan. */
  async function scanUnknown() {
    const till = createCheckout()
    const { fake, strip, scan } = till
    strip.begin({ seq: 1, at }, { key: 'scan.read.tag' })
    const scanned = scan(tagId(1))
    await added(fake, flagged('looking'))
    strip.settle(1, await scanned)
    return till
  }
  const pass = ({ strip }: Awaited<ReturnType<typeof scanUnknown>>, seqs: number[]) => {
    for (const seq of seqs) {
      strip.begin({ seq, at }, { key: 'scan.read.tag' })
      strip.settle(seq, { tone: 'good', what: { key: 'scan.read.tag' } })
    }
  }

  it.each([
    ['unknown', 'bad'],
    ['sister-store', 'bad'],
    ['not-imported', 'attention'],
    ['unchecked', 'attention'],
  ] as const)('updates the notice of the scan with sound if the item is %s', async (kind, tone) => {
    const till = await scanUnknown()
    const { strip, sounds } = till
    expect(sounds).toEqual(['good'])
    await answered(till, kind)
    expect(strip.current).toMatchObject({ seq: 1, tone, detail: { key: `verdict.${kind}` } })
    expect(strip.current?.undo).not.toBeNull()
    expect(sounds).toEqual(['good', tone])
  })

  it('makes no second sound if all is well', async () => {
    const till = await scanUnknown()
    const { strip, sounds } = till
    await answered(till, 'sellable')
    expect(strip.current).toMatchObject({ tone: 'good', detail: { key: 'checkout.scan.count' } })
    expect(sounds).toEqual(['good'])
  })

  it('appears beside the last scan if it is bad and its own notice is gone, and is dropped if the item only could not be checked', async () => {
    const till = await scanUnknown()
    pass(till, [2, 3])
    await answered(till, 'unchecked')
    expect([till.strip.current?.seq, till.strip.previous?.seq, till.sounds.length]).toEqual([3, 2, 3])
    await answered(till, 'sister-store')
    expect(till.strip.current?.seq).toBe(3)
    expect(till.strip.previous).toMatchObject({ tone: 'bad', detail: { key: 'verdict.sister-store' } })
    expect(till.sounds.at(-1)).toBe('bad')
  })

  it.each([
    [true, 'bad', 'claim.scan.held'],
    [false, 'attention', 'checkout.scan.added'],
  ] as const)('says what another station’s order means for the item, refused: %s', async (isRefused, tone, key) => {
    const { fake, strip } = await scanUnknown()
    const by = { station: 'Front 2', stationId: 's', orderId: '1004', since: at, isSold: false, revision: 3 }
    const claim = { kind: 'held', by, isRefused } as const
    const view = flagged('sellable')
    const lines = view.lines.map((line) => ({ ...line, items: line.items.map((item) => ({ ...item, claim })) }))
    await fake.emit('checkout.cart', { ...view, lines })
    await fake.emit('checkout.flags', [{ ...itemAdded({ ...view, lines }), scannedAt: at }])
    expect(strip.current).toMatchObject({ tone, what: { key }, detail: { key: 'claim.held' } })
    expect(strip.current?.actions.map(({ label }) => label.key)).toEqual(['claim.take-over'])
  })

  it('leaves the strip with an item that another station took over', async () => {
    const { fake, strip } = await scanUnknown()
    expect(strip.current).not.toBeNull()
    await fake.emit('checkout.cart', cart('sale', [], { revision: 9 }))
    expect(strip.current).toBeNull()
  })

  it('offers to import the case of an item that is not imported', async () => {
    const till = await scanUnknown()
    const { strip, opened } = till
    await answered(till, 'not-imported')
    const [action] = strip.current?.actions ?? []
    expect(action?.label.key).toBe('checkout.import-case')
    action?.run()
    expect(opened).toEqual([caseId(1)])
  })
})

describe('the last scan before completing', () => {
  const orderId = OrderId.parse('7')
  const begun = () => {
    const till = createCheckout()
    till.checkout.cartChanged(cart('sale', [tagId(1)], { orderId }))
    return { ...till, adding: till.scan(tagId(2)) }
  }
  const both = { ...cart('sale', [tagId(1), tagId(2)], { orderId, revision: 5 }) }

  it('delays completing, and is reported', async () => {
    const { fake, checkout } = begun()
    const finished = checkout.finish()
    await turn()
    expect(fake.asked.map(({ call }) => call)).toEqual(['checkout.addItem'])
    await added(fake, both)
    const reporting = fake.next('checkout.finish')
    expect(reporting.input).toEqual({ mode: 'sale', orderId: '7', itemCount: 2, revision: 5 })
    await reported(fake, operation({ orderId: '7', itemCount: 2 }), reporting)
    expect((await finished)?.itemCount).toBe(2)
  })

  it('delays putting the order on hold', async () => {
    const { fake, checkout } = begun()
    const holding = checkout.hold()
    await turn()
    await added(fake, both)
    const asked = fake.next('checkout.hold')
    expect(asked.input).toEqual({ revision: 5 })
    await changed(fake, asked, cart('sale', [], { revision: 6 }))
    expect((await holding).ok).toBe(true)
  })

  it('is waited for when a held order is resumed', async () => {
    const { fake, checkout } = begun()
    checkout.held.show([held(4, '10482')])
    const resuming = checkout.resume(held(4, '10482'))
    await turn()
    expect(fake.asked.map(({ call }) => call)).toEqual(['checkout.addItem'])
    await added(fake, both)
    await changed(fake, 'checkout.resume', cart('sale', [], { revision: 6 }))
    expect((await resuming).ok).toBe(true)
  })

  it('is not reported if it is refused', async () => {
    const { fake, checkout } = begun()
    void checkout.finish()
    await turn()
    await fake.next('checkout.addItem').refuse({ code: 'service/not-found', id: tagId(2) })
    expect(fake.next('checkout.finish').input).toMatchObject({ itemCount: 1 })
  })

  it('delays completing for a limited time only', async () => {
    const { fake, checkout } = begun()
    vi.useFakeTimers()
    void checkout.finish()
    await vi.advanceTimersByTimeAsync(5_000)
    vi.useRealTimers()
    expect(fake.next('checkout.finish').input).toMatchObject({ itemCount: 1, revision: 1 })
  })

  it('does not complete an order that another scan changed meanwhile', async () => {
    const { fake, checkout } = begun()
    const finished = checkout.finish()
    await turn()
    checkout.cartChanged(cart('sale', [tagId(1), tagId(3)], { orderId }))
    await added(fake, cart('sale', [tagId(1), tagId(3), tagId(2)], { orderId }))
    expect([await finished, checkout.sale.error?.code]).toEqual([null, 'checkout/cart-changed'])
    expect(fake.asked).toEqual([])
  })
})

describe('a scan after "complete"', () => {
  const orderId = OrderId.parse('7')

  it('goes into the next order, also while the last one is still being saved', async () => {
    const { fake, checkout, scan } = createCheckout()
    checkout.cartChanged(cart('sale', [tagId(1)], { orderId }))
    const finished = checkout.finish()
    const scanned = scan(tagId(2))
    await turn()
    expect(fake.asked.map(({ call }) => call)).toEqual(['checkout.finish'])
    const reporting = fake.next('checkout.finish')
    expect(reporting.input).toMatchObject({ itemCount: 1 })
    await reported(fake, operation({ orderId: '7', itemCount: 1 }), reporting)
    expect((await finished)?.itemCount).toBe(1)
    await turn()
    await added(fake, cart('sale', [tagId(2)], { revision: 9 }))
    expect(await scanned).toMatchObject({ tone: 'good' })
    expect(checkout.sale.itemCount).toBe(1)
  })

  it('goes into the same order if that could not be completed', async () => {
    const { fake, checkout, scan } = createCheckout()
    checkout.cartChanged(cart('sale', [tagId(1)], { orderId }))
    const finished = checkout.finish()
    const scanned = scan(tagId(2))
    await turn()
    await fake.next('checkout.finish').refuse({ code: 'store/not-saved' })
    expect(await finished).toBeNull()
    await turn()
    await added(fake, cart('sale', [tagId(1), tagId(2)], { orderId, revision: 9 }))
    expect(await scanned).toMatchObject({ tone: 'good' })
    expect(checkout.sale.itemCount).toBe(2)
  })
})
