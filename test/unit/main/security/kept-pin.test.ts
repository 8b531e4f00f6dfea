import { describe, expect, it } from 'vitest'
import { hashPin, openKeptPin } from '../../../../src-main/security/pin'
import { fakeKeychain } from '../../../fakes/keychain'

const [first, second] = await Promise.all([hashPin('4711'), hashPin('0815')])

describe('a PIN in the keychain', () => {
  const open = (
    fake: ReturnType<typeof fakeKeychain>,
    ofFile: typeof first | null,
    dataDir = '/till',
    isUsable = true,
  ) => openKeptPin({ keychain: fake.keychain, dataDir, isUsable, ofFile })

  it('is taken over from the file, and takes precedence if the file has lost it or has another one', async () => {
    const fake = fakeKeychain()
    expect((await open(fake, first)).read()).toEqual(first)
    expect((await open(fake, null)).read()).toEqual(first)
    expect((await open(fake, second)).read()).toEqual(first)
    expect([...fake.entries.values()].join()).not.toContain('4711')
  })

  it('is stored separately for each data folder', async () => {
    const fake = fakeKeychain()
    await open(fake, first, '/till')
    expect((await open(fake, null, '/till 2')).read()).toBeNull()
    expect((await open(fake, null, '/other/../till')).read()).toEqual(first)
  })

  it('is deleted when it is removed', async () => {
    const fake = fakeKeychain()
    const kept = await open(fake, first)
    expect((await kept.write(null)).ok).toBe(true)
    expect([kept.read(), fake.entries.size]).toEqual([null, 0])
  })

  it.each(['missing', 'locked', 'denied', 'failing'] as const)(
    'stays unchanged if the keychain is %s',
    async (trouble) => {
      const fake = fakeKeychain()
      const kept = await open(fake, first)
      fake.fail(`keychain/${trouble}`)
      expect(await kept.write(second)).toEqual({ ok: false, error: { code: `keychain/${trouble}` } })
      expect(await kept.write(null)).toEqual({ ok: false, error: { code: `keychain/${trouble}` } })
      expect(kept.read()).toEqual(first)
    },
  )

  it.each([
    ['another', second],
    ['none', null],
  ])('stays unchanged after an error, even if the keychain answered late: to set %s', async (_what, next) => {
    const fake = fakeKeychain()
    const kept = await open(fake, first)
    const answer = fake.answerLate()
    expect(await kept.write(next)).toEqual({ ok: false, error: { code: 'keychain/locked' } })
    await answer()
    expect([kept.read(), (await open(fake, null)).read()]).toEqual([first, first])
  })

  it('that was set later stays, whatever the late answer was to', async () => {
    const fake = fakeKeychain()
    const kept = await open(fake, null)
    const answer = fake.answerLate()
    expect((await kept.write(first)).ok).toBe(false)
    expect((await kept.write(second)).ok).toBe(true)
    await answer()
    expect((await open(fake, null)).read()).toEqual(second)
  })

  it('that could not be set leaves nothing behind after a late answer', async () => {
    const fake = fakeKeychain()
    const kept = await open(fake, null)
    const answer = fake.answerLate()
    expect((await kept.write(first)).ok).toBe(false)
    await answer()
    expect([kept.read(), fake.entries.size]).toEqual([null, 0])
  })

  it('is not needed if there is no keychain', async () => {
    const fake = fakeKeychain()
    fake.fail('keychain/missing')
    const kept = await open(fake, first, '/till', false)
    expect([kept.read(), await kept.write(second), kept.read()]).toEqual([null, { ok: true, value: null }, null])
    expect(fake.reads()).toBe(0)
  })

  it('that is unreadable counts as missing, and is written again', async () => {
    const fake = fakeKeychain()
    await open(fake, first)
    for (const account of fake.entries.keys()) fake.entries.set(account, '{"salt":1}')
    expect((await open(fake, second)).read()).toEqual(second)
    expect((await open(fake, null)).read()).toEqual(second)
  })

  describe('while a keychain prompt is open', () => {
    const late = async (isUsable: boolean) => {
      const fake = fakeKeychain()
      await open(fake, first)
      const answer = fake.prompt()
      let told = 0
      const kept = await openKeptPin({
        ...{ keychain: fake.keychain, dataDir: '/till', isUsable, ofFile: null },
        patience: AbortSignal.abort(),
        onLate: () => told++,
      })
      expect(kept.read()).toBeNull()
      return { kept, answer, told: () => told }
    }

    it.each([
      ['was asked at the start', true],
      ['was not asked', false],
    ])('takes effect as soon as a keychain answers that %s', async (_when, isUsable) => {
      const { kept, answer, told } = await late(isUsable)
      answer()
      await kept.askAgain()
      expect(kept.read()).toEqual(first)
      expect(told()).toBeGreaterThan(0)
    })

    it('gives way to a PIN that a person set meanwhile', async () => {
      const { kept, answer } = await late(true)
      const writing = kept.write(second)
      answer()
      await writing
      await kept.askAgain()
      expect(kept.read()).toEqual(second)
    })
  })
})
