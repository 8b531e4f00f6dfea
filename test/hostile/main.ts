import '../../scripts/require-node.mjs'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fastFolder } from '../fast-folder'
import { bundleStation } from '../crash/bundle'
import { chosen } from './misbehaviours'
import { parseOptions } from './options'
import { runRows } from './run'
import { closingLine } from './tally'

/** `npm run test:hostile`: see README.md. */

const options = parseOptions(process.argv.slice(2), Date.now)
if (!options.ok) {
  console.error(options.error)
  process.exit(2)
}
const { seed, jobs, list } = options.value
const rows = chosen(options.value)
if (list) {
  for (const { name, family } of rows) console.log(`${family.padEnd(10)} ${name}`)
  console.log(`${rows.length} rows`)
  process.exit(0)
}
if (rows.length === 0) {
  console.error('No row is called that.')
  process.exit(2)
}
console.log(`hostile suite: ${rows.length} rows, seed ${seed}, ${jobs} stations side by side`)

// Otherwise every commit of every station would wait for the disk.
const folder = mkdtempSync(join(fastFolder(), 'countertag-hostile-'))
process.env.TMPDIR = folder
const root = join(import.meta.dirname, '../..')
const bundle = await bundleStation(root, 'test/hostile/station.ts')
process.on('exit', () => {
  bundle.remove()
  rmSync(folder, { recursive: true, force: true })
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))
process.env.NODE_COMPILE_CACHE = bundle.cache

const startedAt = performance.now()
const result = await runRows({
  rows,
  bundle: bundle.file,
  jobs,
  onVerdict({ row, complaints }) {
    if (complaints.length === 0) return
    console.error(`\n${row.family}: ${row.name}`)
    for (const { kind, text } of complaints) console.error(`  ${kind}: ${text}`)
  },
})
const failed = result.verdicts.filter(({ complaints }) => complaints.length > 0)
console.log(
  `\n${((performance.now() - startedAt) / 1_000).toFixed(0)} s, ${failed.length} of ${rows.length} rows failed`,
)
console.log(closingLine(result))
process.exit(failed.length > 0 ? 1 : 0)
