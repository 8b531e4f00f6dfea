import { z } from 'zod'

/**
 * Limits that separate a scanner that types from a person, in ms and characters. The same at every station: limits fitted to
 * one scanner would split the codes of another. `wedge.md` says where the numbers come from.
 */
export const limits = {
  /** Keys no further apart than this, without overlap, come from a scanner. */
  surelyFast: 40,
  /** Scanners release a key sooner than a finger can. Keys held no longer than this come from a scanner at any speed, */
  longestTouch: 32,
  /** if their mean is no longer than this. */
  lightTouch: 25,
  /** Slow keys with a longer median than this are a person's, whatever the text. */
  fingerTouch: 26,
  /** The longest median for a burst that begins with the scanner's prefix, which people rarely type. */
  fingerTouchBehindPrefix: 40,
  /** Largest deviation of the share of the way to the next key at which keys are released, if one clock does both. */
  clockedSpread: 0.03,
  /** Such keys are held no longer than this: most fingers hold a key longer, however evenly they type. */
  clockedTouch: 60,
  fewestCharacters: 6,
  /** The same outside of every field: nothing is typed there. */
  fewestOutside: 3,
  /** Keys of a slow scan before the next ones are taken: a person may begin with light keys. */
  fewestToTake: 10,
  /** Fewest characters of a slow scan that is recognized by its meaning alone. */
  fewestOfSlow: 16,
}

/** Pause allowed at every station between two keys of one scan, in ms. */
const usualGap = 200

/** The scanner that the station was tuned to: median time between keys and time a key is held, in ms. */
const Device = z.object({ gap: z.number().min(0).max(1_000), touch: z.number().min(0).max(1_000) })

/** What a station has learnt about its scanners that type. Learning only widens the limits: see `wedge.md`. */
export const WedgeTiming = z.object({
  /** Longest pause between two keys of one scan, in ms. Smaller values, stored by an earlier version, are raised. */
  longestGap: z
    .number()
    .min(60)
    .max(500)
    .overwrite((ms) => Math.max(ms, usualGap))
    .default(usualGap),
  device: Device.nullable().default(null),
})
export type WedgeTiming = z.infer<typeof WedgeTiming>

/** Text that the scanner types before every code; removed from the scan. Empty for none. */
export const WedgePrefix = z.string().max(10)

/** What is set and learnt at a station for its scanners that type. */
export const WedgeSettings = z.object({
  timing: WedgeTiming.prefault({}),
  prefix: WedgePrefix.default(''),
  /** The keyboard layout that the scanner is set to: US, the computer's (`system`), or not known. */
  reading: z.enum(['auto', 'us', 'system']).default('auto'),
})
export type WedgeSettings = z.infer<typeof WedgeSettings>

export const defaultSettings: WedgeSettings = WedgeSettings.parse({})

/** How a scan was typed, in ms. Shown in the test panel, and learnt from. */
export interface KeyTiming {
  characters: number
  medianGap: number
  slowestGap: number
  /** How long keys were held; null if no release was seen. */
  medianTouch: number | null
  slowestTouch: number | null
}

/** In ms. Two scans in a row are further apart than this; a longer gap would join them. */
const widestGap = 400

/** Twice the longest pause of the scan plus 30 ms for a busy computer; never less than `now`. */
const gapFor = ({ slowestGap }: KeyTiming, now: number) =>
  Math.max(now, Math.round(Math.min(2 * slowestGap + 30, widestGap)))

/** The learnt timing after another accepted scan. */
export function adapt(timing: WedgeTiming, scan: KeyTiming): WedgeTiming {
  if (scan.characters < limits.fewestCharacters) return timing
  const longestGap = gapFor(scan, timing.longestGap)
  return longestGap === timing.longestGap ? timing : { ...timing, longestGap }
}

/**
 * The timing after a person has confirmed in the test panel that a burst was one scan. A burst that is recognized without it
 * leaves the tuned device.
 */
export function tuneTo(timing: WedgeTiming, scan: KeyTiming): WedgeTiming {
  const longestGap = gapFor(scan, timing.longestGap)
  const { medianGap, medianTouch } = scan
  if (medianTouch === null || isRecognized(scan) || isLikeDevice(scan, timing)) return { ...timing, longestGap }
  return { longestGap, device: { gap: Math.round(medianGap), touch: Math.round(medianTouch) } }
}

const isRecognized = ({ characters, slowestGap, medianTouch, slowestTouch }: KeyTiming) =>
  characters >= limits.fewestCharacters &&
  (slowestGap <= limits.surelyFast ||
    ((slowestTouch ?? 0) <= limits.longestTouch && (medianTouch ?? 0) <= limits.lightTouch))

/** Within 15 % or 3 ms: a device keeps its speed from scan to scan, also on a busy computer. */
const isNear = (value: number, wanted: number) => Math.abs(value - wanted) <= Math.max(0.15 * wanted, 3)

/** Whether keys came at the speed of the scanner that the station is tuned to. */
export const isLikeDevice = (
  { medianGap, medianTouch }: Pick<KeyTiming, 'medianGap' | 'medianTouch'>,
  { device }: WedgeTiming,
): boolean =>
  device !== null && medianTouch !== null && isNear(medianGap, device.gap) && isNear(medianTouch, device.touch)
