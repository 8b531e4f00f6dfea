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
  startOfScan,
} from './strokes'
import { type Pace, type WedgeSettings, defaultSettings, limits } from './timing'
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
  settings: WedgeSettings = defaultSettings,
  known: Known = nothingKnown,
  { isTrial = false } = {},
): Wedge {
  const { timing, prefix } = settings
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
    if (takenFrom !== undefined) return
    // Only what is sure to become a scan is taken: anything else stays typing.
    const start = startOfScan(strokes)
    const run = strokes.slice(start)
    const isEnough = slowestGap(run) <= limits.surelyFast || run.length >= limits.fewestToTake
    if (isEnough && isTouchKnown(run) && isMechanical(run, timing)) takenFrom = start
  }
  const addAltCode = () => {
    const character = altCodes.finish()
    if (character) add(character)
  }

  /** Whether a slow run is a scan by what it says: a person could have typed as fast, but not this, and not so lightly. */
  function saysSo(run: Stroke[], { text, worth }: ReadStrokes): boolean {
    if (worth === actionWorth) return true
    if (prefix !== '' && text.startsWith(prefix)) {
      return run.length > prefix.length + 2 && !isLikeHand(run, limits.fingerTouchBehindPrefix)
    }
    return worth > 0 && run.length >= limits.fewestOfSlow && !isLikeHand(run)
  }

  function conclude(): WedgeScan | undefined {
    if (strokes.length === 0) return undefined
    // What was taken from the focused field is a scan whatever follows: nothing typed may get lost. In a trial, all is.
    const isTaken = takenFrom !== undefined || isTrial
    const run = strokes.slice(takenFrom ?? (isTrial ? 0 : startOfScan(strokes)))
    const isSure = isTaken || isMechanical(run, timing)
    if (!isSure && isSurelyByHand(run)) return undefined
    const content = read(run, settings, known)
    return isSure || saysSo(run, content) ? scanOf(run, content) : undefined
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
      const isRapid = !isFirst && pause <= limits.surelyFast
      const isAltDigit = altCodes.press(key)
      const startsHere = isFirst || pause > limits.surelyFast ? mark : null
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
