import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DayReport } from '../../../../src-shared/ipc/contract/checkout'
import type { Operation } from '../../../../src-main/outbox/operation'
import type { Outcome } from '../../../../src-main/outbox/operation'
import { orderKey } from '../../../../src-main/outbox/payload'
import { order, tag } from '../../../fakes/ids'
import { entriesThatDiffer } from '../../../fakes/sale-entries'
import { facts, useCounter } from './counter-desk'
import { createModelService, rejected } from './model-service'

const day = '2026-11-21'

/** Steps at a counter in any order; few orders and few items, so that the steps collide. */
const mode = fc.constantFrom('sale', 'sale', 'return')
const few = fc.integer({ min: 1, max: 3 })
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('scan'), n: few, mode }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('finish'), n: few, mode }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constantFrom('claim', 'claim', 'accept', 'accept', 'refuse', 'retry'), n: few }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('hold', 'resume', 'void', 'void', 'amend', 'reopen', 'dismiss', 'dismiss', 'restart'),
      n: few,
    }),
  },
)
type Step = { kind: string; n: number; mode?: 'sale' | 'return' }

describe('any sequence of steps at the counter', () => {
  const counter = useCounter()
  let service = createModelService()
  /** The operation being sent while other steps happen. */
  let onItsWay: Operation | undefined
  /** Voids made while a sale of their order stood; the remaining voids concern sales that another till may have made. */
  const ofSales = new Set<string>()

  const take = async ({ kind, n, mode = 'sale' }: Step) => {
    const { checkout, outbox } = counter
    const refused = outbox.read.attention(1)[0]
    counter.clock.advance(1_000)
    if (kind === 'scan') await checkout.scanning.addItem(mode, tag(n))
    if (kind === 'finish') {
      // A return already has the order number of the item's sale.
      if (mode === 'sale' || checkout.cart(mode).orderId === null) checkout.setOrder(mode, order(n))
      checkout.finishing.finish(mode, { ...counter.seen(mode), isMeant: true })
    }
    if (kind === 'hold') counter.hold()
    if (kind === 'resume') checkout.holding.resume(checkout.held()[0]?.id ?? 0)
    if (kind === 'void') {
      const isOfSale = outbox.read
        .byKey(orderKey(order(n)))
        .some((one) => one.kind === 'complete' && one.state !== 'cancelled')
      const made = checkout.orders.void(order(n))
      if (made.ok && isOfSale) ofSales.add(made.value.id)
    }
    if (kind === 'claim') onItsWay ??= outbox.claim()
    if (kind === 'accept') send(answer)
    if (kind === 'refuse') send(() => rejected)
    if (kind === 'restart') {
      counter.restart()
      onItsWay = undefined
    }
    if (!refused) return
    if (kind === 'retry') outbox.retry(refused.id)
    if (kind === 'amend') checkout.finishing.amend(refused.id, [tag(n)], 'Stayed in the store')
    if (kind === 'reopen') checkout.finishing.reopen(refused.id)
    if (kind === 'dismiss') outbox.dismiss(refused.id, 'so it goes')
  }

  const send = (outcomeOf: (operation: Operation) => Outcome) => {
    const sent = onItsWay ?? counter.outbox.claim()
    onItsWay = undefined
    if (sent) counter.outbox.settle(sent.seq, outcomeOf(sent))
    return sent !== undefined
  }
  const answer = (operation: Operation) => service.answer(operation, ofSales.has(operation.id))
  /** Continues until no operation waits or is refused and no order is open. */
  const comeToRest = () => {
    const { outbox, checkout } = counter
    for (let isMoving = true; isMoving;) {
      while (send(answer));
      const [refused] = outbox.read.attention(1)
      isMoving = refused !== undefined && outbox.dismiss(refused.id, 'so it goes').ok
    }
    for (const { id } of checkout.held()) checkout.holding.drop(id)
    counter.clear('sale')
    counter.clear('return')
  }

  it('never puts an item into two open orders or voids another sale, reports what the service holds, and can sell what is free there', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 80 }), async (steps) => {
        counter.db.exec(`
          DROP TRIGGER journal_keeps_delete; DELETE FROM journal; DELETE FROM operation_key; DELETE FROM operation_wait;
          DELETE FROM sale_entry; DELETE FROM operation; DELETE FROM open_order WHERE held_at IS NOT NULL;
          DELETE FROM open_order_item; UPDATE open_order SET order_id = NULL;
          CREATE TRIGGER journal_keeps_delete BEFORE DELETE ON journal BEGIN SELECT RAISE(ABORT, 'x'); END;`)
        counter.shelf.put(...[1, 2, 3, 4, 5, 6].map((n) => facts(tag(n))))
        service = createModelService()
        onItsWay = undefined
        ofSales.clear()
        for (const one of steps) {
          await take(one)
          const doubled = counter.db.prepare('SELECT tag_id FROM open_order_item GROUP BY tag_id HAVING count(*) > 1')
          expect(doubled.all()).toEqual([])
        }
        expect(entriesThatDiffer(counter.db)).toEqual([])
        comeToRest()
        expect(entriesThatDiffer(counter.db)).toEqual([])
        const { sums, count, sold, idleVoids } = service
        expect(idleVoids).toEqual([])
        const report = counter.checkout.dayBook.day(day)
        expect(report.confirmed).toBe(count)
        const items = (kind: keyof typeof sums) => report[kind].items
        expect({ completed: items('completed'), returned: items('returned'), voided: items('voided') }).toEqual(sums)
        const sum = (rows: Pick<DayReport['byProduct'][number], 'sold' | 'returned' | 'voided'>[]) =>
          (['sold', 'returned', 'voided'] as const).map((one) => rows.reduce((all, row) => all + row[one], 0))
        const expected = [sums.completed, sums.returned, sums.voided]
        expect(sum(report.byProduct)).toEqual(expected)
        expect(sum(report.byBudtender)).toEqual(expected)
        for (const tagId of [1, 2, 3].map(tag)) {
          const added = await counter.checkout.scanning.addItem('sale', tagId)
          expect(added.ok ? null : added.error.code).toBe(sold.has(tagId) ? 'checkout/already-sold' : null)
        }
      }),
      { numRuns: 100 },
    )
  }, 60_000)
})
