import '../scripts/require-node.mjs'
import process from 'node:process'
import { mock } from 'node:test'
import { type Trace, generateTraces } from '../test/fakes/key-traces'
import { stopTime } from './wedge/clock'
import { detectors } from './wedge/detectors'
import { judge, play } from './wedge/judge'

/**
 * `npm run bench:wedge [-- SEED [COUNT]]`: which detectors find the scans of a keyboard-mode scanner, and which mistake
 * typing for a scan. All detectors get the same generated traces, in Node: the peers use only key events, timers and
 * the clock of a browser, and here each of these follows the trace's exact times.
 */
const [seed = 57, count = 1_568] = process.argv.slice(2).map(Number)
const traces = generateTraces(seed, count)
const scans = traces.reduce((sum, trace) => sum + trace.scans.length, 0)

// One peer logs every address that isn't a GS1 Digital Link to the console.
const log = mock.method(console, 'log', () => undefined)
const time = stopTime()
const rows = detectors.map((detector) => {
  const verdicts = traces.map((trace) => {
    const found = play(trace, detector, time)
    return { trace, found, ...judge(trace, found) }
  })
  const sum = (what: 'exact' | 'missed' | 'wrong') => verdicts.reduce((total, verdict) => total + verdict[what], 0)
  return { detector, verdicts, sum }
})
log.mock.restore()
time.goOn()

const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`
console.log(
  `${scans.toLocaleString('en')} scans in ${count.toLocaleString('en')} traces, ` +
    `${count.toLocaleString('en')} traces of people who type, seed ${seed}:`,
)
console.table(
  Object.fromEntries(
    rows.map(({ detector, verdicts, sum }) => [
      detector.name,
      {
        'found exactly': `${sum('exact')} (${percent(sum('exact'), scans)})`,
        missed: sum('missed'),
        'wrong text': sum('wrong'),
        'typing taken for a scan': verdicts.filter((verdict) => verdict.invented > 0).length,
      },
    ]),
  ),
)

const shares = (what: (trace: Trace) => string | null) => {
  const groups = [...new Set(traces.flatMap((trace) => what(trace) ?? []))]
  return Object.fromEntries(
    groups.map((group) => [
      group,
      Object.fromEntries(
        rows.map(({ detector, verdicts }) => {
          const own = verdicts.filter(({ trace }) => what(trace) === group)
          const all = own.reduce((total, { trace }) => total + trace.scans.length, 0)
          const exact = own.reduce((total, verdict) => total + verdict.exact, 0)
          const invented = own.filter((verdict) => verdict.invented > 0).length
          return [detector.name, all > 0 ? percent(exact, all) : invented]
        }),
      ),
    ]),
  )
}
console.log('Found exactly, by device:')
console.table(shares((trace) => trace.device))
console.log('Found exactly, by payload:')
console.table(shares((trace) => trace.payload))
console.log('Found exactly, by what the computer makes of the keys:')
console.table(
  shares((trace) => {
    if (trace.scans.length === 0) return null
    if (trace.capsLock) return 'Caps Lock on'
    return trace.layout === trace.scannerLayout ? "the scanner's layout" : 'another layout'
  }),
)
console.log('Typing taken for a scan, in traces:')
console.table(shares((trace) => trace.typing))
