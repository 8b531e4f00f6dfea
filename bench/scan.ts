import '../scripts/require-node.mjs'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { longestCode } from '../src-shared/scan/classify'
import { median, ms, times, verdict } from './figures'
import { benchClassify } from './scan/classify'
import { type ScanLatency, benchLatency } from './scan/latency'
import { openCheckout } from './scan/screen'
import { startScanStation } from './scan/station'
import { benchStream } from './scan/stream'
import { tagIdOf } from './scan/tags'

/**
 * `npm run bench:scan [-- --seconds N]`: from a scanner's report to the row on the screen, a flood of scans, and what a
 * text means. The real station in this process, the built renderer in a real Chromium. Three minutes; N shortens the flood.
 */

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '60' } } })
const seconds = z.coerce.number().int().min(1).max(600).parse(values.seconds)

const runs = 3
const samples = 200
const limits = { inserted: 5.9, painted: 2, growth: 1.15, classify: 25 }
const longCart = { lines: 200, samples: 80 }
// Each part scans its own items.
const perRun = 1_000
const firstOfFlood = runs * perRun

const station = await startScanStation(firstOfFlood + 50 * seconds)
const screen = await openCheckout(station.url)

// Small and long carts by turns: what else the machine does meanwhile is in both.
const short: ScanLatency[] = []
const long: ScanLatency[] = []
for (let run = 0; run < runs; run++) {
  const first = run * perRun
  short.push(await benchLatency(station, screen, { samples, lines: 0, first }))
  await station.newOrder()
  const ofLong = first + perRun / 2
  for (let n = 0; n < longCart.lines; n++) {
    await station.ask('checkout.addItem', { mode: 'sale', tagId: tagIdOf(ofLong + n) })
  }
  long.push(await benchLatency(station, screen, { ...longCart, first: ofLong + longCart.lines }))
}
const flood = await benchStream(station, screen, { seconds, first: firstOfFlood })
await screen.close()
await station.close()
const classified = benchClassify()

const middle = (figure: (one: ScanLatency) => number, of = short) => median(of.map(figure))
const clockError = Math.max(...[...short, ...long].map((one) => one.clockError))
console.log(
  `\nFrom the report to the row, a known item, service offline, ${runs} runs of ${samples} scans and as many floors by turns,` +
    `\na new order every 20; ${runs} of ${longCart.samples} into a cart of ${longCart.lines} lines between them (the page's clock told` +
    `\nwithin ${ms(clockError)}). The floor: an empty call, a bare element:`,
)
type Spread = 'inserted' | 'painted'
const figures = (what: Spread, percent: 'p50' | 'p99') => {
  const scan = ({ scan }: ScanLatency) => scan[what][percent]
  const floor = ({ floor }: ScanLatency) => floor[what][percent]
  const inShort = middle(scan)
  const inLong = middle(scan, long)
  return {
    scan: inShort,
    floor: middle(floor),
    ofFloor: middle((one) => scan(one) / floor(one)),
    inLong,
    ofShort: inLong / inShort,
  }
}
const row = ({ scan, floor, ofFloor, inLong, ofShort }: ReturnType<typeof figures>) => ({
  scan: ms(scan),
  floor: ms(floor),
  ratio: times(ofFloor),
  [`cart of ${longCart.lines} lines`]: ms(inLong),
  'of a small cart': times(ofShort),
})
const inserted = { p50: figures('inserted', 'p50'), p99: figures('inserted', 'p99') }
const painted = { p50: figures('painted', 'p50'), p99: figures('painted', 'p99') }
console.table({
  'in the document, p50': row(inserted.p50),
  'in the document, p99': row(inserted.p99),
  'painted, p50': row(painted.p50),
  'painted, p99': row(painted.p99),
})
console.log('Where the time goes, medians:')
const stretches = short.flatMap((one) => one.stretches.map(({ what }) => what))
console.table(
  [...new Set(stretches)].map((what, at) => {
    const took = (one: ScanLatency) => one.stretches[at]?.took ?? Number.NaN
    return {
      what,
      'new order every 20': ms(middle(took)),
      [`cart of ${longCart.lines} lines`]: ms(middle(took, long)),
    }
  }),
)

const thousands = (value: number) => Math.round(value / 1_000)
console.log('What a text means: thousands of texts a second of processor time:')
console.table(
  Object.fromEntries(
    classified.map(({ name, perSecond, bare, parser }) => [
      name,
      {
        classify: thousands(perSecond),
        'one regular expression': thousands(bare),
        ...(parser === undefined ? {} : { 'gs1-barcode-parser-mod': thousands(parser) }),
      },
    ]),
  ),
)

const [slowest] = classified.toSorted((a, b) => a.perSecond - b.perSecond)
// One pass over the longest text that is read: the same peer for every text.
const bareLongest = median(classified.flatMap(({ isLongest, bare }) => (isLongest ? bare : [])))
const slowestTook = bareLongest / (slowest?.perSecond ?? Number.NaN)
const atMost = (what: string, value: number, limit: number) => ({
  what,
  measured: times(value),
  limit: `at most ${times(limit)}`,
  verdict: verdict(value, { atMost: limit }),
})
const none = (what: string, value: number) => ({
  what,
  measured: value,
  limit: 'none',
  verdict: verdict(value, { atMost: 0 }),
})
console.log(
  `Against the limits (the flood: ${flood.sent} scans of two scanners, 50 a second; at the page within ${ms(flood.toPageP99)}, p99):`,
)
console.table([
  atMost('report to the row in the document, p50, of the floor', inserted.p50.ofFloor, limits.inserted),
  atMost('report to painted row, p99, of the floor', painted.p99.ofFloor, limits.painted),
  atMost(`in the document, p50, with ${longCart.lines} lines, of a small cart`, inserted.p50.ofShort, limits.growth),
  atMost(`painted, p99, with ${longCart.lines} lines, of a small cart`, painted.p99.ofShort, limits.growth),
  none('lost in the flood, at the page', flood.lost),
  none('doubled', flood.doubled),
  none('out of order by number', flood.seqBreaks),
  none('out of order by scanner', flood.deviceBreaks),
  none('scanned, and in no cart', flood.sent - flood.inCarts),
  {
    what: `event loop delay p99 in it (longest ${ms(flood.delay.max)}); idle ${ms(flood.idle.p99)} (${ms(flood.idle.max)})`,
    measured: ms(flood.delay.p99),
    limit: 'under 20 ms',
    verdict: verdict(flood.delay.p99, { atMost: 20 }),
  },
  atMost(
    `classify at its slowest (${slowest?.name ?? ''}), of one regular expression over ${longestCode} characters`,
    slowestTook,
    limits.classify,
  ),
])
