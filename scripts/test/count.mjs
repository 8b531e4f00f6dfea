/**
 * @typedef {object} Counts
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {string[]} failures What failed, a line each, as far as the report names it.
 */

/** @type {Counts} */
export const nothing = { passed: 0, failed: 0, skipped: 0, failures: [] }

/**
 * One failure that no report names.
 *
 * @param {string} what
 * @returns {Counts}
 */
export const failure = (what) => ({ ...nothing, failed: 1, failures: [what] })

/**
 * @param {Counts} a
 * @param {Counts} b
 * @returns {Counts}
 */
export const sum = (a, b) => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
  failures: [...a.failures, ...b.failures],
})

/**
 * Counts of vitest's json report. A file that could not even be loaded holds no tests: it counts as one failure.
 *
 * @param {any} report
 * @returns {Counts}
 */
export function countVitest(report) {
  const broken = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0)
  const failed = report.testResults.flatMap((file) =>
    file.assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => `${file.name}: ${fullName}: ${firstLine(failureMessages[0])}`),
  )
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
    failures: [...broken.map(({ name, message }) => `${name}: ${firstLine(message)}`), ...failed],
  }
}

/**
 * Counts of Playwright's json report. What only passes at the second try is not a test that passes.
 *
 * @param {any} report
 * @returns {Counts}
 */
export const countPlaywright = ({ stats, errors, suites }) => ({
  passed: stats.expected,
  failed: stats.unexpected + stats.flaky + errors.length,
  skipped: stats.skipped,
  failures: [...errors.map(({ message }) => firstLine(message)), ...(suites ?? []).flatMap(badSpecs)],
})

/**
 * @param {any} suite
 * @returns {string[]}
 */
const badSpecs = ({ specs = [], suites = [] }) => [
  ...specs
    .filter(({ tests }) => tests.some(({ status }) => status === 'unexpected' || status === 'flaky'))
    .map(({ file, title, tests }) => {
      const errors = tests.flatMap(({ results }) => results.flatMap(({ errors: ofResult }) => ofResult ?? []))
      return `${file}: ${title}: ${firstLine(errors[0]?.message)}`
    }),
  ...suites.flatMap(badSpecs),
]

/** @param {string | undefined} text */
const firstLine = (text) => (text ?? '').trim().split('\n', 1)[0] ?? ''
