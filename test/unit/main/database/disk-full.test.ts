import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { err, ok } from '../../../../src-shared/result'
import { Checkout } from '../../../../src-main/counter/checkout'
import type { MainEvents } from '../../../../src-main/core/events'
import { silentLog } from '../../../../src-main/core/log'
import type { Outbox } from '../../../../src-main/outbox/outbox'
import type { Store } from '../../../../src-main/database/open'
import { saved } from '../../../../src-main/database/saved'
import { createSettings } from '../../../../src-main/database/settings'
import { counterContext } from '../../../fakes/counter-context'
import { order, tag } from '../../../fakes/ids'
import { type Shop, openShop, put, sale } from './shop'

const notSaved = { ok: false, error: { code: 'store/not-saved' } }

describe('a full disk', () => {
  let shop: Shop
  let store: Store
  let outbox: Outbox
  let events: MainEvents

  beforeEach(() => {
    shop = openShop()
    ;({ store, outbox, events } = shop.open())
  })
  afterEach(() => {
    store.close()
    shop.remove()
  })

  /** Forbids new pages, and fills the existing ones. */
  const fill = () => {
    const pages = Number(store.db.pragma('page_count', { simple: true }))
    store.db.pragma(`max_page_count = ${pages}`)
    // Where one doesn't fit, another may: downwards, these fill the pages that the sales of the tests would go to.
    for (let n = 0; n < 500; n++) outbox.enqueue(sale(199_999 - n))
  }
  const makeRoom = () => {
    store.db.pragma('max_page_count = 1000000')
  }

  it('is reported before anything counts as saved, and leaves nothing half-saved', () => {
    fill()
    const counts = outbox.read.counts()
    const heard: unknown[] = []
    events.on('operation.changed', 'test', (operation) => heard.push(operation))
    for (let n = 0; n < 3; n++) expect(outbox.enqueue(sale(1, tag(1), tag(2)))).toEqual(notSaved)
    expect(outbox.read.counts()).toEqual(counts)
    expect(heard).toEqual([])
    makeRoom()
    expect(outbox.enqueue(sale(1)).ok).toBe(true)
  })

  it("never leaves a person's step half done", () => {
    const refused = put(outbox, sale(1))
    const waiting = put(outbox, sale(2))
    outbox.claim()
    outbox.settle(refused.seq, { kind: 'rejected', reason: { code: 'service/items-missing' } })
    fill()
    const longText = 'because '.repeat(2_000)
    const steps = [
      outbox.dismiss(refused.id, longText),
      outbox.correct(refused.id, {
        kind: 'complete',
        orderId: order('LONG'),
        tagIds: Array.from({ length: 300 }, (_, n) => tag(n)),
      }),
    ]
    for (const step of steps) expect(step).toEqual(notSaved)
    expect(outbox.read.byId(refused.id)).toMatchObject({ state: 'rejected', dismissedBecause: null })
    expect(outbox.read.byId(waiting.id)?.state).toBe('queued')
    makeRoom()
    expect(outbox.dismiss(refused.id, longText).ok).toBe(true)
  })

  it('makes claim and settle throw, so that the sender waits, and rolls the step back', () => {
    store.db.pragma('synchronous = OFF')
    for (let n = 0; n < 300; n++) put(outbox, sale(n))
    const sent = outbox.claim()
    fill()
    const settle = () => {
      const reason = { code: 'service/refused' as const, status: 400, detail: 'x'.repeat(20_000) }
      outbox.settle(sent?.seq ?? 0, { kind: 'rejected', reason })
    }
    expect(settle).toThrow('database or disk is full')
    expect(outbox.read.inState('sending').map(({ seq }) => seq)).toEqual([sent?.seq])
    // Each claim writes a journal line, so eventually there is no room for one.
    const claimed: number[] = []
    const claimAll = () => {
      for (let next = outbox.claim(); next; next = outbox.claim()) claimed.push(next.seq)
    }
    expect(claimAll).toThrow('database or disk is full')
    expect(outbox.read.inState('sending')).toHaveLength(claimed.length + 1)
    makeRoom()
    settle()
    expect(outbox.read.inState('rejected').map(({ seq }) => seq)).toEqual([sent?.seq])
    expect(outbox.claim()).toBeDefined()
  })

  it('is an error for an important setting, but only a log line for an unimportant one', () => {
    const warned: string[] = []
    const settings = createSettings(store.db, { ...silentLog, warn: (message) => warned.push(message) })
    fill()
    const long = 'x'.repeat(50_000)
    expect(
      saved(() => {
        settings.write('locale', long)
        return ok(null)
      }),
    ).toEqual(notSaved)
    settings.keep('clock.offset', long)
    expect(warned).toEqual(['a setting could not be kept'])
  })

  it("doesn't prevent the end of an outage, which needs no new page", () => {
    put(outbox, sale(1))
    const next = outbox.claim()
    if (next) outbox.settle(next.seq, { kind: 'retry', reason: { code: 'service/unreachable' }, afterMs: 60_000 })
    fill()
    outbox.retryUnreached()
    outbox.retryAll()
    expect(next && outbox.read.byId(next.id)?.nextAttemptAt).toBe(0)
  })

  it('is reported in the cart', async () => {
    const unreachable = () => Promise.resolve(err({ code: 'service/unreachable' as const }))
    const checkout = new Checkout(
      counterContext({
        ...{ db: store.db, events, outbox, clock: shop.clock },
        lookup: {
          case: unreachable,
          package: unreachable,
          tag: unreachable,
          cached: () => undefined,
          cachedTag: () => undefined,
          cachedCoa: () => undefined,
          cachedPackage: () => undefined,
        },
      }),
    )
    fill()
    let answer = await checkout.scanning.addItem('sale', tag(1))
    for (let n = 2; answer.ok && n < 500; n++) answer = await checkout.scanning.addItem('sale', tag(n))
    expect(answer).toEqual(notSaved)
  })

  it("doesn't prevent the app from starting or closing", () => {
    fill()
    store.close()
    ;({ store, outbox } = shop.open())
    expect(store.found).toBe('untouched')
  })
})
