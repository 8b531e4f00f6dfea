import '../scripts/require-node.mjs'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { median, ms, percentile, times, verdict } from './figures'
import { bareCommit, bareRequest } from './sale/bare'
import { type Sold, countTouches, itemsPerSale, sell } from './sale/selling'
import { startSaleStation } from './sale/station'
import { until } from './served'
import { compareClocks, openCheckout } from './scan/screen'

/**
 * `npm run bench:sale [-- --samples N]`: sales of six items by a HID scanner and nothing else, from the report of the
 * complete barcode to the frame that shows that it is saved. The real station in this process, the built renderer in a real
 * Chromium, the practice service in a process of its own. Three minutes.
 */

const { values } = parseArgs({ options: { samples: { type: 'string', default: '200' } } })
const samples = z.coerce.number().int().min(10).max(1_000).parse(values.samples)
const slowSamples = 20
const warmUp = 10
const latency = 50
const farAway = 5_000
/** From the complete barcode to the painted "saved", at p99, in ms: the same wherever the service is. */
const limit = 60
/** From the complete barcode to the painted "reported", of the bare request. */
const mostOfBare = 1.8

const station = await startSaleStation(itemsPerSale * (3 * (warmUp + samples) + slowSamples))
const screen = await openCheckout(station.url)
const { page } = screen
const clock = await compareClocks(page)
await countTouches(page)

let orders = 0
/** An order number and items that no other sale uses. */
const next = () => ({ orderId: String(10_000 + orders), first: itemsPerSale * orders++ })
/** The order's card says that it is saved, before anything is heard of the service. */
const saidOf = ({ orderId }: { orderId: string }) => `Order ${orderId}, ${itemsPerSale} items`
const saved = () => {
  const order = next()
  return sell(station, page, clock, { ...order, says: saidOf(order) })
}
/** And later that the service has it. */
const reported = () => {
  const order = next()
  const then = `Order ${order.orderId} reported, ${itemsPerSale} items`
  return sell(station, page, clock, { ...order, says: saidOf(order), then })
}

/** Our sale and the bare one in turns, with alternating order. */
async function byTurns(ours: () => Promise<Sold>, bare: () => Promise<number> | number) {
  const sold: Sold[] = []
  const floor: number[] = []
  for (let n = 0; n < warmUp + samples; n++) {
    const both = [async () => sold.push(await ours()), async () => floor.push(await bare())]
    for (const one of n % 2 === 0 ? both : both.reverse()) await one()
  }
  return { sold: sold.slice(warmUp), floor: floor.slice(warmUp) }
}

await station.setFaults({ rules: [{ kind: 'latency', ms: latency }] })
const request = await bareRequest(station)
const online = await byTurns(reported, () => {
  const { orderId, first } = next()
  return request.report(orderId, first)
})
await request.close()

await station.setFaults({ rules: [{ kind: 'latency', ms: farAway }] })
const far: Sold[] = []
for (let n = 0; n < slowSamples; n++) far.push(await saved())
await station.setFaults({})
await until(async () => (await station.ask('app.status', undefined)).unsent === 0)

await station.setFaults({ offline: true })
const commit = bareCommit(station)
const offline = await byTurns(saved, () => commit.commit('bare', 0))
commit.close()
await station.setFaults({})
await station.ask('outbox.sendNow', undefined)
await until(async () => (await station.ask('app.status', undefined)).unsent === 0)
const held = await station.soldOrders()
const after = await compareClocks(page)
await screen.close()
await station.close()

const clockError = Math.max(clock.error, after.error, Math.abs(after.toOurs(0) - clock.toOurs(0)))
console.log(
  `\nA sale of ${itemsPerSale} items, from the report of the complete barcode to the painted “saved” and “reported”; ${samples} sales and as` +
    ` many bare ones by turns, the service ${latency} ms away (the page's clock told within ${ms(clockError)}):`,
)
type End = (sold: Sold) => number
const whenSaved: End = ({ took }) => took
const whenReported: End = ({ reportedAfter }) => reportedAfter ?? Number.NaN
const row = ({ sold, floor }: { sold: Sold[]; floor: number[] }, percent: number, end = whenSaved) => {
  const [own, bare] = [percentile(sold.map(end), percent), percentile(floor, percent)]
  return { sale: ms(own), bare: ms(bare), ratio: times(own / bare), 'on top of it': ms(own - bare) }
}
console.table({
  'online, “saved”, beside the bare request: p50': row(online, 50),
  'online, “saved”, beside the bare request: p99': row(online, 99),
  'online, “reported”, beside the bare request: p50': row(online, 50, whenReported),
  'online, “reported”, beside the bare request: p99': row(online, 99, whenReported),
  'offline, “saved”, beside a bare commit: p50': row(offline, 50),
  'offline, “saved”, beside a bare commit: p99': row(offline, 99),
})

const all = [...online.sold, ...far, ...offline.sold]
const actions = all.map(({ scans, touches }) => scans + touches)
const touches = all.reduce((sum, one) => sum + one.touches, 0)
const slowest = (sold: Sold[]) => percentile(sold.map(whenSaved), 99)
const reportedRatio = median(online.sold.map(whenReported)) / median(online.floor)
const within = (what: string, value: number) => ({
  what,
  measured: ms(value),
  limit: `within ${ms(limit)}`,
  verdict: verdict(value, { atMost: limit }),
})
console.log('Against the limits:')
console.table([
  {
    what: 'online, “reported”, of the bare request, p50',
    measured: times(reportedRatio),
    limit: `at most ${times(mostOfBare)}`,
    verdict: verdict(reportedRatio, { atMost: mostOfBare }),
  },
  within('online, p99', slowest(online.sold)),
  within('offline, p99', slowest(offline.sold)),
  within(
    `the service ${farAway / 1_000} s away, “saved”: p99 of ${slowSamples} (median ${ms(median(far.map(({ took }) => took)))})`,
    slowest(far),
  ),
  {
    what: `scans of a sale of ${itemsPerSale}: fewest and most of ${all.length}; keys, clicks and touches in all of them: ${touches}`,
    measured: `${Math.min(...actions)} and ${Math.max(...actions)}`,
    limit: `at most ${itemsPerSale + 2}`,
    verdict: verdict(Math.max(...actions), { atMost: itemsPerSale + 2 }),
  },
  {
    what: `sales that the service does not have, or has twice, of ${orders}`,
    measured: orders - new Set(held).size + (held.length - new Set(held).size),
    limit: 'none',
    verdict: verdict(orders - new Set(held).size + (held.length - new Set(held).size), { atMost: 0 }),
  },
])
