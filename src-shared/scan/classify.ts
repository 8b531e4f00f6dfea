import { CaseId, OrderId, TagId, parseId } from '../ids'
import { type AimFamily, familyOf, readAim } from './aim'
import { guessElements, readElements, readGtin, readProductCode } from './gs1'
import { isJoinText } from './join-text'
import { isPrintedBadge } from '../people'
import { type KnownPrefixes, nothingKnown } from './known'
import { type Meaning, type Place, type UnknownReason, actionOf } from './meaning'
import { readLikePackage, readPackageTag, readRetailId } from './packages'

/** Longest code in use, but for join codes; a longer text comes from a stuck key or another device. */
export const longestCode = 500

type Badge = Extract<Meaning, { kind: 'badge' }>

/** The scanner's AIM id, and the prefixes that this station has learnt and set. */
interface ScanContext {
  symbology?: string | null
  known?: KnownPrefixes
  /** The badge of a person of the store, if a text is one. */
  badgeOf?: (text: string) => Badge | undefined
}

/**
 * What a scanned text means, by its form alone. Pure, never throws, reads at most `longestCode` characters. Takes the raw
 * text (AIM id, control characters and white space around it are allowed) and the place of the scan.
 *
 * The most reliable forms come first: actions, badges of people, addresses, ids, package tags; then the station's prefixes; last those with no
 * mark of their own: GS1 element strings, product barcodes, 24 letters and digits, 16 digits.
 */
export function classify(
  scanned: string,
  place: Place,
  { symbology, known = nothingKnown, badgeOf }: ScanContext = {},
): Meaning {
  if (isJoinText(scanned, symbology)) return { kind: 'join' }
  // Room for a prefix, an AIM id and a suffix around the code.
  if (scanned.length > longestCode + 20) return unknown(scanned, 'too-long')
  const { text, aim } = readAim(scanned, symbology)
  if (text === '') return unknown(scanned, 'empty')
  if (text.length > longestCode) return unknown(scanned, 'too-long')
  if (isSeveral(text)) return unknown(scanned, 'several')
  if (!isPrintable(text)) return unknown(scanned, 'damaged')

  const action = actionOf(text)
  if (action) return { kind: 'action', action }
  const badge = badgeOf?.(text)
  if (badge) return badge
  if (isPrintedBadge(text)) return { kind: 'badge', badge: '', proof: null }
  if (isAddress(text)) return readUrl(text, known) ?? unknown(scanned, 'foreign-address')
  const family = familyOf(aim)
  return (
    (family === 'gs1' ? fromGs1(text, place, known) : fromOther(text, place, known, family)) ??
    unknown(scanned, isNearlyAnId(text) ? 'near-id' : 'other')
  )
}

/** A code that declares itself GS1 is its elements, whatever else the text looks like, and never a package by its length. */
const fromGs1 = (text: string, place: Place, known: KnownPrefixes) =>
  fromPrefix(text, known) ?? fromElements(text, readElements(text)) ?? fromId(text, place)

const fromOther = (text: string, place: Place, known: KnownPrefixes, family: AimFamily) =>
  fromId(text, place) ?? fromPrefix(text, known) ?? fromShape(text, family)

