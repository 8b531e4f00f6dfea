import { z } from 'zod'

const ms = (least: number, most: number, usual: number) => z.number().min(least).max(most).default(usual)

/** How a station tells a scanner that types from a person, in ms and characters. `wedge.md` says where the numbers come from. */
export const WedgeTiming = z.object({
  /** Longest pause between two keys of one scan. */
  longestGap: ms(60, 500, 200),
  /** Keys no further apart than this, and never two down at once, are a scanner's. */
  surelyFast: ms(15, 50, 40),
  /** A scanner lets a key go sooner than a finger can: keys held no longer than this are its own at any pace. */
  longestTouch: ms(5, 45, 32),
  /** Held longer than this on the whole, slow keys are a person's. */
  fingerTouch: ms(30, 80, 40),
  fewestCharacters: z.number().int().min(4).max(30).default(6),
  /** Fewest characters of a slow scan that only its meaning shows to be one. */
  fewestOfSlow: z.number().int().min(12).max(40).default(16),
})
export type WedgeTiming = z.infer<typeof WedgeTiming>

/** What a station sets, and learns, of its scanner that types. */
export const WedgeSettings = z.object({
  timing: WedgeTiming.prefault({}),
  /** Text that the scanner puts in front of every code; it is taken off. Empty for none. */
  prefix: z.string().max(10).default(''),
  /** The keyboard layout the scanner is set to: a US one, the computer's, or not known yet. */
  reading: z.enum(['auto', 'us', 'system']).default('auto'),
})
export type WedgeSettings = z.infer<typeof WedgeSettings>

export const defaultSettings: WedgeSettings = WedgeSettings.parse({})

/** How a scan was typed, in ms: for the test panel, and to learn from. */
export interface Pace {
  characters: number
  medianGap: number
  slowestGap: number
  /** Longest time a key was held; null when its release was not seen. */
  slowestTouch: number | null
}

const within = (least: number, value: number, most: number) => Math.round(Math.min(Math.max(value, least), most))

/** At once when the device needs more room, an eighth of the way when it needs less: a scan torn apart costs more. */
const towards = (now: number, wanted: number) => (wanted > now ? wanted : Math.floor(now + (wanted - now) / 8))

/**
 * The timing after one more accepted scan: room for pauses twice as long as its longest and for a busy machine, and not much
 * more. It stays within bounds in which a person's typing is no scan.
 */
export function adapt(timing: WedgeTiming, pace: Pace): WedgeTiming {
  // A short one says little of a device.
  if (pace.characters < timing.fewestCharacters) return timing
  return {
    ...timing,
    longestGap: towards(timing.longestGap, within(90, 2 * pace.slowestGap + 30, 400)),
    surelyFast: towards(timing.surelyFast, within(20, 2 * pace.slowestGap, 40)),
  }
}

/**
 * The timing for a device that is not understood yet, from a burst of which a person says that it was one scan: the test
 * panel's one tap. It may go further than `adapt`, for a person vouches for it.
 */
export function tuneTo(timing: WedgeTiming, { characters, slowestGap, slowestTouch }: Pace): WedgeTiming {
  const touch = slowestTouch ?? timing.longestTouch
  return {
    ...timing,
    longestGap: within(90, 2 * slowestGap + 30, 500),
    surelyFast: within(20, 2 * slowestGap, 40),
    longestTouch: within(12, 1.2 * touch + 4, 45),
    fingerTouch: within(40, 1.5 * touch, 80),
    fewestCharacters: Math.max(Math.min(timing.fewestCharacters, characters), 4),
  }
}
