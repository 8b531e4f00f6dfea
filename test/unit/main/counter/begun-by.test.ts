import { describe, expect, it } from 'vitest'
import { inHandOf } from '../../../../src-main/core/hand'
import { order, tag } from '../../../fakes/ids'
import { facts, useCounter } from './counter-desk'

const [ana, ben] = [
  { id: 'a', name: 'Ana' },
  { id: 'b', name: 'Ben' },
]

describe('an order', () => {
  const counter = useCounter()
  const begunBy = (orderId: string) => {
    const payload = counter.outbox.read.byKey(`order:${orderId}`)[0]?.payload
    return payload?.kind === 'complete' ? payload.begunBy : null
  }

  it('keeps who began it, also on hold and over a restart, and who completed it', async () => {
    counter.shelf.put(facts(tag(1)), facts(tag(2)))
    await inHandOf(ana, () => counter.fill('1', tag(1)))
    await inHandOf(ben, () => counter.add(tag(2)))
    counter.value(counter.hold())
    counter.restart()
    const [held] = counter.checkout.held()
    counter.value(counter.checkout.holding.resume(held?.id ?? 0))
    const { id } = inHandOf(ben, () => counter.finish())
    expect(begunBy(order('1'))).toBe('Ana')
    expect(counter.value(counter.outbox.journalOf(id))).toMatchObject([
      { what: 'saved', name: 'Ben', approvedBy: null },
    ])
  })

  it('is begun anew once it was cleared, and by no one where no one is signed in', async () => {
    counter.shelf.put(facts(tag(1)), facts(tag(2)))
    await inHandOf(ana, () => counter.fill('1', tag(1)))
    counter.value(counter.clear())
    await inHandOf(ben, () => counter.sell('2', tag(1)))
    await counter.fill('3', tag(2))
    inHandOf(ana, () => counter.finish())
    expect([begunBy(order('2')), begunBy(order('3'))]).toEqual(['Ben', undefined])
  })
})
