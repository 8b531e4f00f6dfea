import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { joinPrefix, longestJoinText } from '../../../../src-shared/scan/join-text'
import {
  type JoinCodeContent,
  asPem,
  certificatesIn,
  codeLasts,
  readJoinCode,
  writeJoinCode,
} from '../../../../src-main/station/join-code'
import { freeName } from '../../../../src-main/station/joining'

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
  storeMark: 'x'.repeat(43),
  stationName: 'Station 1',
  policy: 'refuse',
}
const reasonOf = (text: string, at = now) => {
  const read = readJoinCode(text, at)
  return read.ok ? 'read' : read.error.reason
}

describe('a join code', () => {
  it('carries everything that a station needs to join, in characters that a scanner types on any layout', () => {
    const { text, lacksCertificate } = writeJoinCode(content)
    expect(text).toMatch(/^CTJOIN1[A-Z2-7]+$/)
    expect(lacksCertificate).toBe(false)
    expect(readJoinCode(text, now)).toEqual({ ok: true, value: { ...content, lacksCertificate: false } })
  })

  it('is read in small letters and with white space around it, as a scanner under Caps Lock types it', () => {
    expect(reasonOf(`\r\n ${writeJoinCode(content).text.toLowerCase()}\t`)).toBe('read')
  })

  it('carries no certificate where none is needed', () => {
    const { text } = writeJoinCode({ ...content, certificate: null })
    expect(readJoinCode(text, now)).toMatchObject({ ok: true, value: { certificate: null, lacksCertificate: false } })
  })

  it('leaves out certificates that would make it too large to be scanned, and says so', () => {
    const bundle = (content.certificate ?? '').repeat(5)
    const { text, lacksCertificate } = writeJoinCode({ ...content, certificate: bundle })
    expect(lacksCertificate).toBe(true)
    expect(text.length).toBeLessThan(700)
    expect(readJoinCode(text, now)).toMatchObject({ ok: true, value: { certificate: null, lacksCertificate: true } })
  })

  it('fits into a QR code with the largest certificate and the longest names', () => {
    // Random: nothing can be compressed.
    const noise = (length: number) => randomBytes(length).toString('base64').slice(0, length)
    const { text } = writeJoinCode({
      ...content,
      host: noise(253),
      database: noise(63),
      user: noise(63),
      password: noise(500),
      stationName: noise(40),
      certificate: asPem(
        ['authority', 'self-signed', 'service'].flatMap((name) => certificatesIn(tls(`${name}.pem`)) ?? []),
      ),
    })
    expect(text.length).toBeLessThan(longestJoinText)
  })

  it('is refused once it has expired', () => {
    const { text } = writeJoinCode(content)
    expect(reasonOf(text, now + codeLasts - 1)).toBe('read')
    expect(reasonOf(text, now + codeLasts)).toBe('expired')
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
