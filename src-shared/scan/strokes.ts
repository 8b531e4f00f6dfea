import type { Characters } from './characters'
import { type Pace, type WedgeTiming, isLikeDevice, limits } from './timing'

/** One character of a burst, and how its key was pressed. */
export interface Stroke {
  characters: Characters
  code: string
  at: number
  /** Longest pause between two presses since the character before, in ms; modifiers are presses. 0 for the first. */
  gap: number
  /** How long the key was held, in ms; null until it is let go. */
  touch: number | null
  /** The next key went down while this one was still down. Fingers do that, scanners never. */
  isOverlapped: boolean
  /** Number of the press in this window: finds what the field held before it. */
  mark: number
}

/** Two presses in one report of a keyboard may come in either order. */
const sameMoment = 3

/** Notes that a key was let go. */
export function letGo(strokes: Stroke[], code: string, at: number): void {
  const index = strokes.findLastIndex((stroke) => stroke.code === code && stroke.touch === null)
  const stroke = strokes[index]
  if (!stroke) return
  stroke.touch = Math.max(at - stroke.at, 0)
  const next = strokes[index + 1]
  stroke.isOverlapped = next !== undefined && at - next.at > sameMoment
}

const gaps = (run: readonly Stroke[]) => run.slice(1).map((stroke) => stroke.gap)
export const slowestGap = (run: readonly Stroke[]): number => Math.max(0, ...gaps(run))

/** Every key but the last was seen to be let go: this is a keyboard, and no finger rests on it. */
export const isTouchKnown = (run: readonly Stroke[]): boolean => run.slice(0, -1).every(({ touch }) => touch !== null)

const isRolled = (run: readonly Stroke[]) => run.some((stroke) => stroke.isOverlapped)
/** Over a remote desktop a held key repeats without saying so. */
const isHeldDown = (run: readonly Stroke[]) => run.every(({ characters }) => characters.us === run[0]?.characters.us)
const touches = (run: readonly Stroke[]) => run.flatMap(({ touch }) => (touch === null ? [] : [touch]))

/** Keys rolled into each other, or one key held down: whatever they say, no scanner typed them. */
export const isSurelyByHand = (run: readonly Stroke[]): boolean => isRolled(run) || isHeldDown(run)

/** So fast, touched so lightly, or so much the scanner to which the station is set that no person types it. */
export function isMechanical(run: readonly Stroke[], timing: WedgeTiming): boolean {
  if (run.length < limits.fewestCharacters || isSurelyByHand(run)) return false
  const held = touches(run)
  if (slowestGap(run) <= limits.surelyFast) return median(held) <= limits.lightTouch
  if (!isTouchKnown(run)) return false
  return isLight(run) || (isMachineEven(run) && isLikeDevice(paceOf(run), timing))
}

const isLight = (run: readonly Stroke[]) =>
  touches(run).every((touch) => touch <= limits.longestTouch) &&
  mean(touches(run.filter(isOneKey))) <= limits.lightTouch

/** Of a character that is put together from several keys, only the longest touch is known: it says nothing of the usual one. */
const isOneKey = ({ code }: Stroke) => !code.startsWith('Alt+')

/** Whether keys are held as fingers hold them: longer than `most` on the whole, and now longer, now shorter. */
export const isLikeHand = (run: readonly Stroke[], most = limits.fingerTouch): boolean =>
  median(touches(run.filter(isOneKey))) > most && !(run.length >= limits.fewestOfSlow && isMachineEven(run))

const isMachineEven = (run: readonly Stroke[]) => isEven(touches(run)) && isEven(gaps(run))

/** Nearly the same every time, as no finger does it but by chance: a few keys say little. */
function isEven(values: number[]): boolean {
  const middle = mean(values)
  const spread = mean(values.map((value) => (value - middle) ** 2))
  return Math.sqrt(spread) <= 0.1 * middle
}

/**
 * Where a scan begins in a burst: behind keys that somebody pressed with fingers, for those hold a key much longer than the
 * scanner does; else with the first. A pause alone parts nothing: slow scanners make longer ones within a code.
 */
export function startOfScan(run: readonly Stroke[]): number {
  const longestFrom: number[] = []
  for (let index = run.length - 1, longest = 0; index > 0; index--) {
    longest = Math.max(longest, run[index]?.touch ?? 0)
    longestFrom[index] = longest
  }
  let shortest = Number.POSITIVE_INFINITY
  for (let index = 1; index < run.length; index++) {
    // A key that is still down has been held for a while as well, but nobody knows how long.
    shortest = Math.min(shortest, run[index - 1]?.touch ?? 0)
    if (shortest <= limits.longestTouch) return 0
    const isPause = (run[index]?.gap ?? 0) > limits.surelyFast
    if (isPause && shortest >= 1.5 * (longestFrom[index] ?? 0)) return index
  }
  return 0
}

export function paceOf(run: readonly Stroke[]): Pace {
  const held = touches(run)
  return {
    characters: run.length,
    medianGap: median(gaps(run)),
    slowestGap: slowestGap(run),
    medianTouch: held.length === 0 ? null : median(held),
    slowestTouch: held.length === 0 ? null : Math.max(...held),
  }
}

/** 0 of nothing. */
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1)

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
