import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { build } from './build.mjs'
import { runNode } from './child.mjs'
import { requireNode } from './node-version.mjs'
import { countPlaywright, countVitest, nothing, sum } from './test/count.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * Runs one kind of tests and counts them from its report. A run that ends badly without a failed test to show for it
 * counts as one failure, so that nothing is lost between its report and its exit code.
 *
 * @param {string} what
 * @param {string[]} args
 * @param {Record<string, string>} env
 * @param {(report: unknown) => import('./test/count.mjs').Counts} count
 * @param {string} report
 */
async function tests(what, args, env, count, report) {
  console.log(`\n${what}`)
  const { code } = await runNode(args, { cwd: root, env: { ...process.env, ...env } })
  let counts = nothing
  try {
    counts = count(JSON.parse(readFileSync(report, 'utf8')))
  } catch {
    console.error(`${what}: no report was written.`)
  }
  if (code === 0 || counts.failed > 0) return counts
  console.error(`${what}: ended with code ${code}, though no test failed.`)
  return sum(counts, { ...nothing, failed: 1 })
}

requireNode()
const reports = mkdtempSync(join(tmpdir(), 'countertag-test-'))
const vitestReport = join(reports, 'vitest.json')
const e2eReport = join(reports, 'e2e.json')

console.log('Build')
const built = (await build(root)) ? nothing : { ...nothing, failed: 1 }
const inNode = await tests(
  'Unit, integration and Electron tests',
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${vitestReport}`,
  ],
  {},
  countVitest,
  vitestReport,
)
const inBrowser = await tests(
  'End-to-end tests',
  ['node_modules/@playwright/test/cli.js', 'test', '--reporter=list,json'],
  { PLAYWRIGHT_JSON_OUTPUT_FILE: e2eReport },
  countPlaywright,
  e2eReport,
)
rmSync(reports, { recursive: true, force: true })

const total = sum(sum(built, inNode), inBrowser)
console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0
