import '../../scripts/require-node.mjs'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fastFolder } from '../fast-folder'
import { parseOptions } from './options'
import { promisesMade } from './promises'
import { readRecording, trace } from './record'
import { judgeStates, lies } from './run'
import { tracerProblem } from './tracer'

/** `npm run test:power -- --states 2000 --seed N`: see README.md. */

const options = parseOptions(process.argv.slice(2), Date.now)
if (!options.ok) {
  console.error(options.error)
  process.exit(2)
}
const problem = tracerProblem('test:power')
if (problem !== undefined) {
  console.error(problem)
  process.exit(2)
}
const { states, seed, state: only, from, withoutSync, keep } = options.value
const root = join(import.meta.dirname, '../..')
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))
console.log(`power suite: seed ${seed}`)

const startedAt = performance.now()
const seconds = () => `${((performance.now() - startedAt) / 1_000).toFixed(0)} s`
const folder = from ?? mkdtempSync(join(fastFolder(), 'countertag-power-'))
if (from === undefined) await trace({ root, folder, seed })
const recording = readRecording(folder)
const changes = recording.entries.filter((entry) => entry.kind === 'change').length
console.log(`${seconds()}: ${changes} changes traced; what they amount to is what is on the disk`)

const lie = withoutSync ? ` --without-sync ${withoutSync}` : ''
const tally = judgeStates({
  recording,
  folder,
  states,
  seed,
  only,
  keep,
  ...(withoutSync && { isHonest: (path: string) => !lies[withoutSync](path) }),
  onComplaint: ({ number, phase, manner, after }, complaints, data) => {
    console.error(`\nState ${number} of seed ${seed} (${phase}, after change ${after}, ${manner}):`)
    for (const { kind, text } of complaints.slice(0, 10)) console.error(`  ${kind}: ${text}`)
    console.error(`  its data: ${data}`)
    console.error(
      `  again: npm run test:power -- --from ${folder} --states ${states} --seed ${seed} --state ${number}${lie}`,
    )
  },
})
console.log(`${seconds()}: every state is opened; found ${tally.found()}`)

// A judge that never complains proves nothing: on a lying disk it must find lost promises.
let isBlind = false
if (only === undefined && withoutSync === undefined) {
  for (const lie of ['all', 'log'] as const) {
    const lying = judgeStates({ recording, folder, states: 60, seed, isHonest: (path) => !lies[lie](path) })
    const what = lie === 'all' ? 'syncs' : 'syncs of the log'
    console.log(`self-check: with ${what} ignored ${lying.losing} of ${lying.states} states lose a promise`)
    if (lying.losing === 0) isBlind = true
  }
}

const hasFailed = tally.losing > 0 || isBlind
if (!hasFailed && !keep && from === undefined) rmSync(folder, { recursive: true })
else console.log(`Data: ${folder}`)
console.log(`${seconds()}, ${tally.losing} states with a complaint`)
console.log(tally.closingLine(seed, promisesMade(recording.lines)))
process.exit(hasFailed ? 1 : 0)
