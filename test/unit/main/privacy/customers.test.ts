import { describe, expect, it } from 'vitest'
import { err } from '../../../../src-shared/result'
import { createCustomers } from '../../../../src-main/privacy/customers'
import { createSeal } from '../../../../src-main/privacy/seal'
import { tag } from '../../../fakes/ids'
import { facts, useCounter } from '../counter/counter-desk'

const customer = 'MEDICAL-00417'
const [key, keyOfFile] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)]
const seal = createSeal([key])

describe('a customer', () => {
  const counter = useCounter({ seal })

  const customers = (with_ = seal) => createCustomers(counter, with_)
  const exported = async (customerId = customer): Promise<unknown> =>
    JSON.parse(counter.value(await customers().export(customerId)).text)
  const erased = async (customerId = customer) => counter.value(await customers().erase(customerId))
  const sellTo = async (orderId: string, tagId: ReturnType<typeof tag>, customerId = customer) => {
    counter.shelf.put(facts(tagId))
    counter.value(counter.checkout.setCustomer('sale', customerId))
    return counter.sell(orderId, tagId)
  }
  const textOfTables = () =>
    JSON.stringify(
      ['operation', 'open_order', 'sale_entry', 'journal', 'customer_erasure'].map((table) =>
        counter.db.prepare(`SELECT * FROM ${table}`).all(),
      ),
    )

  it('is sealed in all tables, and shown on the screen as typed', async () => {
    await sellTo('1', tag(1))
    counter.value(counter.checkout.setCustomer('sale', customer))
    await erased()
    expect(counter.checkout.cart('sale').customerId).toBe(customer)
    expect(textOfTables()).not.toContain(customer)
    counter.restart()
    expect(counter.checkout.cart('sale').customerId).toBe(customer)
  })

  it('is exported with all their reports and open orders, and no data of other customers', async () => {
    await sellTo('1', tag(1))
    await sellTo('2', tag(2), 'another customer')
    counter.value(counter.checkout.setCustomer('sale', customer))
    counter.shelf.put(facts(tag(3)))
    await counter.fill('3', tag(3))
    counter.value(counter.hold())
    counter.value(counter.checkout.setCustomer('sale', customer))
    const file = await exported()
    expect(file).toMatchObject({
      customerId: customer,
      reports: [{ kind: 'complete', state: 'queued', orderId: '1', tagIds: [tag(1)] }],
      openOrders: [
        { mode: 'sale', orderId: '3', tagIds: [tag(3)] },
        { mode: 'sale', orderId: null, heldSince: null, tagIds: [] },
      ],
    })
    expect(JSON.stringify(file)).not.toContain(tag(2))
    expect(await exported('unknown')).toMatchObject({ reports: [], openOrders: [] })
  })

  it('is erased from settled reports at once, and from unsettled ones when they are settled', async () => {
    await sellTo('1', tag(1))
    counter.send()
    await sellTo('2', tag(2))
    await sellTo('3', tag(3), 'another customer')
    counter.value(counter.checkout.setCustomer('sale', customer))
    // Kept for now: one unsent report, and the order in front.
    expect(await erased()).toEqual({ erased: 1, kept: 2 })
    expect(await exported()).toMatchObject({ reports: [{ orderId: '2' }] })
    expect(await erased('unknown')).toEqual({ erased: 0, kept: 0 })

    const told: unknown[] = []
    counter.send((tagIds) => {
      told.push(tagIds)
      return { kind: 'accepted', note: null }
    })
    expect(told).toHaveLength(2)
    expect(await exported()).toMatchObject({ reports: [], openOrders: [{}] })
    expect(await exported('another customer')).toMatchObject({ reports: [{ orderId: '3' }] })

    counter.shelf.put(facts(tag(4)))
    await counter.sell('4', tag(4))
    expect(await exported()).toMatchObject({ reports: [{ orderId: '4' }], openOrders: [] })
    counter.send()
    expect(await exported()).toMatchObject({ reports: [], openOrders: [] })
  })

  it('is erased from a refused report when the report is dismissed', async () => {
    await sellTo('1', tag(1))
    counter.refuse()
    expect(await erased()).toEqual({ erased: 0, kept: 1 })
    const [refused] = counter.outbox.read.attention(1)
    counter.value(refused ? counter.outbox.dismiss(refused.id, 'twice') : err({ code: 'outbox/not-found' }))
    expect(await exported()).toMatchObject({ reports: [] })
  })

  it('is erased from a report that was taken back when it is settled', async () => {
    const sale = await sellTo('1', tag(1))
    counter.refuse()
    counter.value(counter.checkout.finishing.reopen(sale.id))
    counter.value(counter.clear())
    expect(await erased()).toEqual({ erased: 0, kept: 1 })
    expect(counter.outbox.read.byId(sale.id)?.payload).toHaveProperty('customerId')
    counter.value(counter.outbox.dismiss(sale.id, 'Stayed in the store'))
    expect(counter.outbox.read.byId(sale.id)?.payload).not.toHaveProperty('customerId')
  })

  it('is found whichever key sealed the id, or if it is unsealed', async () => {
    await sellTo('1', tag(1))
    const [sale] = counter.outbox.read.waiting(1)
    const otherForms = [createSeal([keyOfFile]).seal(customer), customer]
    for (const [index, customerId] of otherForms.entries()) {
      if (sale?.payload?.kind !== 'complete') throw new Error('no sale')
      counter.value(
        counter.outbox.enqueue({
          ...sale.payload,
          customerId,
          orderId: sale.payload.orderId,
          tagIds: [tag(index + 5)],
        }),
      )
    }
    counter.send()
    expect(counter.value(await customers(createSeal([key, keyOfFile])).erase(customer))).toEqual({ erased: 3, kept: 0 })
  })

  it('can be exported and erased while there are unreadable reports', async () => {
    await sellTo('1', tag(1))
    counter.send()
    for (const payload of ['{"kind":"compl', '', 'null', '[]', '"x"', '7']) {
      await sellTo(`bad ${payload}`, tag(2), 'another customer')
      counter.db.prepare(`UPDATE operation SET payload = ? WHERE seq = (SELECT max(seq) FROM operation)`).run(payload)
      counter.send()
    }
    expect(await exported()).toMatchObject({ reports: [{ orderId: '1' }] })
    expect(await erased()).toEqual({ erased: 1, kept: 0 })
  })

  it("is not called unknown while the keychain doesn't give the key", async () => {
    const locked = { ...seal, allKeys: () => Promise.resolve(err({ code: 'keychain/locked' as const })) }
    await sellTo('1', tag(1))
    counter.send()
    expect(await customers(locked).export(customer)).toEqual({ ok: false, error: { code: 'keychain/locked' } })
    expect(await customers(locked).erase(customer)).toEqual({ ok: false, error: { code: 'keychain/locked' } })
    expect(await erased()).toEqual({ erased: 1, kept: 0 })
  })

  it('is not in the journal of a corrected report', async () => {
    counter.shelf.put(facts(tag(2)))
    await sellTo('1', tag(1))
    counter.refuse()
    const [refused] = counter.outbox.read.attention(1)
    if (!refused) throw new Error('nothing was refused')
    counter.value(counter.outbox.retry(refused.id))
    counter.send()
    await erased()
    expect(textOfTables()).not.toContain(seal.seal(customer))
  })
})
