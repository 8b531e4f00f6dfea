import '../scripts/require-node.mjs'
import { benchBare } from './delivery/bare'
import { type Counted, benchCount } from './delivery/counting'
import {
  caseCode,
  caseCount,
  caseName,
  casesPerPackage,
  firstPackage,
  packageCode,
  packageCount,
  tagsPerCase,
} from './delivery/data'
import { type LongTasks, openReceiving, reset, watched } from './delivery/screen'
import { scrollAll, scrollBare } from './delivery/scrolling'
import { latency, startDeliveryStation } from './delivery/station'
import { longTask, tasksDuring } from './delivery/tasks'
import { ms, times, verdict } from './figures'
import { watchLoop } from './scan/stream'

/**
 * `npm run bench:delivery`: a delivery of 500 cases of 100 items, received by scanner in the built renderer in a real
 * Chromium: read, scrolled through, imported, counted, finished. The real station in this process, its service in
 * another one. Two minutes.
 */

const lanes = 8
const scans = 1_000

const station = await startDeliveryStation()
const screen = await openReceiving(station.url)
const { browser, page, seen } = screen
const primary = 'footer button'

/** A step that ends on the screen: its duration, and its effect on the page and on main's event loop. */
async function timed(run: () => Promise<void>) {
  await reset(page)
  const loop = watchLoop()
  const began = performance.now()
  await run()
  const took = performance.now() - began
  return { took, delay: loop(), ...(await watched(page)) }
}
type Timed = Awaited<ReturnType<typeof timed>>
/** The same, with shorter long tasks than the page can observe by itself. */
const traced = (run: () => Promise<void>) => tasksDuring(browser, page, () => timed(run))

// The page's later downloads after the first load aren't part of the delivery.
await page.waitForLoadState('networkidle')
await receiveFirst()
const heap = { empty: await screen.heap(), delivery: 0, imported: 0, counted: 0, finished: 0 }

const readOne = await traced(async () => {
  station.scan(packageCode(0))
  await seen(primary, `Import ${casesPerPackage} cases`)
})
const readOthers = await traced(async () => {
  for (let n = 1; n < packageCount; n++) {
    station.scan(packageCode(n))
    await seen('h2', `${(n + 1) * casesPerPackage} cases`)
  }
  await seen(primary, `Import ${caseCount} cases`)
})
heap.delivery = await screen.heap()

const scrolled = await scrollAll(page, '.scroll:has(.list)')
const plainDivs = await scrollBare(browser)
await page.bringToFront()

const heldBefore = await station.imports()
const imported = await traced(async () => {
  await page.keyboard.press('Control+Enter')
  await seen('[role=status]', `${caseCount} imported`)
})
const held = (await station.imports()) - heldBefore
heap.imported = await screen.heap()

station.scan(caseCode(caseCount - 1))
await seen('[aria-current=true]', caseName(caseCount - 1))
await click('Count items')
await click('Only this case')
const ofCase = await benchCount(station, screen, {
  first: (caseCount - 1) * tagsPerCase,
  count: tagsPerCase,
  total: tagsPerCase,
})
await click('Finish count')
await click('Close')
await click('Count all')
const ofDelivery = await benchCount(station, screen, { first: 0, count: scans, total: caseCount * tagsPerCase })
await click('Finish, ')
await click('Finish count')
await click('Close')
await click('Count items')
heap.counted = await screen.heap()
await finishDelivery()
heap.finished = await screen.heap()
await browser.close()
await station.close()
const bare = await benchBare({ lanes, latency })

const share = (value: number) => `${(100 * value).toFixed(0)} %`
const longTasks = ({ count, longest }: LongTasks) =>
  count === 0 ? 'none' : `${count}, longest ${longest.toFixed(0)} ms`
const ideal = (cases: number) => (cases * latency) / lanes
const phase = (cases: number, bareTook: number, { took, delay, mostRows, ...tasks }: Timed) => ({
  took: `${(took / 1_000).toFixed(1)} s`,
  'cases a second': Math.round((1_000 * cases) / took),
  'of lanes / latency': share(ideal(cases) / took),
  'bare requests': share(ideal(cases) / bareTook),
  'long tasks': longTasks(tasks),
  'rows drawn at most': mostRows,
  "main's loop, p99": ms(delay.p99),
  longest: ms(delay.max),
})
console.log(
  `\n${caseCount} cases of ${tagsPerCase} items in ${packageCount} packages; the service is ${latency} ms away, ${lanes} lanes.` +
    `\n"bare requests": what the same requests to the same kind of service reach with nothing around them.`,
)
console.table({
  'from the scan of a package to its last row': phase(casesPerPackage, bare.readOne, readOne),
  'the four others, one after the other': phase(caseCount - casesPerPackage, bare.readOthers, readOthers),
  'import of all, to the result on the screen': phase(caseCount, bare.imports, imported),
})

