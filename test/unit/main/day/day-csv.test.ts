import { describe, expect, it } from 'vitest'
import { tag } from '../../../fakes/ids'
import { facts, useCounter } from '../counter/counter-desk'

describe('the file of a day', () => {
  const counter = useCounter()

  it.each([
    ['behind', 86_400_000, '2026-11-22'],
    ['ahead', -86_400_000, '2026-11-20'],
  ])("and its report use the service's day when this computer's clock is a day %s", async (_how, offset, day) => {
    const { checkout, clock, shelf } = counter
    const now = clock.now()
    clock.serviceClock.seen(new Date(now + offset).toUTCString(), now, now)
    shelf.put(facts(tag(1)))
    await counter.sell('1', tag(1))
    counter.send()
    expect(checkout.dayBook.day(day)).toMatchObject({
      day,
      station: 'TILL 3/front',
      completed: { orders: 1, items: 1 },
    })
    expect(checkout.dayBook.day(day).madeAt.slice(0, 10)).toBe(day)
    expect(checkout.dayBook.day('2026-11-21').confirmed).toBe(0)
    expect(checkout.dayBook.exportDay(day).lines).toHaveLength(1)
  })
})
