import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { type Secrets, withTexts, withoutWord } from '../secrets'
import type { ReplyBody, Unusable } from './reply'

/** What an answer is expected to hold. */
export type AnswerKind = 'token' | 'report' | 'read'

/** The largest body of each, in bytes, as it is after unpacking. */
export const largestAnswer: Record<AnswerKind, number> = {
  /** A token has 8 kB at most; the rest is room for what a service puts beside it. */
  token: 64_000,
  /** A yes, or a refusal that names up to some thousand items. Also what the probe reads. */
  report: 1_000_000,
  /** A case with all its items, a page of a catalog; changes of collections are answered with the whole collection. */
  read: 4_000_000,
}

/** What undici gives of an answer. */
interface Answer {
  headers: Record<string, string | string[] | undefined>
  body: Readable & { bytes(): Promise<Uint8Array> }
}

/** A header that is there twice has both values, so that a strict reader takes neither. */
export const headerOf = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value

/** The bytes of a body, unpacked; no more than `limit` at any time. Rejects when the connection breaks. */
export async function bytesOf(
  { headers, body }: Answer,
  limit: number,
  mayBePacked = true,
): Promise<Uint8Array | Unusable> {
  const codings = codingsOf(headerOf(headers['content-encoding']))
  const length = Number(headerOf(headers['content-length']) ?? Number.NaN)
  // With another transfer coding the end of the body is unknown.
  const isFramed = ['', 'chunked'].includes(headerOf(headers['transfer-encoding'])?.trim().toLowerCase() ?? '')
  if (codings === undefined || !isFramed || (codings.length > 0 && !mayBePacked) || length > limit) {
    end(body)
    return length > limit ? 'too-large' : 'encoding'
  }
  // By its length alone undici takes neither more nor less: the usual answer is had in one piece.
  const isMeasured = !Number.isNaN(length) && headers['transfer-encoding'] === undefined
  const packed = isMeasured ? await body.bytes() : await upTo(limit, body)
  return packed === undefined ? 'too-large' : unpacked(packed, codings, limit)
}

/**
 * Put into one growing buffer, and chunk by chunk as they come: millions of chunks of a byte each, kept or waited for one by
 * one, would take a hundred times their size.
 */
async function upTo(limit: number, body: Readable): Promise<Uint8Array | undefined> {
  let bytes = Buffer.alloc(0)
  let size = 0
  body.on('data', (chunk: Uint8Array) => {
    const from = size
    size += chunk.length
    if (size > limit) {
      end(body)
      return
    }
    if (size > bytes.length) {
      const larger = Buffer.alloc(Math.max(2 * bytes.length, size, 4_096))
      bytes.copy(larger, 0, 0, from)
      bytes = larger
    }
    bytes.set(chunk, from)
  })
  try {
    await finished(body)
  } catch (cause) {
    // One that is too large was ended by us.
    if (size <= limit) throw cause
  }
  return size > limit ? undefined : bytes.subarray(0, size)
}

/** Ends the connection as well: what would still come is not waited for. */
function end(body: Readable): void {
  body.on('error', () => undefined)
  body.destroy()
}

type Unpack = (packed: Uint8Array, options: { maxOutputLength: number }) => Promise<Uint8Array>

const coders: Partial<Record<string, Unpack>> = {
  gzip: promisify<Uint8Array, { maxOutputLength: number }, Buffer>(gunzip),
  deflate: promisify<Uint8Array, { maxOutputLength: number }, Buffer>(inflate),
  br: promisify<Uint8Array, { maxOutputLength: number }, Buffer>(brotliDecompress),
}

/** A proxy may pack what is packed already; more layers serve no purpose but harm. */
const mostCodings = 2

/** How to unpack, the outermost first; undefined for a coding that is not known. */
function codingsOf(header: string | undefined): Unpack[] | undefined {
  if (header === undefined) return []
  const names = header
    .split(',', 20)
    .map((name) => name.trim().toLowerCase().replace(/^x-/, ''))
    .filter((name) => name !== '' && name !== 'identity')
  const found = names.flatMap((name) => coders[name] ?? [])
  return found.length === names.length && names.length <= mostCodings ? found.reverse() : undefined
}

async function unpacked(packed: Uint8Array, codings: Unpack[], limit: number): Promise<Uint8Array | Unusable> {
  let bytes = packed
  try {
    // Without a body there is nothing to unpack.
    if (bytes.length > 0) for (const unpack of codings) bytes = await unpack(bytes, { maxOutputLength: limit })
    return bytes
  } catch (cause) {
    return cause instanceof RangeError ? 'too-large' : 'encoding'
  }
}

interface BodyReading {
  contentType: string | undefined
  /** Takes out what must not be stored or shown; left out, nothing is. */
  secrets?: Pick<Secrets, 'scrub'> | undefined
  /** Words that the request named and its answer may repeat: a customer's id. */
  conceal?: readonly string[] | undefined
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The body of an answer, by its bytes or by why there are none. Total: nothing that a service sends makes it throw. */
export function bodyOf(
  bytes: Uint8Array | Unusable,
  { contentType = '', secrets, conceal = [] }: BodyReading,
): ReplyBody {
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

/** The value with its short texts cut: names, ids, addresses. Its depth must be bounded. */
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
