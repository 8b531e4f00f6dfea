import { type WedgeTiming, adapt, defaultSettings, tuneTo } from '../../../src-shared/scan/timing'
import { Wedge } from '../../../src-shared/scan/wedge'
import { type DeviceName, scan } from './devices'
import { createKeyboard } from './keyboard'
import { known, payload } from './payloads'
import { play } from './play'
import { type Random, createRandom } from './random'

/** A scan of an item's address or, for the test panel, of a short code. */
function paceOf(device: DeviceName, random: Random, { isTrial = false, timing = defaultSettings.timing } = {}) {
  const keyboard = createKeyboard('us', false)
  const text = payload(isTrial ? 'product number' : 'item address', random)
  scan(keyboard, text, { device, layout: 'us', suffix: 'enter', separator: 'ctrl', isInAltMode: false }, 0, random)
  return play(new Wedge({ ...defaultSettings, timing }, known, { isTrial }), keyboard.finish()).scans[0]?.timing
}

function learnt(devices: DeviceName[], count: number, random: Random, from = defaultSettings.timing): WedgeTiming {
  let timing = from
  for (let index = 0; index < count; index++) {
    const pace = paceOf(devices[index % devices.length] ?? 'cable, 10 ms', random, { timing })
    if (pace) timing = adapt(timing, pace)
  }
  return timing
}

/**
 * As the test panel sets it from the first scan whose keys are held half-way to the next key, which is the hardest
 * case.
 */
function tuned(random: Random): WedgeTiming {
  for (;;) {
    const pace = paceOf('cable, 80 ms', random, { isTrial: true })
    if (pace?.medianTouch != null && pace.medianTouch > 30) return tuneTo(defaultSettings.timing, pace)
  }
}

export const stationNames = [
  'a new station',
  'after 40 scans of a fast scanner',
  'tuned to a slow scanner',
  'a fast and a slow scanner in turn',
  'tuned, then both in turn',
] as const
export type StationName = (typeof stationNames)[number]

/** Station states before a trace begins, learned or configured: every one must read every scanner. */
export function timingOf(name: StationName): WedgeTiming {
  const random = createRandom(11)
  const inTurn: DeviceName[] = ['cable, 10 ms', 'Bluetooth, 60-180 ms']
  switch (name) {
    case 'a new station':
      return defaultSettings.timing
    case 'after 40 scans of a fast scanner':
      return learnt(['cable, 10 ms'], 40, random)
    case 'tuned to a slow scanner':
      return tuned(random)
    case 'a fast and a slow scanner in turn':
      return learnt(inTurn, 40, random)
    case 'tuned, then both in turn':
      return learnt(inTurn, 40, random, tuned(random))
  }
}
