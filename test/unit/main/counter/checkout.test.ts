import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { err } from '../../../../src-shared/result'
import type { CartView } from '../../../../src-shared/ipc/contract/checkout'
import type { Result } from '../../../../src-shared/result'
import type { TagFacts } from '../../../../src-shared/service/facts'
import { Checkout } from '../../../../src-main/counter/checkout'
import type { Store } from '../../../../src-main/database/open'
import { counterContext, online } from '../../../fakes/counter-context'
import { tag } from '../../../fakes/ids'
import { type Shop, openShop } from '../database/shop'
import type { ServiceError } from '../../../../src-main/service/reply'

const known = tag(1)
const facts: TagFacts = {
  tagId: known,
  caseId: null,
  productId: null,
  productName: 'Blue Dune',
  brandName: null,
  pictureUrl: null,
  isImported: true,
  soldOn: null,
}

describe("an item that is scanned while the service doesn't answer", () => {
  let shop: Shop
  let store: Store
  let carts: CartView[]
  let answerLate: (answer: Result<TagFacts, ServiceError>) => void

  beforeEach(() => {
    // With fake timers, the timeout of a scan never elapses.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    shop = openShop()
    carts = []
  })
  afterEach(() => {
    vi.useRealTimers()
    store.close()
    shop.remove()
  })

  const open = (isOutOfReach: boolean) => {
    const opened = shop.open()
    store = opened.store
    const never = () => new Promise<never>(() => undefined)
    opened.events.on('cart.changed', 'test', (cart) => carts.push(cart))
    return new Checkout(
      counterContext({
        ...{ db: store.db, events: opened.events, outbox: opened.outbox, clock: shop.clock },
        lookup: {
          case: never,
          package: never,
          tag: () => new Promise((resolve) => (answerLate = resolve)),
          cached: (tagId) => (tagId === known ? facts : undefined),
          cachedTag: (tagId) => (tagId === known ? { value: facts, seenAt: 0 } : undefined),
          cachedCoa: (tagId) => (tagId === known ? facts.coa : undefined),
          cachedPackage: () => undefined,
        },
        connection: { ...online, isOutOfReach: () => isOutOfReach },
      }),
    )
  }
  /** Late answers are announced one turn after they arrive. */
  const nextTurn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
  const settled = async (promise: Promise<unknown>) => {
    let isSettled = false
    void promise.then(() => (isSettled = true))
    for (let turn = 0; turn < 20; turn++) await Promise.resolve()
    return isSettled
  }

  it('is in the cart at once if it is remembered', async () => {
    const added = open(true).scanning.addItem('sale', known)
    expect(await settled(added)).toBe(true)
    expect(await added).toMatchObject({
      ok: true,
      value: { verdict: { kind: 'sellable' }, productName: 'Blue Dune', lineCount: 1, itemCount: 1 },
    })
  })

  it("waits for the answer if the item isn't remembered, or if the service answered last time", async () => {
    expect(await settled(open(true).scanning.addItem('sale', tag(2)))).toBe(false)
    store.close()
    expect(await settled(open(false).scanning.addItem('sale', known))).toBe(false)
  })

  it('updates its line on a late answer, but not on a late "unreachable"', async () => {
    await open(true).scanning.addItem('sale', known)
    await nextTurn()
    carts = []
    answerLate(err({ code: 'service/unreachable' }))
    await nextTurn()
    expect(carts).toEqual([])

    await createdAnew()
    await nextTurn()
    carts = []
    answerLate(err({ code: 'service/not-found', id: known }))
    await nextTurn()
    expect(carts).toMatchObject([{ lines: [{ items: [{ tagId: known, verdict: { kind: 'unknown' } }] }] }])
  })

  async function createdAnew() {
    store.close()
    const checkout = open(true)
    checkout.clear('sale', checkout.cart('sale').revision)
    await checkout.scanning.addItem('sale', known)
  }
})
