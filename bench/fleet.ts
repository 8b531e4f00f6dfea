import '../scripts/require-node.mjs'
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs, promisify } from 'node:util'
import { verdict } from './figures'
import { salesOfDay } from './fleet/day'
import { drawFleet } from './fleet/plot'
import { FleetResult, ScenarioName, scenarios } from './fleet/scenarios'

/**
 * `npm run bench:fleet`: 10,000 stations lose the service for an hour, each with a day's sales, and get it back. Time is
 * virtual: the figures are the same on every machine, and with the same seed. Takes some minutes; `--stations` plays a
 * smaller fleet, `--write` makes docs/fleet.svg.
 */
const { values } = parseArgs({
  options: {
    stations: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    write: { type: 'boolean', default: false },
  },
})
const root = join(import.meta.dirname, '..')
const run = promisify(execFile)

async function play(name: ScenarioName): Promise<FleetResult> {
  // With a larger nursery most of the promises never reach the old heap.
  const options = ['--max-semi-space-size=64', '--max-old-space-size=4096', '--import', 'tsx']
  const script = join('bench', 'fleet', 'scenario.ts')
  const args = [...options, script, name, values.stations, values.seed]
  const { stdout } = await run(process.execPath, args, { cwd: root, maxBuffer: 64 * 1024 * 1024 })
  return FleetResult.parse(JSON.parse(stdout))
}

const results = new Map<ScenarioName, FleetResult>()
const left = [...ScenarioName.options]
await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    for (let name = left.shift(); name; name = left.shift()) results.set(name, await play(name))
  }),
)
const played = ScenarioName.options.flatMap((name) => results.get(name) ?? [])

const whole = (value: number) => Math.round(value).toLocaleString('en-US')
const minutes = (seconds: number | null) => (seconds === null ? 'never' : `${(seconds / 60).toFixed(1)} min`)
console.log(`
${whole(Number(values.stations))} stations with ${salesOfDay} sales each find the service again after an hour; seed ${values.seed}.
The limit of requests a second is twice the mean that drains everything in ten minutes:`)
console.table(
  played.map((one) => ({
    'the service is': scenarios[one.name].what,
    requests: whole(one.requests),
    '429': whole(one.refused),
    unanswered: whole(one.unanswered),
    'half drained after': minutes(one.medianDrained),
    'lacks, has twice': one.missing + one.doubled,
  })),
)
const limits = played.flatMap((one) => {
  const { what, longest, longestWithout } = scenarios[one.name]
  const last = one.lastDrained ?? Number.POSITIVE_INFINITY
  return [
    {
      what: `${what}: most requests in a second`,
      measured: whole(one.peak),
      limit: `at most ${whole(one.limit)}`,
      verdict: verdict(one.peak, { atMost: one.limit }),
    },
    {
      what: `${what}: the last station is drained`,
      measured: minutes(one.lastDrained),
      limit: `at most ${minutes(longest)}`,
      verdict: verdict(last, { atMost: longest }),
    },
    {
      what: `${what}: longest without a sale sent`,
      measured: minutes(one.longestWithout),
      limit: `at most ${minutes(longestWithout)}`,
      verdict: verdict(one.longestWithout, { atMost: longestWithout }),
    },
  ]
})
console.table(limits)
if (values.write) writeFileSync(join(root, 'docs', 'fleet.svg'), drawFleet(played))
