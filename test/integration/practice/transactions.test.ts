import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { PracticeService } from '../../../src-practice/start'
import { toUuid } from '../../../src-shared/ids'
import { Collection } from '../../../src-shared/service/collections'
import {
  type ServiceCaller,
  callerOf,
  performed_at,
  sale,
  shop,
  sister,
  someList,
  someText,
  start,
  stranger,
} from './practice'
import { atHoboken, blueDune, onSale, single, tag } from './sample'

const [a, b, c] = [tag(onSale, 0), tag(onSale, 1), tag(onSale, 2)]
const processed = { status: 400, body: { message: 'This transaction has already been processed.' } }
const missing = ['items should be specified when transaction type is complete or return.']

describe('transactions', () => {
  let service: PracticeService
  let caller: ServiceCaller
  beforeEach(async () => {
    service = await start()
    caller = await callerOf(service, shop)
  })
  afterEach(() => service.close())

  const complete = (body: unknown, as = caller) => as.post('transactions/complete/', body)
  const voidOrder = (order_id: unknown, as = caller) => as.post('transactions/void/', { performed_at, order_id })
  const giveBack = (body: unknown, as = caller) => as.post('transactions/return/', body)
  const sold = async () => {
    const { items } = Collection.parse((await caller.get(`collections/${onSale.uuid}/`)).body)
    return items.filter((item) => item.sold_at_dispensary_on != null).map((item) => item.tag_id)
  }
  const accepted = () => service.admin.transactions().map(({ kind, order_id, items }) => [kind, order_id, ...items])

  describe('complete', () => {
    it('sells the items and lists the sale, without the customer', async () => {
      const answer = await complete({ ...sale('1', [a, b]), customer_id: 'Jane Roe', budtender_id: 'Sam' })
      expect(answer).toMatchObject({ status: 200, body: { status: 'success' } })
      expect(await sold()).toEqual([a, b])
      const [one, ...rest] = service.admin.transactions()
      expect(rest).toEqual([])
      expect(one).toMatchObject({
        kind: 'complete',
        order_id: '1',
        items: [a, b],
        performed_at,
        customer_id: true,
        dispensary: { name: 'Green Door, Newark' },
      })
      expect(answer.body).toMatchObject({ request_id: one?.id })
      expect(JSON.stringify(service.admin.transactions())).not.toContain('Jane')
    })

    it('takes UUIDs, and counts a repeated item once', async () => {
      expect((await complete(sale('1', [toUuid(a) ?? '', a]))).status).toBe(200)
      expect(accepted()).toEqual([['complete', '1', a]])
    })

    it('refuses an order id that was completed before, with the same or other items, voided since or not', async () => {
      await complete(sale('1', [a]))
      expect(await complete(sale('1', [a]))).toMatchObject(processed)
      expect(await complete(sale(' 1 ', [b]))).toMatchObject(processed)
      await voidOrder('1')
      expect(await complete(sale('1', [a]))).toMatchObject(processed)
      expect(accepted()).toEqual([
        ['complete', '1', a],
        ['void', '1', a],
      ])
    })

    it('refuses an item that is sold in another order, and sells none of that order', async () => {
      await complete(sale('1', [a]))
      expect(await complete(sale('2', [b, a]))).toMatchObject(processed)
      expect(await sold()).toEqual([a])
    })

    it('keeps the order ids of dispensaries apart', async () => {
      await complete(sale('1', [a]))
      const other = await callerOf(service, sister)
      expect((await complete(sale('1', [tag(atHoboken, 0)]), other)).status).toBe(200)
    })

    it('refuses items that are not in our inventory: not imported, in no case, imported by a sister', async () => {
      const theirs = [tag(blueDune, 0), single, tag(atHoboken, 0)]
      expect(await complete(sale('1', [a, ...theirs]))).toMatchObject({
        status: 400,
        body: {
          message: 'This transaction contains non-imported TagIDs.',
          non_imported_tagids: theirs,
          valid_transaction: false,
        },
      })
      expect(await sold()).toEqual([])
    })
  })

  describe('void', () => {
    it('frees the items that are still sold, so that they can be sold again', async () => {
      await complete(sale('1', [a, b, c]))
      await giveBack(sale('1', [a]))
      expect((await voidOrder('1')).status).toBe(200)
      expect(accepted().at(-1)).toEqual(['void', '1', b, c])
      expect(await sold()).toEqual([])
      expect((await complete(sale('2', [a, b, c]))).status).toBe(200)
    })

    it('accepts an order whose items were all returned', async () => {
      await complete(sale('1', [a]))
      await giveBack(sale('1', [a]))
      expect((await voidOrder('1')).status).toBe(200)
    })

    it('is refused a second time, and frees nothing that was sold in between', async () => {
      await complete(sale('1', [a]))
      await voidOrder('1')
      await complete(sale('2', [a]))
      expect(await voidOrder('1')).toMatchObject(processed)
      expect(await sold()).toEqual([a])
    })

    it('is a field error if the order was not completed at this dispensary', async () => {
      await complete(sale('1', [a]))
      const unknown = (id: string) => ({
        status: 400,
        body: { order_id: [`Order ${id} was not completed at this dispensary.`] },
      })
      expect(await voidOrder('2')).toMatchObject(unknown('2'))
      expect(await voidOrder('1', await callerOf(service, sister))).toMatchObject(unknown('1'))
      expect(await sold()).toEqual([a])
    })

    it('ignores items', async () => {
      await complete(sale('1', [a]))
      const answer = await caller.post('transactions/void/', { performed_at, order_id: '1', items: 'rubbish' })
      expect(answer.status).toBe(200)
    })
  })

  describe('return', () => {
    it('frees the returned items, in one or several returns, so that they can be sold again', async () => {
      await complete(sale('1', [a, b, c]))
      expect((await giveBack(sale('1', [a]))).status).toBe(200)
      expect(await sold()).toEqual([b, c])
      expect((await giveBack(sale('1', [b, c]))).status).toBe(200)
      expect(await sold()).toEqual([])
      expect((await complete(sale('2', [a]))).status).toBe(200)
    })

    it('refuses an item that was returned or voided before, even if sold again since', async () => {
      await complete(sale('1', [a, b]))
      await giveBack(sale('1', [a]))
      expect(await giveBack(sale('1', [a]))).toMatchObject(processed)
      expect(await giveBack(sale('1', [a, b]))).toMatchObject(processed)
      await complete(sale('2', [a]))
      expect(await giveBack(sale('1', [a]))).toMatchObject(processed)
      await voidOrder('1')
      expect(await giveBack(sale('1', [b]))).toMatchObject(processed)
      expect(await sold()).toEqual([a])
    })

    it('lists items that were not sold in that order', async () => {
      await complete(sale('1', [a]))
      await complete(sale('2', [b]))
      expect(await giveBack(sale('1', [a, b, single]))).toMatchObject({
        status: 400,
        body: { items: { invalid: [b, single], unknown: [], valid: [a] } },
      })
      expect(await sold()).toEqual([a, b])
    })

    it('is a field error if the order was not completed here', async () => {
      await complete(sale('1', [a]))
      const body = { order_id: ['Order 1 was not completed at this dispensary.'] }
      expect(await giveBack(sale('1', [a]), await callerOf(service, stranger))).toMatchObject({ status: 400, body })
    })
  })

  describe.each(['complete', 'return'] as const)('the items of a %s', (kind) => {
    const post = (body: unknown) => caller.post(`transactions/${kind}/`, body)

    it('are required: absent, null and an empty list get the same answer', async () => {
      for (const items of [undefined, null, []]) {
        const answer = await post({ performed_at, order_id: '1', items })
        expect(answer).toMatchObject({ status: 400, body: missing })
      }
    })

    it('must be a list', async () => {
      for (const items of [a, 1, {}, true]) {
        const answer = await post({ performed_at, order_id: '1', items })
        expect(answer.body).toEqual({ items: ['Expected a list of items.'] })
      }
    })

    it('are listed unchanged if they are not ids', async () => {
      const malformed = ['nonsense', '', 'zzzzzzzzzzzzzzzzzzzzzz', 7, null, ['x']]
      const answer = await post({ performed_at, order_id: '1', items: [a, ...malformed] })
      expect(answer).toMatchObject({
        status: 400,
        body: { items: { 'Invalid TagIDs': ['nonsense', '', 'zzzzzzzzzzzzzzzzzzzzzz', '7', 'null', '["x"]'] } },
      })
    })

    it('are listed in short form, apart from the others, if they are unknown', async () => {
      const unknown = onSale.uuid
      const answer = await post({ performed_at, order_id: '1', items: [a, toUuid(unknown)] })
      expect(answer).toMatchObject({ status: 400, body: { items: { invalid: [], unknown: [unknown], valid: [a] } } })
    })
  })

  describe.each(['complete', 'void', 'return'] as const)('the fields of a %s', (kind) => {
    const post = (body: object) => caller.post(`transactions/${kind}/`, { ...sale('1', [a]), ...body })

    it('are required before anything else is checked', async () => {
      const answer = await caller.post(`transactions/${kind}/`, {})
      const required = ['This field is required.']
      expect(answer).toMatchObject({ status: 400, body: { performed_at: required, order_id: required } })
    })

    it.each(['yesterday', '2026-11-02', '2026-11-02T10:15:00', '2026-13-02T10:15:00Z', '10:15', ''])(
      'refuse the time %j',
      async (time) => {
        const answer = await post({ performed_at: time })
        expect(answer).toMatchObject({ status: 400, body: { performed_at: someList } })
      },
    )

    it.each([[null], [7], [true], [[]], [{}], [' '], ['x'.repeat(256)]])('refuse the order id %j', async (order_id) => {
      expect(await post({ order_id })).toMatchObject({ status: 400, body: { order_id: [someText] } })
    })

    it('refuse a customer or budtender that is not text', async () => {
      const answer = await post({ customer_id: 7, budtender_id: {} })
      expect(answer.body).toEqual({ customer_id: ['Not a valid string.'], budtender_id: ['Not a valid string.'] })
      expect(service.admin.transactions()).toEqual([])
    })
  })

  it('accepts null for budtender and customer, and records that there was no customer', async () => {
    expect((await complete({ ...sale('1', [a]), customer_id: null, budtender_id: null })).status).toBe(200)
    expect(service.admin.transactions()[0]?.customer_id).toBe(false)
  })

  it('accepts only one of two simultaneous sales of an item', async () => {
    const answers = await Promise.all([complete(sale('1', [a])), complete(sale('2', [a])), complete(sale('3', [a]))])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
    expect(accepted()).toHaveLength(1)
  })
})
