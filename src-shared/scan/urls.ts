import { CaseId, TagId } from '../ids'
import type { Known } from './known'
import type { Meaning } from './meaning'
import { readGtin } from './gs1'
import { readRetailId } from './packages'
import { isPrintable } from './printable'
import { printedId } from './printed-id'

const address = /^https?:\/\/[^/?#\s]+(?:\/([^?#\s]*))?/i

export const isAddress = (text: string): boolean => address.test(text)

/**
 * What a printed address means. The addresses that the service was seen to print come first, then the Metrc Retail ID,
 * the form `https://HOST/<TagID>` and `https://HOST/case/<identifier>` on any host, and last the GS1 Digital Link.
 */
export function readUrl(text: string, known: Known): Meaning | undefined {
  const learnt = fromLearnt(text, known)
  if (learnt) return learnt
  const retail = readRetailId(text)
  if (retail) return { kind: 'package', ...retail }
  const segments = (address.exec(text)?.[1] ?? '').split('/').filter((segment) => segment !== '')
  return fromPath(segments) ?? fromDigitalLink(text, segments)
}

export function tagMeaning(id: string, certain: boolean): Meaning {
  return { kind: 'tag', tagId: TagId.parse(id), certain }
}

export function caseMeaning(identifier: string, certain: boolean): Meaning {
  const id = printedId(identifier)
  const caseId = id === undefined ? null : CaseId.parse(id)
  return { kind: 'case', identifier: caseId ?? identifier, caseId, certain }
}

/** The longest prefix wins: the one of cases may continue the one of items. */
function fromLearnt(text: string, { tagPrefixes, casePrefixes }: Known): Meaning | undefined {
  const small = text.toLowerCase()
  const matching = [
    ...tagPrefixes.map((prefix) => ({ prefix, isCase: false })),
    ...casePrefixes.map((prefix) => ({ prefix, isCase: true })),
  ].filter(({ prefix }) => prefix !== '' && small.startsWith(prefix.toLowerCase()))
  matching.sort((a, b) => b.prefix.length - a.prefix.length)
  for (const { prefix, isCase } of matching) {
    const ends = prefix.includes('?') ? /[&#]/ : /\/?[?#]|\/$/
    const segment = text.slice(prefix.length).split(ends)[0] ?? ''
    const identifier = segment.includes('/') ? undefined : decoded(segment)
    if (identifier === undefined) continue
    if (isCase) return caseMeaning(identifier, true)
    const id = printedId(identifier)
    if (id !== undefined) return tagMeaning(id, true)
  }
  return undefined
}

function fromPath(segments: string[]): Meaning | undefined {
  const last = decoded(segments.at(-1) ?? '')
  if (last === undefined) return undefined
  if (segments.at(-2)?.toLowerCase() === 'case') return caseMeaning(last, true)
  const id = printedId(last)
  return id === undefined ? undefined : tagMeaning(id, true)
}

/** `https://HOST/…/01/<GTIN>/10/<batch>/21/<serial>`: a product's address. */
function fromDigitalLink(text: string, segments: string[]): Meaning | undefined {
  const start = segments.indexOf('01')
  const gtin = readGtin(segments[start + 1] ?? '')
  if (start < 0 || gtin === undefined) return undefined
  const after = (ai: string) => {
    const at = segments.indexOf(ai, start + 2)
    return at < 0 ? null : (decoded(segments[at + 1] ?? '') ?? null)
  }
  return { kind: 'gs1', text, gtin, batch: after('10'), serial: after('21') }
}

/** What stands in the address in percent form; undefined for nothing, and for what no code can hold. */
function decoded(segment: string): string | undefined {
  try {
    const text = decodeURIComponent(segment).trim()
    return text !== '' && isPrintable(text) ? text : undefined
  } catch {
    // "%ZZ" is a text like any other: printed labels are not under our control.
    return undefined
  }
}
