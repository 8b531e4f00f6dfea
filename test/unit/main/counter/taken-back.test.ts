import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { OperationId, TagId } from '../../../../src-shared/ids'
import { order, tag } from '../../../fakes/ids'
import { facts, useCounter } from './counter-desk'

const today = '2026-11-21'

describe('a refused sale that was taken back into the cart', () => {
  const counter = useCounter()
  const items = [tag(1), tag(2), tag(3)]
  const takeBack = async (orderId = '1') => {
    counter.shelf.put(...items.map((tagId) => facts(tagId)))
    const sale = await counter.sell(orderId, ...items)
    counter.refuse()
    counter.value(counter.checkout.finishing.reopen(sale.id))
    return sale
  }
  const attention = () => counter.outbox.read.attention(9).map(({ id }) => id)
  const view = (id: OperationId) => counter.checkout.dayBook.day(today).refused.find((one) => one.id === id)
  const named = (tagIds: TagId[]) => tagIds.map((tagId) => ({ tagId, productName: 'Product 1' }))
  /** Named by the lists, the counts, the day, and the list of orders. */
  const expectNamed = (id: OperationId, ...missing: TagId[]) => {
    expect(attention()).toContain(id)
    expect(counter.outbox.read.counts()).toMatchObject({ unsent: 0, attention: attention().length })
    expect(view(id)).toMatchObject({
      note: 'taken-back',
      missing: named(missing),
      reason: { code: 'service/not-imported' },
    })
    expect(
      counter.checkout.orders.page(
        { days: { from: today, to: today }, state: 'attention', budtenderId: null, text: '' },
        null,
      ).total,
    ).toBe(1)
  }
  const expectSettled = (id: OperationId) => {
    expect(attention()).toEqual([])
    expect(counter.outbox.read.counts().attention).toBe(0)
    expect(counter.outbox.read.byId(id)).toMatchObject({ state: 'cancelled', isUnsettled: false })
    expect(counter.checkout.dayBook.day(today).refused).toEqual([])
  }

  const ways: [string, () => unknown][] = [
    ['stays in the cart', () => undefined],
    ['is cleared', () => counter.value(counter.clear())],
    ['is taken out item by item', () => items.map((one) => counter.value(counter.checkout.removeItem('sale', one)))],
    ['is put on hold', () => counter.value(counter.hold())],
    [
      'is put on hold, and the hold is discarded',
      () => {
        counter.value(counter.hold())
        counter.value(counter.checkout.holding.drop(counter.checkout.held()[0]?.id ?? 0))
      },
    ],
    [
      'loses its items to another station that takes them over',
      () => items.map((one) => counter.checkout.holding.letGo(one)?.()),
    ],
    [
      'is on hold when another station takes its items over',
      () => {
        counter.value(counter.hold())
        for (const one of items) counter.checkout.holding.letGo(one)?.()
      },
    ],
    ['gets another order number', () => counter.value(counter.checkout.setOrder('sale', order('2')))],
  ]

  it.each(ways)('needs attention while it %s, also after a restart', async (_, way) => {
    const { id } = await takeBack()
    way()
    expectNamed(id, ...items)
    counter.restart()
    expectNamed(id, ...items)
  })

  it('is settled by the sale of its items, under any number and in any order', async () => {
    const { id } = await takeBack()
    counter.value(counter.checkout.setOrder('sale', order('2')))
    const again = counter.finish()
    expectSettled(id)
    counter.send()
    expect(counter.outbox.read.byId(again.id)?.state).toBe('accepted')
  })

  it('names the item that another station took over and sold, also once the rest is sent again', async () => {
    const { id } = await takeBack()
    counter.checkout.holding.letGo(tag(2))?.()
    counter.finish()
    counter.send()
    expectNamed(id, tag(2))
    // That it is another station's now, the service says.
    counter.shelf.put(facts(tag(2), { soldOn: '2026-11-21T15:00:00Z' }))
    counter.restart()
    expectNamed(id, tag(2))
    counter.value(counter.outbox.dismiss(id, 'Sold at the other register'))
    expectSettled(id)
  })

  it('keeps the items that were left out, until they are sold or there is a reason', async () => {
    const { id } = await takeBack()
    counter.value(counter.checkout.removeItem('sale', tag(3)))
    counter.finish()
    counter.send()
    expectNamed(id, tag(3))
    await counter.sell('3', tag(3))
    expectSettled(id)
  })

  it('is dismissed with a reason, which the Outbox then shows', async () => {
    const { id } = await takeBack()
    counter.value(counter.clear())
    expect(counter.outbox.actionsOf(counter.value(counter.outbox.dismiss(id, 'Customer gave all back')))).toEqual([])
    expectSettled(id)
    expect(counter.outbox.read.byId(id)?.dismissedBecause).toBe('Customer gave all back')
    // What a person gave a reason for isn't asked about again.
    const again = await counter.sell('2', ...items)
    counter.value(counter.outbox.withdraw(again.id))
    expectSettled(id)
  })

  it('can be taken back again, with what is missing', async () => {
    const { id } = await takeBack()
    counter.value(counter.checkout.removeItem('sale', tag(3)))
    counter.finish()
    counter.send()
    expect(counter.shown(counter.checkout.finishing.reopen(id)).lines.flatMap((line) => line.items)).toMatchObject([
      { tagId: tag(3) },
    ])
    expectNamed(id, tag(3))
  })

  it('needs attention again if the sale that replaced it is canceled before it was sent', async () => {
    const { id } = await takeBack()
    const again = counter.finish()
    expectSettled(id)
    counter.value(counter.checkout.orders.void(order('1')))
    expect(counter.outbox.read.byId(again.id)?.state).toBe('cancelled')
    expectNamed(id, ...items)
  })

  it('needs attention again if the sale that replaced it is sent without one of its items', async () => {
    const { id } = await takeBack()
    const again = counter.finish()
    expectSettled(id)
    counter.refuse({ code: 'service/not-imported', tagIds: [tag(2)] })
    counter.value(counter.checkout.finishing.amend(again.id, [tag(2)], 'Stayed in the store'))
    counter.send()
    expectNamed(id, tag(2))
  })

  it('leaves it to the sale that replaced it if that is refused and taken back as well', async () => {
    const { id } = await takeBack()
    const again = counter.finish()
    counter.refuse()
    expect(attention()).toEqual([again.id])
    counter.value(counter.checkout.finishing.reopen(again.id))
    expect(attention()).toEqual([again.id])
    counter.value(counter.outbox.dismiss(again.id, 'Stayed in the store'))
    expectSettled(id)
  })

  it('is no sale of its items: they can be sold, and its number is free', async () => {
    await takeBack()
    counter.value(counter.clear())
    expect((await counter.add(tag(1))).verdict.kind).toBe('sellable')
    await counter.sell('1', tag(2))
  })

  it("doesn't sound again: the person who took it back has seen it", async () => {
    await takeBack()
    expect(counter.reports.view().unseenCount).toBe(0)
  })

  it('is settled by a return of its items, if it is a return', async () => {
    counter.shelf.put(...items.map((tagId) => facts(tagId)))
    await counter.sell('1', ...items)
    counter.send()
    counter.value(counter.checkout.setOrder('return', order('1')))
    for (const one of items) await counter.add(one, 'return')
    const back = counter.finish('return')
    counter.refuse()
    counter.value(counter.checkout.finishing.reopen(back.id))
    counter.value(counter.checkout.removeItem('return', tag(1)))
    expect(view(back.id)).toMatchObject({ note: 'taken-back', missing: named(items) })
    counter.finish('return')
    expect(view(back.id)).toMatchObject({ missing: named([tag(1)]) })
    counter.value(counter.checkout.setOrder('return', order('1')))
    await counter.add(tag(1), 'return')
    counter.finish('return')
    expectSettled(back.id)
  })

  it('is named whatever people do, as long as an item was neither sent again nor given a reason', async () => {
    const steps = fc.constantFrom(
      'clear',
      'remove',
      'hold',
      'resume',
      'finish',
      'withdraw',
      'reopen',
      'restart',
      'refuse',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { maxLength: 12 }), async (plan) => {
        counter.reset()
        const { id } = await takeBack()
        for (const step of plan) {
          const { checkout, outbox } = counter
          const [last] = outbox.read.waiting(1)
          if (step === 'clear') counter.clear()
          else if (step === 'remove') checkout.removeItem('sale', tag(2))
          else if (step === 'hold') counter.hold()
          else if (step === 'resume') checkout.holding.resume(checkout.held()[0]?.id ?? 0)
          else if (step === 'withdraw' && last) outbox.withdraw(last.id)
          else if (step === 'reopen') checkout.finishing.reopen(outbox.read.attention(1)[0]?.id ?? id)
          else if (step === 'refuse') counter.refuse()
          else if (step === 'restart') counter.restart()
          else if (step === 'finish') checkout.finishing.finish('sale', { ...counter.seen('sale'), isMeant: true })
        }
        const standing = counter.outbox.read.waiting(99)
        const refused = counter.checkout.dayBook.day(today).refused
        for (const tagId of items) {
          const isOnItsWay = standing.some(
            ({ payload }) => payload && 'tagIds' in payload && payload.tagIds.includes(tagId),
          )
          const isNamed = refused.some(({ id: one, missing, state }) => {
            const payload = counter.outbox.read.byId(one)?.payload
            const held = payload && 'tagIds' in payload ? payload.tagIds : []
            return (state === 'rejected' ? held : missing.map((item) => item.tagId)).includes(tagId)
          })
          expect(isOnItsWay || isNamed).toBe(true)
        }
      }),
      { numRuns: 25 },
    )
  })
})
