import { AltCodes, type Key, charactersOf } from './characters'
import { longestCode } from './classify'
import { isJoinBeginning, longestJoinText } from './join-text'
import { type KnownPrefixes, nothingKnown } from './known'
import { type ReadKeystrokes, type Reading, actionWorth, read } from './reading'
import {
  type Keystroke,
  isFast,
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
 *   button. `short`: what ended with it is a scan if no field had the focus; it is too short to be taken from one.
 * - `take`: it belongs to a scan; keep it from the focused field.
 * - `scan`: the scan ended with this key. Take it too, and undo what was typed since `mark`.
 */
export type WedgeAnswer =
  | { kind: 'pass'; mark: number | null; isFirst: boolean; isRapid: boolean; short?: WedgeScan }
  | { kind: 'take' }
  | { kind: 'scan'; scan: WedgeScan }

const isModifier = (code: string) => /^(?:Shift|Control|Alt|Meta|CapsLock|NumLock)/.test(code)
/** Enter, Tab, and line ends that scanners type as Ctrl+J and Ctrl+M. */
const isSuffix = ({ code, ctrl, alt }: Key) =>
  ctrl && !alt ? code === 'KeyJ' || code === 'KeyM' : /^(?:Enter|NumpadEnter|Tab)$/.test(code)

/** Whether the first keys are those of a join code, whose text is longer than any other. */
const isJoinCode = (beginning: readonly Keystroke[]) =>
  (['us', 'system', 'typed'] as const).some((reading) =>
    isJoinBeginning(beginning.map(({ characters }) => characters[reading]).join('')),
  )

/**
 * Whether the text of a slow run shows that it is a scan: a person could type at this speed, but not this text with
 * keys held so briefly.
 */
function saysSo(run: Keystroke[], { text, worth }: ReadKeystrokes, prefix: string): boolean {
  if (worth === actionWorth) return true
  if (prefix !== '' && text.startsWith(prefix)) {
    return run.length > prefix.length + 2 && !isLikeHand(run, limits.fingerTouchBehindPrefix)
  }
  return worth > 0 && run.length >= limits.fewestOfSlow && !isLikeHand(run)
}

const scanOf = (run: Keystroke[], { text, troubles, reading }: ReadKeystrokes, prefix: string): WedgeScan => ({
  text: text.startsWith(prefix) ? text.slice(prefix.length) : text,
  troubles,
  reading,
  timing: timingOf(run),
  mark: run[0]?.mark ?? 0,
})

/** Tells scans from typing, key by key. One per window; invariants in `wedge.md`. */
export class Wedge {
  readonly #settings: WedgeSettings
  readonly #known: KnownPrefixes
  readonly #isTrial: boolean
  readonly #altCodes = new AltCodes()
  #keystrokes: Keystroke[] = []
  /** Index of the first key that is taken. */
  #takenFrom: number | undefined
  #lastAt = Number.NEGATIVE_INFINITY
  /** Longest gap since the last character; modifiers count as presses. */
  #pause = 0
  #scanEndedAt = Number.NEGATIVE_INFINITY
  #mark = 0

  /** `isTrial`: everything typed without a pause counts as a scan, for the test panel. */
  constructor(
    settings: WedgeSettings = defaultSettings,
    known: KnownPrefixes = nothingKnown,
    { isTrial = false } = {},
  ) {
    this.#settings = settings
    this.#known = known
    this.#isTrial = isTrial
  }

  press(key: Key): WedgeAnswer {
    this.#pass(key)
    if (isModifier(key.code)) return { kind: 'pass', mark: null, isFirst: false, isRapid: false }
    if (isSuffix(key)) return this.#suffix(key)
    const isFirst = this.#keystrokes.length === 0
    const isRapid = !isFirst && this.#pause <= limits.surelyFast
    const isAltDigit = this.#altCodes.press(key)
    const startsHere = isFirst || this.#pause > limits.surelyFast ? this.#mark : null
    if (!isAltDigit) {
      const characters = charactersOf(key)
      // Some scanners end with another key.
      if (!characters || this.#isTooLong()) return this.#end(key.at, !key.repeat)
      this.#add({ characters, code: key.code, at: key.at, touch: null })
    }
    return this.#takenFrom === undefined ? { kind: 'pass', mark: startsHere, isFirst, isRapid } : { kind: 'take' }
  }

  /** A key was released. Without releases scans are still found, but no key is taken before the end. */
  release({ code, at }: Pick<Key, 'code' | 'at'>): void {
    this.#altCodes.release(code, at)
    if (code.startsWith('Alt')) this.#addAltCode()
    else recordRelease(this.#keystrokes, code, at)
  }

  /**
   * For scanners without a suffix: the scan, if the last key is longer than the longest gap before `now`. Call it some time
   * after the last key and before the next one.
   */
  settle(now: number): WedgeScan | undefined {
    if (now - this.#lastAt <= this.#settings.timing.longestGap) return undefined
    this.#addAltCode()
    const scan = this.#conclude()
    this.#forget()
    return scan
  }

  /** Notes the time of a press: after a long gap it begins something new. */
  #pass(key: Key): void {
    const gap = key.at - this.#lastAt
    this.#lastAt = key.at
    if (gap > this.#settings.timing.longestGap) this.#forget()
    this.#pause = this.#keystrokes.length === 0 ? 0 : Math.max(this.#pause, gap)
    if (!key.alt || isModifier(key.code)) this.#addAltCode()
  }

  #suffix({ at }: Key): WedgeAnswer {
    const isSecond = this.#keystrokes.length === 0 && at - this.#scanEndedAt <= this.#settings.timing.longestGap
    if (!isSecond) return this.#end(at, true)
    // The LF after a CR.
    this.#scanEndedAt = at
    return { kind: 'take' }
  }

  #forget(): void {
    this.#keystrokes = []
    this.#takenFrom = undefined
    this.#pause = 0
    this.#altCodes.finish()
  }

  #add(key: Pick<Keystroke, 'characters' | 'code' | 'at' | 'touch'>): void {
    const keystrokes = this.#keystrokes
    const gap = keystrokes.length === 0 ? 0 : this.#pause
    keystrokes.push({ ...key, gap, isOverlapped: false, mark: this.#mark++ })
    this.#pause = 0
    if (this.#takenFrom !== undefined) return
    // Only keys that certainly belong to a scan are taken; all others stay typing.
    const start = startOfScan(keystrokes)
    const run = keystrokes.slice(start)
    const isEnough = slowestGap(run) <= limits.surelyFast || run.length >= limits.fewestToTake
    if (isEnough && isTouchKnown(run) && isMechanical(run, this.#settings.timing)) this.#takenFrom = start
  }

  #addAltCode(): void {
    const character = this.#altCodes.finish()
    if (character) this.#add(character)
  }

  /** Nothing types more than this without a pause. */
  #isTooLong(): boolean {
    const { length } = this.#keystrokes
    if (length <= longestCode + 20) return false
    const start = this.#takenFrom ?? 0
    return length > longestJoinText + 20 || !isJoinCode(this.#keystrokes.slice(start, start + 60))
  }

  #conclude(): WedgeScan | undefined {
    const { timing, prefix } = this.#settings
    const keystrokes = this.#keystrokes
    if (keystrokes.length === 0) return undefined
    // What was taken from the focused field is a scan whatever follows, so that no key is lost.
    const isTaken = this.#takenFrom !== undefined || this.#isTrial
    const run = keystrokes.slice(this.#takenFrom ?? (this.#isTrial ? 0 : startOfScan(keystrokes)))
    const isSure = isTaken || isMechanical(run, timing)
    if (!isSure && isSurelyByHand(run)) return undefined
    const content = read(run, this.#settings, this.#known)
    return isSure || saysSo(run, content, prefix) ? scanOf(run, content, prefix) : undefined
  }

  /** A burst of few characters that is as fast as a scanner. */
  #short(): WedgeScan | undefined {
    const run = this.#keystrokes
    if (run.length < limits.fewestOutside || run.length >= limits.fewestCharacters) return undefined
    if (!isFast(run) || isSurelyByHand(run)) return undefined
    return scanOf(run, read(run, this.#settings, this.#known), this.#settings.prefix)
  }

  #end(at: number, isComplete: boolean): WedgeAnswer {
    const scan = isComplete ? this.#conclude() : undefined
    const isRapid = isComplete && this.#keystrokes.length > 0
    const short = isRapid && !scan ? this.#short() : undefined
    this.#forget()
    if (!scan) return { kind: 'pass', mark: null, isFirst: false, isRapid, ...(short && { short }) }
    // Another line end belongs to the scan only if a keyboard typed it; programs send exactly what they mean.
    if (scan.timing.slowestTouch !== null) this.#scanEndedAt = at
    return { kind: 'scan', scan }
  }
}
