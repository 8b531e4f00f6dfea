import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { storeIdOf } from '../../../../src-main/hub/store-identity'
import { hostFault } from '../../../../src-shared/hub-address'
import { isPlainName } from '../../../../src-shared/names'
import { joinPrefix, longestJoinText } from '../../../../src-shared/scan/join-text'
import {
  type JoinCodeContent,
  asPem,
  certificatesIn,
  codeLasts,
  endFault,
  readJoinCode,
  writeJoinCode,
} from '../../../../src-main/station/join-code'
import { freeName } from '../../../../src-main/station/store-codes'

const tls = (name: string) => readFileSync(join(import.meta.dirname, '../../../fixtures/tls', name), 'utf8')
const now = Date.UTC(2026, 10, 24, 9)
const content: Omit<JoinCodeContent, 'lacksCertificate'> = {
  expiresAt: now + codeLasts,
  host: 'hub.store.example',
  port: 5432,
  database: 'countertag',
  user: 'countertag',
  password: 'pass wörd "7" with signs: %&',
  storeKey: randomBytes(32).toString('base64'),
  certificate: asPem(certificatesIn(tls('authority.pem')) ?? []),
  storeHash: 'x'.repeat(43),
  stationName: 'Station 1',
  storeName: 'Green Door, Newark',
  policy: 'refuse',
}
const reasonOf = (text: string) => {
  const read = readJoinCode(text)
  return read.ok ? 'read' : read.error.reason
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The parts of a code, and the code of any parts: as a forger writes it. */
function partsIn(text: string): Buffer[] {
  const bits = Array.from(text.slice(joinPrefix.length), (one) => alphabet.indexOf(one).toString(2).padStart(5, '0'))
  const bytes = Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((one) => Number.parseInt(one, 2)))
  const all = inflateRawSync(bytes.subarray(8))
  const parts: Buffer[] = []
  for (let at = 0; at < all.length; at += 2 + all.readUInt16BE(at))
    parts.push(all.subarray(at + 2, at + 2 + all.readUInt16BE(at)))
  return parts
}
function codeOf(parts: Buffer[]): string {
  const measured = parts.flatMap((part) => [Buffer.from([part.length >> 8, part.length & 255]), part])
  const body = deflateRawSync(Buffer.concat(measured))
  const check = createHash('sha256').update(body).digest().subarray(0, 8)
  const bits = Array.from(Buffer.concat([check, body]), (byte) => byte.toString(2).padStart(8, '0')).join('')
  const digits = (bits.match(/.{1,5}/g) ?? []).map((one) => Number.parseInt(one.padEnd(5, '0'), 2))
  return joinPrefix + digits.map((digit) => alphabet.charAt(digit)).join('')
}

describe('the identity of a store', () => {
  it('is the same for one key, and another for another key, which it does not give away', () => {
    const [key, other] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')]
    expect(storeIdOf(key)).toMatch(/^([0-9A-F]{4}-){3}[0-9A-F]{4}$/)
    expect(storeIdOf(key)).toBe(storeIdOf(key))
    expect(storeIdOf(other)).not.toBe(storeIdOf(key))
  })
})

