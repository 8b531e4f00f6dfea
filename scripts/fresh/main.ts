import '../require-node.mjs'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { tryCommand } from './commands'
import { type Condition, type Place, commands, makePlace, planOf } from './places'

/**
 * `npm run test:fresh [-- --all] [--only N]`: whether README's two commands work on a fresh machine, in a copy of HEAD that is made for
 * it: as root below a closed folder, as a user without rights, in a path with spaces and ü, from an archive. `--all` runs both commands
 * under each condition.
 */

const root = join(import.meta.dirname, '../..')
const { values } = parseArgs({ options: { all: { type: 'boolean', default: false }, only: { type: 'string' } } })

const readme = readFileSync(join(root, 'README.md'), 'utf8')
for (const line of Object.values(commands)) if (!readme.includes(`${line} `)) throw new Error(`README has no ${line}`)

const count = { passed: 0, failed: 0 }
let here: Place | undefined
process.on('exit', () => {
  here?.remove()
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))

function report(condition: Condition, passed: boolean, what: string, output = ''): void {
  count[passed ? 'passed' : 'failed'] += 1
  console.log(`${passed ? 'ok    ' : 'FAILED'} ${condition.name}: ${what}`)
  if (!passed && output !== '') console.log(output.replaceAll(/^/gm, '    '))
}

async function show(condition: Condition): Promise<void> {
  if (condition.isOfRoot && process.getuid?.() !== 0) {
    console.log(`-      ${condition.name}: not shown, for this is not root`)
    return
  }
  try {
    here = makePlace(condition, root)
    for (const [n, command] of condition.shows.entries()) {
      const { passed, what, output } = await tryCommand(here, command, n > 0)
      report(condition, passed, what, output)
    }
  } catch (cause) {
    report(condition, false, `the place could not be made: ${cause instanceof Error ? cause.message : String(cause)}`)
  } finally {
    here?.remove()
    here = undefined
  }
}

const plan = planOf(values.all)
for (const condition of values.only === undefined ? plan : plan.slice(Number(values.only) - 1, Number(values.only)))
  await show(condition)
console.log(`\n${count.passed} passed, ${count.failed} failed`)
process.exitCode = count.failed > 0 || count.passed === 0 ? 1 : 0
