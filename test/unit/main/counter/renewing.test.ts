import { describe, expect, it } from 'vitest'
import { tag } from '../../../fakes/ids'
import { facts, useCounter } from './counter-desk'

const day = 86_400_000

describe('the verdicts of an open cart', () => {
  const counter = useCounter()

  const inAWhile = (days: number) => new Date(counter.clock.now() + days * day).toISOString().slice(0, 10)
  const items = () => counter.checkout.cart('sale').lines.flatMap((line) => line.items)
  const meant = () => ({ ...counter.seen('sale'), isMeant: true })

  it('are judged again at the end: what is past its use-by by then is not sold without an approval', async () => {
    const { shelf, checkout, clock, announced, value, refusal } = counter
    shelf.put(facts(tag(1), { useBy: inAWhile(1) }), facts(tag(2)))
    await counter.fill('1', tag(1), tag(2))
    clock.advance(3 * day)
    announced.carts.length = 0
    expect(refusal(checkout.finishing.finish('sale', meant()))).toMatchObject({
      code: 'checkout/not-sellable',
      verdict: { kind: 'past-use-by', level: 'pin' },
    })
    expect(announced.carts.at(-1)).toMatchObject({ mustConfirm: true, itemCount: 2 })
    expect(announced.flags.at(-1)).toMatchObject({ tagId: tag(1), verdict: { kind: 'past-use-by' } })
    value(await checkout.scanning.addItem('sale', tag(1), { reason: 'Misprint' }))
    value(checkout.finishing.finish('sale', meant()))
  })

  it('say as of when they are once the service is out of reach', async () => {
    const { shelf, checkout, announced } = counter
    shelf.put(facts(tag(1)))
    await counter.fill('1', tag(1))
    expect(items()[0]?.verdict.asOf).toBeNull()
    const { revision } = counter.seen('sale')
    announced.carts.length = 0
    counter.setOutOfReach(true)
    counter.events.emit('connection.changed', null)
    counter.events.emit('connection.changed', null)
    expect(items()[0]?.verdict.asOf).not.toBeNull()
    expect(announced.carts).toHaveLength(1)
    // Nothing that a person must see first.
    expect(checkout.clear('sale', revision).ok).toBe(true)
  })

  it.each(['clear', 'hold'] as const)('that came meanwhile don’t keep the order from: %s', async (step) => {
    const { shelf, checkout, clock, value, refusal } = counter
    shelf.put(facts(tag(1), { useBy: inAWhile(1) }))
    await counter.fill('1', tag(1))
    const before = meant()
    clock.advance(3 * day)
    refusal(checkout.finishing.finish('sale', before))
    value(step === 'clear' ? checkout.clear('sale', before.revision) : checkout.holding.hold(before.revision))
    expect(items()).toEqual([])
  })

  it('follow the levels of Settings at once, in a pushed cart', async () => {
    const { shelf, checkout, announced, value, refusal } = counter
    shelf.put(facts(tag(1), { isPublished: false }), facts(tag(2)))
    await counter.fill('1', tag(2))
    value(counter.hold())
    await counter.fill('2', tag(1))
    const before = meant()
    announced.carts.length = 0
    announced.holds.length = 0
    value(checkout.setSettings({ ...checkout.settings(), levels: { 'product-unpublished': 'refuse' } }))
    expect(announced.carts.map(({ mode, mustConfirm }) => [mode, mustConfirm])).toEqual([
      ['sale', true],
      ['return', false],
    ])
    expect(announced.carts[0]?.revision).toBeGreaterThan(before.revision)
    expect(announced.holds).toHaveLength(1)
    // What was confirmed before doesn't cover it.
    expect(refusal(checkout.finishing.finish('sale', before))).toEqual({ code: 'checkout/doubtful-items', count: 1 })
  })
})

describe('an approval', () => {
  const counter = useCounter()

  it('does not outlive the level that it was given for', async () => {
    const { shelf, checkout, value } = counter
    const sold = { soldOn: '2026-11-20T10:00:00.000Z' }
    shelf.remember(facts(tag(1), sold))
    shelf.put(facts(tag(1), sold))
    counter.setOutOfReach(true)
    shelf.goSilent()
    value(await checkout.scanning.addItem('sale', tag(1), { reason: 'Back on the shelf' }))
    expect(checkout.cart('sale')).toMatchObject({ lines: [{ items: [{ permitted: 'Back on the shelf' }] }] })
    shelf.speak()
    counter.setOutOfReach(false)
    await checkout.news.askAgain()
    expect(checkout.cart('sale')).toMatchObject({
      lines: [{ items: [{ verdict: { kind: 'sold', level: 'refuse' }, permitted: null, isDoubtful: true }] }],
    })
  })

  it('covers only the reasons that the person was shown', async () => {
    const { shelf, checkout, value, refusal } = counter
    const coa = { verdict: 'passed', expiresOn: '2020-01-02' } as const
    shelf.put(facts(tag(1), { useBy: '2020-01-01', coa }))
    expect(await counter.addRefused(tag(1))).toMatchObject({
      verdict: { kind: 'certificate-expired', level: 'pin', also: [{ kind: 'past-use-by' }] },
    })
    const approval = { reason: 'Misprint' }
    const one = await checkout.scanning.addItem('sale', tag(1), { ...approval, shown: ['certificate-expired'] })
    expect(refusal(one)).toMatchObject({ code: 'checkout/not-sellable' })
    value(
      await checkout.scanning.addItem('sale', tag(1), { ...approval, shown: ['certificate-expired', 'past-use-by'] }),
    )
    expect(checkout.cart('sale').mustConfirm).toBe(false)
  })
})
