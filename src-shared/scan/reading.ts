import { readAim } from './aim'
import { lost } from './characters'
import { classify } from './classify'
import type { Known } from './known'
import { printedId } from './printed-id'
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
export function read(
  strokes: readonly Stroke[],
  { reading: expected, prefix }: WedgeSettings,
  known: Known,
): ReadStrokes {
  const behindPrefix = (text: string) => (text.startsWith(prefix) ? text.slice(prefix.length) : text)
  const textIn = (reading: Reading) => strokes.map(({ characters }) => characters[reading]).join('')
  const typed = textIn('typed')
  const readings = orders[expected].map((reading) => {
    const text = textIn(reading)
    return { text, reading, worth: worthOf(behindPrefix(text), known) }
  })
  const [first, ...others] = readings
  if (!first) throw new Error('there is no reading')
  const best = others.reduce((one, other) => (other.worth > one.worth ? other : one), first)
  const isSure = readings.every(({ text }) => !isOtherIdByCase(behindPrefix(best.text), behindPrefix(text)))
  const text = isSure ? best.text : withoutDoubtful(best.text, typed)
  const troubles = troublesOf(strokes, best.text, typed)
  return { ...best, text: withoutLineEnd(text), troubles: isSure ? troubles : troubles.map(inDoubt) }
}

/**
 * Under Caps Lock a bare id may be another id when its letters are reversed, and nothing shows whether the scanner reversed
 * them itself: no scan is better than a wrong item.
 */
function isOtherIdByCase(one: string, other: string): boolean {
  if (one === other || one.toLowerCase() !== other.toLowerCase()) return false
  const [id, otherId] = [one, other].map((text) => printedId(readAim(text).text))
  return id !== undefined && otherId !== undefined && id !== otherId
}

const inDoubt = (trouble: WedgeTrouble) => (trouble === 'caps-lock' ? 'caps-lock-doubt' : trouble)

/** The letters of which nobody knows whether they are capitals. */
const withoutDoubtful = (text: string, typed: string) =>
  Array.from(text, (character, at) => (character === typed.charAt(at) ? character : lost)).join('')

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

const withoutLineEnd = (text: string) => text.replace(/(?<![\r\n\t])[\r\n\t]+$/, '')
