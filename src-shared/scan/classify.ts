import { CaseId, PackageUid, TagId, parseId } from '../ids'
import type { Meaning, Place } from './meaning'

/** No code of the field is longer; more is a stuck key or another device. */
const longestCode = 500

const aimPrefix = /^\][A-Za-z][0-9A-Za-z]/
const metrcTag = /^[0-9A-Z]{24}$/i
const url = /^https?:\/\/([^/?#\s]+)\/?([^?#\s]*)/i

/**
 * What a scanned text means, without asking anyone: pure, total, never throws.
 * Takes the text as the scanner gave it (an AIM prefix and surrounding white space are allowed) and the place of the scan.
 */
export function classify(text: string, place: Place): Meaning {
  const code = text.trim().replace(aimPrefix, '')
  const unknown: Meaning = { kind: 'unknown', text: text.trim() }
  if (code === '' || code.length > longestCode) return unknown
  const address = url.exec(code)
  if (address) return fromPath(address[2] ?? '') ?? unknown
  return fromBareText(code, place) ?? unknown
}

/** Known model of the printed URLs: `https://HOST/<TagID>` and `https://HOST/case/<identifier>`. */
function fromPath(path: string): Meaning | undefined {
  const segments = path.split('/').filter((segment) => segment !== '')
  const last = decode(segments.at(-1) ?? '')
  if (last === undefined || last === '') return undefined
  const id = parseId(last)
  if (segments.at(-2)?.toLowerCase() === 'case') return caseMeaning(last, id, true)
  return id === undefined ? undefined : { kind: 'tag', tagId: TagId.parse(id), certain: true }
}

function fromBareText(code: string, place: Place): Meaning | undefined {
  const id = parseId(code)
  if (id !== undefined) {
    return place === 'receiving' ? caseMeaning(id, id, false) : { kind: 'tag', tagId: TagId.parse(id), certain: false }
  }
  if (metrcTag.test(code)) return { kind: 'package', packageUid: PackageUid.parse(code.toUpperCase()) }
  return undefined
}

function caseMeaning(identifier: string, id: string | undefined, certain: boolean): Meaning {
  const caseId = id === undefined ? null : CaseId.parse(id)
  return { kind: 'case', identifier: caseId ?? identifier, caseId, certain }
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    // "%ZZ" is a text like any other: printed labels are not under our control.
    return undefined
  }
}
