import '../scripts/require-node.mjs'
import { ms, signed, times, verdict } from './figures'
import { benchClaim, benchStart } from './outbox/claim'
import { openDatabase, newFile, removeFiles } from './outbox/desk'
import { benchBareReports, benchDrain, latency } from './outbox/drain'
import { benchEnqueue } from './outbox/enqueue'
import { startSlowService } from './servers'

/** `npm run bench:outbox`: each figure beside a named peer or limit from the same run. Takes a minute and a half. */

const enqueue = await benchEnqueue()
const own = enqueue.find(({ name }) => name === 'Countertag')?.median ?? Number.NaN
console.log('\nSaving a sale of three items for good (synchronous = FULL), by turns:')
console.table(
  enqueue.map(({ name, median, p99 }) => ({
    what: name,
    median: ms(median),
    p99: ms(p99),
    'Countertag is': times(median / own),
  })),
)
const bare = enqueue.find(({ name }) => name.startsWith('bare'))?.median ?? Number.NaN

const few = benchClaim(100)
const many = benchClaim(100_000)
const empty = newFile()
openDatabase(empty).close()
const emptyStart = benchStart(empty)
const manyStart = benchStart(many.file)

const service = await startSlowService()
const { baseUrl } = service.places
const bareLanes = await benchBareReports(baseUrl, 2_000, 'independent')
const independent = await benchDrain(baseUrl, 2_000, 'independent')
const busy = await benchDrain(baseUrl, 1_000, 'independent', 300)
const bareChain = await benchBareReports(baseUrl, 400, 'chain')
const chain = await benchDrain(baseUrl, 400, 'chain')
service.stop()
removeFiles()

const perCent = (share: number) => `${(100 * share).toFixed(1)} %`
/** A drain beside the same reports over the same lanes by bare undici, with nothing saved. */
const drained = (what: string, ofIdeal: number, bareOfIdeal: number) => ({
  what: `draining ${what}: ${perCent(ofIdeal)} of lanes / latency, bare undici ${perCent(bareOfIdeal)}`,
  measured: perCent(ofIdeal / bareOfIdeal),
  limit: 'at least 90 % of bare undici',
  verdict: verdict(ofIdeal / bareOfIdeal, { atLeast: 0.9 }),
})
console.log(`\nAgainst the limits (the service is ${latency} ms away, eight lanes):`)
console.table([
  {
    what: 'saving, of bare better-sqlite3',
    measured: times(bare / own),
    limit: 'at least 0.90 x',
    verdict: verdict(bare / own, { atLeast: 0.9 }),
  },
  {
    what: `claiming with 100,000 queued (${ms(many.median)}) against 100 (${ms(few.median)})`,
    measured: times(many.median / few.median),
    limit: 'at most 2.00 x',
    verdict: verdict(many.median / few.median, { atMost: 2 }),
  },
  {
    what: `start-up with 100,000 queued (${ms(manyStart)}) against empty (${ms(emptyStart)})`,
    measured: signed(manyStart - emptyStart),
    limit: 'at most +150 ms',
    verdict: verdict(manyStart - emptyStart, { atMost: 150 }),
  },
  drained(`2,000 independent sales (${independent.seconds.toFixed(1)} s)`, independent.ofIdeal, bareLanes),
  drained(`400 as one chain (${chain.seconds.toFixed(1)} s)`, chain.ofIdeal, bareChain),
  {
    what: `event loop delay p99 while draining and selling 50 a second (longest ${ms(busy.delayMax)})`,
    measured: ms(busy.delayP99),
    limit: 'under 20 ms',
    verdict: verdict(busy.delayP99, { atMost: 20 }),
  },
])
