import type { Point } from './plot'
import type { Screen } from './screen'
import type { StationProcess } from './station-process'
import type { MainSample } from './talk'

/** A station's process and page at a moment. */
export interface Sample extends MainSample {
  /** Minutes since the first morning. */
  at: number
  /** JS heap of the page, in bytes. */
  renderer: number
  /** After the garbage was collected, in main and in the page; its delays are of a stretch of any length. */
  isTidied: boolean
}

/** Looks at one station, every ten seconds and each evening. */
export interface Watch {
  /** All samples, oldest first. */
  samples: Sample[]
  look(): Promise<void>
  /** After the garbage was collected, in main and in the page. */
  lookTidied(): Promise<Sample>
  /** The worst delay of main's event loop since it was last asked, in ms; the highest p99 of its stretches. */
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
      // A station that is being killed has nothing to say: next time.
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
