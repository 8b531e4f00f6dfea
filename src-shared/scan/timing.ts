import { z } from 'zod'

/**
 * What tells a scanner that types from a person, in ms and characters; the same at every station, for what would suit one
 * scanner tears the codes of the next one apart. `wedge.md` says where the numbers come from.
 */
export const limits = {
  /** Keys no further apart than this, and never two down at once, are a scanner's. */
  surelyFast: 40,
  /** A scanner lets a key go sooner than a finger can: keys held no longer than this are its own at any pace, */
  longestTouch: 32,
  /** if the mean of them is no longer than this. */
  lightTouch: 25,
  /** Usually held longer than this, slow keys are a person's whatever they say. */
  fingerTouch: 26,
  /** The same for a burst that begins with the scanner's prefix: few people type that. */
  fingerTouchBehindPrefix: 40,
  fewestCharacters: 6,
  /** Fewest keys of a slow scan after which the next ones are taken: light fingers may begin lightly. */
  fewestToTake: 10,
  /** Fewest characters of a slow scan that only its meaning shows to be one. */
  fewestOfSlow: 16,
}

/** Pauses that every station allows between two keys of one scan, in ms. */
const usualGap = 200

/** A scanner to which a person set the station: its usual ms from key to key, and how long it holds one. */
const Device = z.object({ gap: z.number().min(0).max(1_000), touch: z.number().min(0).max(1_000) })

/** What a station learns of its scanners that type. It only ever gives more room: see `wedge.md`. */
export const WedgeTiming = z.object({
  /** Longest pause between two keys of one scan, in ms. Less than usual was learnt by an earlier version, and is mended. */
  longestGap: z
    .number()
    .min(60)
    .max(500)
    .overwrite((ms) => Math.max(ms, usualGap))
    .default(usualGap),
  device: Device.nullable().default(null),
})
export type WedgeTiming = z.infer<typeof WedgeTiming>

/** Text that the scanner puts in front of every code; it is taken off. Empty for none. */
export const WedgePrefix = z.string().max(10)

/** What a station sets, and learns, of its scanner that types. */
export const WedgeSettings = z.object({
  timing: WedgeTiming.prefault({}),
  prefix: WedgePrefix.default(''),
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
  /** How long keys were held; null when no release was seen. */
  medianTouch: number | null
  /** The longest one. */
  slowestTouch: number | null
}

/** No person scans two codes sooner one after the other than this, in ms: more room would join them to one. */
const mostRoom = 400

/** Room for pauses twice as long as the longest of a scan and for a busy machine; never less than there was. */
const roomFor = ({ slowestGap }: Pace, now: number) =>
  Math.max(now, Math.round(Math.min(2 * slowestGap + 30, mostRoom)))

/** The timing after one more accepted scan. */
export function adapt(timing: WedgeTiming, pace: Pace): WedgeTiming {
  // A short one says little of a device.
  if (pace.characters < limits.fewestCharacters) return timing
  const longestGap = roomFor(pace, timing.longestGap)
  return longestGap === timing.longestGap ? timing : { ...timing, longestGap }
}

/**
 * The timing for a device that is not understood yet, from a burst of which a person says that it was one scan: the test
 * panel's one tap. A burst that is understood as it is leaves the device that was set.
 */
export function tuneTo(timing: WedgeTiming, pace: Pace): WedgeTiming {
  const longestGap = roomFor(pace, timing.longestGap)
  const { medianGap, medianTouch } = pace
  if (medianTouch === null || isUnderstood(pace) || isLikeDevice(pace, timing)) return { ...timing, longestGap }
  return { longestGap, device: { gap: Math.round(medianGap), touch: Math.round(medianTouch) } }
}

const isUnderstood = ({ characters, slowestGap, medianTouch, slowestTouch }: Pace) =>
  characters >= limits.fewestCharacters &&
  (slowestGap <= limits.surelyFast ||
    ((slowestTouch ?? 0) <= limits.longestTouch && (medianTouch ?? 0) <= limits.lightTouch))

/** A device keeps its pace from scan to scan, and so does what a busy computer makes of it. */
const isNear = (value: number, wanted: number) => Math.abs(value - wanted) <= Math.max(0.15 * wanted, 3)

/** Whether keys came at the pace of the scanner to which the station is set. */
export const isLikeDevice = (
  { medianGap, medianTouch }: Pick<Pace, 'medianGap' | 'medianTouch'>,
  { device }: WedgeTiming,
): boolean =>
  device !== null && medianTouch !== null && isNear(medianGap, device.gap) && isNear(medianTouch, device.touch)
