import { X509Certificate, createHash } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { z } from 'zod'
import type { AppError } from '../../src-shared/errors'
import { HubPolicy } from '../../src-shared/ipc/contract/hub'
import { type Result, err, ok } from '../../src-shared/result'
import { joinPrefix, longestJoinText } from '../../src-shared/scan/join-text'

/** How long a join code can be used, in ms. */
export const codeLasts = 600_000

/** Certificates beyond this, in bytes, would make a code that scanners can't read from a screen. */
const largestCertificates = 1_500

/** What a join code carries. */
export interface JoinCodeContent {
  /** Ms since 1970. */
  expiresAt: number
  host: string
  port: number
  database: string
  user: string
  password: string
  storeKey: string
  /** In PEM. */
  certificate: string | null
  /** It has a certificate, which is too large for the code. */
  lacksCertificate: boolean
  /** See `storeMarkOf`. */
  storeMark: string
  /** The station that shows the code. */
  stationName: string
  policy: HubPolicy
}

/** Short names: each character costs one in the code. */
const Written = z.object({
  e: z.number().int().nonnegative(),
  h: z.string().min(1).max(253),
  o: z.number().int().min(1).max(65_535),
  d: z.string().min(1).max(63),
  u: z.string().min(1).max(63),
  p: z.string().min(1).max(500),
  k: z.base64().min(1).max(100),
  m: z.string().min(1).max(100),
  n: z.string().min(1).max(40),
  w: HubPolicy,
  l: z.boolean(),
})

const pemBlock = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g

/**
 * The certificates of a text in PEM, in their binary form; anything else in it, such as a private key, is left out. Null
 * if there is none, or one that can't be read.
 */
export function certificatesIn(text: string): Buffer[] | null {
  try {
    const found = (text.match(pemBlock) ?? []).map((block) => new X509Certificate(block).raw)
    return found.length === 0 ? null : found
  } catch {
    return null
  }
}

export const asPem = (certificates: readonly Buffer[]): string =>
  certificates
    .map((one) => {
      const lines = one.toString('base64').match(/.{1,64}/g) ?? []
      return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
    })
    .join('')

const checkLength = 8
const checkOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest().subarray(0, checkLength)

/** A part with its length before it, in two bytes. */
const measured = (bytes: Buffer) => {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(bytes.length)
  return Buffer.concat([length, bytes])
}

/** The text of a join code, and whether it had to leave the certificate out. */
export function writeJoinCode(content: Omit<JoinCodeContent, 'lacksCertificate'>): {
  text: string
  lacksCertificate: boolean
} {
  const all = content.certificate === null ? [] : (certificatesIn(content.certificate) ?? [])
  const size = all.reduce((sum, one) => sum + one.length, 0)
  const lacksCertificate = size > largestCertificates
  const written: z.infer<typeof Written> = {
    e: Math.floor(content.expiresAt / 1_000),
    h: content.host,
    o: content.port,
    d: content.database,
    u: content.user,
    p: content.password,
    k: content.storeKey,
    m: content.storeMark,
    n: content.stationName,
    w: content.policy,
    l: lacksCertificate,
  }
  const parts = [Buffer.from(JSON.stringify(written)), ...(lacksCertificate ? [] : all)]
  const body = deflateRawSync(Buffer.concat(parts.map(measured)), { level: 9 })
  return { text: joinPrefix + toBase32(Buffer.concat([checkOf(body), body])), lacksCertificate }
}

type Unusable = Extract<AppError, { code: 'join/code-unusable' }>
const unusable = (reason: Unusable['reason']) => err<Unusable>({ code: 'join/code-unusable', reason })

/** More than any code inflates to, in bytes. */
const largestBody = 20_000

/**
 * Reads the text of a join code, in any case and with white space around it. `now`: ms since 1970. Errors:
 * join/code-unusable.
 */
export function readJoinCode(text: string, now: number): Result<JoinCodeContent, Unusable> {
  const plain = text.trim().toUpperCase()
  if (plain.length > longestJoinText) return unusable('form')
  if (!plain.startsWith(joinPrefix)) {
    if (/^CTJOIN\d/.test(plain)) return unusable('newer')
    // The end of a code whose beginning was lost.
    return unusable(/^[A-Z2-7]{100,}$/.test(plain) ? 'damaged' : 'form')
  }
  const bytes = fromBase32(plain.slice(joinPrefix.length))
  if (!bytes || bytes.length <= checkLength) return unusable('damaged')
  const body = bytes.subarray(checkLength)
  if (!checkOf(body).equals(bytes.subarray(0, checkLength))) return unusable('damaged')
  const content = contentOf(body)
  if (!content) return unusable('damaged')
  return now >= content.expiresAt ? unusable('expired') : ok(content)
}

function contentOf(body: Buffer): JoinCodeContent | null {
  try {
    const [first, ...certificates] = partsOf(inflateRawSync(body, { maxOutputLength: largestBody }))
    const written = Written.parse(JSON.parse(first?.toString('utf8') ?? ''))
    const pem = asPem(certificates)
    return {
      expiresAt: written.e * 1_000,
      host: written.h,
      port: written.o,
      database: written.d,
      user: written.u,
      password: written.p,
      storeKey: written.k,
      storeMark: written.m,
      stationName: written.n,
      policy: written.w,
      lacksCertificate: written.l,
      certificate: certificates.length === 0 ? null : asPem(certificatesIn(pem) ?? []),
    }
  } catch {
    return null
  }
}

function partsOf(bytes: Buffer): Buffer[] {
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length;) {
    const end = at + 2 + bytes.readUInt16BE(at)
    parts.push(bytes.subarray(at + 2, end))
    at = end
  }
  return parts
}

/** RFC 4648, without padding. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

function toBase32(bytes: Buffer): string {
  let text = ''
  let value = 0
  let bits = 0
  for (const byte of bytes) {
    value = (value << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += alphabet.charAt((value >> bits) & 31)
    }
    value &= (1 << bits) - 1
  }
  return bits === 0 ? text : text + alphabet.charAt((value << (5 - bits)) & 31)
}

/** Undefined for another character. */
function fromBase32(text: string): Buffer | undefined {
  const bytes: number[] = []
  let value = 0
  let bits = 0
  for (const character of text) {
    const digit = alphabet.indexOf(character)
    if (digit < 0) return undefined
    value = (value << 5) | digit
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes.push(value >> bits)
    value &= (1 << bits) - 1
  }
  return Buffer.from(bytes)
}
