import { createAltCodes } from './alt-codes'
import { type Key, charactersOf } from './characters'
import { longestCode } from './classify'
import { type Known, nothingKnown } from './known'
import { type ReadStrokes, type Reading, actionWorth, read } from './reading'
import {
  type Stroke,
  isLikeHand,
  isMechanical,
  isSurelyByHand,
  isTouchKnown,
  letGo,
  paceOf,
  slowestGap,
} from './strokes'
import { type Pace, type WedgeSettings, defaultSettings } from './timing'
import type { WedgeTrouble } from './trouble'

/** A scan that was typed. */
export interface WedgeScan {
  text: string
  troubles: WedgeTrouble[]
  reading: Reading
  pace: Pace
  /** The press it began with. */
  mark: number
}

/**
 * What to do with a key.
 * - `pass`: leave it to whoever has the focus. `mark` is a number where a scan may begin: remember what the field holds.
 *   `isFirst`: after a rest. `isRapid`: so soon behind another that a scanner may have pressed it: it must not press a button.
 * - `take`: it belongs to a scan, keep it from the focused field.
 * - `scan`: the scan ended with this key. Take it too, and take back what was typed since `mark`.
 */
export type WedgeAnswer =
  | { kind: 'pass'; mark: number | null; isFirst: boolean; isRapid: boolean }
  | { kind: 'take' }
  | { kind: 'scan'; scan: WedgeScan }

/** Tells a scanner that types from a person, key by key. One for each window; invariants in `wedge.md`. */
export interface Wedge {
  press(key: Key): WedgeAnswer
  /** A key was let go. Without releases scans are found all the same, but none is taken before its end. */
  release(key: Pick<Key, 'code' | 'at'>): void
  /**
   * For scanners without a suffix: the scan that nobody continued, once `now` is a long gap after its last key. Call it
   * some time after the last key, and before the next one.
   */
  settle(now: number): WedgeScan | undefined
}

const isModifier = (code: string) => /^(?:Shift|Control|Alt|Meta|CapsLock|NumLock)/.test(code)
/** Enter, Tab, and the line ends that scanners type as commands: Ctrl+J and Ctrl+M. */
const isSuffix = ({ code, ctrl, alt }: Key) =>
  ctrl && !alt ? code === 'KeyJ' || code === 'KeyM' : /^(?:Enter|NumpadEnter|Tab)$/.test(code)

/** `isTrial`: whatever is typed without a rest counts as a scan, for the panel that measures a scanner. */
export function createWedge(
  { timing, prefix, reading }: WedgeSettings = defaultSettings,
  known: Known = nothingKnown,
  { isTrial = false } = {},
): Wedge {
  let strokes: Stroke[] = []
  /** The stroke from which on keys are taken. */
  let takenFrom: number | undefined
  let lastAt = Number.NEGATIVE_INFINITY
  let pause = 0
  let scanEndedAt = Number.NEGATIVE_INFINITY
  let mark = 0
  const altCodes = createAltCodes()

  const forget = () => {
    strokes = []
    takenFrom = undefined
    pause = 0
    altCodes.finish()
  }
  const add = (stroke: Pick<Stroke, 'characters' | 'code' | 'at' | 'touch'>) => {
    strokes.push({ ...stroke, gap: strokes.length === 0 ? 0 : pause, isOverlapped: false, mark: mark++ })
    pause = 0
    // Only what is sure to become a scan is taken: anything else stays typing.
    takenFrom ??= [0, lastStart()].find((start) => {
      const run = strokes.slice(start)
      return isTouchKnown(run) && isMechanical(run, timing) && standsApart(start, run)
    })
  }
  const addAltCode = () => {
    const character = altCodes.finish()
    if (character) add(character)
  }

  /** A scan may begin with the burst, or behind a pause within it: a person typed before. */
  const mayStart = (index: number) => index === 0 || (strokes[index]?.gap ?? 0) > timing.surelyFast
  const lastStart = () => strokes.findLastIndex((_, index) => mayStart(index))
  const standsApart = (start: number, run: Stroke[]) => start === 0 || (strokes[start]?.gap ?? 0) >= 2 * slowestGap(run)

  /** Whether a slow run is a scan by what it says: a person could have typed as fast, but not this, and not so lightly. */
  function saysSo(run: Stroke[], { text, worth }: ReadStrokes): boolean {
    if (worth === actionWorth) return true
    if (isLikeHand(run, timing)) return false
    if (prefix !== '' && text.startsWith(prefix)) return run.length > prefix.length + 2
    return worth > 0 && run.length >= timing.fewestOfSlow
  }

  function conclude(): WedgeScan | undefined {
    for (const start of strokes.keys()) {
      // What was taken from the focused field is a scan whatever follows: nothing typed may get lost.
      const isTaken = start === takenFrom
      if (!isTaken && !mayStart(start)) continue
      const run = strokes.slice(start)
      const isSure = isTaken || isTrial || (isMechanical(run, timing) && standsApart(start, run))
      if (!isSure && isSurelyByHand(run)) continue
      const content = read(run, reading, known)
      if (isSure || saysSo(run, content)) return scanOf(run, content)
    }
    return undefined
  }

  const scanOf = (run: Stroke[], { text, troubles, reading }: ReadStrokes): WedgeScan => ({
    text: text.startsWith(prefix) ? text.slice(prefix.length) : text,
    troubles,
    reading,
    pace: paceOf(run),
    mark: run[0]?.mark ?? 0,
  })

  function end(at: number, isComplete: boolean): WedgeAnswer {
    const scan = isComplete ? conclude() : undefined
    const isRapid = isComplete && strokes.length > 0
    forget()
    if (!scan) return { kind: 'pass', mark: null, isFirst: false, isRapid }
    // A second line end is the scanner's only if it was a keyboard that typed: a program types no more than it means.
    if (scan.pace.slowestTouch !== null) scanEndedAt = at
    return { kind: 'scan', scan }
  }

  return {
    press(key) {
      const gap = key.at - lastAt
      lastAt = key.at
      if (gap > timing.longestGap) forget()
      pause = strokes.length === 0 ? 0 : Math.max(pause, gap)
      if (!key.alt || isModifier(key.code)) addAltCode()
      if (isModifier(key.code)) return { kind: 'pass', mark: null, isFirst: false, isRapid: false }
      if (isSuffix(key) && strokes.length === 0 && key.at - scanEndedAt <= timing.longestGap) {
        // The LF behind a CR.
        scanEndedAt = key.at
        return { kind: 'take' }
      }
      if (isSuffix(key)) return end(key.at, true)
      const isFirst = strokes.length === 0
      const isRapid = !isFirst && pause <= timing.surelyFast
      const isAltDigit = altCodes.press(key)
      const startsHere = isFirst || pause > timing.surelyFast ? mark : null
      if (!isAltDigit) {
        const characters = charactersOf(key)
        // Some scanners end with another key: what is a scan already must not be lost. Nothing types so much without a rest.
        if (!characters || strokes.length > longestCode + 20) return end(key.at, !key.repeat)
        add({ characters, code: key.code, at: key.at, touch: null })
      }
      return takenFrom === undefined ? { kind: 'pass', mark: startsHere, isFirst, isRapid } : { kind: 'take' }
    },
    release({ code, at }) {
      altCodes.release(code, at)
      if (code.startsWith('Alt')) addAltCode()
      else letGo(strokes, code, at)
    },
    settle(now) {
      if (now - lastAt <= timing.longestGap) return undefined
      addAltCode()
      const scan = conclude()
      forget()
      return scan
    },
  }
}
