import { type Wedge, createWedge, defaultTiming } from '../../src-shared/scan/wedge'
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

export interface WedgeSurroundings {
  /** Remembers the focused field, when there is one, before the key reaches it. */
  remember(): FieldMemory | undefined
  onScan(text: string): void
  /** Milliseconds, on the clock of `KeyboardEvent.timeStamp`. */
  now(): number
  wedge?: Wedge
}

/** Time for the next key of a scanner to arrive before a burst without Enter counts as ended, in ms. */
const settleAfter = defaultTiming.longestGap + 20

/**
 * Hears every key before anyone else, hands scans to `onScan` and keeps them out of the focused field. The first keys
 * of a burst can't be told from typing and reach the field, so what it held before them is remembered and put back.
 */
export function createWedgeListener(surroundings: WedgeSurroundings) {
  const wedge = surroundings.wedge ?? createWedge()
  let memory: FieldMemory | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  const scanned = (text: string | undefined) => {
    if (text === undefined) return
    memory?.restore()
    memory = undefined
    surroundings.onScan(text)
  }

  // On a busy page the timer may come before keys that were pressed in time: those first, then the look.
  function settle() {
    timer = setTimeout(() => scanned(wedge.settle(surroundings.now())))
  }

  const keep = (event: KeyPress) => {
    event.preventDefault()
    event.stopImmediatePropagation()
  }

  function press(event: KeyPress) {
    clearTimeout(timer)
    if (event.isComposing) return
    // A burst without Enter that a new key follows late has ended, even if the timer did not get its turn.
    scanned(wedge.settle(event.timeStamp))
    const answer = wedge.press({
      code: event.code,
      key: event.key,
      shift: event.getModifierState('Shift'),
      capsLock: event.getModifierState('CapsLock'),
      command: event.ctrlKey || event.altKey || event.metaKey,
      repeat: event.repeat,
      at: event.timeStamp,
    })
    if (answer.kind === 'pass') {
      if (answer.burstStart) memory = surroundings.remember()
      // The Enter of a short code: a field may have it, a button that happens to have the focus may not.
      if (answer.endsTyping && event.code !== 'Tab' && surroundings.remember() === undefined) keep(event)
    } else {
      keep(event)
    }
    if (answer.kind === 'scan') scanned(answer.text)
    else timer = setTimeout(settle, settleAfter)
  }

  return { press, close: () => clearTimeout(timer) }
}
