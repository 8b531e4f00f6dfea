import { describe, expect, it } from 'vitest'
import { dayCsv } from '../../../../src-main/checkout/day-book'
import { createEntries, spanOf } from '../../../../src-main/checkout/history'
import { tag } from '../../../fakes/ids'
import { accepted, facts, useCounter } from './counter-desk'

const lastCells = (text: string) =>
  text
    .slice(1)
    .split('\r\n')
    .map((line) => line.split(',').at(-1))

describe('the CSV file of a day', () => {
  const counter = useCounter()

  it('names the reporting station in its file name and in each line', async () => {
    counter.shelf.put(facts(tag(1)), facts(tag(2)))
    await counter.sell('1', tag(1))
    await counter.sell('2', tag(2))
    counter.send(() => accepted)
    const { fileName, text } = counter.checkout.exportDay('2026-11-21')
    expect(fileName).toBe('orders-TILL-3-front-2026-11-21.csv')
    expect(lastCells(text)).toEqual(['station', 'TILL 3/front', 'TILL 3/front', ''])
  })

  it('contains no formula for a station name that starts with =, +, - or @', async () => {
    counter.shelf.put(facts(tag(1)))
    await counter.sell('1', tag(1))
    const operations = createEntries(counter.db).operations(spanOf('2026-11-21'))
    const unnamed = { productOf: () => null, budtenderOf: () => null }
    for (const station of ['=1+1', '+1', '-1', '@x']) {
      expect(lastCells(dayCsv(operations, { ...unnamed, station }))).toEqual(['station', `'${station}`, ''])
    }
  })

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
    expect(checkout.day(day)).toMatchObject({ day, station: 'TILL 3/front', completed: { orders: 1, items: 1 } })
    expect(checkout.day(day).madeAt.slice(0, 10)).toBe(day)
    expect(checkout.day('2026-11-21').confirmed).toBe(0)
    expect(lastCells(checkout.exportDay(day).text)).toHaveLength(3)
  })
})
