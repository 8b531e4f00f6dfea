import { type Key, charactersOf, createAltCodes } from './characters'
import { longestCode } from './classify'
import { isJoinBeginning, longestJoinText } from './join-text'
import { type KnownPrefixes, nothingKnown } from './known'
import { type ReadKeystrokes, type Reading, actionWorth, read } from './reading'
import {
  type Keystroke,
  isLikeHand,
  isMechanical,
  isSurelyByHand,
  isTouchKnown,
  recordRelease,
  timingOf,
  slowestGap,
  startOfScan,
} from './keystrokes'
import { type KeyTiming, type WedgeSettings, defaultSettings, limits } from './timing'
import type { WedgeTrouble } from './meaning'

/** A scan that was typed. */
export interface WedgeScan {
  text: string
  troubles: WedgeTrouble[]
  reading: Reading
  timing: KeyTiming
  /** Number of the press it began with. */
  mark: number
}

/**
 * What to do with a key.
 * - `pass`: leave it to the focused element. With a `mark` a scan may begin here: remember the state of the field. `isFirst`:
 *   the first key after a pause. `isRapid`: so soon after another key that a scanner may have typed it: it must not press a
 *   button.
 * - `take`: it belongs to a scan; keep it from the focused field.
 * - `scan`: the scan ended with this key. Take it too, and undo what was typed since `mark`.
 */
export type WedgeAnswer =
  | { kind: 'pass'; mark: number | null; isFirst: boolean; isRapid: boolean }
  | { kind: 'take' }
  | { kind: 'scan'; scan: WedgeScan }

/** Tells scans from typing, key by key. One per window; invariants in `wedge.md`. */
export interface Wedge {
  press(key: Key): WedgeAnswer
  /** A key was released. Without releases scans are still found, but no key is taken before the end. */
  release(key: Pick<Key, 'code' | 'at'>): void
  /**
   * For scanners without a suffix: the scan, if the last key is longer than the longest gap before `now`. Call it some time
   * after the last key and before the next one.
   */
  settle(now: number): WedgeScan | undefined
}

const isModifier = (code: string) => /^(?:Shift|Control|Alt|Meta|CapsLock|NumLock)/.test(code)
/** Enter, Tab, and line ends that scanners type as Ctrl+J and Ctrl+M. */
const isSuffix = ({ code, ctrl, alt }: Key) =>
  ctrl && !alt ? code === 'KeyJ' || code === 'KeyM' : /^(?:Enter|NumpadEnter|Tab)$/.test(code)

