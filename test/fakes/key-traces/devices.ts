import { type Keyboard, type Modifiers, plain } from './keyboard'
import { type LayoutName, type Press, pressFor } from './layouts'
import type { Random } from './random'

export const deviceNames = [
  'cable, 1 ms',
  'cable, 10 ms',
  'cable, 6-19 ms',
  'cable, 80 ms',
  'Bluetooth, 20-45 ms',
  'Bluetooth, 60-180 ms',
  'Bluetooth, packets',
] as const
export type DeviceName = (typeof deviceNames)[number]

/** ms to the next key, and ms that this key is held, as typical of the device. */
interface Pace {
  gap(): number
  held(gap: number): number
}

/** The devices of `scanner.md`: measured ms per key, Bluetooth with its jitter and with keys that wait for a packet. */
function paceOf(device: DeviceName, random: Random): Pace {
  switch (device) {
    case 'cable, 1 ms':
      return { gap: () => 1, held: () => 0.5 }
    case 'cable, 10 ms':
      return { gap: () => random.around(10, 1, 7), held: (gap) => gap / 2 }
    case 'cable, 6-19 ms':
      return { gap: () => random.between(6, 19), held: () => random.between(2, 5) }
    case 'cable, 80 ms': {
      // Some devices release a key at once, some half-way to the next key.
      const isHalfWay = random.chance(0.3)
      return {
        gap: () => (random.chance(0.1) ? random.between(90, 100) : random.around(80, 4, 60)),
        held: (gap) => (isHalfWay ? gap / 2 : random.between(8, 20)),
      }
    }
    case 'Bluetooth, 20-45 ms':
      return { gap: () => random.between(20, 45), held: () => random.between(7, 15) }
    case 'Bluetooth, 60-180 ms':
      return {
        gap: () => (random.chance(0.06) ? random.between(120, 180) : random.around(85, 15, 60)),
        held: () => random.between(11, 30),
      }
    case 'Bluetooth, packets': {
      let left = 0
      return {
        gap() {
          left = left > 0 ? left - 1 : random.whole(2, 7)
          return left === 0 ? random.between(60, 150) : random.between(0.5, 3)
        },
        held: (gap) => (gap > 10 ? random.between(7, 15) : gap / 3),
      }
    }
  }
}

export type Suffix = 'enter' | 'tab' | 'cr-lf' | 'enter-enter' | 'none'

export interface ScannerSettings {
  device: DeviceName
  /** The scanner's idea of the computer's layout. */
  layout: LayoutName
  suffix: Suffix
  /** How the scanner types GS, or in Alt mode every character. */
  separator: 'ctrl' | 'alt-029' | 'alt-0029'
  isInAltMode: boolean
}

/** Types a text as a scanner does, starting at a time; returns the time of the last key. */
export function scan(
  keyboard: Keyboard,
  text: string,
  settings: ScannerSettings,
  from: number,
  random: Random,
): number {
  const pace = paceOf(settings.device, random)
  let at = from
  const press = (key: Press, modifiers: Modifiers = {}) => {
    const gap = pace.gap()
    const held = pace.held(gap)
    // A modifier goes in the same report as the key.
    if (key.shift) keyboard.press({ ...plain('ShiftLeft'), shift: true }, at, held)
    if (key.altGraph) keyboard.press(plain('AltRight'), at, held)
    if (modifiers.ctrl) keyboard.press(plain('ControlLeft'), at, held, modifiers)
    keyboard.press(key, at, held, modifiers)
    at += gap
  }
  const pressAltCode = (digits: string) => {
    const start = at
    for (const digit of digits) press(plain(`Numpad${digit}`), { alt: true })
    const last = at - 0.1
    keyboard.press(plain('AltLeft'), start - 0.1, last - start + 0.1, { alt: true })
  }
  for (const character of text) {
    if (settings.isInAltMode) pressAltCode(`0${character.charCodeAt(0)}`)
    else if (character !== '\u001d') press(pressFor(character, settings.layout))
    else if (settings.separator === 'ctrl') press(plain('BracketRight'), { ctrl: true })
    else pressAltCode(settings.separator === 'alt-029' ? '029' : '0029')
  }
  if (settings.suffix === 'tab') press(plain('Tab'))
  else if (settings.suffix !== 'none') press(plain('Enter'))
  if (settings.suffix === 'cr-lf') press(plain('KeyJ'), { ctrl: true })
  if (settings.suffix === 'enter-enter') press(plain('Enter'))
  return at
}
