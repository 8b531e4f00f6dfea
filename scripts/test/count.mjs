/**
 * @typedef {object} Counts
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {string[]} failures The failures, one line each, as named in the report.
 */

/**
 * What we read of vitest's report.
 *
 * @typedef {object} VitestReport
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numPendingTests
 * @property {number} numTodoTests
 * @property {{ name: string, status: string, message: string, assertionResults: VitestTest[] }[]} testResults
 *
 * @typedef {{ fullName: string, status: string, failureMessages: string[] }} VitestTest
 */

/**
 * What we read of Playwright's report.
 *
 * @typedef {object} PlaywrightReport
 * @property {{ expected: number, unexpected: number, skipped: number }} stats
 * @property {{ message?: string }[]} errors
 * @property {PlaywrightSuite[]} [suites]
 *
 * @typedef {{ specs?: PlaywrightSpec[], suites?: PlaywrightSuite[] }} PlaywrightSuite
 * @typedef {{ file: string, title: string, tests: PlaywrightTest[] }} PlaywrightSpec
 * @typedef {{ status: string, results: { errors?: { message?: string }[] }[] }} PlaywrightTest
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
 * @param {VitestReport} report
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
 * Counts of Playwright's json report.
 *
 * @param {PlaywrightReport} report
 * @returns {Counts}
 */
export const countPlaywright = ({ stats, errors, suites = [] }) => ({
  passed: stats.expected,
  failed: stats.unexpected + errors.length,
  skipped: stats.skipped,
  failures: [...errors.map(({ message }) => firstLine(message)), ...suites.flatMap(failuresIn)],
})

/**
 * @param {PlaywrightSuite} suite
 * @returns {string[]}
 */
const failuresIn = ({ specs = [], suites = [] }) => [
  ...specs
    .filter(({ tests }) => tests.some(({ status }) => status === 'unexpected'))
    .map(({ file, title, tests }) => {
      const errors = tests.flatMap(({ results }) => results.flatMap(({ errors: ofResult }) => ofResult ?? []))
      return `${file}: ${title}: ${firstLine(errors[0]?.message)}`
    }),
  ...suites.flatMap(failuresIn),
]

/** @param {string | undefined} text */
const firstLine = (text) => (text ?? '').trim().split('\n', 1)[0] ?? ''
