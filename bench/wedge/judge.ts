import type { Trace } from '../../test/fakes/key-traces'
import type { StoppedTime } from './clock'
import type { Detector } from './detectors'
import { Page, PageKey } from './page'

/** A detector's result for a trace. */
interface Verdict {
  exact: number
  missed: number
  wrong: number
  /** Scans reported where a person only typed. */
  invented: number
}

/** Longer than every detector's last timer. */
const rest = 2_000

/** Plays a trace to a detector, and returns the scans that it found. */
export function play(trace: Trace, detector: Detector, time: StoppedTime): string[] {
  const page = new Page()
  const found: string[] = []
  const stop = detector.start(page, (text) => found.push(text))
  const start = Math.ceil(time.now)
  for (const event of trace.events) {
    time.passUntil(Math.max(start + event.at, time.now))
    page.dispatchEvent(new PageKey(event, start + event.at))
  }
  time.passUntil(time.now + rest)
  stop()
  return found
}

/** Each expected text can be found once; any other text is wrong, or invented if there was no scan at all. */
export function judge(trace: Trace, found: string[]): Verdict {
  // U+FFFD stands for an unknown character: a detector that reports it has refused the scan.
  const left = found.filter((text) => !text.includes('\ufffd'))
  let exact = 0
  for (const text of trace.scans) {
    const index = left.indexOf(text)
    if (index < 0) continue
    left.splice(index, 1)
    exact += 1
  }
  const unfound = trace.scans.length - exact
  if (trace.scans.length === 0) return { exact, missed: 0, wrong: 0, invented: left.length }
  // A wrong text replaces a scan that was not found; texts beyond the number of scans are wrong as well.
  return { exact, missed: Math.max(unfound - left.length, 0), wrong: left.length, invented: 0 }
}
