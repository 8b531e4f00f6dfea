import '../../scripts/require-node.mjs'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { bundleStation } from '../crash/bundle'
import { fastFolder } from '../fast-folder'
import { startTestServer } from '../hub/server'
import { removeFolder } from '../remove-folder'
import { type Mutation, mutations } from './faults'
import { historyOf } from './journal'
import { openLane } from './lane'
import { tryMutations } from './mutations'
import { parseOptions } from './options'
import { type RunResult, runStore } from './run'
import { createTally } from './tally'

/** `npm run test:store -- --runs 300 --seed N`: see README.md. */

const options = parseOptions(process.argv.slice(2), Date.now)
if (!options.ok) {
  console.error(options.error)
  process.exit(2)
}
const { runs, seed, run: only, lanes, policy } = options.value
const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(fastFolder(), 'countertag-store-'))
process.env.TMPDIR = folder
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))
const resourcesDir = join(root, 'resources')
console.log(`store suite: seed ${seed}`)

const startedAt = performance.now()
const seconds = () => `${((performance.now() - startedAt) / 1_000).toFixed(0)} s`

if (options.value.mutations) {
  const servers = await Promise.all(Array.from({ length: lanes }, () => startTestServer({ isDurable: true })))
  const onTried = ({ name, test }: Mutation, count: number, what: string | undefined) => {
    const where = test ?? `${count} runs`
    console.log(what === undefined ? `MISSED  ${name}: ${where}` : `caught  ${name}: ${where} (${what})`)
  }
  const caught = await tryMutations({ root, servers, seed, folder, resourcesDir, most: runs, onTried })
  for (const server of servers) await server.close()
  await removeFolder(folder)
  const sum = caught.runs + caught.tests
  console.log(
    `${seconds()}; store suite: ${sum} of ${mutations.length} faults caught, ${caught.runs} by runs, ${caught.tests} by tests; seed ${seed}`,
  )
  process.exit(sum === mutations.length ? 0 : 1)
}

const bundle = await bundleStation(root, 'test/store/station.ts')
process.on('exit', () => {
  bundle.remove()
})
const tally = createTally()
const queue = only === undefined ? Array.from({ length: runs }, (_, run) => run) : [only]

const report = (result: RunResult) => {
  tally.add(result)
  const [first] = result.complaints
  if (!first) return
  console.error(`\nRun ${result.run} of seed ${seed}, policy ${result.policy}:`)
  for (const { what, tagId } of result.complaints) console.error(`  ${tagId ?? ''} ${what}`)
  for (const line of historyOf(result.entries, first.tagId)) console.error(`    ${line}`)
  for (const line of result.log) console.error(`    ${line.slice(0, 1_500)}`)
  console.error(`  again: npm run test:store -- --seed ${seed} --run ${result.run} --policy ${result.policy}`)
}

await Promise.all(
  Array.from({ length: Math.min(lanes, queue.length) }, async () => {
    const lane = await openLane(bundle)
    for (let run = queue.shift(); run !== undefined; run = queue.shift()) {
      const turn = run % 2 === 0 ? ('refuse' as const) : ('warn' as const)
      report(await runStore({ lane, seed, run, policy: policy ?? turn, folder, resourcesDir }))
    }
    await lane.close()
  }),
)
await removeFolder(folder)
console.log(seconds())
console.log(tally.closingLine(seed))
process.exit(tally.broken() > 0 ? 1 : 0)
