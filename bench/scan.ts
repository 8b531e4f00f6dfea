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
const samples = 240
const longCart = { lines: 200, samples: 60 }
// First item numbers: each part scans its own items.
const perRun = 1_000
const first = { long: runs * perRun, flood: (runs + 1) * perRun }

const station = await startScanStation(first.flood + 50 * seconds)
const screen = await openCheckout(station.url)

const short: ScanLatency[] = []
for (let run = 0; run < runs; run++) {
  short.push(await benchLatency(station, screen, { samples, lines: 0, first: run * perRun }))
}
await station.newOrder()
for (let n = 0; n < longCart.lines; n++) {
  await station.ask('checkout.addItem', { mode: 'sale', tagId: tagIdOf(first.long + n) })
}
const long = await benchLatency(station, screen, { ...longCart, first: first.long + longCart.lines })
const flood = await benchStream(station, screen, { seconds, first: first.flood })
await screen.close()
await station.close()
const classified = benchClassify()

const middle = (figure: (one: ScanLatency) => number) => median(short.map(figure))
const clockError = Math.max(long.clockError, ...short.map((one) => one.clockError))
console.log(
  `\nFrom the report to the row, a known item, service offline, ${runs} runs of ${samples} scans and as many floors by turns,` +
    `\na new order every 20 (the page's clock told within ${ms(clockError)}). The floor: an empty call, a bare element:`,
)
const row = (figure: (one: ScanLatency) => { scan: number; floor: number }) => {
  const [scan, floor] = [middle((one) => figure(one).scan), middle((one) => figure(one).floor)]
  const ratio = middle((one) => figure(one).scan / figure(one).floor)
  const inLong = figure(long)
  return {
    scan: ms(scan),
    floor: ms(floor),
    ratio: times(ratio),
    'cart of 200 lines': ms(inLong.scan),
    'its ratio': times(inLong.scan / inLong.floor),
  }
}
console.table({
  'in the document, p50': row(({ scan, floor }) => ({ scan: scan.inserted.p50, floor: floor.inserted.p50 })),
  'in the document, p99': row(({ scan, floor }) => ({ scan: scan.inserted.p99, floor: floor.inserted.p99 })),
  'painted, p50': row(({ scan, floor }) => ({ scan: scan.painted.p50, floor: floor.painted.p50 })),
  'painted, p99': row(({ scan, floor }) => ({ scan: scan.painted.p99, floor: floor.painted.p99 })),
})
console.log('Where the time goes, medians:')
console.table(
  long.stretches.map(({ what, took }, at) => ({
    what,
    'new order every 20': ms(middle(({ stretches }) => stretches[at]?.took ?? Number.NaN)),
    'cart of 200 lines': ms(took),
  })),
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

const painted = middle(({ scan, floor }) => scan.painted.p99 / floor.painted.p99)
const [slowest] = classified.toSorted((a, b) => a.perSecond - b.perSecond)
// One pass over the longest text that is read: the same peer for every text.
const bareLongest = median(classified.flatMap(({ isLongest, bare }) => (isLongest ? bare : [])))
const slowestTook = bareLongest / (slowest?.perSecond ?? Number.NaN)
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
  {
    what: 'report to painted row, p99, of the floor',
    measured: times(painted),
    limit: 'at most 2.00 x',
    verdict: verdict(painted, { atMost: 2 }),
  },
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
  {
    what: `classify at its slowest (${slowest?.name ?? ''}), of one regular expression over ${longestCode} characters`,
    measured: times(slowestTook),
    limit: 'at most 25.00 x',
    verdict: verdict(slowestTook, { atMost: 25 }),
  },
])
