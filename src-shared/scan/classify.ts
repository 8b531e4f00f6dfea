import { OrderId } from '../ids'
import { actionOf } from './actions'
import { type AimFamily, familyOf, readAim } from './aim'
import { guessElements, readElements, readGtin } from './gs1'
import { type Known, nothingKnown } from './known'
import type { Meaning, Place, UnknownReason } from './meaning'
import { readLikePackage, readPackageTag } from './packages'
import { beginsWith } from './prefix'
import { isPrintable } from './printable'
import { isNearlyAnId, printedId } from './printed-id'
import { caseMeaning, isAddress, readUrl, tagMeaning } from './urls'

/** No code of the field is longer; more is a stuck key or another device. */
export const longestCode = 500

/** What else is known of a scan: the scanner's AIM id, and what this station has learnt and set. */
export interface ScanContext {
  symbology?: string | null
  known?: Known
}

/**
 * What a scanned text means, without asking anyone: pure, total, never throws, and reads no more than `longestCode`
 * characters. Takes the text as the scanner gave it (AIM id, control characters and white space around it are allowed)
 * and the place of the scan.
 *
 * The surest forms come first: actions, addresses, ids and package tags, then the station's own prefixes, and only then what
 * is no more than a shape: GS1 element strings, 24 letters, 16 digits.
 */
export function classify(
  scanned: string,
  place: Place,
  { symbology, known = nothingKnown }: ScanContext = {},
): Meaning {
  // Room for what surrounds a code: a prefix, an AIM id, a suffix.
  if (scanned.length > longestCode + 20) return unknown(scanned, 'too-long')
  const { text, aim } = readAim(scanned, symbology)
  if (text === '') return unknown(scanned, 'empty')
  if (text.length > longestCode) return unknown(scanned, 'too-long')
  if (!isPrintable(text)) return unknown(scanned, 'damaged')

  const action = actionOf(text)
  if (action) return { kind: 'action', action }
  if (isAddress(text)) return readUrl(text, known) ?? unknown(scanned, 'foreign-address')
  return (
    fromId(text, place) ??
    fromPrefix(text, known) ??
    fromShape(text, familyOf(aim)) ??
    unknown(scanned, isNearlyAnId(text) ? 'near-id' : 'other')
  )
}

const unknown = (scanned: string, reason: UnknownReason): Meaning => ({
  kind: 'unknown',
  text: scanned.slice(0, longestCode).trim(),
  reason,
})

function fromId(text: string, place: Place): Meaning | undefined {
  const id = printedId(text)
  if (id !== undefined) return place === 'receiving' ? caseMeaning(id, false) : tagMeaning(id, false)
  const tag = readPackageTag(text)
  return tag && { kind: 'package', ...tag }
}

function fromPrefix(text: string, { scanPrefixes: { order, badge } }: Known): Meaning | undefined {
  const orderText = textAfter(order, text)
  const badgeText = textAfter(badge, text)
  // A failed parse is the slowest step of them all: it is left out where there is nothing to parse.
  const orderId = orderText === '' ? undefined : OrderId.safeParse(orderText).data
  // The longer prefix continues the other one.
  if (badgeText !== '' && (orderId === undefined || badge.length > order.length)) {
    return { kind: 'badge', badge: badgeText }
  }
  return orderId === undefined ? undefined : { kind: 'order', orderId }
}

const textAfter = (prefix: string, text: string) =>
  prefix !== '' && beginsWith(text, prefix) ? text.slice(prefix.length).trim() : ''

/** `01` and a GTIN are 16 digits, as a BioTrack package: what the scanner says of the barcode decides, else the check digit. */
function fromShape(text: string, family: AimFamily): Meaning | undefined {
  const elements = family === 'gs1' ? readElements(text) : family === 'unsaid' ? guessElements(text) : undefined
  if (elements) return { kind: 'gs1', text, ...elements }
  const gtin = family === 'retail' ? readGtin(text) : undefined
  if (gtin !== undefined) return { kind: 'gs1', text, gtin, batch: null, serial: null }
  const like = readLikePackage(text)
  return like && { kind: 'package', ...like }
}
