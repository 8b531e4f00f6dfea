import type { Characters } from './characters'
import { type KeyTiming, type WedgeTiming, isLikeDevice, limits } from './timing'

/** One character of a burst and how its key was pressed. Times in ms. */
export interface Keystroke {
  characters: Characters
  code: string
  at: number
  /** Longest pause between two presses, modifiers included, since the previous character; 0 for the first. */
  gap: number
  /** How long the key was held; null until it is released. */
  touch: number | null
  /** The next key was pressed before this one was released. Typists do that, scanners never. */
  isOverlapped: boolean
  /** Number of the press in this window; finds the state of the field before it. */
  mark: number
}

/** In ms. A press and a release in one keyboard report may arrive in either order. */
const sameMoment = 3

/** Records the release of a key. */
export function recordRelease(keystrokes: Keystroke[], code: string, at: number): void {
  const index = keystrokes.findLastIndex((key) => key.code === code && key.touch === null)
  const key = keystrokes[index]
  if (!key) return
  key.touch = Math.max(at - key.at, 0)
  const next = keystrokes[index + 1]
  key.isOverlapped = next !== undefined && at - next.at > sameMoment
}

const gaps = (run: readonly Keystroke[]) => run.slice(1).map((key) => key.gap)
export const slowestGap = (run: readonly Keystroke[]): number => Math.max(0, ...gaps(run))

/** The release of every key but the last was seen. */
export const isTouchKnown = (run: readonly Keystroke[]): boolean =>
  run.slice(0, -1).every(({ touch }) => touch !== null)

const isRolled = (run: readonly Keystroke[]) => run.some((key) => key.isOverlapped)
/** Over a remote desktop a held key repeats without the repeat flag. */
const isHeldDown = (run: readonly Keystroke[]) => run.every(({ characters }) => characters.us === run[0]?.characters.us)
const touches = (run: readonly Keystroke[]) => run.flatMap(({ touch }) => (touch === null ? [] : [touch]))

/** Overlapping keys, or one key held down: no scanner types like that, whatever the text. */
export const isSurelyByHand = (run: readonly Keystroke[]): boolean => isRolled(run) || isHeldDown(run)

/** Keys that follow each other as no fingers do it. */
export const isFast = (run: readonly Keystroke[]): boolean =>
  slowestGap(run) <= limits.surelyFast && median(touches(run)) <= limits.lightTouch

/** Too fast or with keys held too briefly for a person, or exactly like the scanner that the station is tuned to. */
export function isMechanical(run: readonly Keystroke[], timing: WedgeTiming): boolean {
  if (run.length < limits.fewestCharacters || isSurelyByHand(run)) return false
  if (slowestGap(run) <= limits.surelyFast) return isFast(run)
  if (!isTouchKnown(run)) return false
  return isLight(run) || isClocked(run) || (isMachineEven(run) && isLikeDevice(timingOf(run), timing))
}

/**
 * One clock presses and releases: keys and gaps are even, and each key is released at the same share of the way to the
 * next. A finger is released without regard to when the next key will be pressed, so a person gets there by chance only,
 * and with each further key more rarely.
 */
function isClocked(run: readonly Keystroke[]): boolean {
  const shares = run.slice(1).map(({ gap }, index) => (run[index]?.touch ?? 0) / gap)
  return median(touches(run)) <= limits.clockedTouch && isMachineEven(run) && isEven(shares, limits.clockedSpread)
}

const isLight = (run: readonly Keystroke[]) =>
  touches(run).every((touch) => touch <= limits.longestTouch) &&
  mean(touches(run.filter(isOneKey))) <= limits.lightTouch

/** For a character of several keys only the longest touch is known, which isn't comparable. */
const isOneKey = ({ code }: Keystroke) => !code.startsWith('Alt+')

/** Whether keys are held as fingers do it: median above `most` ms, and unevenly. */
export const isLikeHand = (run: readonly Keystroke[], most = limits.fingerTouch): boolean =>
  median(touches(run.filter(isOneKey))) > most && !(run.length >= limits.fewestOfSlow && isMachineEven(run))

const isMachineEven = (run: readonly Keystroke[]) => isEven(touches(run)) && isEven(gaps(run))

/** Standard deviation of at most a part of the mean. With few keys a person gets there by chance. */
function isEven(values: number[], most = 0.1): boolean {
  const middle = mean(values)
  const spread = mean(values.map((value) => (value - middle) ** 2))
  return Math.sqrt(spread) <= most * middle
}

/**
 * Index at which a scan begins in a burst: after keys that were held much longer than the rest, which a person typed; else
 * 0. A pause alone separates nothing: slow scanners make longer ones within a code.
 */
export function startOfScan(run: readonly Keystroke[]): number {
  const longestFrom: number[] = []
  for (let index = run.length - 1, longest = 0; index > 0; index--) {
    longest = Math.max(longest, run[index]?.touch ?? 0)
    longestFrom[index] = longest
  }
  let shortest = Number.POSITIVE_INFINITY
  for (let index = 1; index < run.length; index++) {
    // For a key that is still down the time is unknown; it counts as 0.
    shortest = Math.min(shortest, run[index - 1]?.touch ?? 0)
    if (shortest <= limits.longestTouch) return 0
    const isPause = (run[index]?.gap ?? 0) > limits.surelyFast
    if (isPause && shortest >= 1.5 * (longestFrom[index] ?? 0)) return index
  }
  return 0
}

/** Measures a run. */
export function timingOf(run: readonly Keystroke[]): KeyTiming {
  const held = touches(run)
  return {
    characters: run.length,
    medianGap: median(gaps(run)),
    slowestGap: slowestGap(run),
    medianTouch: held.length === 0 ? null : median(held),
    slowestTouch: held.length === 0 ? null : Math.max(...held),
  }
}

/** 0 for an empty list. */
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1)

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