/** An address that doesn't begin the text; behind `=` it is a value in the query of the first. */
const laterAddress = /[^=]https?:\/\/[^/?#\s]/i

/** Two ids without anything between them, alone or at the end of an address. */
const twoIds = /(?:^|\/)([0-9A-Za-z]{22})([0-9A-Za-z]{22})\/?$/
/**
 * Whether a text is several codes: two scans that came too fast one after the other, or two labels in one picture. Of an
 * address, white space ends it, and whatever follows is another code.
 */
function isSeveral(text: string): boolean {
  if (laterAddress.test(text) || (isAddress(text) && /\s/.test(text))) return true
  const [, one = '', other = ''] = twoIds.exec(text) ?? []
  if (printedId(one) !== undefined && printedId(other) !== undefined) return true
  return isAddress(text) && hasLaterTag(text)
}

const tagLength = 24

/** Whether a package tag follows the query or fragment of an address. A value of the query stands behind `=`. */
function hasLaterTag(text: string): boolean {
  const before = text.slice(0, -tagLength)
  return /[?#]/.test(before) && !before.endsWith('=') && readPackageTag(text.slice(-tagLength)) !== undefined
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

function fromPrefix(text: string, { scanPrefixes: { order, badge } }: KnownPrefixes): Meaning | undefined {
  const orderText = textAfter(order, text)
  const badgeText = textAfter(badge, text)
  // A failed parse is the slowest step: skipped when there is nothing to parse.
  const orderId = orderText === '' ? undefined : OrderId.safeParse(orderText).data
  // If both match, the longer prefix is the specific one.
  if (badgeText !== '' && (orderId === undefined || badge.length > order.length)) {
    return { kind: 'badge', badge: badgeText }
  }
  return orderId === undefined ? undefined : { kind: 'order', orderId }
}

const textAfter = (prefix: string, text: string) =>
  prefix !== '' && beginsWith(text, prefix) ? text.slice(prefix.length).trim() : ''

const fromElements = (text: string, elements: ReturnType<typeof readElements>): Meaning | undefined =>
  elements && { kind: 'gs1', text, ...elements }

/** `01` and a GTIN are 16 digits, like a BioTrack package: the barcode's kind decides, else the check digit. */
function fromShape(text: string, family: AimFamily): Meaning | undefined {
  const elements = family === 'unsaid' ? fromElements(text, guessElements(text)) : undefined
  if (elements) return elements
  // Keyboard-mode scanners don't say what kind of barcode it was: the check digit does.
  const gtin = family === 'retail' || family === 'unsaid' ? readProductCode(text) : undefined
  if (gtin !== undefined) return { kind: 'gs1', text, gtin, batch: null, serial: null }
  if (isProductTwice(text)) return unknown(text, 'several')
  const like = readLikePackage(text)
  return like && { kind: 'package', ...like }
}

/**
 * Whether digits that have the length of a package are two barcodes of products. Of sixteen, which one in a hundred times
 * could be by chance, only the same barcode twice.
 */
function isProductTwice(text: string): boolean {
  if (!/^(?:\d{16}|\d{24})$/.test(text)) return false
  const [one, other] = [text.slice(0, text.length / 2), text.slice(text.length / 2)]
  return (
    readProductCode(one) !== undefined &&
    (one === other || (text.length === 24 && readProductCode(other) !== undefined))
  )
}

const wrapped = /^(?:urn:uuid:(.{36})|\{(.{36})\})$/i

/** Reads an id in any printed form: ShortUUID, UUID in any case, in braces or as a URN. Gives the short form. */
export function printedId(text: string): string | undefined {
  const inside = wrapped.exec(text)
  return parseId(inside?.[1] ?? inside?.[2] ?? text)
}

/** Letters and digits of nearly the length of an id: a character was cut off, doubled or misread. */
const isNearlyAnId = (text: string): boolean => /^[0-9A-Za-z]{21,23}$/.test(text) && /[A-Za-z]/.test(text)

/** GS, RS and EOT separate the parts of some codes. Any other control character is damage, as is U+FFFD. */
const controls = ['\0-\u0003', '\u0005-\u001c', '\u001f']
const damage = new RegExp(`[${controls.join('')}\ufffd]`)

/** Whether a code can contain the text: no damaged character, no half of a surrogate pair. */
export const isPrintable = (text: string): boolean => !damage.test(text) && text.isWellFormed()

/** Case-insensitive, because scanners and Caps Lock change the case. */
const beginsWith = (text: string, prefix: string): boolean =>
  text.slice(0, prefix.length).toUpperCase() === prefix.toUpperCase()

const address = /^https?:\/\/[^/?#\s]+(?:\/([^?#\s]*))?/i

const isAddress = (text: string): boolean => /^https?:\/\/[^/?#\s]/i.test(text)

/**
 * What a printed address means. Tried in this order: the learnt prefixes of the service's own addresses, Metrc Retail ID,
 * `https://HOST/<TagID>` and `https://HOST/case/<identifier>` on any host, GS1 Digital Link.
 */
function readUrl(text: string, known: KnownPrefixes): Meaning | undefined {
  const learnt = fromLearnt(text, known)
  if (learnt) return learnt
  const retail = readRetailId(text)
  if (retail) return { kind: 'package', ...retail }
  const path = address.exec(text)?.[1] ?? ''
  return fromPath(path) ?? fromDigitalLink(text, path)
}

function tagMeaning(id: string, certain: boolean): Meaning {
  return { kind: 'tag', tagId: TagId.parse(id), certain }
}

function caseMeaning(identifier: string, certain: boolean): Meaning {
  const id = printedId(identifier)
  const caseId = id === undefined ? null : CaseId.parse(id)
  return { kind: 'case', identifier: caseId ?? identifier, caseId, certain }
}

/** The longest matching prefix wins: that of cases may begin with that of items. */
function fromLearnt(text: string, { tagPrefixes, casePrefixes }: KnownPrefixes): Meaning | undefined {
  const matching = [
    ...tagPrefixes.map((prefix) => ({ prefix, isCase: false })),
    ...casePrefixes.map((prefix) => ({ prefix, isCase: true })),
  ].filter(({ prefix }) => prefix !== '' && beginsWith(text, prefix))
  matching.sort((a, b) => b.prefix.length - a.prefix.length)
  for (const { prefix, isCase } of matching) {
    const segment = segmentAfter(prefix, text)
    const identifier = segment.includes('/') ? undefined : decoded(segment)
    if (identifier === undefined) continue
    if (isCase) return caseMeaning(identifier, true)
    const id = printedId(identifier)
    if (id !== undefined) return tagMeaning(id, true)
  }
  return undefined
}

/** The part of the address after the prefix, up to the next query or fragment, without one slash at the end. */
function segmentAfter(prefix: string, text: string): string {
  const rest = text.slice(prefix.length)
  const isInQuery = prefix.includes('?')
  const end = rest.search(isInQuery ? /[&#]/ : /[?#]/)
  const segment = end < 0 ? rest : rest.slice(0, end)
  return !isInQuery && segment.endsWith('/') ? segment.slice(0, -1) : segment
}

function fromPath(path: string): Meaning | undefined {
  const { folder, name } = lastOf(path)
  const last = decoded(name)
  if (last === undefined) return undefined
  if (lastOf(folder).name.toLowerCase() === 'case') return caseMeaning(last, true)
  const id = printedId(last)
  return id === undefined ? undefined : tagMeaning(id, true)
}

/** The last segment of a path and what is before it; slashes at the end are ignored. */
function lastOf(path: string): { folder: string; name: string } {
  let end = path.length
  while (path.charAt(end - 1) === '/') end -= 1
  const start = path.lastIndexOf('/', end - 1) + 1
  return { folder: path.slice(0, start), name: path.slice(start, end) }
}

const digitalLink = /(?:^|\/)01\/+(\d{8,14})(?:\/(.*))?$/
const batchIn = /(?:^|\/)10\/+([^/]+)/
const serialIn = /(?:^|\/)21\/+([^/]+)/

/** GS1 Digital Link: `https://HOST/…/01/<GTIN>/10/<batch>/21/<serial>`. */
function fromDigitalLink(text: string, path: string): Meaning | undefined {
  const [, digits = '', rest = ''] = digitalLink.exec(path) ?? []
  const gtin = readGtin(digits)
  if (gtin === undefined) return undefined
  const part = (form: RegExp) => decoded(form.exec(rest)?.[1] ?? '') ?? null
  return { kind: 'gs1', text, gtin, batch: part(batchIn), serial: part(serialIn) }
}

/** Valid percent-encoded UTF-8. Checked first, because throw and catch take many times as long. */
const percentForm =
  /^(?:[^%]|%[0-7][\da-f]|%[cd][\da-f]%[89ab][\da-f]|%e[\da-f](?:%[89ab][\da-f]){2}|%f[0-4](?:%[89ab][\da-f]){3})*$/i

/** Decodes a percent-encoded segment; undefined if it is empty, invalid, or not printable. */
function decoded(segment: string): string | undefined {
  if (!percentForm.test(segment)) return undefined
  try {
    const text = decodeURIComponent(segment).trim()
    return text !== '' && isPrintable(text) ? text : undefined
  } catch {
    // Overlong forms and the like.
    return undefined
  }
}
