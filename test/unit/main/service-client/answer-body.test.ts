import { describe, expect, it } from 'vitest'
import { createSecrets } from '../../../../src-main/credentials/secrets'
import { bodyOf } from '../../../../src-main/service/answer'

const read = (value: unknown) => bodyOf(Buffer.from(JSON.stringify(value)), { contentType: 'application/json' })

describe('the body of an answer', () => {
  it('keeps strings of 2,000 characters, and cuts longer ones at any depth', () => {
    const long = 'x'.repeat(3_000_000)
    const whole = 'y'.repeat(2_000)
    expect(read({ name: whole })).toEqual({ kind: 'json', value: { name: whole } })
    const cut = long.slice(0, 2_000)
    expect(read({ name: long, items: [{ identifier: long, sku: whole }], list: [long], [long]: 1 })).toEqual({
      kind: 'json',
      value: { name: cut, items: [{ identifier: cut, sku: whole }], list: [cut], [cut]: 1 },
    })
    expect(read(long)).toEqual({ kind: 'json', value: cut })
  })

  it('removes a secret that JSON can only write with escapes', () => {
    const secrets = createSecrets()
    const secret = 'a "b"\\c\nd'
    secrets.add(secret)
    const bytes = Buffer.from(JSON.stringify({ note: `<b class="x">${secret}</b>` }))
    expect(bodyOf(bytes, { contentType: 'application/json', secrets })).toEqual({
      kind: 'json',
      value: { note: '<b class="x">[redacted]</b>' },
    })
  })

  it('keeps long descriptions, pictures and tokens whole', () => {
    const long = 'x'.repeat(8_000)
    const value = {
      access_token: long,
      description: long,
      allergen_statement: long,
      content: long,
      photo_primary: long,
    }
    expect(read(value)).toEqual({ kind: 'json', value })
  })

  it('refuses too much nesting or too many values, and accepts both at the limit', () => {
    const nested = (levels: number) => Buffer.from('['.repeat(levels) + ']'.repeat(levels))
    expect(bodyOf(nested(64), { contentType: 'application/json' }).kind).toBe('json')
    for (const levels of [65, 10_000, 1_000_000]) {
      expect(bodyOf(nested(levels), { contentType: 'application/json' })).toEqual({ kind: 'unusable', why: 'too-deep' })
    }
    const many = (count: number) => Buffer.from(`[${'0,'.repeat(count)}0]`)
    expect(bodyOf(many(399_999), { contentType: 'application/json' }).kind).toBe('json')
    expect(bodyOf(many(400_000), { contentType: 'application/json' }).kind).toBe('unusable')
  })
})
