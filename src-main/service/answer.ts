import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { type Secrets, withTexts, withoutWord } from '../credentials/secrets'
import type { ReplyBody, Unusable } from './reply'

/** What an answer is expected to contain. */
export type AnswerKind = 'token' | 'report' | 'read'

/** The largest body of each kind of answer, in bytes after decompression. */
export const largestAnswer: Record<AnswerKind, number> = {
  /** A token has at most 8 kB; the rest is room for other fields. */
  token: 64_000,
  /** A confirmation, or a refusal that lists up to about a thousand items. Also used by the probe. */
  report: 1_000_000,
  /** A case with all its items, or a page of a catalog. Changes to a collection are answered with the whole collection. */
  read: 4_000_000,
}

/** The parts of undici's response that are used here. */
interface HttpAnswer {
  headers: Record<string, string | string[] | undefined>
  body: Readable & { bytes(): Promise<Uint8Array> }
}

/** A header that occurs twice gives both values, which a strict reader rejects. */
export const headerOf = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value

/** The bytes of a body, decompressed. Never holds more than `limit` bytes. Rejects when the connection breaks. */
export async function bytesOf(
  { headers, body }: HttpAnswer,
  limit: number,
  mayBePacked = true,
): Promise<Uint8Array | Unusable> {
  const codings = codingsOf(headerOf(headers['content-encoding']))
  const length = Number(headerOf(headers['content-length']) ?? Number.NaN)
  // With any other transfer coding, the end of the body is unknown.
  const isFramed = ['', 'chunked'].includes(headerOf(headers['transfer-encoding'])?.trim().toLowerCase() ?? '')
  if (codings === undefined || !isFramed || (codings.length > 0 && !mayBePacked) || length > limit) {
    end(body)
    return length > limit ? 'too-large' : 'encoding'
  }
  // With a content length, undici accepts exactly that many bytes, so the usual answer is read in one piece.
  const isMeasured = !Number.isNaN(length) && headers['transfer-encoding'] === undefined
  const packed = isMeasured ? await body.bytes() : await upTo(limit, body)
  return packed === undefined ? 'too-large' : unpacked(packed, codings, limit)
}

/**
 * Chunks are appended to one growing buffer as they arrive: keeping or awaiting millions of one-byte chunks separately
 * would take a hundred times their size.
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
    // If the body was too large, the error comes from ending it here.
    if (size <= limit) throw cause
  }
  return size > limit ? undefined : bytes.subarray(0, size)
}

/** Ends the connection as well, so that the rest of the body isn't awaited. */
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

/** A proxy may compress an already compressed body; more layers can only be an attack. */
const mostCodings = 2

/** The decompression steps, outermost first; undefined for an unknown coding. */
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
    // An empty body isn't valid compressed data.
    if (bytes.length > 0) for (const unpack of codings) bytes = await unpack(bytes, { maxOutputLength: limit })
    return bytes
  } catch (cause) {
    return cause instanceof RangeError ? 'too-large' : 'encoding'
  }
}

interface BodyReading {
  contentType: string | undefined
  /** Removes secrets that must not be stored or shown. If omitted, nothing is removed. */
  secrets?: Pick<Secrets, 'scrub'> | undefined
  /** Words of the request to remove from its answer: a customer's id. */
  conceal?: readonly string[] | undefined
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * The body of an answer, from its bytes or the reason they can't be used. Total: nothing that a service sends makes it
 * throw.
 */
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
    const isPlain = conceal.length === 0 && !oddEscape.test(raw)
    return { kind: 'json', value: isPlain ? value : withTexts(value, scrub) }
  } catch {
    // Truncated JSON, or another format labeled as JSON.
    return /\bjson\b/i.test(contentType) ? { kind: 'unusable', why: 'broken' } : { kind: 'text', value: scrub(raw) }
  }
}

/**
 * Escapes that JSON.stringify doesn't use for printable characters. `scrub` knows a secret as JSON.stringify writes it;
 * one that is written with these is only found in the parsed value.
 */
const oddEscape = /\\[u/]/

/** Nesting depth of lists and objects. The service's deepest answer has five levels. */
const deepest = 64
/** Values in one body. An ordinary answer of 4 MB has a fifth of this. */
const most = 400_000

/**
 * The length of the longest string in a JSON text; undefined if the text is too deep or has too many values to parse
 * safely. Reads the text once, front to back.
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

/** Names, ids and addresses are stored and shown in many places, so longer ones are cut. In characters. */
const longestLine = 2_000
/** Fields that may be long: a token, a description, a note, the content of an asset. */
const prose = /token|content|description|statement|ingredients|methodology|recommendation|photo|data$/

/** The value with names, ids and addresses cut to `longestLine`. The depth of the value must be bounded. */
function withLinesCut(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return prose.test(name) ? value : value.slice(0, longestLine)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one) => withLinesCut(one, name))
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key.slice(0, longestLine), withLinesCut(one, key)]),
  )
}

/** The end of the string that begins at `start`; the end of the text if the string isn't closed. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) return at
    if (code === 0x5c) at += 1
  }
  return text.length
}
