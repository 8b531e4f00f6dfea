import type { Key } from '../../../src-shared/scan/characters'
import type { Wedge, WedgeAnswer, WedgeScan } from '../../../src-shared/scan/wedge'
import { type KeyEvent, type Modifiers, createKeyboard, plain } from './keyboard'
import { type LayoutName, type Press, pressFor } from './layouts'

export interface SteadyTyping {
  /** ms from key to key, and ms that each key is held. */
  gap?: number
  held?: number
  from?: number
  layout?: LayoutName
  scannerLayout?: LayoutName
  capsLock?: boolean
}

const commands: Record<string, [Press, Modifiers]> = {
  '\n': [plain('Enter'), {}],
  '\t': [plain('Tab'), {}],
  '\u001d': [plain('BracketRight'), { ctrl: true }],
}

/** The keys of a text at an even pace; `\n` is Enter, `\t` Tab and GS Ctrl+]. */
export function steadily(text: string, how: SteadyTyping = {}): KeyEvent[] {
  const { gap = 5, held = gap / 2, from = 1_000, layout = 'us', scannerLayout = layout, capsLock = false } = how
  const keyboard = createKeyboard(layout, capsLock)
  for (const [index, character] of Array.from(text).entries()) {
    const [press, modifiers] = commands[character] ?? [pressFor(character, scannerLayout), {}]
    if (press.shift) keyboard.press({ ...plain('ShiftLeft'), shift: true }, from + index * gap, held)
    keyboard.press(press, from + index * gap, held, modifiers)
  }
  return keyboard.finish()
}

const asKey = (event: KeyEvent): Key => ({ ...event, meta: false })

/** Feeds the events to a wedge, as a listener would, but without timers: only a later key ends a scan. */
export function play(wedge: Wedge, events: KeyEvent[]): { answers: WedgeAnswer[]; scans: WedgeScan[] } {
  const answers: WedgeAnswer[] = []
  const scans: WedgeScan[] = []
  for (const event of events) {
    if (event.type === 'keyup') {
      wedge.release(event)
      continue
    }
    const settled = wedge.settle(event.at)
    if (settled) scans.push(settled)
    const answer = wedge.press(asKey(event))
    if (!/^(?:Shift|Control|Alt)/.test(event.code)) answers.push(answer)
    if (answer.kind === 'scan') scans.push(answer.scan)
  }
  return { answers, scans }
}
