import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { z } from 'zod'

const Outcome = z.object({
  numPassedTests: z.number(),
  testResults: z.array(z.object({ assertionResults: z.array(z.object({ title: z.string(), status: z.string() })) })),
})

/** Runs a test file with a deliberate fault, or without one. Returns the name of the first test that failed. */
export async function firstFailure(root: string, file: string, fault: string | undefined): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'countertag-fault-'))
  const report = join(folder, 'report.json')
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const config = ['--config', 'test/store/fault.config.ts', '--reporter', 'json', '--outputFile', report]
  const env = { ...process.env, ...(fault !== undefined && { COUNTERTAG_FAULT: fault }) }
  try {
    // Ends with an error if a test failed: the report says which.
    await new Promise<void>((resolve) => {
      execFile(process.execPath, [vitest, 'run', ...config, file], { cwd: root, env }, () => {
        resolve()
      })
    })
    const { numPassedTests, testResults } = Outcome.parse(JSON.parse(readFileSync(report, 'utf8')))
    const failed = testResults.flatMap((one) => one.assertionResults).find(({ status }) => status === 'failed')
    if (!failed && numPassedTests === 0) throw new Error(`${file} ran no test`)
    return failed?.title
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