console.log('The whole list and back, and 500 plain divs in the same browser; scans from the label to the figure:')
console.table({
  'scrolled by wheel': { 'long tasks': longTasks(scrolled.wheel), 'bare page': longTasks(plainDivs.wheel) },
  'scrolled by keyboard': { 'long tasks': longTasks(scrolled.keys), 'bare page': longTasks(plainDivs.keys) },
})
const count = ({ p50, p99, largest, ...tasks }: Counted) => ({
  p50: ms(p50),
  p99: ms(p99),
  'longest answer': `${(largest / 1_000).toFixed(1)} kB`,
  'long tasks': longTasks(tasks),
})
console.table({
  [`${tagsPerCase} scans, count of one case`]: count(ofCase),
  [`${scans} scans, count of ${caseCount * tagsPerCase} items`]: count(ofDelivery),
})

const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`
console.log('Heap of the renderer, after the garbage was collected:')
console.table(Object.fromEntries(Object.entries(heap).map(([when, bytes]) => [when, megabytes(bytes)])))

const noLongTask = (what: string, tasks: LongTasks, over = 50) => ({
  what: `long tasks, ${what}`,
  measured: longTasks(tasks),
  limit: `none over ${over} ms`,
  verdict: verdict(tasks.count, { atMost: 0 }),
})
console.log('Against the limits:')
console.table([
  noLongTask('while a package is read', readOne, longTask),
  noLongTask('while the others are read', readOthers, longTask),
  noLongTask('scrolling by wheel', scrolled.wheel),
  noLongTask('scrolling by keyboard', scrolled.keys),
  noLongTask('while all are imported', imported, longTask),
  noLongTask(`in ${scans} scans of a count`, ofDelivery),
  {
    what: 'rows drawn at most, of 505',
    measured: Math.max(scrolled.mostRows, imported.mostRows),
    limit: 'at most 60',
    verdict: verdict(Math.max(scrolled.mostRows, imported.mostRows), { atMost: 60 }),
  },
  {
    what: 'imported, as the service holds it',
    measured: held,
    limit: `all ${caseCount}`,
    verdict: verdict(held, { atLeast: caseCount }),
  },
  {
    what: 'steps of the progress that were seen',
    measured: imported.progress.length,
    limit: 'at least 50, growing',
    verdict: verdict(isGrowing(imported.progress) ? imported.progress.length : 0, { atLeast: 50 }),
  },
  {
    what: 'reading of the four others, of the bare requests',
    measured: share(bare.readOthers / readOthers.took),
    limit: 'at least 70 %',
    verdict: verdict(bare.readOthers / readOthers.took, { atLeast: 0.7 }),
  },
  {
    what: 'import of all, of the bare requests',
    measured: share(bare.imports / imported.took),
    limit: 'at least 65 %',
    verdict: verdict(bare.imports / imported.took, { atLeast: 0.65 }),
  },
  {
    what: `a scan of ${caseCount * tagsPerCase} items, median, of one in ${tagsPerCase}`,
    measured: times(ofDelivery.p50 / ofCase.p50),
    limit: 'at most 1.50 x',
    verdict: verdict(ofDelivery.p50 / ofCase.p50, { atMost: 1.5 }),
  },
  {
    what: 'heap after Finish, more than before the delivery',
    measured: megabytes(heap.finished - heap.empty),
    limit: 'at most 3 MB',
    verdict: verdict(heap.finished - heap.empty, { atMost: 3_000_000 }),
  },
])

/** A small delivery through the same steps. */
async function receiveFirst() {
  station.scan(packageCode(firstPackage))
  await seen(primary, 'Import 2 cases')
  await page.keyboard.press('Control+Enter')
  await seen('[role=status]', '2 imported')
  await click('Count items')
  await click('Count all')
  await benchCount(station, screen, { first: caseCount * tagsPerCase, count: 5, total: 2 * tagsPerCase })
  await click('Finish, ')
  await click('Finish count')
  await click('Close')
  await click('Count items')
  await finishDelivery()
}

function click(name: string) {
  return page.getByRole('button', { name }).last().click()
}

async function finishDelivery() {
  await click('Finish delivery')
  await page.getByRole('dialog').getByRole('button', { name: 'Finish delivery' }).click()
  await page.getByRole('button', { name: 'Look up' }).waitFor()
}

function isGrowing(values: number[]): boolean {
  return values.every((value, at) => at === 0 || value > (values[at - 1] ?? 0))
}
