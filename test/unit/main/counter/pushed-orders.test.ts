import { afterEach, expect, it } from 'vitest'
import type { TagId } from '../../../../src-shared/ids'
import { err } from '../../../../src-shared/result'
import { silentLog } from '../../../../src-main/core/log'
import { counterOf } from '../../../../src-main/counter/counter'
import { PushedOrders } from '../../../../src-main/counter/pushed-orders'
import { SharedOrderRows } from '../../../../src-main/counter/shared-order-rows'
import { reasonsFor } from '../../../../src-main/counter/verdict'
import { createSettings } from '../../../../src-main/database/settings'
import { schemaVersion } from '../../../../src-main/database/migrations'
import { emptyDatabase } from '../../../../src-main/database/schema'
import { alone } from '../../../../src-main/hub/alone'
import { OwnClaims } from '../../../../src-main/hub/own-claims'
import type { HubHeldOrders } from '../../../../src-main/hub/port'
import { Outbox } from '../../../../src-main/outbox/outbox'
import { handClock } from '../../../fakes/clock'
import { counterContext } from '../../../fakes/counter-context'
import { eventsOf } from '../../../fakes/events'
import { tag } from '../../../fakes/ids'

const db = emptyDatabase(schemaVersion)
afterEach(() => {
  db.close()
})

const noAnswer = () => Promise.resolve(err({ code: 'service/unreachable' as const }))
const nothing = () => undefined
const lookup = {
  ...{ tag: noAnswer, case: noAnswer, package: noAnswer },
  ...{ cached: nothing, cachedTag: nothing, cachedCoa: nothing, cachedPackage: nothing },
}

/** What tells a hub of orders on hold. */
const pushedTo = (put: HubHeldOrders['put']) => {
  const clock = handClock()
  const events = eventsOf(db)
  const outbox = new Outbox({
    ...{ db, events, clock, log: silentLog },
    serviceClock: clock.serviceClock,
    caseOf: () => undefined,
  })
  const context = counterContext({ db, events, clock, lookup, outbox })
  const hub = { ...alone, held: { ...alone.held, put, finish: () => Promise.resolve(true) } }
  const claims = new OwnClaims({
    ...{ db, hub, events, log: silentLog, settings: createSettings(db, silentLog), clock, letGo: nothing },
    isSold: () => Promise.resolve(undefined),
    loseHeld: () => Promise.resolve(),
  })
  const counter = counterOf(context)
  const rows = new SharedOrderRows(db)
  return {
    rows,
    orders: counter.orders,
    pushed: new PushedOrders(counter, { hub, claims, storeSeal: () => Promise.resolve(null) }, rows),
  }
}

it('does not offer an order under the id that it had before it was resumed and put on hold again', async () => {
  const told: string[] = []
  let isFirst = true
  const { rows, orders, pushed } = pushedTo(({ id }) => {
    told.push(id)
    if (isFirst) {
      isFirst = false
      const other = rows.dirty().find((one) => one.id !== id)
      if (!other) throw new Error('no other order')
      orders.resume(other.openOrder, 3)
      orders.hold(4)
      old = other.id
      pushed.push()
    }
    return Promise.resolve(true)
  })
  let old: string | undefined
  const holdWith = (tagId: TagId) => {
    orders.add('sale', { tagId, scannedAt: 1, found: reasonsFor('sellable'), permitted: null })
    orders.hold(2)
  }
  holdWith(tag(1))
  holdWith(tag(2))
  pushed.push()
  await expect.poll(() => rows.dirty()).toEqual([])
  expect(told).toHaveLength(2)
  expect(told).not.toContain(old)
  expect([...rows.ids()].toSorted()).toEqual(told.toSorted())
})
