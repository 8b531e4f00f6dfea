import { X509Certificate, createHash } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { z } from 'zod'
import type { AppError } from '../../src-shared/errors'
import { hostFault } from '../../src-shared/hub-address'
import { HubName, HubPassword, HubPolicy } from '../../src-shared/ipc/contract/hub'
import { knownName, plainName } from '../../src-shared/names'
import { type Result, err, ok } from '../../src-shared/result'
import { joinPrefix, longestJoinText } from '../../src-shared/scan/join-text'
import { StoreKey } from '../hub/store-identity'

/** How long a join code can be used, in ms. */
export const codeLasts = 600_000

/** Certificates beyond this, in bytes, would make a code that scanners can't read from a screen. */
const largestCertificates = 1_500

/** What a join code carries. Who made it is not proved: nothing is connected to before a person has seen it. */
export interface JoinCodeContent {
  /** Ms since 1970, by the hub's clock. */
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
  /** See `storeHashOf`. */
  storeHash: string
  /** The station that shows the code. */
  stationName: string
  /** What that station calls the store; null in a code of version 0.2. */
  storeName: string | null
  policy: HubPolicy
}

/** In seconds since 1970: no clock is outside of these, the hub's own decides the rest. */
const [earliestEnd, latestEnd] = [Date.UTC(2026, 0) / 1_000, Date.UTC(2100, 0) / 1_000]

/** Short names: each character costs one in the code. */
const Written = z.object({
  e: z.number().int().min(earliestEnd).max(latestEnd),
  h: z.string().refine((host) => hostFault(host) === null),
  o: z.number().int().min(1).max(65_535),
  d: HubName,
  u: HubName,
  p: HubPassword,
  k: StoreKey,
  /** A SHA-256 in base64url. */
  m: z.string().regex(/^[\w-]{43}$/),
  n: plainName(40),
  w: HubPolicy,
  l: z.boolean(),
  s: plainName(60).optional(),
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
  const whole = size > largestCertificates ? null : textOf(content, all, false)
  // With the longest names and passwords, smaller certificates are too much as well.
  if (whole !== null && whole.length <= longestJoinText) return { text: whole, lacksCertificate: false }
  return { text: textOf(content, [], true), lacksCertificate: true }
}

function textOf(
  content: Omit<JoinCodeContent, 'lacksCertificate'>,
  certificates: readonly Buffer[],
  lacksCertificate: boolean,
): string {
  const written: z.infer<typeof Written> = {
    e: Math.floor(content.expiresAt / 1_000),
    h: content.host,
    o: content.port,
    d: content.database,
    u: content.user,
    p: content.password,
    k: content.storeKey,
    m: content.storeHash,
    n: knownName(content.stationName, 40),
    w: content.policy,
    l: lacksCertificate,
    ...(content.storeName !== null && { s: knownName(content.storeName, 60) }),
  }
  const parts = [Buffer.from(JSON.stringify(written)), ...certificates]
  const body = deflateRawSync(Buffer.concat(parts.map(measured)), { level: 9 })
  return joinPrefix + toBase32(Buffer.concat([checkOf(body), body]))
}

type Unusable = Extract<AppError, { code: 'join/code-unusable' }>
const unusable = (reason: Unusable['reason']) => err<Unusable>({ code: 'join/code-unusable', reason })

/** More than any code inflates to, in bytes. */
const largestBody = 20_000

/** How much later than ten minutes from now a code may end, in ms: clocks of hubs are set, too. */
const slack = 60_000

/**
 * Why a code can't be used any more, or not yet, by the hub's clock (ms since 1970): this computer's may be wrong by years. A
 * code that lasts longer than any station makes it wasn't made by one.
 */
export function endFault(expiresAt: number, hubNow: number): 'expired' | 'endless' | null {
  if (hubNow >= expiresAt) return 'expired'
  return expiresAt > hubNow + codeLasts + slack ? 'endless' : null
}

/** Reads the text of a join code, in any case and with white space around it. Its end is for `endFault`. */
export function readJoinCode(text: string): Result<JoinCodeContent, Unusable> {
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
  return content ? ok(content) : unusable('damaged')
}

function contentOf(body: Buffer): JoinCodeContent | null {
  try {
    const [first, ...certificates] = partsOf(inflateRawSync(body, { maxOutputLength: largestBody }))
    const written = Written.parse(JSON.parse(first?.toString('utf8') ?? ''))
    const pem = certificates.length === 0 ? null : certificatesIn(asPem(certificates))
    // What isn't a certificate, and one in a code that says that it has none.
    if (certificates.length > 0 && (pem?.length !== certificates.length || written.l)) return null
    return {
      expiresAt: written.e * 1_000,
      host: written.h,
      port: written.o,
      database: written.d,
      user: written.u,
      password: written.p,
      storeKey: written.k,
      storeHash: written.m,
      stationName: written.n,
      storeName: written.s ?? null,
      policy: written.w,
      lacksCertificate: written.l,
      certificate: pem && asPem(pem),
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
