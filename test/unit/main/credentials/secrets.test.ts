import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  type Secrets,
  createSecrets,
  redactedFields,
  withTexts,
  withoutWord,
} from '../../../../src-main/credentials/secrets'

describe('the secrets known to the process', () => {
  let secrets: Secrets
  beforeEach(() => {
    secrets = createSecrets()
  })

  it('are removed from a text as headers, JSON and form values', () => {
    const secret = 'a "b"/c+d=='
    secrets.add(secret)
    const forms = [
      secret,
      JSON.stringify(secret),
      new URLSearchParams({ secret }).toString(),
      encodeURIComponent(secret),
    ]
    for (const form of forms) expect(secrets.scrub(`before ${form} after`)).toMatch(/^before \S*\[redacted\]"? after$/)
  })

  it('are removed as a whole if one contains another', () => {
    secrets.add('secret-of-till')
    secrets.add('secret-of-till-and-more')
    expect(secrets.scrub('secret-of-till-and-more')).toBe('[redacted]')
  })

  it('are not searched for if they are too short to tell from a word', () => {
    secrets.add('')
    secrets.add('seven77')
    expect(secrets.scrub('seven77')).toBe('seven77')
  })

  it('are removed from a log entry with a join code or a store key', () => {
    const fields = { text: 'scanned CTJOIN1MZXW6YTBOI at 9', storeKey: 'c2VjcmV0', joinCode: 'x' }
    expect(redactedFields(fields)).toEqual({
      ...{ text: 'scanned CTJOIN1[redacted] at 9', storeKey: '[redacted]', joinCode: '[redacted]' },
    })
  })

  it('are limited to the newest hundred', () => {
    secrets.add('the-very-first')
    secrets.add('used-again-and-again')
    for (let n = 0; n < 99; n++) {
      secrets.add(`token-number-${n}`)
      secrets.add('used-again-and-again')
    }
    expect(secrets.scrub('the-very-first used-again-and-again')).toBe('the-very-first [redacted]')
  })

  it('are in no line of the log, however deeply nested', () => {
    secrets.add('hush-hush-hush')
    const line = redactedFields(
      { a: ['hush-hush-hush'], cause: new Error('hush-hush-hush', { cause: { b: 'x hush-hush-hush' } }) },
      (text) => secrets.scrub(text),
    )
    expect(JSON.stringify(line)).not.toContain('hush-hush-hush')
  })
})

describe('a concealed word', () => {
  it.each([
    ['customer 4711', 'customer [redacted]'],
    ['4711: 4711,(4711)', '[redacted]: [redacted],([redacted])'],
    ['47112 x4711 4711-8 4711', '47112 x4711 4711-8 [redacted]'],
    ['', ''],
  ])('is removed where it is a separate word: %j', (text, without) => {
    expect(withoutWord(text, '4711')).toBe(without)
  })

  it('is left in place if it has fewer than three letters', () => {
    expect(withoutWord('item 7', '7')).toBe('item 7')
  })

  it('leaves other texts unchanged', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ minLength: 3 }), (text, word) => {
        if (!text.includes(word)) expect(withoutWord(text, word)).toBe(text)
      }),
    )
  })
})

describe('the texts of a value', () => {
  it('are replaced along with property names, and nothing else changes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        expect(withTexts(value, (text) => text)).toEqual(value)
      }),
    )
    expect(withTexts({ a: ['b', 1, null, { c: true }] }, (text) => `${text}!`)).toEqual({
      'a!': ['b!', 1, null, { 'c!': true }],
    })
  })
})
