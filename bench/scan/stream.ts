import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { percentile } from '../figures'
import { type Screen, compareClocks } from './screen'
import { until } from '../served'
import type { ScanStation } from './station'
import { codeOf } from './tags'

/** In ms. */
interface LoopDelay {
  p99: number
  max: number
}

/** The result of two scanners that read as fast as they can. */
interface Streamed {
  sent: number
  /** At the page, in the order of main's events. */
  lost: number
  doubled: number
  /** Events whose number doesn't follow the previous one. */
  seqBreaks: number
  /** Events that arrived before an earlier event of the same scanner. */
  deviceBreaks: number
  /** Scanned items that were put into a cart. */
  inCarts: number
  /** From the report to the event at the page, in ms. */
  toPageP99: number
  /** Delay of main's event loop in the flood, and idle before it: the machine's own share. */
  delay: LoopDelay
  idle: LoopDelay
}

const perSecond = 50
const scanners = 2
const perOrder = 20
const idleMs = 5_000
/** Interval of the sampling timer, in ms: the delay is counted beyond it. */
const resolution = 5

const Scanned = z.object({
  event: z.literal('scanner.scanned'),
  payload: z.object({ seq: z.number(), raw: z.string() }),
})

/** Both scanners in turns with different codes, a new order after every 20. `first` is the number of the first item. */
export async function benchStream(
  station: ScanStation,
  { page }: Screen,
  { seconds, first }: { seconds: number; first: number },
): Promise<Streamed> {
  const clock = await compareClocks(page)
  await station.newOrder()
  await page.evaluate(() => {
    window.scanBench.messages.length = 0
  })
  const count = seconds * perSecond
  const sentAt: number[] = []
  let inCarts = 0
  const idle = watchLoop()
  await sleep(idleMs)
  const idleDelay = idle()
  const loop = watchLoop()
  const began = performance.now()
  for (let n = 0; n < count; n++) {
    // Scheduled by the clock, not from pause to pause: 50 a second, even after a long turn of the loop.
    await sleep(began + (n * 1_000) / perSecond - performance.now())
    sentAt.push(station.scan(first + n, n % scanners))
    if (n % perOrder === perOrder - 1) inCarts += await station.newOrder()
  }
  const delay = loop()
  inCarts += await settled(station)

  const received = await page.evaluate(() =>
    window.scanBench.messages.filter(({ data }) => data.startsWith('{"event":"scanner.scanned"')),
  )
  const numberOf = new Map(sentAt.map((_at, n) => [codeOf(first + n), n]))
  const events = received.map(({ at, data }) => {
    const { payload } = Scanned.parse(JSON.parse(data))
    return { at: clock.toOurs(at), seq: payload.seq, n: numberOf.get(payload.raw) ?? -1 }
  })
  const distinct = new Set(events.map(({ n }) => n).filter((n) => n >= 0))
  const breaks = (ordered: number[], isNext: (one: number, before: number) => boolean) =>
    ordered.filter((one, at) => at > 0 && !isNext(one, ordered[at - 1] ?? Number.NaN)).length
  return {
    sent: count,
    lost: count - distinct.size,
    doubled: events.length - distinct.size,
    seqBreaks: breaks(
      events.map(({ seq }) => seq),
      (seq, before) => seq === before + 1,
    ),
    deviceBreaks: [0, 1]
      .map((device) => events.map(({ n }) => n).filter((n) => n % scanners === device))
      .reduce((sum, ofDevice) => sum + breaks(ofDevice, (n, before) => n > before), 0),
    inCarts,
    toPageP99: percentile(
      events.map(({ at, n }) => at - (sentAt[n] ?? Number.NaN)),
      99,
    ),
    delay,
    idle: idleDelay,
  }
}

/** Waits until the cart stops growing, and empties it. */
async function settled(station: ScanStation): Promise<number> {
  let before = -1
  await until(async () => {
    await sleep(1_000)
    const { itemCount } = await station.ask('checkout.cart', { mode: 'sale' })
    const isSame = itemCount === before
    before = itemCount
    return isSame
  })
  return station.newOrder()
}

/** Measures the event loop until the returned function is called. */
export function watchLoop(): () => LoopDelay {
  const delay = monitorEventLoopDelay({ resolution })
  delay.enable()
  return () => {
    delay.disable()
    return { p99: delay.percentile(99) / 1e6 - resolution, max: delay.max / 1e6 - resolution }
  }
}