/** `isTrial`: everything typed without a pause counts as a scan, for the test panel. */
export function createWedge(
  settings: WedgeSettings = defaultSettings,
  known: KnownPrefixes = nothingKnown,
  { isTrial = false } = {},
): Wedge {
  const { timing, prefix } = settings
  let keystrokes: Keystroke[] = []
  /** Index of the first key that is taken. */
  let takenFrom: number | undefined
  let lastAt = Number.NEGATIVE_INFINITY
  /** Longest gap since the last character; modifiers count as presses. */
  let pause = 0
  let scanEndedAt = Number.NEGATIVE_INFINITY
  let mark = 0
  const altCodes = createAltCodes()

  const forget = () => {
    keystrokes = []
    takenFrom = undefined
    pause = 0
    altCodes.finish()
  }
  const add = (key: Pick<Keystroke, 'characters' | 'code' | 'at' | 'touch'>) => {
    keystrokes.push({ ...key, gap: keystrokes.length === 0 ? 0 : pause, isOverlapped: false, mark: mark++ })
    pause = 0
    if (takenFrom !== undefined) return
    // Only keys that certainly belong to a scan are taken; all others stay typing.
    const start = startOfScan(keystrokes)
    const run = keystrokes.slice(start)
    const isEnough = slowestGap(run) <= limits.surelyFast || run.length >= limits.fewestToTake
    if (isEnough && isTouchKnown(run) && isMechanical(run, timing)) takenFrom = start
  }
  /** Nothing types more than this without a pause. */
  const isTooLong = () =>
    keystrokes.length > longestCode + 20 && (keystrokes.length > longestJoinText + 20 || !isJoinCode())
  const isJoinCode = () =>
    (['us', 'system', 'typed'] as const).some((reading) =>
      isJoinBeginning(
        keystrokes
          .slice(takenFrom ?? 0, (takenFrom ?? 0) + 60)
          .map(({ characters }) => characters[reading])
          .join(''),
      ),
    )
  const addAltCode = () => {
    const character = altCodes.finish()
    if (character) add(character)
  }

  /**
   * Whether the text of a slow run shows that it is a scan: a person could type at this speed, but not this text with
   * keys held so briefly.
   */
  function saysSo(run: Keystroke[], { text, worth }: ReadKeystrokes): boolean {
    if (worth === actionWorth) return true
    if (prefix !== '' && text.startsWith(prefix)) {
      return run.length > prefix.length + 2 && !isLikeHand(run, limits.fingerTouchBehindPrefix)
    }
    return worth > 0 && run.length >= limits.fewestOfSlow && !isLikeHand(run)
  }

  function conclude(): WedgeScan | undefined {
    if (keystrokes.length === 0) return undefined
    // What was taken from the focused field is a scan whatever follows, so that no key is lost.
    const isTaken = takenFrom !== undefined || isTrial
    const run = keystrokes.slice(takenFrom ?? (isTrial ? 0 : startOfScan(keystrokes)))
    const isSure = isTaken || isMechanical(run, timing)
    if (!isSure && isSurelyByHand(run)) return undefined
    const content = read(run, settings, known)
    return isSure || saysSo(run, content) ? scanOf(run, content) : undefined
  }

  const scanOf = (run: Keystroke[], { text, troubles, reading }: ReadKeystrokes): WedgeScan => ({
    text: text.startsWith(prefix) ? text.slice(prefix.length) : text,
    troubles,
    reading,
    timing: timingOf(run),
    mark: run[0]?.mark ?? 0,
  })

  function end(at: number, isComplete: boolean): WedgeAnswer {
    const scan = isComplete ? conclude() : undefined
    const isRapid = isComplete && keystrokes.length > 0
    forget()
    if (!scan) return { kind: 'pass', mark: null, isFirst: false, isRapid }
    // Another line end belongs to the scan only if a keyboard typed it; programs send exactly what they mean.
    if (scan.timing.slowestTouch !== null) scanEndedAt = at
    return { kind: 'scan', scan }
  }

  return {
    press(key) {
      const gap = key.at - lastAt
      lastAt = key.at
      if (gap > timing.longestGap) forget()
      pause = keystrokes.length === 0 ? 0 : Math.max(pause, gap)
      if (!key.alt || isModifier(key.code)) addAltCode()
      if (isModifier(key.code)) return { kind: 'pass', mark: null, isFirst: false, isRapid: false }
      if (isSuffix(key) && keystrokes.length === 0 && key.at - scanEndedAt <= timing.longestGap) {
        // The LF after a CR.
        scanEndedAt = key.at
        return { kind: 'take' }
      }
      if (isSuffix(key)) return end(key.at, true)
      const isFirst = keystrokes.length === 0
      const isRapid = !isFirst && pause <= limits.surelyFast
      const isAltDigit = altCodes.press(key)
      const startsHere = isFirst || pause > limits.surelyFast ? mark : null
      if (!isAltDigit) {
        const characters = charactersOf(key)
        // Some scanners end with another key.
        if (!characters || isTooLong()) return end(key.at, !key.repeat)
        add({ characters, code: key.code, at: key.at, touch: null })
      }
      return takenFrom === undefined ? { kind: 'pass', mark: startsHere, isFirst, isRapid } : { kind: 'take' }
    },
    release({ code, at }) {
      altCodes.release(code, at)
      if (code.startsWith('Alt')) addAltCode()
      else recordRelease(keystrokes, code, at)
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
