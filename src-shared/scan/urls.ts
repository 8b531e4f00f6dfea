import { CaseId, TagId } from '../ids'
import type { Known } from './known'
import type { Meaning } from './meaning'
import { readGtin } from './gs1'
import { readRetailId } from './packages'
import { beginsWith } from './prefix'
import { isPrintable } from './printable'
import { printedId } from './printed-id'

const address = /^https?:\/\/[^/?#\s]+(?:\/([^?#\s]*))?/i

export const isAddress = (text: string): boolean => /^https?:\/\/[^/?#\s]/i.test(text)

/**
 * What a printed address means. The addresses that the service was seen to print come first, then the Metrc Retail ID,
 * the form `https://HOST/<TagID>` and `https://HOST/case/<identifier>` on any host, and last the GS1 Digital Link.
 */
export function readUrl(text: string, known: Known): Meaning | undefined {
  const learnt = fromLearnt(text, known)
  if (learnt) return learnt
  const retail = readRetailId(text)
  if (retail) return { kind: 'package', ...retail }
  const path = address.exec(text)?.[1] ?? ''
  return fromPath(path) ?? fromDigitalLink(text, path)
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

/** What stands in the place of the id: up to what follows it, and without one slash at the end. */
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

/** Slashes at the end count for nothing. */
function lastOf(path: string): { folder: string; name: string } {
  let end = path.length
  while (path.charAt(end - 1) === '/') end -= 1
  const start = path.lastIndexOf('/', end - 1) + 1
  return { folder: path.slice(0, start), name: path.slice(start, end) }
}

const digitalLink = /(?:^|\/)01\/+(\d{8,14})(?:\/(.*))?$/
const batchIn = /(?:^|\/)10\/+([^/]+)/
const serialIn = /(?:^|\/)21\/+([^/]+)/

/** `https://HOST/…/01/<GTIN>/10/<batch>/21/<serial>`: a product's address. */
function fromDigitalLink(text: string, path: string): Meaning | undefined {
  const [, digits = '', rest = ''] = digitalLink.exec(path) ?? []
  const gtin = readGtin(digits)
  if (gtin === undefined) return undefined
  const part = (form: RegExp) => decoded(form.exec(rest)?.[1] ?? '') ?? null
  return { kind: 'gs1', text, gtin, batch: part(batchIn), serial: part(serialIn) }
}

/** Percent signs that can be UTF-8. To throw and catch takes many times as long as to look first. */
const percentForm =
  /^(?:[^%]|%[0-7][\da-f]|%[cd][\da-f]%[89ab][\da-f]|%e[\da-f](?:%[89ab][\da-f]){2}|%f[0-4](?:%[89ab][\da-f]){3})*$/i

/** What stands in the address in percent form; undefined for nothing, and for what no code can hold. */
function decoded(segment: string): string | undefined {
  if (!percentForm.test(segment)) return undefined
  try {
    const text = decodeURIComponent(segment).trim()
    return text !== '' && isPrintable(text) ? text : undefined
  } catch {
    // "%ZZ" is a text like any other: printed labels are not under our control.
    return undefined
  }
}