describe('a join code', () => {
  it('carries everything that a station needs to join, in characters that a scanner types on any layout', () => {
    const { text, lacksCertificate } = writeJoinCode(content)
    expect(text).toMatch(/^CTJOIN1[A-Z2-7]+$/)
    expect(lacksCertificate).toBe(false)
    expect(readJoinCode(text)).toEqual({ ok: true, value: { ...content, lacksCertificate: false } })
  })

  it('is read in small letters and with white space around it, as a scanner under Caps Lock types it', () => {
    expect(reasonOf(`\r\n ${writeJoinCode(content).text.toLowerCase()}\t`)).toBe('read')
  })

  it('carries no certificate where none is needed', () => {
    const { text } = writeJoinCode({ ...content, certificate: null })
    expect(readJoinCode(text)).toMatchObject({ ok: true, value: { certificate: null, lacksCertificate: false } })
  })

  it('leaves out certificates that would make it too large to be scanned, and says so', () => {
    const bundle = (content.certificate ?? '').repeat(5)
    const { text, lacksCertificate } = writeJoinCode({ ...content, certificate: bundle })
    expect(lacksCertificate).toBe(true)
    expect(text.length).toBeLessThan(700)
    expect(readJoinCode(text)).toMatchObject({ ok: true, value: { certificate: null, lacksCertificate: true } })
  })

  it('fits into a QR code with the largest certificate and the longest names', () => {
    // Random: nothing can be compressed.
    const noise = (length: number) => randomBytes(length).toString('base64').slice(0, length)
    const { text } = writeJoinCode({
      ...content,
      host: `${'x'.repeat(60)}.${'y'.repeat(60)}.${'z'.repeat(60)}.example`,
      database: noise(63),
      user: noise(63),
      password: noise(500),
      stationName: noise(40),
      storeName: noise(60),
      certificate: asPem(
        ['authority', 'self-signed', 'service'].flatMap((name) => certificatesIn(tls(`${name}.pem`)) ?? []),
      ),
    })
    expect(text.length).toBeLessThan(longestJoinText)
  })

  it.each([
    ['at once', 0, null],
    ['a ms before its end', codeLasts - 1, null],
    ['at its end', codeLasts, 'expired'],
    ['a year later', 365 * 86_400_000, 'expired'],
    ['by a clock that is a bit behind', -60_000, null],
    ['by a clock that it outlasts', -60_001, 'endless'],
    ['by a clock of 1970', -now, 'endless'],
  ])('has its end by the clock of the hub: used %s', (_, later, fault) => {
    expect(endFault(content.expiresAt, now + later)).toBe(fault)
  })

  it('that a station of 0.2.0 made is read; it names no store', () => {
    // Written by 0.2.0.
    const text =
      'CTJOIN1BW5Q5NTCO4BE3DOIGEHIEMAYIBQY6YW67RB2QQUMP7ROFZHOBGVBMMMWSZAASGHDUU6YDOYTF74ZNN72XZY2RWPNVPFJRMRIQQDKKGJP7GIGF33SG7N3N4YOEGRFLOO5BA3ZI2Y4INZH3MTXQTYX65BIGH4FOVWHHZFW4SADYIJ6KOC5J4FR2EC2SR4XSCAB4WOGY6WEWA3AQE6KMT5YBYGR3L5MC7L6'
    expect(readJoinCode(text)).toMatchObject({
      ok: true,
      value: { storeName: null, stationName: 'Station 1', storeKey: Buffer.alloc(32, 7).toString('base64') },
    })
  })

  it.each<[string, Partial<JoinCodeContent>]>([
    ['a key of one byte', { storeKey: 'AA==' }],
    ['a key of 33 bytes', { storeKey: randomBytes(33).toString('base64') }],
    ['a key in another form', { storeKey: `${'A'.repeat(42)}B=` }],
    ['a host with a path', { host: 'hub.example/x' }],
    ['a host with a user', { host: 'user@hub.example' }],
    ['a host with a control character', { host: 'hub\n.example' }],
    ['no host', { host: '' }],
    ['an end in the year 3000', { expiresAt: Date.UTC(3_000, 0) }],
    ['an end in 1970', { expiresAt: codeLasts }],
    ['a database with a control character', { database: 'counter\u001Btag' }],
    ['a user that turns the text around', { user: 'till\u202Egnp' }],
    ['a password with NUL', { password: 'a\0b' }],
    ['the mark of no store', { storeHash: 'another' }],
    ['port 0', { port: 0 }],
  ])('is refused with %s', (_, wrong) => {
    expect(reasonOf(writeJoinCode({ ...content, ...wrong }).text)).toBe('damaged')
  })

  it('is refused with something else than certificates behind it, or with one that it says it lacks', () => {
    const written = { ...content, certificate: null }
    const [plain, certified] = [written, content].map((one) => partsIn(writeJoinCode(one).text))
    const first = plain?.[0] ?? Buffer.alloc(0)
    expect(reasonOf(codeOf([first, Buffer.from('no certificate')]))).toBe('damaged')
    const lacking = Buffer.from(first.toString().replace('"l":false', '"l":true'))
    expect(reasonOf(codeOf([lacking, ...(certified ?? []).slice(1)]))).toBe('damaged')
    expect(reasonOf(codeOf([lacking]))).toBe('read')
  })

  it('that is read has its bounds, whatever it was written with', () => {
    const written = fc.record({
      e: fc.oneof(fc.integer(), fc.constant(content.expiresAt / 1_000)),
      h: fc.oneof(fc.domain(), fc.ipV4(), fc.ipV6(), fc.string()),
      o: fc.integer({ min: -1, max: 70_000 }),
      d: fc.string({ maxLength: 70 }),
      u: fc.constant('till'),
      p: fc.string({ maxLength: 501 }),
      k: fc.uint8Array({ minLength: 31, maxLength: 33 }).map((bytes) => Buffer.from(bytes).toString('base64')),
      m: fc.constant('x'.repeat(43)),
      n: fc.string({ maxLength: 45 }),
      w: fc.constantFrom('warn', 'refuse'),
      l: fc.boolean(),
    })
    fc.assert(
      fc.property(written, (one) => {
        const read = readJoinCode(codeOf([Buffer.from(JSON.stringify(one))]))
        if (!read.ok) return
        const { host, port, storeKey, stationName, expiresAt } = read.value
        expect([hostFault(host), isPlainName(stationName)]).toEqual([null, true])
        expect(Buffer.from(storeKey, 'base64')).toHaveLength(32)
        expect(port).toBe(Math.min(65_535, Math.max(1, port)))
        expect(expiresAt).toBeLessThan(Date.UTC(2101, 0))
      }),
    )
  })

  it('is refused wherever it is cut off', () => {
    const { text } = writeJoinCode(content)
    for (const length of [text.length - 1, text.length - 7, Math.floor(text.length / 2), joinPrefix.length + 3, 7])
      expect(reasonOf(text.slice(0, length)), String(length)).toBe('damaged')
    expect(reasonOf(text.slice(200))).toBe('damaged')
  })

  it('is refused with any one character altered', () => {
    const { text } = writeJoinCode({ ...content, certificate: null })
    for (let at = joinPrefix.length; at < text.length - 1; at++) {
      const other = text.charAt(at) === 'A' ? 'B' : 'A'
      expect(reasonOf(text.slice(0, at) + other + text.slice(at + 1)), String(at)).toBe('damaged')
    }
  })

  it.each([
    ['an empty text', '', 'form'],
    ['another code', 'https://tag.example/7YgFz5pKeTzG9pjtAoo4DS', 'form'],
    ['the prefix alone', joinPrefix, 'damaged'],
    ['characters that Base32 lacks', `${joinPrefix}0189`, 'damaged'],
    ['a code of a newer Countertag', 'CTJOIN2ABCDEF', 'newer'],
    ['a huge text', joinPrefix + 'A'.repeat(100_000), 'form'],
  ])('refuses %s', (_, text, reason) => {
    expect(reasonOf(text)).toBe(reason)
  })
})

describe('the certificates of a text', () => {
  it('are found among other things; a private key beside them is left out', () => {
    const key = `-----BEGIN PRIVATE KEY-----\n${randomBytes(60).toString('base64')}\n-----END PRIVATE KEY-----\n`
    const found = certificatesIn(`Bag Attributes\n${key}${tls('authority.pem')}`)
    expect(found).toHaveLength(1)
    expect(asPem(found ?? [])).not.toContain('PRIVATE')
  })

  it('are none in a text without a readable one', () => {
    expect(certificatesIn('')).toBe(null)
    expect(certificatesIn('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----')).toBe(null)
  })
})

describe('a suggested name', () => {
  it.each([
    ['Station 1', [], 'Station 2'],
    ['Station 1', ['station 2', 'Station 3'], 'Station 4'],
    ['Front desk', [], 'Front desk 2'],
    ['Bar9', [], 'Bar 10'],
    ['x'.repeat(40), [], `${'x'.repeat(34)} 2`],
  ])('after %s and %j is %s', (name, taken, next) => {
    expect(freeName(name, taken)).toBe(next)
  })
})
