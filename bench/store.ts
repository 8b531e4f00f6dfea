import '../scripts/require-node.mjs'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { startTestServer } from '../test/hub/server'
import { ms, percentile, times, verdict } from './figures'
import { benchClaims } from './store/claims'
import { benchCounts } from './store/counts'
import { away, benchScans } from './store/scans'
import { benchStations } from './store/stations'

/**
 * `npm run bench:store`: the store hub beside a named peer or limit from the same run. Takes three minutes; `--seconds`
 * shortens its last part.
 */
const { values } = parseArgs({ options: { seconds: { type: 'string', default: '120' } } })
const stationCount = 20

const server = await startTestServer({ isDurable: true })
const claims = await benchClaims(await server.store(), 3_000)
const scans = await benchScans(await server.store(), 300)
const counts = await benchCounts([await server.store(), await server.store()], [100, 50_000], 300)
const many = await benchStations(await server.store(), stationCount, Number(values.seconds))
await server.close()

const row = (what: string, took: number[]) => ({ what, p50: ms(percentile(took, 50)), p99: ms(percentile(took, 99)) })
console.log(
  '\nOne station at a PostgreSQL that syncs each write (by turns), and scans with and without a hub (by turns):',
)
console.table([
  row('a claim', claims.own),
  row('bare INSERT … ON CONFLICT over the same client', claims.bare),
  row(`a bare answer of a hub ${away} ms away`, scans.line),
  row(`a scan, until it is answered, with that hub`, scans.together),
  row('a scan, until it is answered, alone', scans.alone),
])
console.log('\nAn open count at the hub, with 100 and with 50,000 items scanned (by turns):')
console.table([
  row('reading the open counts, 100 items', counts.few.reading),
  row('reading the open counts, 50,000 items', counts.many.reading),
  row('telling and reading a scan, 100 items', counts.few.telling),
  row('telling and reading a scan, 50,000 items', counts.many.telling),
])
console.log(`\n${stationCount} stations that scan twice a second for ${values.seconds} s, and sell every fourth time:`)
console.table([
  {
    ...row('a claim', many.took),
    claims: many.took.length,
    lost: many.lost,
    'PostgreSQL, MB': many.memory === null ? '-' : (many.memory / 1_048_576).toFixed(0),
    'of one processor': many.cpu === null ? '-' : `${(100 * many.cpu).toFixed(1)} %`,
  },
])
const claimRatio = percentile(claims.own, 50) / percentile(claims.bare, 50)
const scanRatio = percentile(scans.together, 50) / percentile(scans.alone, 50)
const readingRatio = percentile(counts.many.reading, 50) / percentile(counts.few.reading, 50)
const tellingRatio = percentile(counts.many.telling, 50) / percentile(counts.few.telling, 50)
const slowest = percentile(many.took, 99)
console.log('\nAgainst the limits:')
console.table([
  {
    what: 'a claim, of the bare statement, p50',
    measured: times(claimRatio),
    limit: 'at most 1.30 x',
    verdict: verdict(claimRatio, { atMost: 1.3 }),
  },
  {
    what: `a scan with a hub ${away} ms away, of one alone, p50`,
    measured: times(scanRatio),
    limit: 'at most 1.15 x',
    verdict: verdict(scanRatio, { atMost: 1.15 }),
  },
  {
    what: 'reading open counts at 50,000 items, of that at 100, p50',
    measured: times(readingRatio),
    limit: 'at most 1.50 x',
    verdict: verdict(readingRatio, { atMost: 1.5 }),
  },
  {
    what: 'telling a scan at 50,000 items, of that at 100, p50',
    measured: times(tellingRatio),
    limit: 'at most 1.50 x',
    verdict: verdict(tellingRatio, { atMost: 1.5 }),
  },
  {
    what: `a claim among ${stationCount} stations, p99`,
    measured: ms(slowest),
    limit: 'under 20 ms',
    verdict: verdict(slowest, { atMost: 20 }),
  },
  {
    what: 'claims lost',
    measured: String(many.lost),
    limit: 'none',
    verdict: verdict(many.lost, { atMost: 0 }),
  },
])
process.exit(0)
