import '../../scripts/require-node.mjs'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { bundleStation } from './bundle'
import { parseOptions } from './options'
import { type RunResult, makeSeasoned, runDay } from './run'
import { writeTemplate } from './service'
import { createTally } from './tally'

/** `npm run test:crash -- --runs 1000 --seed N`: see README.md. */

const options = parseOptions(process.argv.slice(2), Date.now)
if (!options.ok) {
  console.error(options.error)
  process.exit(2)
}
const { runs, seed, run: only, lanes, keep } = options.value
const root = join(import.meta.dirname, '../..')
console.log(`crash suite: seed ${seed}`)

const startedAt = performance.now()
const bundle = await bundleStation(root)
process.on('exit', () => {
  bundle.remove()
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))
// Used by the stations: V8 keeps its compiled code.
process.env.NODE_COMPILE_CACHE = bundle.cache

const folder = mkdtempSync(join(tmpdir(), 'countertag-crash-'))
const resourcesDir = join(root, 'resources')
const stand = { bundle: bundle.file, template: writeTemplate(folder), folder, resourcesDir }
const seasoned = await makeSeasoned(stand)
const tally = createTally()
const queue = only === undefined ? Array.from({ length: runs }, (_, run) => run) : [only]
let failed = 0

const report = (result: RunResult) => {
  tally.add(result)
  if (result.complaints.length === 0) {
    if (!keep) rmSync(result.folder, { recursive: true })
    return
  }
  failed++
  console.error(`\nRun ${result.run} of seed ${seed} failed:`)
  for (const { kind, text } of result.complaints) console.error(`  ${kind}: ${text}`)
  console.error(`  its data: ${result.folder}`)
  console.error(`  again: npm run test:crash -- --seed ${seed} --run ${result.run}`)
}

await Promise.all(
  Array.from({ length: Math.min(lanes, queue.length) }, async () => {
    for (let run = queue.shift(); run !== undefined; run = queue.shift()) {
      report(await runDay({ ...stand, seasoned, seed, run }))
    }
  }),
)
if (failed === 0 && !keep) rmSync(folder, { recursive: true })
else console.log(`Data of ${keep ? 'all' : 'the failed'} runs: ${folder}`)
const seconds = (performance.now() - startedAt) / 1_000
const count = only === undefined ? runs : 1
console.log(`${seconds.toFixed(0)} s, ${(count / seconds).toFixed(1)} runs a second, ${failed} failed`)
console.log(tally.closingLine(seed))
process.exit(failed > 0 ? 1 : 0)
