import { type DeviceName, type ScannerSettings, type Suffix, deviceNames, scan } from './key-traces/devices'
import { type KeyEvent, createKeyboard } from './key-traces/keyboard'
import { type LayoutName, pressFor } from './key-traces/layouts'
import { type PayloadName, payload, payloadNames } from './key-traces/payloads'
import { type Random, createRandom } from './key-traces/random'
import { type TypingName, typing, typingNames } from './key-traces/typists'

/** The keyboard events of one scan or typing session, and the scans in it. */
export interface Trace {
  events: KeyEvent[]
  /** The texts of the scans, as printed; empty while a person types. */
  scans: string[]
  /** Text that a person typed just before. */
  typedBefore: string
  device: DeviceName | null
  payload: PayloadName | null
  typing: TypingName | null
  layout: LayoutName
  /** The layout the scanner is set to. */
  scannerLayout: LayoutName | null
  capsLock: boolean
}

const aimIds = [']Q1', ']d1', ']C0'] as const
const gs1AimIds = [']Q3', ']d2', ']C1'] as const
const suffixes: [Suffix, ...Suffix[]] = [
  'enter',
  'enter',
  'enter',
  'enter',
  'enter',
  'tab',
  'cr-lf',
  'enter-enter',
  'none',
  'none',
]

/** `count` scans over all devices and payloads, then the same number of typing samples on the same keyboard. */
export function generateTraces(seed: number, count: number): Trace[] {
  const random = createRandom(seed)
  const pairs = deviceNames.flatMap((device) => payloadNames.map((name) => [device, name] as const))
  const scans = Array.from({ length: count }, (_, index) => {
    const [device, name] = pairs[index % pairs.length] ?? [deviceNames[0], payloadNames[0]]
    return scanTrace(device, name, random)
  })
  const typings = Array.from({ length: count }, (_, index) =>
    typingTrace(typingNames[index % typingNames.length] ?? 'prose', random),
  )
  return [...scans, ...typings]
}

const someLayout = (random: Random): LayoutName =>
  random.chance(0.6) ? 'us' : random.pick(['uk', 'german', 'spanish'])

function scanTrace(device: DeviceName, name: PayloadName, random: Random): Trace {
  const layout = someLayout(random)
  const capsLock = random.chance(0.1)
  // Mostly factory settings. An address shows which layout a scanner is set to, so for an address any layout is
  // allowed.
  const isAddress = name.endsWith('address')
  const scannerLayout = isAddress && layout === 'german' && random.chance(0.5) ? 'german' : 'us'
  const settings: ScannerSettings = {
    device,
    layout: scannerLayout,
    suffix: random.pick(suffixes),
    separator: random.pick(['ctrl', 'alt-029', 'alt-0029']),
    isInAltMode: random.chance(0.03),
  }
  const keyboard = createKeyboard(layout, capsLock)
  let at = 0
  const typedBefore = random.chance(0.15) ? random.digits(random.whole(2, 4)) : ''
  if (typedBefore !== '') {
    // No key is pressed again while it is down.
    let upAt = 0
    for (const digit of typedBefore) {
      const held = random.between(70, 110)
      at = Math.max(at + random.between(90, 160), upAt)
      upAt = at + held + 15
      keyboard.press(pressFor(digit, layout), at, held)
    }
    at += random.between(350, 900)
  }
  const scans = Array.from({ length: random.chance(0.1) ? 2 : 1 }, () => {
    const aim =
      random.chance(0.15) && scannerLayout === 'us' ? random.pick(name === 'GS1 elements' ? gs1AimIds : aimIds) : ''
    return aim + payload(name, random)
  })
  for (const text of scans) at = scan(keyboard, text, settings, at, random) + random.between(450, 800)
  return {
    events: keyboard.finish(),
    scans,
    typedBefore,
    device,
    payload: name,
    typing: null,
    layout,
    scannerLayout,
    capsLock,
  }
}

function typingTrace(name: TypingName, random: Random): Trace {
  const layout: LayoutName = random.chance(0.6) ? 'us' : 'uk'
  const capsLock = random.chance(0.05)
  const events = typing(name, layout, capsLock, random)
  return {
    events,
    scans: [],
    typedBefore: '',
    device: null,
    payload: null,
    typing: name,
    layout,
    scannerLayout: null,
    capsLock,
  }
}

export type { KeyEvent }
