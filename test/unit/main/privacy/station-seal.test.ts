import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openStationSeal } from '../../../../src-main/privacy/station-seal'
import { type HandClock, handClock } from '../../../fakes/clock'
import { fakeKeychain } from '../../../fakes/keychain'

const lost = { ok: false, error: { code: 'outbox/customer-lost' } }

describe('the seal of a station', () => {
  let folder: string
  let fake: ReturnType<typeof fakeKeychain>
  let noted: Set<string>
  let clock: HandClock
  let answers = 0
  const start = (patience?: AbortSignal) =>
    openStationSeal({
      ...(patience && { patience }),
      keychain: fake.keychain,
      file: join(folder, 'data.key'),
      entries: {
        has: (account) => noted.has(account),
        note: (account) => noted.add(account),
      },
      clock,
      onAnswer: () => answers++,
    })
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'countertag-seal-'))
    fake = fakeKeychain()
    noted = new Set()
    clock = handClock()
    answers = 0
  })
  afterEach(() => {
    rmSync(folder, { recursive: true })
  })

  it.each(['locked', 'denied', 'failing', 'missing'] as const)(
    'opens earlier texts as soon as a keychain that was %s at the start gives its key',
    async (trouble) => {
      const before = (await start()).seal('C-1')
      fake.fail(`keychain/${trouble}`)
      const seal = await start()
      expect(await seal.reveal(before)).toEqual({ ok: false, error: { code: `keychain/${trouble}` } })
      expect(await seal.allKeys()).toEqual({ ok: false, error: { code: `keychain/${trouble}` } })
      const meanwhile = seal.seal('C-1')
      expect(await seal.reveal(meanwhile)).toEqual({ ok: true, value: 'C-1' })

      fake.fail(undefined)
      await seal.askAgain()
      expect(answers).toBe(1)
      for (const sealed of [before, meanwhile]) {
        expect(await seal.reveal(sealed)).toEqual({ ok: true, value: 'C-1' })
        expect(seal.forms('C-1')).toContain(sealed)
      }
      // From here on, texts are sealed with the key that is also used after the next start.
      expect(seal.seal('C-1')).toBe(before)
      expect(await seal.allKeys()).toEqual({ ok: true, value: null })
    },
  )

  it('notices when the keychain is unlocked, and asks it at most once a minute', async () => {
    const before = (await start()).seal('C-1')
    fake.fail('keychain/locked')
    const seal = await start()
    const reads = fake.reads()
    for (let n = 0; n < 20; n++) expect((await seal.reveal(before)).ok).toBe(false)
    expect(fake.reads() - reads).toBe(0)
    clock.advance(60_000)
    for (let n = 0; n < 20; n++) expect((await seal.reveal(before)).ok).toBe(false)
    expect(fake.reads() - reads).toBe(1)
    fake.fail(undefined)
    clock.advance(60_000)
    // The keychain is asked in the background: no call waits for a prompt.
    await vi.waitFor(async () => {
      expect(await seal.reveal(before)).toEqual({ ok: true, value: 'C-1' })
    })
    expect(answers).toBe(1)
  })

  it('reports the customer as lost if the keychain answers without the key', async () => {
    const before = (await start()).seal('C-1')
    fake.entries.clear()
    expect(await (await start()).reveal(before)).toEqual(lost)
    const other = Buffer.alloc(32, 9).toString('base64')
    fake.entries.set('data-key', other)
    const seal = await start()
    expect(await seal.reveal(before)).toEqual(lost)
    expect(await seal.allKeys()).toEqual({ ok: true, value: null })
    expect(fake.entries.get('data-key')).toBe(other)
  })

  it('reports the customer as lost on a computer that never had a keychain', async () => {
    const elsewhere = fakeKeychain()
    const foreign = await openStationSeal({
      keychain: elsewhere.keychain,
      file: join(folder, 'other.key'),
      entries: { has: () => false, note: () => undefined },
      clock,
      onAnswer: () => undefined,
    })
    fake.fail('keychain/missing')
    const seal = await start()
    expect(seal.place()).toBe('file')
    expect(await seal.reveal(foreign.seal('C-1'))).toEqual(lost)
    expect(await seal.allKeys()).toEqual({ ok: true, value: null })
  })

  it('restores its key if the keychain entry is deleted while the station runs', async () => {
    const seal = await start()
    const before = seal.seal('C-1')
    const entry = fake.entries.get('data-key')
    fake.entries.clear()
    await seal.allKeys()
    expect(fake.entries.get('data-key')).toBe(entry)
    expect(seal.seal('C-1')).toBe(before)
  })

  describe('while a keychain prompt is open', () => {
    const over = AbortSignal.abort()

    it('opens anyway, says why, and uses the answer when it arrives', async () => {
      const before = (await start()).seal('C-1')
      const answer = fake.prompt()
      const reads = fake.reads()
      const seal = await start(over)
      const refused = { ok: false, error: { code: 'keychain/locked' } }
      expect([seal.place(), await seal.reveal(before)]).toEqual(['file', refused])
      const meanwhile = seal.seal('C-2')
      clock.advance(60_000)
      expect([await seal.reveal(before), await seal.reveal(meanwhile)]).toEqual([refused, { ok: true, value: 'C-2' }])
      // No second question while the prompt is open.
      expect([fake.reads() - reads, answers]).toEqual([1, 0])

      answer()
      expect(await seal.allKeys()).toEqual({ ok: true, value: null })
      expect([answers, seal.place()]).toEqual([1, 'keychain'])
      expect(await seal.reveal(before)).toEqual({ ok: true, value: 'C-1' })
      const again = await start()
      expect(await again.reveal(meanwhile)).toEqual({ ok: true, value: 'C-2' })
    })

    it('asks again later if the prompt was refused', async () => {
      const before = (await start()).seal('C-1')
      const answer = fake.prompt()
      const seal = await start(over)
      fake.fail('keychain/denied')
      answer()
      expect((await seal.allKeys()).ok).toBe(false)
      expect(answers).toBe(0)
      fake.fail(undefined)
      expect(await seal.allKeys()).toEqual({ ok: true, value: null })
      expect([answers, await seal.reveal(before)]).toEqual([1, { ok: true, value: 'C-1' }])
    })

    it('loses nothing on a first start where the prompt appears only on writing', async () => {
      const { promise: asked, resolve: write } = Promise.withResolvers<undefined>()
      const patience = new AbortController()
      fake.keychain.write = async (account, secret) => {
        patience.abort()
        await asked
        fake.entries.set(account, secret)
        return { ok: true, value: null }
      }
      const seal = await start(patience.signal)
      const meanwhile = seal.seal('C-1')
      write(undefined)
      expect(await seal.allKeys()).toEqual({ ok: true, value: null })
      expect(await (await start()).reveal(meanwhile)).toEqual({ ok: true, value: 'C-1' })
    })
  })
})
