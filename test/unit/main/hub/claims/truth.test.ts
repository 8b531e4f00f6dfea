import { describe, expect, it } from 'vitest'
import { type SaleReport, truthOfItem, truthOfOrder } from '../../../../../src-main/hub/claims/truth'
import { tag } from '../../../../fakes/ids'

const tagId = tag(1)
const own = { known: 5, upTo: 90 }
const sold = (orderId: string, at: number, state = 'accepted'): SaleReport => ({ kind: 'complete', state, at, orderId })
const back = (orderId: string, at: number, state = 'accepted'): SaleReport => ({ kind: 'return', state, at, orderId })
const voided = (orderId: string, at: number, state = 'accepted'): SaleReport => ({ kind: 'void', state, at, orderId })
const claim = (kind: string, orderId: string | null, at: number) => ({
  of: 'claim',
  wish: { tagId, kind, orderId, at, own },
})
const cart = { orderId: null, heldAt: null }
const held = { orderId: '7', heldAt: 3 }

describe('what the hub should hold of an item', () => {
  it.each([
    ['nothing is saved', undefined, [], { of: 'free', tagId, own }],
    ['it is in the cart', cart, [], { ...claim('cart', null, 0), before: null }],
    ['it is on hold', held, [], { ...claim('held', '7', 0), before: null }],
    ['it was sold', undefined, [sold('7', 10)], { ...claim('sale', '7', 10), before: null }],
    ['its sale waits to be sent', undefined, [sold('7', 10, 'queued')], { ...claim('sale', '7', 10), before: null }],
    [
      'its return is not accepted yet',
      undefined,
      [back('7', 20, 'queued'), sold('7', 10)],
      { ...claim('sale', '7', 10) },
    ],
    ['it came back', undefined, [back('7', 20), sold('7', 10)], { of: 'release', release: { tagId, at: 20 }, own }],
    [
      'it came back and is in the cart',
      cart,
      [back('7', 20)],
      { ...claim('cart', null, 0), before: { tagId, at: 20 } },
    ],
    [
      'it came back and was sold again',
      undefined,
      [sold('8', 30), back('7', 20), sold('7', 10)],
      { ...claim('sale', '8', 30), before: { tagId, at: 20 } },
    ],
    ['its order was voided', undefined, [voided('7', 20), sold('7', 10)], { of: 'free', tagId, own }],
    ['a void waits', undefined, [voided('7', 20, 'queued'), sold('7', 10)], { ...claim('sale', '7', 10) }],
  ])('%s', (_what, sale, reports, truth) => {
    expect(truthOfItem({ tagId, sale, reports, own })).toMatchObject(truth)
  })
})

describe('what the hub should hold of an order', () => {
  it.each([
    ['nothing while it is sold', [sold('7', 10)], { of: 'nothing' }],
    ['nothing until the service has its void', [voided('7', 20, 'queued'), sold('7', 10)], { of: 'nothing' }],
    ['its void', [voided('7', 20), sold('7', 10)], { of: 'order', orderId: '7', at: 20 }],
    ['nothing if its void names no order', [{ ...voided('7', 20), orderId: null }], { of: 'nothing' }],
  ])('%s', (_what, reports, truth) => {
    expect(truthOfOrder(reports)).toEqual(truth)
  })
})
