import { describe, expect, it, vi } from 'vitest'
import { OrderId } from '../../../src-shared/ids'
import type { ItemFlag } from '../../../src-shared/ipc/checkout-view'
import { at, cart, caseId, operation, tagId } from './examples'
import { turn } from './fake-wire'
import { createCheckout } from './till'

describe('a late answer', () => {
  const flagged = (flag: ItemFlag | null, tags = [tagId(1)]) => {
    const view = cart('sale', tags)
    const items = view.lines.flatMap((line) => line.items)
    const first = items.map((item, index) => (index === 0 ? { ...item, flag, caseId: caseId(1) } : item))
    return { ...view, lines: view.lines.map((line) => ({ ...line, items: first })) }
  }
  /** Scans an item of which nothing is known yet; `seq` is the number of the scan. */
  async function scanUnknown() {
    const till = createCheckout()
    const { fake, strip, scan } = till
    strip.begin({ seq: 1, at }, { key: 'scan.read.tag' })
    const scanned = scan(tagId(1))
    const view = flagged('looking')
    await fake.next('checkout.addItem').answer({ cart: view, line: view.lines[0], flag: 'looking' })
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
    ['unknown-to-service', 'bad'],
    ['sold-elsewhere', 'bad'],
    ['not-imported', 'attention'],
    ['unchecked', 'attention'],
  ] as const)('that an item is %s is said in the notice of its scan, with its sound', async (flag, tone) => {
    const { checkout, strip, sounds } = await scanUnknown()
    expect(sounds).toEqual(['good'])
    checkout.cartChanged(flagged(flag))
    expect(strip.current).toMatchObject({ seq: 1, tone, detail: { key: `checkout.flag.${flag}` } })
    expect(strip.current?.undo).not.toBeNull()
    expect(sounds).toEqual(['good', tone])
    checkout.cartChanged(flagged(flag))
    expect(sounds).toHaveLength(2)
  })

  it('that all is well makes no second sound', async () => {
    const { checkout, strip, sounds } = await scanUnknown()
    checkout.cartChanged(flagged(null))
    expect(strip.current).toMatchObject({ tone: 'good', detail: { key: 'checkout.scan.count' } })
    expect(sounds).toEqual(['good'])
  })

  it('of an item whose notice is gone is shown beside the last scan when it is bad, and dropped when it only could not be checked', async () => {
    const till = await scanUnknown()
    pass(till, [2, 3])
    till.checkout.cartChanged(flagged('unchecked'))
    expect([till.strip.current?.seq, till.strip.previous?.seq, till.sounds.length]).toEqual([3, 2, 3])
    till.checkout.cartChanged(flagged('sold-elsewhere'))
    expect(till.strip.current?.seq).toBe(3)
    expect(till.strip.previous).toMatchObject({ tone: 'bad', detail: { key: 'checkout.flag.sold-elsewhere' } })
    expect(till.sounds.at(-1)).toBe('bad')
  })

  it('offers to import the case of an item that is not imported', async () => {
    const { checkout, strip, opened } = await scanUnknown()
    checkout.cartChanged(flagged('not-imported'))
    const [action] = strip.current?.actions ?? []
    expect(action?.label.key).toBe('checkout.import-case')
    action?.run()
    expect(opened).toEqual([caseId(1)])
  })

  it('of an order that is closed says nothing', async () => {
    const { checkout, strip, sounds } = await scanUnknown()
    checkout.cartChanged(cart('sale', []))
    strip.retire()
    checkout.cartChanged(flagged('sold-elsewhere'))
    expect(sounds).toEqual(['good'])
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
  const bothAdded = { cart: both, line: both.lines[0], flag: null }

  it('is waited for, and reported', async () => {
    const { fake, checkout } = begun()
    const finished = checkout.finish()
    await turn()
    expect(fake.asked.map(({ call }) => call)).toEqual(['checkout.addItem'])
    await fake.next('checkout.addItem').answer(bothAdded)
    const reporting = fake.next('checkout.finish')
    expect(reporting.input).toEqual({ mode: 'sale', orderId: '7', itemCount: 2, revision: 5 })
    await reporting.answer(operation({ orderId: '7', itemCount: 2 }))
    await fake.next('checkout.cart').answer(cart('sale', []))
    expect((await finished)?.itemCount).toBe(2)
  })

  it('is waited for when the order is put on hold', async () => {
    const { fake, checkout } = begun()
    const holding = checkout.hold()
    await turn()
    await fake.next('checkout.addItem').answer(bothAdded)
    const asked = fake.next('checkout.hold')
    expect(asked.input).toEqual({ revision: 5 })
    await asked.answer(cart('sale', []))
    expect((await holding).ok).toBe(true)
  })

  it('that is refused is not in what is reported', async () => {
    const { fake, checkout } = begun()
    void checkout.finish()
    await turn()
    await fake.next('checkout.addItem').refuse({ code: 'service/not-found', id: tagId(2) })
    expect(fake.next('checkout.finish').input).toMatchObject({ itemCount: 1 })
  })

  it('is not waited for for ever', async () => {
    const { fake, checkout } = begun()
    vi.useFakeTimers()
    void checkout.finish()
    await vi.advanceTimersByTimeAsync(5_000)
    vi.useRealTimers()
    expect(fake.next('checkout.finish').input).toMatchObject({ itemCount: 1, revision: 1 })
  })

  it('does not let through what somebody else scanned meanwhile', async () => {
    const { fake, checkout } = begun()
    const finished = checkout.finish()
    await turn()
    checkout.cartChanged(cart('sale', [tagId(1), tagId(3)], { orderId }))
    const all = cart('sale', [tagId(1), tagId(3), tagId(2)], { orderId })
    await fake.next('checkout.addItem').answer({ cart: all, line: all.lines[0], flag: null })
    expect([await finished, checkout.sale.error?.code]).toEqual([null, 'checkout/cart-changed'])
    expect(fake.asked).toEqual([])
  })
})
