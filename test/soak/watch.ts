import type { Point } from './plot'
import type { Screen } from './screen'
import type { StationProcess } from './station-process'
import type { MainSample } from './talk'

/** A sample of a station's process and page. */
export interface Sample extends MainSample {
  /** Minutes since the first morning. */
  at: number
  /** JS heap of the page, in bytes. */
  renderer: number
  /** True after a garbage collection in main and in the page; the sample's delays then cover a period of any length. */
  isTidied: boolean
}

/** Takes a station's samples, every ten seconds and each evening. */
export interface Watch {
  /** All samples, oldest first. */
  samples: Sample[]
  look(): Promise<void>
  /** Takes a sample after a garbage collection in main and in the page. */
  lookTidied(): Promise<Sample>
  /** The worst delay of main's event loop since the last call, in ms; the highest p99 of its periods. */
  delays(): { p99: number; max: number }
}

export function createWatch(station: StationProcess, screen: Screen, minutes: () => number): Watch {
  const samples: Sample[] = []
  let told = 0
  const take = async (isTidied: boolean) => {
    const renderer = await screen.heap(isTidied)
    const sample = { ...(await station.sample(isTidied)), renderer, isTidied, at: minutes() }
    samples.push(sample)
    return sample
  }
  return {
    samples,
    async look() {
      // A station that is being killed doesn't answer: it is sampled again next time.
      await take(false).catch(() => undefined)
    },
    lookTidied: () => take(true),
    delays() {
      const since = samples.slice(told)
      told = samples.length
      return {
        p99: Math.max(0, ...since.map(({ delayP99 }) => delayP99)),
        max: Math.max(0, ...since.map(({ delayMax }) => delayMax)),
      }
    },
  }
}

export const pointsOf = (samples: readonly Sample[], value: (sample: Sample) => number): Point[] =>
  samples.map((sample) => ({ at: sample.at, value: value(sample) }))
