import '../../scripts/require-node.mjs'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import type { Plugin } from 'vite'
import { bundleStation } from '../crash/bundle'
import { chanceOf } from '../crash/chance'
import { fastFolder } from '../fast-folder'
import { tracerProblem } from '../power/tracer'
import type { Life } from './lives'
import { parseOptions } from './options'
import { type Planned, type Reached, planOf, sampleOf } from './plan'
import { type Stand, explore, prepare, runOne } from './run'
import { type Tally, createTally } from './tally'

/** `npm run test:io -- --runs 200 --seed N`: see README.md. */

const options = parseOptions(process.argv.slice(2), Date.now)
if (!options.ok) {
  console.error(options.error)
  process.exit(2)
}
const problem = tracerProblem('test:io')
if (problem !== undefined) {
  console.error(problem)
  process.exit(2)
}
const { runs, seed, run: only, isFull, lanes, keep } = options.value
const root = join(import.meta.dirname, '../..')
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))
console.log(`io suite: seed ${seed}`)

const startedAt = performance.now()
const seconds = () => `${((performance.now() - startedAt) / 1_000).toFixed(0)} s`
const folder = mkdtempSync(join(fastFolder(), 'countertag-io-'))

/** A station without what is done after a failed commit: the judge must see what that costs. */
const withoutLogEnd: Plugin = {
  name: 'without-log-end',
  transform: (code, id) =>
    id.endsWith('/database/saved.ts') ? code.replace('(end) => end()', "() => 'gone'") : undefined,
}

async function stationOf(name: string, plugins: Plugin[]): Promise<Stand> {
  const bundle = await bundleStation(root, 'test/io/station.ts', plugins)
  process.on('exit', () => {
    bundle.remove()
  })
  const own = join(folder, name)
  mkdirSync(own)
  process.env.NODE_COMPILE_CACHE = bundle.cache
  return { root, folder: own, bundle: bundle.file, seed }
}

async function runAll(
  stand: Stand,
  chosen: readonly Planned[],
  reached: ReadonlyMap<Life, Reached>,
  onFailure?: (planned: Planned, texts: string[], data: string) => void,
): Promise<Tally> {
  const tally = createTally()
  const queue = [...chosen]
  const lane = async () => {
    for (let planned = queue.shift(); planned; planned = queue.shift()) {
      const ofLife = reached.get(planned.life)
      if (!ofLife) throw new Error(`the ${planned.life} life was not explored`)
      const { verdict, folder: data, wasReached } = await runOne(stand, planned, ofLife)
      tally.add(planned, verdict, wasReached)
      const isGood = verdict.complaints.length === 0
      if (!isGood)
        onFailure?.(
          planned,
          verdict.complaints.map(({ kind, text }) => `${kind}: ${text}`),
          data,
        )
      if ((isGood || !onFailure) && !keep) rmSync(data, { recursive: true })
    }
  }
  await Promise.all(Array.from({ length: Math.min(lanes, queue.length) }, lane))
  return tally
}

const stand = await stationOf('station', [])
await prepare(stand)
const reached = await explore(stand)
const plan = planOf(reached, isFull)
for (const [life, { nths }] of reached) {
  console.log(`${life}: ${[...nths].map(([call, all]) => `${call} ${all.length}`).join(', ')}`)
}
console.log(`${seconds()}: ${plan.length} errors are planned`)

const chance = chanceOf('io errors', seed)
const chosen =
  only === undefined ? sampleOf(plan, runs ?? plan.length, chance) : plan.filter((one) => one.number === only)
const tally = await runAll(stand, chosen, reached, ({ number, life, call, error, nth, times }, texts, data) => {
  console.error(`\nRun ${number} of seed ${seed} (${life}: ${call} ${nth}, ${error} ${times}):`)
  for (const text of texts.slice(0, 10)) console.error(`  ${text}`)
  console.error(`  its data: ${data}`)
  console.error(`  again: npm run test:io -- --seed ${seed} --run ${number}${isFull ? ' --full' : ''}`)
})
console.log(`${seconds()}: every run is judged`)

// A judge that never complains proves nothing: of a station that leaves the log as it is after a failed commit, it must.
let isBlind = false
if (only === undefined) {
  const careless = await stationOf('careless', [withoutLogEnd])
  await prepare(careless)
  const syncs = plan.filter(({ life, call, kill }) => life === 'offline' && call === 'fsync' && kill === 'soon')
  const blind = await runAll(careless, sampleOf(syncs, 12, chance), reached)
  console.log(`self-check: without the end of the log ${blind.failed} of 12 runs break a promise`)
  isBlind = blind.failed === 0
}

const hasFailed = tally.failed > 0 || isBlind
if (!hasFailed && !keep) rmSync(folder, { recursive: true })
else console.log(`Data: ${folder}`)
console.log(`${seconds()}, ${tally.failed} runs with a complaint`)
console.log(tally.closingLine(seed, plan.length))
process.exit(hasFailed ? 1 : 0)
