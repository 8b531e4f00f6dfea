import { setTimeout as sleep } from 'node:timers/promises'
import { median, percentile } from '../figures'
import { compareClocks, type Screen } from './screen'
import type { ScanStation } from './station'
import { nameOf, tagIdOf } from './tags'

/** Durations of one kind of sample, in ms. */
interface Latency {
  samples: number
  /** Time to the element in the document, and to the frame that shows it. */
  inserted: { p50: number; p99: number }
  painted: { p50: number; p99: number }
}

export interface ScanLatency {
  scan: Latency
  floor: Latency
  /** Median of each segment of the scan's path. */
  stretches: { what: string; took: number }[]
  /** The maximum difference between the two clocks. */
  clockError: number
}

const warmUp = 40
/** Longer than two frames: samples begin at any point within a frame. Before it, what came before has come to rest. */
const longestWait = 40
const shortestWait = 10

interface Sample {
  inserted: number
  painted: number
}

/**
 * Scans and floors in turns. With `lines` in the cart each scanned item is removed again; without, a new order starts
 * after every 20 items. `first` is the number of the first scanned item.
 */
export async function benchLatency(
  station: ScanStation,
  screen: Screen,
  { samples, lines, first }: { samples: number; lines: number; first: number },
): Promise<ScanLatency> {
  const { page } = screen
  const before = await compareClocks(page)
  const scans: (Sample & { stretches: number[] })[] = []
  const floors: Sample[] = []
  for (let n = 0; n < warmUp + samples; n++) {
    if (lines === 0 && n % 20 === 0) await station.newOrder()
    const both = [
      async () => scans.push(await scanOnce(station, screen, first + n, before.toOurs)),
      async () => floors.push(await floorOnce(screen)),
    ]
    for (const one of n % 2 === 0 ? both : both.reverse()) await one()
    if (lines > 0) await takeOut(station, screen, first + n)
  }
  const after = await compareClocks(page)
  const drift = Math.abs(after.toOurs(0) - before.toOurs(0))
  const measured = scans.slice(warmUp)
  return {
    scan: latencyOf(measured),
    floor: latencyOf(floors.slice(warmUp)),
    stretches: stretches.map((what, at) => ({
      what,
      took: median(measured.map((sample) => sample.stretches[at] ?? Number.NaN)),
    })),
    clockError: Math.max(before.error, after.error, drift),
  }
}

const stretches = [
  'report, decoding, hub, event',
  'event to the page',
  'page asks for the item',
  'checked and saved',
  'cart to the page',
  'row in the document',
  'frame drawn',
]

async function scanOnce({ scan, steps }: ScanStation, { page }: Screen, n: number, toOurs: (at: number) => number) {
  // Asked before the scan: the question is work for this process, for the page and for the browser between them.
  const shown = page.evaluate(async (text) => {
    const { messages } = window.scanBench
    messages.length = 0
    const { inserted, painted } = await window.scanBench.watch(text)
    const scanned = messages.find(({ data }) => data.includes('"scanner.scanned"'))?.at ?? Number.NaN
    const answered = messages.find(({ data }) => data.includes('"itemCount"'))?.at ?? Number.NaN
    return { inserted, painted, scanned, answered }
  }, nameOf(n))
  await sleep(shortestWait + Math.random() * longestWait)
  const start = scan(n)
  const seen = await shown
  const moments = [
    start,
    steps.announced,
    toOurs(seen.scanned),
    steps.asked,
    steps.answered,
    toOurs(seen.answered),
    toOurs(seen.inserted),
    toOurs(seen.painted),
  ]
  return {
    inserted: toOurs(seen.inserted) - start,
    painted: toOurs(seen.painted) - start,
    stretches: moments.slice(1).map((moment, at) => moment - (moments[at] ?? Number.NaN)),
  }
}

async function floorOnce({ page }: Screen): Promise<Sample> {
  const { start, inserted, painted } = await page.evaluate(
    (wait) => window.scanBench.floor(wait),
    shortestWait + Math.random() * longestWait,
  )
  return { inserted: inserted - start, painted: painted - start }
}

async function takeOut(station: ScanStation, { page }: Screen, n: number) {
  await station.ask('checkout.removeItem', { mode: 'sale', tagId: tagIdOf(n) })
  await page.evaluate(() => window.scanBench.gone())
}

const latencyOf = (samples: Sample[]): Latency => ({
  samples: samples.length,
  inserted: spreadOf(samples.map(({ inserted }) => inserted)),
  painted: spreadOf(samples.map(({ painted }) => painted)),
})
const spreadOf = (values: number[]) => ({ p50: median(values), p99: percentile(values, 99) })
