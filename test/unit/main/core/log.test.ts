import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFileLog } from '../../../../src-main/core/log'

describe('the log', () => {
  let folder: string
  let file: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'countertag-log-'))
    file = join(folder, 'with spaces ñ', 'countertag.log')
  })
  afterEach(() => {
    rmSync(folder, { recursive: true })
  })

  const secretNames = [
    'authorization',
    'access_token',
    'token',
    'client_id',
    'client_secret',
    'clientId',
    'clientSecret',
    'customer_id',
    'customerId',
    'pin',
    'tokens',
    'clientCredentials',
    'Set-Cookie',
    'customers',
    'previousClientSecret',
  ]
  /** An error with extra properties, as HTTP libraries throw it, and the secret in its message as well. */
  const errorWith = (name: string, secret: string) =>
    Object.assign(
      new Error(`refused: Bearer ${secret}, {"client_secret":"${secret}"}, a=1&client_secret=${secret}&b`, {
        cause: Object.assign(new Error(`at https://till:${secret}@proxy.example/`), { headers: { [name]: secret } }),
      }),
      { [name]: secret, request: { body: secret } },
    )

  it('accepts entries after it is closed, and never throws', async () => {
    const log = createFileLog(file)
    log.info('in time')
    await log.close()
    await log.close()
    log.warn('late', { clientSecret: 'S3CRET' })
    const lines = readFileSync(file, 'utf8').trim().split('\n')
    expect(lines).toEqual([expect.stringContaining('in time'), expect.stringContaining('late')])
    expect(lines[1]).not.toContain('S3CRET')
    rmSync(file.replace(/countertag.log$/, ''), { recursive: true })
    log.info('later still')
    expect(existsSync(file)).toBe(false)
  })

  it('contains no secrets or customers, however deeply nested', () => {
    const log = createFileLog(file)
    const secret = 'S3CRET-9f1c'
    const plain = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null))
    const holder = fc
      .tuple(fc.constantFrom(...secretNames), fc.dictionary(fc.string(), plain))
      .map(([name, others]) => ({ ...others, [name]: secret }))
    const error = fc.constantFrom(...secretNames).map((name) => errorWith(name, secret))
    const nested = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 5 },
        holder,
        error,
        fc.tuple(fc.string({ minLength: 1 }), tie('tree')).map(([name, inner]) => ({ [name]: inner })),
        fc.array(tie('tree'), { maxLength: 3 }),
      ),
    })).tree
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ minLength: 1 }), nested),
        fc.constantFrom('info' as const, 'warn' as const, 'error' as const),
        (fields, level) => {
          log[level]('something', fields)
        },
      ),
      { numRuns: 300 },
    )
    const text = readFileSync(file, 'utf8')
    expect(text.split('\n').length).toBeGreaterThan(300)
    expect(text).not.toContain(secret)
    expect(text).toContain('[redacted]')
  })

  it('contains no secrets inside texts, however their names are spelled', () => {
    const log = createFileLog(file)
    const secret = 'S3CRET-9f1c'
    const words = fc.constantFrom<string[][]>(
      ['access', 'token'],
      ['client', 'id'],
      ['client', 'secret'],
      ['customer', 'id'],
      ['previous', 'client', 'secret'],
      ['password'],
    )
    const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
    const spelt = fc.constantFrom<((parts: string[]) => string)[]>(
      (parts) => parts.join('_'),
      (parts) => parts.join('-'),
      (parts) => parts.join(''),
      (parts) => parts.join('_').toUpperCase(),
      (parts) => parts.map(capital).join('-'),
      (parts) => parts.map((word, at) => (at === 0 ? word : capital(word))).join(''),
    )
    const written = fc.constantFrom<((name: string) => string)[]>(
      (name) => `${name}=${secret}&x=1`,
      (name) => `{"${name}":"${secret}"}`,
      (name) => `{ ${name}: '${secret}' }`,
      (name) => `${name} = ${secret}`,
    )
    fc.assert(
      fc.property(words, spelt, written, fc.string(), (parts, spell, write, before) => {
        const text = `${before} ${write(spell(parts))}`
        log.warn('something', { text, cause: new Error(text, { cause: new Error(text) }) })
      }),
      { numRuns: 300 },
    )
    const logged = readFileSync(file, 'utf8')
    expect(logged).not.toContain(secret)
    expect(logged).toContain('[redacted]')
  })

  it('has one JSON object per line, with the time and the message', () => {
    const log = createFileLog(file)
    log.info('first\nline', { n: 1 })
    log.error('it broke', { cause: new Error('outer', { cause: new Error('inner') }) })
    const lines = readFileSync(file, 'utf8').trim().split('\n')
    expect(lines).toHaveLength(2)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 30, msg: 'first\nline', n: 1 })
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({
      cause: { type: 'Error', message: 'outer', cause: { message: 'inner' } },
    })
  })

  it('keeps the facts needed for a diagnosis', () => {
    const log = createFileLog(file)
    const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:9'), { code: 'ECONNREFUSED', errno: -111 })
    log.warn('no answer', { url: 'https://service.example/api/?page=2', pinned: true, spinning: 1, cause: refused })
    const line: unknown = JSON.parse(readFileSync(file, 'utf8'))
    expect(line).toMatchObject({
      url: 'https://service.example/api/?page=2',
      pinned: true,
      spinning: 1,
      cause: { message: 'connect ECONNREFUSED 127.0.0.1:9', code: 'ECONNREFUSED' },
    })
  })

  it("accepts values that can't be written as JSON", () => {
    const log = createFileLog(file)
    const self: Record<string, unknown> = {}
    self.self = self
    log.warn('odd', {
      self,
      big: 10n,
      symbol: Symbol('x'),
      run: () => 1,
      map: new Map([[1, 2]]),
      date: new Date(Number.NaN),
    })
    expect(readFileSync(file, 'utf8')).toContain('odd')
  })

  it('is rotated when it grows large, keeping one older file', () => {
    const log = createFileLog(file)
    const long = 'x'.repeat(20_000)
    for (let n = 0; n < 700; n++) log.info('line', { long })
    expect(existsSync(`${file}.1`)).toBe(true)
    expect(existsSync(`${file}.2`)).toBe(false)
    expect(readFileSync(file).length).toBeLessThan(10_000_000)
  })
})
