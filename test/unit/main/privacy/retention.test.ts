import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createCustomers } from '../../../../src-main/privacy/customers'
import { Retention } from '../../../../src-main/privacy/retention'
import { createSeal } from '../../../../src-main/privacy/seal'
import { Journal } from '../../../../src-main/outbox/journal'
import { silentLog } from '../../../../src-main/core/log'
import { tag } from '../../../fakes/ids'
import { entriesThatDiffer } from '../../../fakes/sale-entries'
import { facts, useCounter } from '../counter/counter-desk'

const customer = 'MEDICAL-00417'
const seal = createSeal([Buffer.alloc(32, 7)])
const day = 86_400_000

describe('retention', () => {
  const counter = useCounter({ seal })

  /** As after a start. */
  const retention = () => new Retention({ db: counter.db, clock: counter.clock, log: silentLog })
  const look = () => retention().run()
  /** Lets a run make its first commit, and stops it. */
  const lookOnceAndStop = async () => {
    const cleaning = retention()
    const ended = cleaning.run()
    await new Promise((resolve) => setTimeout(resolve, 0))
    cleaning.stop()
    await ended
  }
  const exported = async (): Promise<unknown> => {
    const customers = createCustomers(counter, seal)
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
    await look()
    expect(await exported()).toMatchObject({ reports: [{ orderId: '1' }, { orderId: '2' }] })
    counter.clock.advance(2_000)
    await look()
    expect(await exported()).toMatchObject({ reports: [{ orderId: '2' }] })
    counter.clock.advance(500 * day)
    await look()
    expect(await exported()).toMatchObject({ reports: [{ orderId: '2' }] })
    counter.send()
    await look()
    expect(await exported()).toMatchObject({ reports: [{ orderId: '2' }] })
  })

  it('removes customers although there are unreadable reports', async () => {
    await sellTo('1', tag(1))
    await sellTo('2', tag(2))
    counter.send()
    counter.db.prepare(`UPDATE operation SET payload = '{"customerId":' WHERE seq = 1`).run()
    counter.clock.advance(8 * day)
    await look()
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
    await look()
    expect(await exported()).toMatchObject({
      reports: [{ orderId: '1' }],
      openOrders: [{ orderId: '2' }, { orderId: '3' }],
    })
    counter.clock.advance(2_000)
    await look()
    expect(await exported()).toMatchObject({ reports: [], openOrders: [] })
    expect(counter.outbox.read.counts()).toMatchObject({ attention: 1 })
    expect(counter.checkout.cart('sale')).toMatchObject({ orderId: '3', itemCount: 1, customerId: null })
  })

  it('keeps the customer of a refused sale that was taken back like that of a refused one, until it is settled', async () => {
    const sale = await sellTo('1', tag(1))
    counter.refuse()
    counter.value(counter.checkout.finishing.reopen(sale.id))
    counter.value(counter.clear())
    counter.clock.advance(30 * day - 1_000)
    await look()
    counter.value(counter.checkout.finishing.reopen(sale.id))
    expect(counter.checkout.cart('sale').customerId).toBe(customer)
    counter.value(counter.clear())
    counter.value(counter.outbox.dismiss(sale.id, 'Stayed in the store'))
    counter.clock.advance(8 * day)
    await look()
    expect(await exported()).toMatchObject({ reports: [] })
  })

  it('removes an erasure request once it is fulfilled', async () => {
    await sellTo('1', tag(1))
    const customers = createCustomers(counter, seal)
    counter.value(await customers.erase(customer))
    await look()
    expect(numbers('SELECT count(*) FROM customer_erasure')).not.toEqual([0])
    counter.send()
    await look()
    expect(numbers('SELECT count(*) FROM customer_erasure')).toEqual([0])
    // The customer's next purchase is kept like any other.
    await sellTo('2', tag(2))
    counter.send()
    expect(await exported()).toMatchObject({ reports: [{ orderId: '2' }] })
  })

  /** More reports than one commit takes, all of one customer; the service has taken them. */
  const many = 250
  const sellMany = async () => {
    await sellTo('1', tag(1))
    counter.send()
    const payload = counter.db.prepare('SELECT payload FROM operation').pluck().get()
    counter.db
      .prepare(
        `INSERT INTO operation (id, kind, payload, state, performed_at, performed_at_raw, clock_offset)
         WITH RECURSIVE made (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM made WHERE n < ${many})
         SELECT 'made-' || n, 'complete', json_set(@payload, '$.orderId', 'made-' || n), 'accepted', performed_at, performed_at_raw, 0
         FROM made, operation WHERE seq = 1`,
      )
      .run({ payload })
  }
  const named = () => numbers(`SELECT count(*) FROM operation WHERE payload ->> '$.customerId' IS NOT NULL`)[0]

  it('removes customers a few at a time, goes on after a restart, and leaves what is sold meanwhile', async () => {
    await sellMany()
    counter.clock.advance(8 * day)
    await lookOnceAndStop()
    expect(named()).toBeGreaterThan(0)
    expect(named()).toBeLessThan(many)
    expect(entriesThatDiffer(counter.db)).toEqual([])
    const run = look()
    await sellTo('sold meanwhile', tag(2))
    counter.send()
    await run
    expect(named()).toBe(1)
    expect(await exported()).toMatchObject({ reports: [{ orderId: 'sold meanwhile' }] })
    expect(entriesThatDiffer(counter.db)).toEqual([])
  })

  it('keeps an erasure request until the last report is erased, over a restart', async () => {
    await sellMany()
    // As salvaging leaves it: settled, without the trigger that erases.
    counter.db.exec(`INSERT INTO customer_erasure SELECT payload ->> '$.customerId', 0 FROM operation WHERE seq = 1`)
    await lookOnceAndStop()
    expect(named()).toBeGreaterThan(0)
    expect(named()).toBeLessThan(many)
    expect(numbers('SELECT count(*) FROM customer_erasure')).toEqual([1])
    await look()
    expect(named()).toBe(0)
    expect(numbers('SELECT count(*) FROM customer_erasure')).toEqual([0])
  })

  it('removes old steps a few at a time, and goes on after a restart', async () => {
    await sellTo('1', tag(1))
    counter.send()
    const made = many * 2
    const first = 'SELECT operation_seq, at, actor, what, from_state, to_state FROM journal WHERE entry = 1'
    counter.db.exec(`
      INSERT INTO journal (operation_seq, at, actor, what, from_state, to_state)
        WITH RECURSIVE made (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM made WHERE n < ${made}) SELECT step.* FROM made, (${first}) AS step`)
    counter.clock.advance(401 * day)
    await sellTo('2', tag(2))
    const steps = () => numbers('SELECT count(*) FROM journal WHERE operation_seq = 1')[0]
    await lookOnceAndStop()
    expect(steps()).toBeGreaterThan(1)
    expect(steps()).toBeLessThan(made)
    await look()
    expect(steps()).toBe(1)
    expect(numbers('SELECT count(*) FROM journal WHERE operation_seq = 2')).toEqual([1])
  })

  it('lets others have the loop between commits', async () => {
    await sellMany()
    counter.clock.advance(8 * day)
    const seen = new Set<number | undefined>()
    const watch = setInterval(() => seen.add(named()), 0)
    await look()
    clearInterval(watch)
    expect(seen.size).toBeGreaterThan(1)
  })

  it('removes old steps also when nothing happened since yesterday', async () => {
    await sellTo('1', tag(1))
    counter.send()
    counter.clock.advance(402 * day)
    await sellTo('2', tag(2))
    counter.clock.advance(day)
    await look()
    expect(numbers('SELECT count(*) FROM journal WHERE operation_seq = 1')).toEqual([1])
  })

  it('removes the old steps of a report that was settled only after it had looked at them', async () => {
    await sellTo('1', tag(1))
    counter.refuse()
    counter.clock.advance(402 * day)
    await sellTo('2', tag(2))
    const cleaning = retention()
    const old = () =>
      numbers(`SELECT count(*) FROM journal WHERE operation_seq = 1 AND at < ${counter.clock.now() - day}`)
    await cleaning.run()
    expect(old()[0]).toBeGreaterThan(0)
    const refused = counter.outbox.read.byKey('order:1')[0]
    if (refused) counter.value(counter.outbox.retry(refused.id))
    counter.send()
    counter.send()
    await cleaning.run()
    expect(old()).toEqual([0])
  })

  it('removes the steps of a settled report after 400 days, except for the last', async () => {
    await sellTo('1', tag(1))
    counter.send()
    await sellTo('2', tag(2))
    counter.refuse()
    await sellTo('3', tag(3))
    counter.clock.advance(400 * day - 1_000)
    await sellTo('4', tag(4))
    const steps = 'SELECT operation_seq FROM journal WHERE operation_seq IS NOT NULL ORDER BY entry'
    await look()
    const before = numbers(steps)
    expect(before.filter((seq) => seq === 1)).toHaveLength(3)
    counter.clock.advance(3_000)
    await sellTo('5', tag(5))
    await look()
    expect(numbers(steps)).toEqual([1, ...before.filter((seq) => seq !== 1), 5])
    const operation = counter.outbox.read.byKey('order:1')[0]
    expect(operation?.state).toBe('accepted')
    expect(operation && counter.value(counter.outbox.journalOf(operation.id))).toMatchObject([{ what: 'accepted' }])
  })

  it('leaves a chain that names no line as missing, and removes what is of no report alike, but never what it says of that', async () => {
    const journal = new Journal(counter.db, () => counter.clock.now())
    const verified = async () => (await journal.verify()).faults
    await sellTo('1', tag(1))
    counter.send()
    journal.act({ actor: 'person', what: 'signed-in' })
    counter.clock.advance(401 * day)
    await sellTo('2', tag(2))
    await look()
    const acts = `SELECT what FROM journal WHERE operation_seq IS NULL ORDER BY entry`
    expect(counter.db.prepare(acts).pluck().all()).toEqual(['removed'])
    expect(await verified()).toEqual([])
    counter.send()
    counter.clock.advance(401 * day)
    await sellTo('3', tag(3))
    await look()
    expect(counter.db.prepare(acts).pluck().all()).toEqual(['removed', 'removed'])
    expect(await verified()).toEqual([])
    expect(() => counter.db.exec(`DELETE FROM journal WHERE what = 'removed'`)).toThrow('append-only')
    counter.db.exec(
      `DROP TRIGGER journal_keeps_delete; DELETE FROM journal WHERE entry = (SELECT max(entry) - 1 FROM journal)`,
    )
    expect(await verified()).not.toEqual([])
  })

  it('keeps lines as long as a policy wants, and never shorter than usual', async () => {
    const keeping = (days: number) =>
      new Retention({ db: counter.db, clock: counter.clock, log: silentLog, days }).run()
    const steps = () => numbers('SELECT count(*) FROM journal WHERE operation_seq = 1')[0]
    await sellTo('1', tag(1))
    counter.send()
    counter.clock.advance(399 * day)
    await sellTo('2', tag(2))
    await keeping(1)
    expect(steps()).toBe(3)
    counter.clock.advance(300 * day)
    await sellTo('3', tag(3))
    await keeping(730)
    expect(steps()).toBe(3)
    await keeping(698)
    expect(steps()).toBe(1)
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
