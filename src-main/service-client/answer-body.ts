import { type Secrets, withTexts, withoutWord } from '../secrets'
import type { Unusable } from './answer-bytes'
import type { Body } from './reply'

interface BodyReading {
  contentType: string | undefined
  /** Takes out what must not be stored or shown; left out, nothing is. */
  secrets?: Pick<Secrets, 'scrub'> | undefined
  /** Words that the request named and its answer may repeat: a customer's id. */
  conceal?: readonly string[] | undefined
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The body of an answer, by its bytes or by why there are none. Total: nothing that a service sends makes it throw. */
export function bodyOf(bytes: Uint8Array | Unusable, { contentType = '', secrets, conceal = [] }: BodyReading): Body {
  if (typeof bytes === 'string') return { kind: 'unusable', why: bytes }
  let raw: string
  try {
    raw = utf8.decode(bytes)
  } catch {
    return { kind: 'unusable', why: 'broken' }
  }
  if (raw.trim() === '') return { kind: 'none' }
  if (/html/i.test(contentType) || /^\s*</.test(raw)) return { kind: 'page' }
  const scrub = (text: string) => conceal.reduce(withoutWord, secrets?.scrub(text) ?? text)
  const longest = longestTextIn(raw)
  if (longest === undefined) return { kind: 'unusable', why: 'too-deep' }
  try {
    const whole: unknown = JSON.parse(secrets?.scrub(raw) ?? raw)
    const value = longest > longestLine ? withLinesCut(whole) : whole
    // A secret that is written with escapes is one only once they are read.
    const isPlain = conceal.length === 0 && !raw.includes('\\')
    return { kind: 'json', value: isPlain ? value : withTexts(value, scrub) }
  } catch {
    // Cut off, or from something that only calls itself JSON.
    return /\bjson\b/i.test(contentType) ? { kind: 'unusable', why: 'broken' } : { kind: 'text', value: scrub(raw) }
  }
}

/** Levels of lists and objects inside each other. The deepest answer of the service has five. */
const deepest = 64
/** Values in one body: 4 MB of ordinary answers have a fifth of it. */
const most = 400_000

/**
 * The length of the longest text in a JSON text; undefined of one that can't be parsed and walked through without harm.
 * Reads it once, front to back.
 */
function longestTextIn(text: string): number | undefined {
  let depth = 0
  let values = 0
  let longest = 0
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22: {
        // "
        const end = endOfString(text, at)
        longest = Math.max(longest, end - at)
        at = end
        break
      }
      case 0x5b: // [
      case 0x7b: // {
        values += 1
        if (++depth > deepest) return undefined
        break
      case 0x5d: // ]
      case 0x7d: // }
        depth -= 1
        break
      case 0x2c: // ,
        if (++values > most) return undefined
        break
      default:
    }
  }
  return values <= most ? longest : undefined
}

/** Names, ids and addresses are kept, shown and listed many times over: longer ones are cut, characters. */
const longestLine = 2_000
/** What may be long by its nature: a token, a description, a note, the content of an asset. */
const prose = /token|content|description|statement|ingredients|methodology|recommendation|photo|data$/

/** The value with the texts cut that are no prose. Its depth must be bounded. */
function withLinesCut(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return prose.test(name) ? value : value.slice(0, longestLine)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one) => withLinesCut(one, name))
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key.slice(0, longestLine), withLinesCut(one, key)]),
  )
}

/** Where the string that begins at `start` ends; the end of the text if it doesn't. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) return at
    if (code === 0x5c) at += 1
  }
  return text.length
}
