import type { Characters } from './characters'
import type { Pace, WedgeTiming } from './timing'

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

/** So fast, or touched so lightly, that no person types it. */
export function isMechanical(run: readonly Stroke[], timing: WedgeTiming): boolean {
  if (run.length < timing.fewestCharacters || isSurelyByHand(run)) return false
  if (slowestGap(run) <= timing.surelyFast) return true
  return isTouchKnown(run) && touches(run).every((touch) => touch <= timing.longestTouch)
}

/** Whether keys are held as fingers hold them: long, and now longer, now shorter. A few may be even by chance. */
export function isLikeHand(run: readonly Stroke[], timing: WedgeTiming): boolean {
  const isMachineEven = run.length >= timing.fewestOfSlow && isEven(touches(run)) && isEven(gaps(run))
  return median(touches(run)) > timing.fingerTouch && !isMachineEven
}

/** Nearly the same every time, as no finger does it. */
function isEven(values: number[]): boolean {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const spread = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length
  return Math.sqrt(spread) <= 0.1 * mean
}

export function paceOf(run: readonly Stroke[]): Pace {
  const held = touches(run)
  return {
    characters: run.length,
    medianGap: median(gaps(run)),
    slowestGap: slowestGap(run),
    slowestTouch: held.length === 0 ? null : Math.max(...held),
  }
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
