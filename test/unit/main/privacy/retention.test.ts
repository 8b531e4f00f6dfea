import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createCustomers } from '../../../../src-main/privacy/customers'
import { createRetention } from '../../../../src-main/privacy/retention'
import { createSeal } from '../../../../src-main/privacy/seal'
import { silentLog } from '../../../../src-main/log'
import { tag } from '../../../fakes/ids'
import { facts, useCounter } from '../checkout/counter-desk'

const customer = 'MEDICAL-00417'
const seal = createSeal([Buffer.alloc(32, 7)])
const day = 86_400_000

describe('retention', () => {
  const counter = useCounter({ seal })

  const look = () => {
    const retention = createRetention({ db: counter.db, clock: counter.clock, log: silentLog })
    retention.start()
    retention.stop()
  }
  const exported = async (): Promise<unknown> => {
    const customers = createCustomers({ db: counter.db, clock: counter.clock, seal })
    return JSON.parse(counter.value(await customers.export(customer)).text)
  }
  const sellTo = async (orderId: string, tagId: ReturnType<typeof tag>) => {
    counter.shelf.put(facts(tagId))
    counter.value(counter.checkout.setCustomer('sale', customer))
    return counter.sell(orderId, tagId)
  }
  const numbers = (sql: string) => z.array(z.number()).parse(counter.db.prepare(sql).pluck().all())

  it('keeps a customer for a week after the service accepted the sale, and always until then', async () => {
    await sellTo('1', tag(1))
    counter.send()
    await sellTo('2', tag(2))
    counter.clock.advance(7 * day - 1_000)
    look()
    expect(await exported()).toMatchObject({ reports: [{ orderId: '1' }, { orderId: '2' }] })
    counter.clock.advance(2_000)
    look()
    expect(await exported()).toMatchObject({ reports: [{ orderId: '2' }] })
    counter.clock.advance(500 * day)
    look()
    expect(await exported()).toMatchObject({ reports: [{ orderId: '2' }] })
    counter.send()
    look()
    expect(await exported()).toMatchObject({ reports: [{ orderId: '2' }] })
  })

  it('removes customers although there are unreadable reports', async () => {
    await sellTo('1', tag(1))
    await sellTo('2', tag(2))
    counter.send()
    counter.db.prepare(`UPDATE operation SET payload = '{"customerId":' WHERE seq = 1`).run()
    counter.clock.advance(8 * day)
    look()
    expect(await exported()).toMatchObject({ reports: [] })
  })

  it('removes the customer of a refused sale or an abandoned order after a month', async () => {
    await sellTo('1', tag(1))
    counter.refuse()
    counter.shelf.put(facts(tag(2)), facts(tag(3)))
    counter.value(counter.checkout.setCustomer('sale', customer))
    await counter.fill('2', tag(2))
    counter.value(counter.hold())
    counter.value(counter.checkout.setCustomer('sale', customer))
    await counter.fill('3', tag(3))
    counter.clock.advance(30 * day - 1_000)
    look()
    expect(await exported()).toMatchObject({
      reports: [{ orderId: '1' }],
      openOrders: [{ orderId: '2' }, { orderId: '3' }],
    })
    counter.clock.advance(2_000)
    look()
    expect(await exported()).toMatchObject({ reports: [], openOrders: [] })
    expect(counter.outbox.read.counts()).toMatchObject({ attention: 1 })
    expect(counter.checkout.cart('sale')).toMatchObject({ orderId: '3', itemCount: 1, customerId: null })
  })

  it('removes an erasure request once it is fulfilled', async () => {
    await sellTo('1', tag(1))
    const customers = createCustomers({ db: counter.db, clock: counter.clock, seal })
    counter.value(await customers.erase(customer))
    look()
    expect(numbers('SELECT count(*) FROM customer_erasure')).not.toEqual([0])
    counter.send()
    look()
    expect(numbers('SELECT count(*) FROM customer_erasure')).toEqual([0])
    // The customer's next purchase is kept like any other.
    await sellTo('2', tag(2))
    counter.send()
    expect(await exported()).toMatchObject({ reports: [{ orderId: '2' }] })
  })

  it('removes the steps of a settled report after 400 days, except for the last', async () => {
    await sellTo('1', tag(1))
    counter.send()
    await sellTo('2', tag(2))
    counter.refuse()
    await sellTo('3', tag(3))
    counter.clock.advance(400 * day - 1_000)
    await sellTo('4', tag(4))
    const steps = 'SELECT operation_seq FROM journal ORDER BY entry'
    look()
    const before = numbers(steps)
    expect(before.filter((seq) => seq === 1)).toHaveLength(3)
    counter.clock.advance(3_000)
    await sellTo('5', tag(5))
    look()
    expect(numbers(steps)).toEqual([1, ...before.filter((seq) => seq !== 1), 5])
    const operation = counter.outbox.read.byKey('order:1')[0]
    expect(operation?.state).toBe('accepted')
    expect(operation && counter.value(counter.outbox.journalOf(operation.id))).toMatchObject([{ what: 'accepted' }])
  })

  it('protects steps from deletion and changes before their time', async () => {
    await sellTo('1', tag(1))
    counter.send()
    await sellTo('2', tag(2))
    const refusal = 'the journal is append-only'
    for (const where of ['entry = 1', 'operation_seq = 2', 'true']) {
      expect(() => counter.db.prepare(`DELETE FROM journal WHERE ${where}`).run()).toThrow(refusal)
    }
    counter.clock.advance(500 * day)
    await sellTo('3', tag(3))
    // After 500 days, too: the last step of a settled report, and the steps of an unsettled one.
    expect(() => counter.db.prepare('DELETE FROM journal WHERE operation_seq = 1').run()).toThrow(refusal)
    expect(() => counter.db.prepare('DELETE FROM journal WHERE operation_seq = 2').run()).toThrow(refusal)
    expect(() => counter.db.prepare(`UPDATE journal SET detail = 'x' WHERE entry = 1`).run()).toThrow(refusal)
    expect(counter.db.prepare('DELETE FROM journal WHERE entry = 1').run().changes).toBe(1)
  })
})
