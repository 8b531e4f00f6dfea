import { Wedge, type WedgeAnswer, type WedgeScan } from '../../src-shared/scan/wedge'
import type { Key } from '../../src-shared/scan/characters'
import type { KnownPrefixes } from '../../src-shared/scan/known'
import { type WedgeSettings, defaultSettings } from '../../src-shared/scan/timing'
import type { FieldMemory } from './focused-field'

/** The part of a keyboard event that the listener reads and answers. */
export type KeyPress = Pick<
  KeyboardEvent,
  | 'code'
  | 'key'
  | 'ctrlKey'
  | 'altKey'
  | 'metaKey'
  | 'repeat'
  | 'timeStamp'
  | 'isComposing'
  | 'getModifierState'
  | 'preventDefault'
  | 'stopImmediatePropagation'
>

interface WedgeSurroundings {
  /**
   * Remembers the focused element before the key reaches it; undefined when keys change nothing there. `isPause`: the key
   * is the first after a rest.
   */
  remember(isPause: boolean): FieldMemory | undefined
  onScan(scan: WedgeScan): void
  /** Milliseconds, on the clock of `KeyboardEvent.timeStamp`. */
  now(): number
  wedge?: Wedge
  /** Time after the last key in which the next one of a scan must have come, in ms. */
  settleAfter?: number
}

interface UsedWedge {
  wedge: Wedge
  settleAfter: number
}

const settleTime = ({ timing }: WedgeSettings) => timing.longestGap + 20

/**
 * Reads every key before the page does, passes scans to `onScan` and keeps them out of the focused element. The first
 * keys of a scan can't be told from typing and reach that element, so its content is remembered before and restored.
 */
export class WedgeListener {
  readonly #surroundings: WedgeSurroundings
  #used: UsedWedge
  /** Replaces the current wedge after a pause: that one may still wait for the end of a scan, e.g. an LF. */
  #next: UsedWedge | undefined
  #lastAt = Number.NEGATIVE_INFINITY
  /** The content of the focused element before each key press that may begin a scan. */
  readonly #memories = new Map<number, FieldMemory | undefined>()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(surroundings: WedgeSurroundings) {
    const { wedge = new Wedge(), settleAfter = settleTime(defaultSettings) } = surroundings
    this.#surroundings = surroundings
    this.#used = { wedge, settleAfter }
  }

  press(event: KeyPress): void {
    clearTimeout(this.#timer)
    // A late key ends a scan without a suffix, even if the timer has not fired yet.
    const late = this.#used.wedge.settle(event.timeStamp)
    if (late) this.#scanned(late)
    if (this.#next && event.timeStamp - this.#lastAt > this.#used.settleAfter) {
      this.#used = this.#next
      this.#next = undefined
      this.#memories.clear()
    }
    this.#lastAt = event.timeStamp
    const answer = this.#used.wedge.press(keyOf(event))
    if (answer.kind === 'pass') this.#pass(event, answer)
    else keep(event)
    if (answer.kind === 'scan') this.#scanned(answer.scan)
    else this.#timer = setTimeout(() => this.#settle(), this.#used.settleAfter)
  }

  release({ code, timeStamp }: Pick<KeyPress, 'code' | 'timeStamp'>): void {
    this.#used.wedge.release({ code, at: timeStamp })
  }

  /** Uses other settings after the next pause in typing. */
  use(settings: WedgeSettings, known: KnownPrefixes, isTrial: boolean): void {
    this.#next = { wedge: new Wedge(settings, known, { isTrial }), settleAfter: settleTime(settings) }
  }

  close(): void {
    clearTimeout(this.#timer)
  }

  #scanned(scan: WedgeScan): void {
    const memory = this.#memories.get(scan.mark)
    this.#memories.clear()
    memory?.restore()
    this.#surroundings.onScan(scan)
  }

  // On a busy page the timer may fire before keys that were pressed in time: these are handled first.
  #settle(): void {
    this.#timer = setTimeout(() => {
      const scan = this.#used.wedge.settle(this.#surroundings.now())
      // Otherwise the fields stay remembered: by the clock of its keys, a scan may still be under way.
      if (scan) this.#scanned(scan)
    })
  }

  /** Leaves a key to the focused element, unless a scanner would press a button with it. */
  #pass(event: KeyPress, { mark, isFirst, isRapid, short }: Extract<WedgeAnswer, { kind: 'pass' }>): void {
    if (isFirst) this.#memories.clear()
    // An input method loses its text when the selection is touched.
    if (mark !== null) this.#memories.set(mark, this.#surroundings.remember(isFirst && !event.isComposing))
    const isPressing = event.code === 'Enter' || event.code === 'NumpadEnter' || event.code === 'Space'
    if (!isRapid || !isPressing) return
    const there = this.#surroundings.remember(false)
    if (there !== undefined && !there.isPressed) return
    keep(event)
    if (short) this.#surroundings.onScan(short)
  }
}

const keyOf = (event: KeyPress): Key => ({
  code: event.code,
  key: event.key,
  shift: event.getModifierState('Shift'),
  capsLock: event.getModifierState('CapsLock'),
  ctrl: event.ctrlKey,
  alt: event.altKey,
  meta: event.metaKey,
  altGraph: event.getModifierState('AltGraph'),
  repeat: event.repeat,
  at: event.timeStamp,
})

/** Keeps a key from the page. */
function keep(event: KeyPress): void {
  event.preventDefault()
  event.stopImmediatePropagation()
}
