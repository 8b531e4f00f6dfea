import { lost } from './characters'
import { classify } from './classify'
import type { Known } from './known'
import type { Stroke } from './strokes'
import type { WedgeSettings } from './timing'
import type { WedgeTrouble } from './trouble'

/** In which way the keys of a scan make sense. */
export type Reading = 'us' | 'system' | 'typed'

export interface ReadStrokes {
  text: string
  reading: Reading
  /** How sure it is that the text is a code: 0 for one without a meaning. */
  worth: number
  troubles: WedgeTrouble[]
}

const orders: Record<WedgeSettings['reading'], Reading[]> = {
  auto: ['us', 'system', 'typed'],
  us: ['us', 'typed', 'system'],
  system: ['system', 'typed', 'us'],
}

/** Reads a burst in the way that means most, the expected one first, and says what was amiss with its keys. */
export function read(strokes: readonly Stroke[], expected: WedgeSettings['reading'], known: Known): ReadStrokes {
  const textIn = (reading: Reading) => strokes.map(({ characters }) => characters[reading]).join('')
  const typed = textIn('typed')
  const [first, ...others] = orders[expected].map((reading) => {
    const text = textIn(reading)
    return { text, reading, worth: worthOf(text, known) }
  })
  if (!first) throw new Error('there is no reading')
  const best = others.reduce((one, other) => (other.worth > one.worth ? other : one), first)
  return { ...best, text: withoutLineEnd(best.text), troubles: troublesOf(strokes, best.text, typed) }
}

/** No person types the text of an action. */
export const actionWorth = 3

/** A mixed address that begins in capitals was printed the other way round. */
const reversedAddress = /^HTTPS?:.*[a-z]/

function worthOf(text: string, known: Known): number {
  const meaning = classify(text, 'other', { known })
  if (meaning.kind === 'unknown') return 0
  if (meaning.kind === 'action') return actionWorth
  const isBare = meaning.kind === 'gs1' || (meaning.kind === 'tag' && !meaning.certain)
  return isBare || reversedAddress.test(text) ? 1 : 2
}

function troublesOf(strokes: readonly Stroke[], text: string, typed: string): WedgeTrouble[] {
  const troubles = new Set<WedgeTrouble>()
  if (strokes.some(({ characters }) => characters.isUnidentified)) troubles.add('unidentified-keys')
  // A swallowed key shows no character at all: it says nothing of Caps Lock or the layout.
  const seen = Array.from(typed, (character, at) => ({ character, meant: text.charAt(at) })).filter(
    ({ character }) => character !== lost,
  )
  const differing = seen.filter(({ character, meant }) => character !== meant)
  if (differing.some(({ character, meant }) => character.toLowerCase() !== meant.toLowerCase())) troubles.add('layout')
  else if (differing.length > 0) troubles.add('caps-lock')
  if (strokes.some(({ code, characters }) => code.startsWith('Alt+') && characters.us >= ' ')) troubles.add('alt-codes')
  return [...troubles]
}

const withoutLineEnd = (text: string) => text.replace(/[\r\n\t]+$/, '')
