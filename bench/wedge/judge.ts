import type { Trace } from '../../test/fakes/key-traces'
import type { StoppedTime } from './clock'
import type { Detector } from './detectors'
import { Page, PageKey } from './page'

/** What a detector made of a trace. */
export interface Verdict {
  exact: number
  missed: number
  wrong: number
  /** Scans where a person only typed. */
  invented: number
}

/** Long enough for everybody's last timer. */
const rest = 2_000

/** Plays a trace to a detector, and gives what it found. */
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

/** Each expected text can be found once; what else was found is wrong, or invented where there was no scan at all. */
export function judge(trace: Trace, found: string[]): Verdict {
  // U+FFFD stands for what can't be known: whoever says so has refused the scan.
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
  // A wrong text stands for a scan that was not found; more texts than scans are wrong all the same.
  return { exact, missed: Math.max(unfound - left.length, 0), wrong: left.length, invented: 0 }
}
