import { familyOf, readAim } from './aim'
import { lost } from './characters'
import { classify, printedId } from './classify'
import type { KnownPrefixes } from './known'
import type { Keystroke } from './keystrokes'
import type { WedgeSettings } from './timing'
import type { WedgeTrouble } from './meaning'
import { isPackageByLengthOnly } from './packages'

/** Which of the three readings of its keys (`Characters`) gave the text of a scan. */
export type Reading = 'us' | 'system' | 'typed'

export interface ReadKeystrokes {
  text: string
  reading: Reading
  /** How certainly the text is a code; 0 for one without a meaning. */
  worth: number
  troubles: WedgeTrouble[]
}

const orders: Record<WedgeSettings['reading'], Reading[]> = {
  auto: ['us', 'system', 'typed'],
  us: ['us', 'typed', 'system'],
  system: ['system', 'typed', 'us'],
}

/** Reads a burst in the way with the most certain meaning, the expected one first, and finds the troubles of its keys. */
export function read(
  keystrokes: readonly Keystroke[],
  { reading: expected, prefix }: WedgeSettings,
  known: KnownPrefixes,
): ReadKeystrokes {
  const behindPrefix = (text: string) => (text.startsWith(prefix) ? text.slice(prefix.length) : text)
  const textIn = (reading: Reading) => keystrokes.map(({ characters }) => characters[reading]).join('')
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
  const troubles = troublesOf(keystrokes, best.text, typed)
  return { ...best, text: withoutLineEnd(text), troubles: isSure ? troubles : troubles.map(inDoubt) }
}

/**
 * Under Caps Lock a bare id with its letters reversed may be another id, and it can't be known whether the scanner reversed
 * them itself. No scan is better than a wrong item.
 */
function isOtherIdByCase(one: string, other: string): boolean {
  if (one === other || one.toLowerCase() !== other.toLowerCase()) return false
  const [id, otherId] = [one, other].map((text) => printedId(readAim(text).text))
  return id !== undefined && otherId !== undefined && id !== otherId
}

const inDoubt = (trouble: WedgeTrouble) => (trouble === 'caps-lock' ? 'caps-lock-doubt' : trouble)

/** Replaces the letters whose case is in doubt. */
const withoutDoubtful = (text: string, typed: string) =>
  Array.from(text, (character, at) => (character === typed.charAt(at) ? character : lost)).join('')

/** Worth of an action's text, which people don't type. */
export const actionWorth = 3

/** An address in mixed case that begins in capitals came with its case reversed. */
const reversedAddress = /^HTTPS?:.*[a-z]/

function worthOf(text: string, known: KnownPrefixes): number {
  const meaning = classify(text, 'other', { known })
  if (meaning.kind === 'unknown') return 0
  if (meaning.kind === 'action') return actionWorth
  const { text: code, aim } = readAim(text)
  const isBare =
    (meaning.kind === 'gs1' && familyOf(aim) !== 'gs1') ||
    (meaning.kind === 'package' && isPackageByLengthOnly(code)) ||
    (meaning.kind === 'tag' && !meaning.certain)
  return isBare || reversedAddress.test(text) ? 1 : 2
}

function troublesOf(keystrokes: readonly Keystroke[], text: string, typed: string): WedgeTrouble[] {
  const troubles = new Set<WedgeTrouble>()
  if (keystrokes.some(({ characters }) => characters.isUnidentified)) troubles.add('unidentified-keys')
  // A swallowed key has no character, so it doesn't tell about Caps Lock or the layout.
  const seen = Array.from(typed, (character, at) => ({ character, meant: text.charAt(at) })).filter(
    ({ character }) => character !== lost,
  )
  const differing = seen.filter(({ character, meant }) => character !== meant)
  if (differing.some(({ character, meant }) => character.toLowerCase() !== meant.toLowerCase())) troubles.add('layout')
  else if (differing.length > 0) troubles.add('caps-lock')
  if (keystrokes.some(({ code, characters }) => code.startsWith('Alt+') && characters.us >= ' '))
    troubles.add('alt-codes')
  return [...troubles]
}

const withoutLineEnd = (text: string) => text.replace(/(?<![\r\n\t])[\r\n\t]+$/, '')
