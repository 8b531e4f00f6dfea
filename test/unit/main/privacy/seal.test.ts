import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { dataKeys } from '../../../../src-main/privacy/station-seal'
import { createSeal } from '../../../../src-main/privacy/seal'
import { fakeKeychain } from '../../../fakes/keychain'

const key = (n: number) => Buffer.alloc(32, n)

describe('a sealed text', () => {
  it('can be opened only with the same key', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const sealed = createSeal([key(1)]).seal(text)
        expect(createSeal([key(1)]).open(sealed)).toBe(text)
        expect(createSeal([key(3), key(1)]).open(sealed)).toBe(text)
        expect(createSeal([key(2)]).open(sealed)).toBeUndefined()
      }),
    )
  })

  it('reveals nothing of its content, and is the same for the same text', () => {
    const seal = createSeal([randomBytes(32)])
    const sealed = seal.seal('MEDICAL-00417')
    expect(sealed).not.toContain('MEDICAL')
    expect(Buffer.from(sealed.split(':')[2] ?? '', 'base64').toString('latin1')).not.toContain('00417')
    expect(seal.seal('MEDICAL-00417')).toBe(sealed)
    expect(seal.seal('MEDICAL-00418')).not.toBe(sealed)
  })

  it("can't be opened after a change, and an unsealed text is returned unchanged", () => {
    const seal = createSeal([key(1)])
    const sealed = seal.seal('C-1')
    for (let at = 'sealed:1:'.length; at < sealed.length; at++) {
      const other = sealed[at] === 'A' ? 'B' : 'A'
      const changed = sealed.slice(0, at) + other + sealed.slice(at + 1)
      // In the last characters of base64, different letters can stand for the same bytes.
      expect([undefined, ...(at > sealed.length - 4 ? ['C-1'] : [])]).toContain(seal.open(changed))
    }
    for (const bad of ['sealed:1:', 'sealed:1:!!!', 'sealed:1:AAAA']) expect(seal.open(bad)).toBeUndefined()
    for (const plain of ['C-1', '', 'sealed', 'sealed:2:x']) expect(seal.open(plain)).toBe(plain)
  })
})

describe('the key', () => {
  let folder: string
  let file: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'countertag-key-'))
    file = join(folder, 'new', 'data.key')
  })
  afterEach(() => {
    rmSync(folder, { recursive: true })
  })

  it('is created once, in the keychain only', async () => {
    const { keychain, entries } = fakeKeychain()
    const made = await dataKeys(keychain, file)
    expect(made.place).toBe('keychain')
    expect(await dataKeys(keychain, file)).toEqual(made)
    expect(entries.size).toBe(1)
    expect(existsSync(file)).toBe(false)
  })

  it('is in a file that only this user can read if there is no keychain, and moves to the keychain later', async () => {
    const { keychain, fail, entries } = fakeKeychain()
    fail('keychain/missing')
    const made = await dataKeys(keychain, file)
    expect(made.place).toBe('file')
    expect(await dataKeys(keychain, file)).toEqual(made)
    expect(statSync(file).mode & 0o077).toBe(0)
    fail(undefined)
    expect(await dataKeys(keychain, file)).toEqual({ ...made, place: 'keychain', trouble: null })
    expect(existsSync(file)).toBe(false)
    expect(entries.size).toBe(1)
  })

  it('of a keychain that was locked is used again, along with the one created meanwhile', async () => {
    const { keychain, fail } = fakeKeychain()
    const first = await dataKeys(keychain, file)
    fail('keychain/locked')
    const meanwhile = await dataKeys(keychain, file)
    expect(meanwhile.keys).not.toEqual(first.keys)
    fail(undefined)
    expect(await dataKeys(keychain, file)).toEqual({
      keys: [...first.keys, ...meanwhile.keys],
      place: 'keychain',
      trouble: null,
    })
  })

  it('is never readable for other users, even if a crash left a readable file in its place', async () => {
    const { keychain, fail } = fakeKeychain()
    fail('keychain/missing')
    mkdirSync(join(folder, 'new'))
    writeFileSync(`${file}.new`, 'half', { mode: 0o644 })
    await dataKeys(keychain, file)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('is replaced if it is invalid, in the file or in the keychain', async () => {
    const { keychain, entries } = fakeKeychain()
    entries.set('data-key', 'rubbish')
    const { keys } = await dataKeys(keychain, file)
    expect(keys[0]).toHaveLength(32)
    const other = fakeKeychain()
    other.fail('keychain/denied')
    await dataKeys(other.keychain, file)
    writeFileSync(file, 'short')
    expect((await dataKeys(other.keychain, file)).keys[0]).toHaveLength(32)
    expect(readFileSync(file, 'utf8')).not.toBe('short')
  })
})
