import { describe, expect, it } from 'vitest'
import type { OperationId } from '../../../../src-shared/ids'
import { order, tag } from '../../../fakes/ids'
import { accepted, facts, useCounter } from './counter-desk'
import { rejected } from './model-service'

describe('a sale that was voided while it was being sent, and was then refused', () => {
  const counter = useCounter()
  const stateOf = (id: OperationId) => counter.outbox.read.byId(id)?.state
  const tagsOf = (id: OperationId) => {
    const payload = counter.outbox.read.byId(id)?.payload
    return payload && 'tagIds' in payload ? payload.tagIds : []
  }
  const settle = (outcome = accepted) => {
    const claimed = counter.outbox.claim()
    counter.outbox.settle(claimed?.seq ?? 0, outcome)
    return claimed?.id
  }
  const refusedAndVoided = async () => {
    counter.shelf.put(facts(tag(1)), facts(tag(2)))
    const sale = await counter.sell('1', tag(1), tag(2))
    const claimed = counter.outbox.claim()
    const undoing = counter.value(counter.checkout.orders.void(order('1')))
    counter.outbox.settle(claimed?.seq ?? 0, rejected)
    return { sale, undoing }
  }

  it('cancels the void when the sale is dismissed or reopened into the cart', async () => {
    const first = await refusedAndVoided()
    counter.value(counter.outbox.dismiss(first.sale.id, 'lost'))
    expect(stateOf(first.undoing.id)).toBe('cancelled')
    const second = await refusedAndVoided()
    counter.value(counter.checkout.finishing.reopen(second.sale.id))
    expect(stateOf(second.undoing.id)).toBe('cancelled')
    // Reported again under the same number, the sale must not be voided by the old void.
    counter.finish()
    counter.send()
    expect(counter.checkout.orders.order(order('1')).items.map(({ state }) => state)).toEqual(['sold', 'sold'])
  })

  it('is voided without the removed item when it is sent again', async () => {
    const { sale, undoing } = await refusedAndVoided()
    counter.value(counter.checkout.finishing.amend(sale.id, [tag(2)], 'Stayed in the store'))
    expect(tagsOf(undoing.id)).toEqual([tag(1)])
    // The removed item can be sold at once, and its sale isn't blocked by either operation.
    const other = await counter.sell('2', tag(2))
    expect(counter.outbox.read.byId(other.id)?.blockers).toBe(0)
    expect([settle(), settle(), settle()].sort()).toEqual([sale.id, undoing.id, other.id].sort())
    expect(counter.checkout.orders.order(order('1')).items).toMatchObject([
      { tagId: tag(1), state: 'voided', productName: 'Product 1', caseId: facts(tag(1)).caseId },
    ])
  })

  it('keeps only sold items in a waiting return, and cancels a return that is left empty', async () => {
    counter.shelf.put(facts(tag(1)), facts(tag(2)), facts(tag(3)))
    const sale = await counter.sell('1', tag(1), tag(2), tag(3))
    const claimed = counter.outbox.claim()
    const giveBack = async (...numbers: number[]) => {
      for (const n of numbers) await counter.add(tag(n), 'return')
      return counter.finish('return')
    }
    const [both, one] = [await giveBack(1, 2), await giveBack(3)]
    counter.outbox.settle(claimed?.seq ?? 0, rejected)
    counter.value(counter.checkout.finishing.amend(sale.id, [tag(2), tag(3)], 'Stayed in the store'))
    expect([tagsOf(both.id), stateOf(both.id), stateOf(one.id)]).toEqual([[tag(1)], 'queued', 'cancelled'])
    expect([settle(), settle(), settle]).toEqual([sale.id, both.id, settle])
  })

  it('voids an item if its return was dismissed meanwhile, so that it can be sold again', async () => {
    counter.shelf.put(facts(tag(1)), facts(tag(2)))
    await counter.sell('1', tag(1), tag(2))
    counter.send()
    await counter.add(tag(1), 'return')
    const back = counter.finish('return')
    const claimed = counter.outbox.claim()
    const undoing = counter.value(counter.checkout.orders.void(order('1')))
    expect(tagsOf(undoing.id)).toEqual([tag(2)])
    counter.outbox.settle(claimed?.seq ?? 0, rejected)
    counter.value(counter.outbox.dismiss(back.id, 'it never came back'))
    expect(new Set(tagsOf(undoing.id))).toEqual(new Set([tag(1), tag(2)]))
    counter.send()
    expect(counter.checkout.orders.order(order('1')).items.map(({ state }) => state)).toEqual(['voided', 'voided'])
    await counter.add(tag(1))
  })

  it('voids items that a void of an earlier version left out', async () => {
    counter.shelf.put(facts(tag(1)), facts(tag(2)))
    await counter.sell('1', tag(1), tag(2))
    counter.send()
    counter.value(counter.outbox.enqueue({ kind: 'void', orderId: order('1'), tagIds: [tag(2)] }))
    counter.send()
    expect(counter.checkout.orders.order(order('1')).items.map(({ state }) => state)).toEqual(['voided', 'voided'])
    await counter.add(tag(1))
  })
})
