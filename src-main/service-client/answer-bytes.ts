import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'

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

/** Why a body can't be used. Such a body proves nothing. */
export type Unusable = 'too-large' | 'too-deep' | 'encoding' | 'broken'

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
  // Of another transfer coding than this one nobody knows where the body ends.
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
