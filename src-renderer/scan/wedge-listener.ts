import { type Wedge, type WedgeAnswer, type WedgeScan, createWedge } from '../../src-shared/scan/wedge'
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

/**
 * Reads every key before the page does, passes scans to `onScan` and keeps them out of the focused element. The first
 * keys of a scan can't be told from typing and reach that element, so its content is remembered before and restored.
 */
export function createWedgeListener(surroundings: WedgeSurroundings) {
  let { wedge = createWedge(), settleAfter = defaultSettings.timing.longestGap + 20 } = surroundings
  /** Replaces the current wedge after a pause: that one may still wait for the end of a scan, e.g. an LF. */
  let next: { wedge: Wedge; settleAfter: number } | undefined
  let lastAt = Number.NEGATIVE_INFINITY
  /** The content of the focused element before each key press that may begin a scan. */
  const memories = new Map<number, FieldMemory | undefined>()
  let timer: ReturnType<typeof setTimeout> | undefined

  const scanned = (scan: WedgeScan | undefined) => {
    const memory = scan && memories.get(scan.mark)
    memories.clear()
    if (!scan) return
    memory?.restore()
    surroundings.onScan(scan)
  }

  // On a busy page the timer may fire before keys that were pressed in time: these are handled first.
  function settle() {
    timer = setTimeout(() => scanned(wedge.settle(surroundings.now())))
  }

  const keep = (event: KeyPress) => {
    event.preventDefault()
    event.stopImmediatePropagation()
  }

  /** Leaves a key to the focused element, unless a scanner would press a button with it. */
  function pass(event: KeyPress, { mark, isFirst, isRapid }: Extract<WedgeAnswer, { kind: 'pass' }>) {
    if (isFirst) memories.clear()
    // An input method loses its text when the selection is touched.
    if (mark !== null) memories.set(mark, surroundings.remember(isFirst && !event.isComposing))
    const isPressing = event.code === 'Enter' || event.code === 'NumpadEnter' || event.code === 'Space'
    if (!isRapid || !isPressing) return
    const there = surroundings.remember(false)
    if (there === undefined || there.isPressed) keep(event)
  }

  function press(event: KeyPress) {
    clearTimeout(timer)
    // A late key ends a scan without a suffix, even if the timer has not fired yet.
    const late = wedge.settle(event.timeStamp)
    if (late) scanned(late)
    if (next && event.timeStamp - lastAt > settleAfter) {
      ;({ wedge, settleAfter } = next)
      next = undefined
      memories.clear()
    }
    lastAt = event.timeStamp
    const answer = wedge.press({
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
    if (answer.kind === 'pass') pass(event, answer)
    else keep(event)
    if (answer.kind === 'scan') scanned(answer.scan)
    else timer = setTimeout(settle, settleAfter)
  }

  return {
    press,
    release: (event: Pick<KeyPress, 'code' | 'timeStamp'>) => wedge.release({ code: event.code, at: event.timeStamp }),
    /** Uses other settings after the next pause in typing. */
    use(settings: WedgeSettings, known: KnownPrefixes, isTrial: boolean) {
      next = { wedge: createWedge(settings, known, { isTrial }), settleAfter: settings.timing.longestGap + 20 }
    },
    close: () => clearTimeout(timer),
  }
}
