import { describe, expect, it } from 'vitest'
import { tag } from '../../../fakes/ids'
import { facts, useCounter } from './counter-desk'

describe('a sale that the service calls "already processed"', () => {
  const counter = useCounter()

  it('shows which item another till sold when the sale is reopened and its items are scanned again', async () => {
    const { checkout, shelf, value } = counter
    shelf.put(facts(tag(1)), facts(tag(2)))
    const { id } = await counter.sell('1', tag(1), tag(2))
    shelf.put(facts(tag(2), { soldOn: '2026-11-21T13:59:00Z' }))
    counter.refuse({ code: 'service/already-processed', detail: 'already processed' })
    value(checkout.finishing.reopen(id))
    for (const n of [1, 2]) checkout.removeItem('sale', tag(n))
    expect((await counter.add(tag(1))).verdict.kind).toBe('sellable')
    expect(await counter.addRefused(tag(2))).toMatchObject({ code: 'checkout/sold-elsewhere', tagId: tag(2) })
    expect(checkout.cart('sale').itemCount).toBe(1)
  })
})
