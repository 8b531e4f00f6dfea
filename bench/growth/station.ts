import { statSync } from 'node:fs'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { TagId } from '../../src-shared/ids'
import { OrderId } from '../../src-shared/ids'
import { dayOf } from '../../src-main/day/history'
import { compose } from '../../src-main/app/compose'
import { systemClock } from '../../src-main/core/clock'
import { silentLog } from '../../src-main/core/log'
import { Retention } from '../../src-main/privacy/retention'
import { openStore } from '../../src-main/database/open'
import { fakeScanners } from '../../test/fakes/hid-layer'
import { openOutbox } from '../outbox/desk'
import { askOf } from '../served'
import { type Size, casesIn, fill, soldItem, unsoldItem } from './data'

/** A station with a past: what is asked of the app it runs, and what is asked of its database alone. */
export type GrowthStation = ReturnType<typeof createGrowthStation>

const root = join(import.meta.dirname, '..', '..')

export function createGrowthStation(folder: string, size: Size) {
  const dataDir = join(folder, `${size.days}-days-of-${size.perDay}`)
  const file = join(dataDir, 'practice', 'countertag.db')
  if (!statSync(file, { throwIfNoEntry: false })) fill(file, size, systemClock.now())
  const cases = casesIn(size)
  const open = () =>
    compose({
      dataDir,
      resourcesDir: join(root, 'resources'),
      version: '0.0.0-bench',
      scanners: fakeScanners().layer,
    })

  return {
    file,
    bytes: statSync(file).size,
    /** Opens and closes the app; ms until it is ready. */
    async start(): Promise<number> {
      const begin = performance.now()
      const app = await open()
      const took = performance.now() - begin
      await app.close(0)
      return took
    },
    /** The app with what is measured of it. `n`: a different number each time. */
    async openApp() {
      const app = await open()
      const ask = askOf(app)
      const today = dayOf(systemClock.now())
      const filter = { days: { from: today, to: today }, state: null, budtenderId: null, text: '' }
      const unsold = (n: number): TagId => unsoldItem((Math.floor(n / 3) * 7919) % cases, n % 3)
      return {
        setFault: (fault: 'offline' | 'none') => ask('practice.setFault', { fault }),
        doing: {
          scan: (n: number) => ask('checkout.addItem', { mode: 'sale', tagId: unsold(n) }),
          ordersOfDay: () => ask('checkout.orders', { filter, before: null }),
          ordersOfAllDays: () => ask('checkout.orders', { filter: { ...filter, days: null }, before: null }),
          orderOfItem: (n: number) => ask('checkout.orderOfItem', { tagId: soldItem((n * 7919) % cases) }),
          findTag: (n: number) => ask('find.search', { text: soldItem((n * 7919) % cases) }),
          findText: (n: number) => ask('find.search', { text: `CASE-${(n * 7919) % cases}` }),
          closeDay: () => ask('checkout.day', { day: today }),
          backUp: () => ask('store.backUp', undefined),
        },
        async emptyCart() {
          const { revision } = await ask('checkout.cart', { mode: 'sale' })
          await ask('checkout.clear', { mode: 'sale', revision })
        },
        close: () => app.close(0),
      }
    },
    /** The database with the parts that write to it. */
    openParts() {
      const store = openStore(file)
      const { outbox } = openOutbox(store.db)
      const retention = new Retention({ db: store.db, clock: systemClock, log: silentLog })
      return {
        /** Saves a sale, claims it, and writes down that the service accepted it. */
        sell(n: number) {
          const tagIds = [0, 1, 2].map((k) => unsoldItem((n * 7919) % cases, k))
          const saved = outbox.enqueue({ kind: 'complete', orderId: OrderId.parse(`BENCH-${n}`), tagIds })
          const claimed = outbox.claim()
          if (!saved.ok || claimed?.id !== saved.value.id) throw new Error('the sale was not the next to be sent')
          outbox.settle(claimed.seq, { kind: 'accepted', note: null })
        },
        retain: () => retention.run(),
        close: store.close,
      }
    },
  }
}

/** How long something took, and the longest that the event loop stood still meanwhile; in ms. */
export async function watched(doing: () => Promise<unknown>): Promise<{ took: number; longest: number }> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  // Work in the background doesn't keep a process alive.
  const alive = setInterval(() => undefined, 1_000)
  delay.enable()
  const begin = performance.now()
  await doing()
  const took = performance.now() - begin
  delay.disable()
  clearInterval(alive)
  return { took, longest: delay.max / 1e6 }
}
