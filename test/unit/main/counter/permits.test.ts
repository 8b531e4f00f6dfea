import { describe, expect, it } from 'vitest'
import { ofOrder } from '../../../../src-main/day/history'
import { order, tag } from '../../../fakes/ids'
import { facts, useCounter } from './counter-desk'

const old = { useBy: '2020-01-01' }

describe('an item that is sold with an approval only', () => {
  const counter = useCounter()

  it('is refused without one, and sold with a reason, which stays with the report', async () => {
    const { shelf, checkout, value } = counter
    shelf.put(facts(tag(1), old), facts(tag(2)))
    expect(await counter.addRefused(tag(1))).toMatchObject({
      code: 'checkout/not-sellable',
      verdict: { kind: 'past-use-by', level: 'pin' },
    })
    expect(checkout.cart('sale').itemCount).toBe(0)
    await counter.fill('1', tag(2))
    const added = value(await checkout.scanning.addItem('sale', tag(1), { reason: 'Misprint' }))
    expect(added).toMatchObject({ verdict: { kind: 'past-use-by' }, permitted: 'Misprint' })
    expect(checkout.cart('sale').mustConfirm).toBe(false)
    const { id } = counter.finish()
    const operation = counter.outbox.read.byId(id)
    expect(operation && ofOrder(operation)).not.toHaveProperty('note')
    expect(checkout.orders.order(order('1')).notes).toEqual([{ operationId: id, text: 'Product 1: Misprint' }])
  })

  it('takes its approval along only with the report in which it was sold', async () => {
    const { shelf, checkout, value, outbox } = counter
    shelf.put(facts(tag(1), old), facts(tag(2), { product: 2 }))
    await counter.fill('1', tag(2))
    value(await checkout.scanning.addItem('sale', tag(1), { reason: 'Misprint' }))
    const first = counter.finish()
    counter.refuse()
    expect(checkout.orders.order(order('1')).items).toMatchObject([
      { state: 'not-reported' },
      { state: 'not-reported' },
    ])
    expect(value(checkout.finishing.reopen(first.id))).toMatchObject({ note: '' })
    value(checkout.removeItem('sale', tag(1)))
    const { id } = counter.finish()
    const operation = outbox.read.byId(id)
    expect(operation && ofOrder(operation)).not.toHaveProperty('permits')
    expect(checkout.orders.order(order('1')).notes.filter(({ operationId }) => operationId === id)).toEqual([])
  })

  it('is permitted in the cart if its verdict came late, and not reported before', async () => {
    const { shelf, checkout, value } = counter
    shelf.put(facts(tag(1), old))
    shelf.remember(facts(tag(1)))
    shelf.dawdle()
    counter.setOutOfReach(true)
    await counter.fill('1', tag(1))
    await shelf.answerAll()
    expect(checkout.cart('sale')).toMatchObject({ mustConfirm: true, lines: [{ items: [{ isDoubtful: true }] }] })
    const seen = { ...counter.seen('sale'), isMeant: true }
    expect(counter.refusal(checkout.finishing.finish('sale', seen))).toMatchObject({ code: 'checkout/not-sellable' })
    value(await checkout.scanning.addItem('sale', tag(1), { reason: 'Misprint' }))
    expect(checkout.cart('sale').mustConfirm).toBe(false)
    counter.finish()
  })

  it('goes by the level that Settings has by now', async () => {
    const { shelf, checkout, value } = counter
    shelf.put(facts(tag(1), old))
    const usual = checkout.settings()
    value(checkout.setSettings({ ...usual, levels: { 'past-use-by': 'warn' } }))
    expect(await counter.add(tag(1))).toMatchObject({ verdict: { kind: 'past-use-by', level: 'warn' } })
    value(checkout.setSettings({ ...usual, levels: { 'past-use-by': 'refuse' } }))
    value(checkout.removeItem('sale', tag(1)))
    const approval = { reason: 'Misprint' }
    expect(counter.refusal(await checkout.scanning.addItem('sale', tag(1), approval))).toMatchObject({
      code: 'checkout/not-sellable',
      verdict: { level: 'refuse' },
    })
  })
})

describe('an order that version 0.1 left open', () => {
  const counter = useCounter()

  it('has the verdicts that its flags stood for', () => {
    const flags = [null, 'looking', 'unchecked', 'not-imported', 'unknown-to-service', 'sold-elsewhere', 'of later']
    const insert = counter.db.prepare(`
      INSERT INTO open_order_item (open_order, tag_id, scanned_at, flag)
      SELECT id, ?, 1, ? FROM open_order WHERE mode = 'sale'`)
    for (const [index, flag] of flags.entries()) insert.run(tag(index + 1), flag)
    const items = counter.checkout.cart('sale').lines.flatMap((line) => line.items)
    expect(items.map(({ verdict }) => verdict.kind)).toEqual([
      'sellable',
      'looking',
      'unchecked',
      'not-imported',
      'unknown',
      'sold',
      'unchecked',
    ])
  })
})
