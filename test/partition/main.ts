import '../../scripts/require-node.mjs'
import process from 'node:process'
import { type Drill, runDrill } from './drill'

/**
 * `npm run test:partition`: how long 500 operations take after the connection recovers, with each answer 50 ms away,
 * for every kind of outage. Fails when one takes longer than a shop would wait.
 */

const limit = 11
const cuts = ['requests swallowed', 'answers swallowed', 'both swallowed', 'refused'] as const
const usual = { operations: 500, latency: 50 }
const drills: Drill[] = [
  ...cuts.map((cut) => ({ ...usual, cut, outage: 15_000 })),
  ...cuts.map((cut) => ({ ...usual, cut, outage: 1_000 })),
  { ...usual, cut: 'both swallowed', outage: 6_000, isRestarted: true },
]

const rows: Record<string, Record<string, string | number>> = {}
let failed = 0
for (const drill of drills) {
  const { drainedIn, complaints } = await runDrill(drill)
  const isGood = drainedIn !== null && drainedIn <= limit && complaints.length === 0
  if (!isGood) failed++
  const name = `${drill.cut}, ${drill.outage / 1_000} s${drill.isRestarted ? ', restarted' : ''}`
  rows[name] = { 'seconds to drain': drainedIn?.toFixed(1) ?? 'never', complaints: complaints.length }
  for (const complaint of complaints.slice(0, 10)) console.error(`  ${name}: ${complaint}`)
}
console.log(
  `${usual.operations} operations, ${usual.latency} ms to the service, from the moment the line is well again:`,
)
console.table(rows)
console.log(
  `partition suite: ${drills.length} drills, ${failed} failed (a limit of ${limit} s, nothing lost or doubled)`,
)
process.exit(failed > 0 ? 1 : 0)
