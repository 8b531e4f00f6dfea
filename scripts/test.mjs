import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { build } from './build.mjs'
import { runNode } from './child.mjs'
import { requireNode } from './node-version.mjs'
import { countPlaywright, countVitest, failure, nothing, sum } from './test/count.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * Runs one kind of tests and counts them from its report. A run that ends badly without a failed test to show for it
 * counts as one failure, so that nothing is lost between its report and its exit code.
 *
 * @param {(text: string) => void} say
 * @param {string} what
 * @param {string[]} args
 * @param {Record<string, string>} env
 * @param {(report: unknown) => import('./test/count.mjs').Counts} count
 * @param {string} report
 */
async function tests(say, what, args, env, count, report) {
  say(`\n${what}\n`)
  const colour = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}
  const { code } = await runNode(args, { cwd: root, env: { ...process.env, ...colour, ...env }, onOutput: say })
  let counts = nothing
  try {
    counts = count(JSON.parse(readFileSync(report, 'utf8')))
  } catch {
    say(`${what}: no report was written.\n`)
  }
  if (code === 0 || counts.failed > 0) return counts
  say(`${what}: ended with code ${code}, though no test failed.\n`)
  return sum(counts, failure(`${what}: ended with code ${code}`))
}

/**
 * Prints the first run's output at once, and holds the second's until it is released, so that their lines don't mix.
 */
function inTurn() {
  /** @type {string[] | undefined} */
  let held = []
  return {
    /** @param {string} text */
    first: (text) => void process.stdout.write(text),
    /** @param {string} text */
    second: (text) => void (held ? held.push(text) : process.stdout.write(text)),
    letSecond() {
      if (held) process.stdout.write(held.join(''))
      held = undefined
    },
  }
}

requireNode()
const reports = mkdtempSync(join(tmpdir(), 'countertag-test-'))
const vitestReport = join(reports, 'vitest.json')
const e2eReport = join(reports, 'e2e.json')

const playwright = ['node_modules/@playwright/test/cli.js', 'test']

console.log('Build')
const built = (await build(root)) ? nothing : failure('Build')
// In parallel: each kind spends much of its time waiting for the network, a browser or a process, while the other uses
// the processors. Two browsers at most: more would disturb tests that type in real time.
const turns = inTurn()
const inBrowser = () =>
  tests(
    turns.second,
    'End-to-end tests',
    [...playwright, '--reporter=list,json'],
    { PLAYWRIGHT_JSON_OUTPUT_FILE: e2eReport, COUNTERTAG_E2E_PART: '1' },
    countPlaywright,
    e2eReport,
  )
const [inNode, inPages] = await Promise.all([
  tests(
    turns.first,
    'Unit, integration and Electron tests',
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--maxWorkers=3',
      // Separate: npm run test:large, npm run test:package.
      ...['unit', 'renderer', 'client', 'integration', 'electron'].map((name) => `--project=${name}`),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${vitestReport}`,
    ],
    {},
    countVitest,
    vitestReport,
  ).finally(turns.letSecond),
  inBrowser(),
])
rmSync(reports, { recursive: true, force: true })

const total = [inNode, inPages].reduce(sum, built)
// Repeated at the end, because the lists above are long and truncated output keeps only its end.
for (const line of total.failures) console.log(`\nFailed: ${line.replace(root, '.')}`)
console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0
