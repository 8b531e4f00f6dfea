import '../../scripts/require-node.mjs'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { chromium } from '@playwright/test'
import { account, dispensary } from '../../bench/sample'
import type { FaultRule } from '../../src-practice/admin'
import { startPracticeService } from '../../src-practice/start'
import { bundleStation } from '../crash/bundle'
import { browserLaunch } from '../e2e/browser'
import { startTestServer } from '../hub/server'
import { createCalendar } from './calendar'
import { createCrew } from './crew'
import { parseOptions } from './options'
import { createOutages } from './outages'
import { drawPlot } from './plot'
import { openScreen } from './screen'
import { createStationProcess } from './station-process'
import { fillStore, stationCount } from './store'
import type { StationOrder } from './talk'
import { type Evening, closingLine, dayRows, growthRows, plotOf } from './summary'
import { type Watch, createWatch } from './watch'
import { type Post, createWeek } from './week'

/** `npm run soak -- --minutes 30`: see README.md. */

const options = parseOptions(process.argv.slice(2), Date.now)
if (!options.ok) {
  console.error(options.error)
  process.exit(2)
}
const { minutes, days, hours, seed, out, hub: hasHub } = options.value
/** Minimum length of a day, in minutes: it determines how many days' data the store needs. */
const shortestDay = 0.25
const mostDays = days ?? Math.min(365, Math.ceil(minutes / shortestDay))
/** In ms. */
const betweenLooks = 10_000
const names = ['station 1, never restarted', 'station 2, loses its power every hour']
const root = join(import.meta.dirname, '../..')
console.log(`soak: seed ${seed}, ${days === undefined ? `${minutes} minutes` : `${days} days`}, ${hours} hours a day`)

const folder = mkdtempSync(join(tmpdir(), 'countertag-soak-'))
const bundle = await bundleStation(root, 'test/soak/station.ts')
process.on('exit', () => {
  // The stations exit by themselves when their parent is gone.
  bundle.remove()
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))

const calendar = createCalendar()
const serviceFile = join(folder, 'service.db')
fillStore(serviceFile, mostDays, hours)
// In this process: the service outlives the stations, and its lists can be read directly.
const service = await startPracticeService({
  data: undefined,
  db: serviceFile,
  port: 0,
  picturesDir: undefined,
  now: () => new Date(Date.now() + calendar.ahead()),
})
// Each outage ends as bad connections do: the answers to the first reports that the service takes are lost.
const answersLost: FaultRule = {
  kind: 'drop',
  when: 'after-commit',
  method: 'POST',
  path: '/api/v1.2/transactions/',
  times: 2,
}
const outages = createOutages(stationCount, (faults) =>
  service.admin.setFaults(faults.offline ? faults : { rules: [answersLost] }),
)
const browser = await chromium.launch(await browserLaunch())
let beganAt = performance.now()
const elapsed = () => (performance.now() - beganAt) / 60_000

const hub = hasHub ? await startTestServer({ isDurable: true }) : undefined
const store = await hub?.store()
const storeKey = randomBytes(32).toString('base64')
const stationIds = names.map(() => randomUUID())
/** The hub as a station joins it. A busy machine answers late: no scan gives up on it by chance. */
function joinedAs(station: number): StationOrder['hub'] {
  const stationId = stationIds[station]
  if (!store || stationId === undefined) return undefined
  const { password, ...place } = store
  const joined = { ...place, stationName: `Station ${station + 1}`, policy: 'warn' as const }
  return { stationId, joined, password, storeKey, patience: 2_000 }
}

async function openPost(name: string, station: number): Promise<Post & { watch: Watch }> {
  const { baseUrl, authUrl, adminUrl } = service
  const order = () => ({
    dataDir: join(folder, `station-${station + 1}`),
    resourcesDir: join(root, 'resources'),
    pagesDir: join(root, 'out', 'renderer'),
    service: { baseUrl, authUrl, adminUrl },
    account,
    dispensary: { uuid: dispensary.uuid, name: dispensary.name },
    ahead: calendar.ahead(),
    hub: joinedAs(station),
  })
  const own = createStationProcess({ bundle, order })
  const screen = await openScreen(browser)
  const crew = createCrew({ name, process: own, screen, outages, hasHub })
  await crew.moveIn()
  return { crew, process: own, screen, isRestarted: station > 0, watch: createWatch(own, screen, elapsed) }
}

const posts = await Promise.all(names.map(openPost))
const week = createWeek({ posts, service, calendar, outages, seed, hours, hasHub })
const evenings: Evening[] = []
beganAt = performance.now()
const look = () => {
  for (const { watch } of posts) void watch.look()
}
look()
const looking = setInterval(look, betweenLooks)

let longestDay = 0
const goesOn = () => {
  if (evenings.length >= mostDays) return false
  return days !== undefined || evenings.length === 0 || elapsed() + longestDay <= minutes
}
try {
  while (goesOn()) {
    const morning = elapsed()
    const day = await week.live(evenings.length)
    const stations = []
    for (const { watch } of posts) stations.push({ tidied: await watch.lookTidied(), delays: watch.delays() })
    longestDay = Math.max(longestDay, elapsed() - morning)
    evenings.push({ day, at: elapsed(), stations })
    console.log(
      `${day.date}: ${day.transactions} transactions, ${day.complaints.length} complaints, ${((elapsed() - morning) * 60).toFixed(0)} s`,
    )
    for (const { kind, text } of day.complaints) console.error(`  ${kind}: ${text}`)
  }
} catch (cause) {
  console.error(cause)
  for (const { crew, screen } of posts) {
    console.error(`  ${crew.name} was about: ${crew.doing()}`)
    const picture = join(folder, `${crew.name.slice(0, 9)}.png`)
    await screen.page.screenshot({ path: picture }).catch(() => undefined)
  }
  console.error(
    `soak: stopped on day ${evenings.length + 1}, seed ${seed}; data and pictures of the screens: ${folder}`,
  )
  process.exit(1)
}
clearInterval(looking)

console.table(dayRows(evenings, names))
console.table(growthRows(evenings, names))
const file = resolve(out)
writeFileSync(
  file,
  drawPlot(
    plotOf(
      evenings,
      posts.map(({ watch }) => watch.samples),
      names,
    ),
  ),
)
console.log(`The plot: ${file}`)
const problems = posts.flatMap(({ screen }) => screen.problems)
for (const problem of problems) console.error(`  a page said: ${problem}`)
const isGood = problems.length === 0 && evenings.every(({ day }) => day.complaints.length === 0)

await browser.close()
for (const post of posts) await post.process.kill()
await service.close()
await hub?.close()
if (isGood) rmSync(folder, { recursive: true })
else console.log(`Data: ${folder}`)
console.log(closingLine(evenings, names, seed))
process.exit(isGood ? 0 : 1)
