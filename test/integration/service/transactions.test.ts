import { describe, expect } from 'vitest'
import { someList, someText } from '../practice/practice'
import { row } from './row'
import { answer, at, absentId, performed_at, refusal, sale, value, voiding } from './values'
import type { World } from './world'
import { cases, dispensaries, tagIds } from './world-data'

const path = (kind: string) => `/api/v1.2/transactions/${kind}/`
const post = (world: World, kind: string, body: unknown) => world.raw('POST', path(kind), { as: 'shop', body })
const one = at(tagIds.own)
const people = { customer_id: 'C-1', budtender_id: 'B-1' }

describe('transactions', () => {
  row('POST /api/v1.2/transactions/complete/', 'takes a sale', async ({ service, shop }) => {
    expect((await answer(shop.v12.transactions.complete(sale('1', [one])))).status).toBe(200)
    expect(service.admin.transactions()).toMatchObject([{ kind: 'complete', order_id: '1', items: [one] }])
    expect(at((await value(shop.v12.collections.get(cases.own))).items).sold_at_dispensary_on).toBe(performed_at)
  })

  row('POST /api/v1.2/transactions/void/', 'takes a void', async ({ service, shop }) => {
    await answer(shop.v12.transactions.complete(sale('1', [one])))
    expect((await answer(shop.v12.transactions.void(voiding('1')))).status).toBe(200)
    expect(service.admin.transactions().at(-1)).toMatchObject({ kind: 'void', order_id: '1' })
  })

  row('POST /api/v1.2/transactions/return/', 'takes a return', async ({ service, shop }) => {
    await answer(shop.v12.transactions.complete(sale('1', tagIds.own)))
    expect((await answer(shop.v12.transactions.return(sale('1', [one])))).status).toBe(200)
    expect(service.admin.transactions().at(-1)).toMatchObject({ kind: 'return', items: [one] })
  })

  row('Transaction > complete', 'needs time and order, and takes the people', async (world) => {
    expect(await post(world, 'complete', { items: [one] })).toMatchObject({
      status: 400,
      body: { performed_at: someList, order_id: someList },
    })
    expect((await post(world, 'complete', { ...sale('1', [one]), ...people })).status).toBe(200)
  })

  row('Transaction > void', 'needs time and order, and takes the people', async (world) => {
    await post(world, 'complete', sale('1', [one]))
    expect(await post(world, 'void', {})).toMatchObject({
      status: 400,
      body: { performed_at: someList, order_id: someList },
    })
    expect((await post(world, 'void', { ...voiding('1'), ...people })).status).toBe(200)
  })

  row('Transaction > return', 'needs time and order, and takes the people', async (world) => {
    await post(world, 'complete', sale('1', [one]))
    expect(await post(world, 'return', { items: [one] })).toMatchObject({
      status: 400,
      body: { performed_at: someList, order_id: someList },
    })
    expect((await post(world, 'return', { ...sale('1', [one]), ...people })).status).toBe(200)
  })

  row('Transaction > dispensary', 'is the caller’s: others have orders and items of their own', async (world) => {
    expect((await answer(world.shop.v12.transactions.complete(sale('1', [one])))).status).toBe(200)
    expect((await answer(world.sister.v12.transactions.complete(sale('1', tagIds.sister)))).status).toBe(200)
    expect((await answer(world.sister.v12.transactions.complete(sale('2', [at(tagIds.own, 1)])))).status).toBe(400)
    expect(world.service.admin.transactions().map(({ dispensary }) => dispensary.uuid)).toEqual([
      dispensaries.own,
      dispensaries.sister,
    ])
    expect((await world.raw('POST', path('complete'), { as: 'maker', body: sale('1', [one]) })).status).toBe(403)
  })
})

describe('transaction errors', () => {
  row('Error > transaction: malformed', 'lists the TagIDs that are none', async (world) => {
    await post(world, 'complete', sale('1', [one]))
    for (const kind of ['complete', 'return']) {
      const body = { performed_at, order_id: '1', items: ['no id', one] }
      expect(await post(world, kind, body), kind).toMatchObject({
        status: 400,
        body: { items: { 'Invalid TagIDs': ['no id'] } },
      })
    }
  })

  row('Error > transaction: unknown', 'sorts the TagIDs', async ({ shop }) => {
    await answer(shop.v12.transactions.complete(sale('1', [one])))
    for (const kind of ['complete', 'return'] as const) {
      const reply = shop.v12.transactions[kind](sale('1', [absentId, one]))
      expect(await answer(reply), kind).toEqual({
        status: 400,
        json: { items: { invalid: [], unknown: [absentId], valid: [one] } },
      })
      expect(await refusal(reply)).toMatchObject({ code: 'service/unknown-tags', tagIds: [absentId] })
    }
  })

  row('Error > transaction: not imported', 'lists the TagIDs that are not', async ({ service, shop }) => {
    const plain = at(tagIds.plain)
    const reply = shop.v12.transactions.complete(sale('1', [one, plain]))
    expect(await answer(reply)).toEqual({
      status: 400,
      json: { message: someText, non_imported_tagids: [plain], valid_transaction: false },
    })
    expect(await refusal(reply)).toMatchObject({ code: 'service/not-imported', tagIds: [plain] })
    expect(service.admin.transactions()).toEqual([])
  })

  row('Error > transaction: already processed', 'on complete, void and return', async ({ service, shop }) => {
    const { transactions } = shop.v12
    const already = { status: 400, json: { message: 'This transaction has already been processed.' } }
    await answer(transactions.complete(sale('1', [one])))
    expect(await answer(transactions.complete(sale('1', [one])))).toEqual(already)
    await answer(transactions.return(sale('1', [one])))
    expect(await answer(transactions.return(sale('1', [one])))).toEqual(already)
    await answer(transactions.void(voiding('1')))
    expect(await answer(transactions.void(voiding('1')))).toEqual(already)
    expect(await refusal(transactions.void(voiding('1')))).toMatchObject({ code: 'service/already-processed' })
    expect(service.admin.transactions()).toHaveLength(3)
  })

  row('Error > transaction: items missing', 'is an array with one message', async (world) => {
    await post(world, 'complete', sale('1', [one]))
    for (const kind of ['complete', 'return']) {
      for (const body of [voiding('1'), { ...voiding('1'), items: [] }]) {
        expect(await post(world, kind, body), kind).toMatchObject({
          status: 400,
          body: ['items should be specified when transaction type is complete or return.'],
        })
      }
    }
  })
})
