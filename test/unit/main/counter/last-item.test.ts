import { describe, expect, it, vi } from 'vitest'
import { OpenOrders } from '../../../../src-main/counter/open-orders'
import { tag } from '../../../fakes/ids'
import { facts, useCounter } from './counter-desk'

const day = 86_400_000

describe('the last item of a cart', () => {
  const counter = useCounter()

  const inDays = (days: number) => new Date(counter.clock.now() + days * day).toISOString().slice(0, 10)
  const last = () => counter.checkout.cart('sale').last

  it('is the one that was scanned last, with what is known of its certificates', async () => {
    const valid = inDays(9)
    const over = inDays(-9)
    counter.shelf.put(
      facts(tag(1), { coa: { verdict: 'passed', expiresOn: valid } }),
      facts(tag(2), { product: 2 }),
      facts(tag(3), { coa: { verdict: 'passed', expiresOn: over } }),
    )
    expect(last()).toBeNull()
    await counter.add(tag(1))
    expect(last()).toEqual({
      tagId: tag(1),
      coa: { verdict: 'passed', expiresOn: valid, isExpired: false, word: 'passed' },
    })
    counter.clock.advance(1_000)
    await counter.add(tag(2))
    expect(last()).toEqual({ tagId: tag(2), coa: null })
    // Into the line of the first.
    counter.clock.advance(1_000)
    await counter.checkout.scanning.addItem('sale', tag(3), { reason: 'agreed' })
    expect(last()).toEqual({
      tagId: tag(3),
      coa: { verdict: 'passed', expiresOn: over, isExpired: true, word: 'expired' },
    })
    expect(counter.announced.carts.at(-1)?.last).toEqual(last())
    counter.value(counter.checkout.removeItem('sale', tag(3)))
    expect(last()?.tagId).toBe(tag(2))
  })

  it('is the only one whose certificates are looked up', async () => {
    const tags = [tag(1), tag(2), tag(3)]
    counter.shelf.put(...tags.map((tagId) => facts(tagId)))
    for (const tagId of tags) await counter.add(tagId)
    const lookedUp = vi.spyOn(counter.shelf.lookup, 'cachedCoa')
    const read = vi.spyOn(OpenOrders.prototype, 'itemsOf')
    counter.checkout.cart('sale')
    expect(lookedUp.mock.calls).toEqual([[tag(3)]])
    // The rows of the order are not read for it once more.
    expect(read).toHaveBeenCalledOnce()
    read.mockRestore()
  })
})
