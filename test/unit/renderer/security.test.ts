import { describe, expect, it } from 'vitest'
import { createClient } from '../../../src-shared/ipc/client'
import type { SecurityView } from '../../../src-shared/ipc/contract/station'
import { Security } from '../../../src-renderer/security/security.svelte'
import { unlocking } from '../../../src-renderer/security/security.svelte'
import { createFakeWire, turn } from './fake-wire'

const locked: SecurityView = {
  hasPin: true,
  isLocked: true,
  autoLockMinutes: 15,
  isAutoLockFixed: false,
  isPinRequired: false,
}
const open: SecurityView = { ...locked, isLocked: false }

function createDesk() {
  const fake = createFakeWire()
  const plain = createClient(fake.wire)
  const security = new Security(plain)
  const client = unlocking(plain, (isAgain) => security.ask(isAgain))
  return { fake, security, client }
}

describe('a call that needs the PIN', () => {
  it('asks for the PIN, and is repeated once the PIN is right', async () => {
    const { fake, security, client } = createDesk()
    const dismissed = client.call('outbox.export', undefined)
    await fake.next('outbox.export').refuse({ code: 'security/locked' })
    expect(security.isAsking).toBe(true)

    void security.unlock('1111')
    await fake.next('security.unlock').refuse({ code: 'security/wrong-pin', waitMs: 0 })
    expect(security).toMatchObject({ isAsking: true, error: { code: 'security/wrong-pin' } })
    void security.unlock('4711')
    await fake.next('security.unlock').answer(open)
    expect(security).toMatchObject({ isAsking: false, error: null, view: open })
    await fake.next('outbox.export').answer({ fileName: 'outbox.csv', lines: [] })
    expect(await dismissed).toMatchObject({ ok: true, value: { fileName: 'outbox.csv' } })
  })

  it('is repeated once a manager signs in; a lead who signs in may not be enough, and the question says so', async () => {
    const { fake, security, client } = createDesk()
    security.start()
    const exported = client.call('outbox.export', undefined)
    await fake.next('outbox.export').refuse({ code: 'security/locked' })
    expect([security.isAsking, security.isNotEnough]).toEqual([true, false])
    security.tryAgain()
    await turn()
    await fake.next('outbox.export').refuse({ code: 'security/locked' })
    expect([security.isAsking, security.isNotEnough]).toEqual([true, true])
    await fake.emit('security.changed', locked)
    expect(security.isAsking).toBe(true)
    await fake.emit('security.changed', open)
    expect([security.isAsking, security.isNotEnough]).toEqual([false, false])
    await fake.next('outbox.export').answer({ fileName: 'outbox.csv', lines: [] })
    expect(await exported).toMatchObject({ ok: true })
  })

  it('is refused when the question is canceled', async () => {
    const { fake, security, client } = createDesk()
    const asked = client.call('outbox.export', undefined)
    await fake.next('outbox.export').refuse({ code: 'security/locked' })
    security.cancel()
    expect(await asked).toEqual({ ok: false, error: { code: 'security/locked' } })
    expect(security.isAsking).toBe(false)
  })

  it('shares one question with the other waiting calls', async () => {
    const { fake, security, client } = createDesk()
    const both = Promise.all([client.call('outbox.export', undefined), client.call('support.diagnostics', undefined)])
    await fake.next('outbox.export').refuse({ code: 'security/locked' })
    await fake.next('support.diagnostics').refuse({ code: 'security/locked' })
    security.cancel()
    expect((await both).map(({ ok }) => ok)).toEqual([false, false])
  })

  it('passes every other refusal on', async () => {
    const { fake, security, client } = createDesk()
    const asked = client.call('outbox.export', undefined)
    await fake.next('outbox.export').refuse({ code: 'ipc/too-many' })
    expect(await asked).toEqual({ ok: false, error: { code: 'ipc/too-many' } })
    expect(security.isAsking).toBe(false)
  })
})

describe('the PIN', () => {
  it.each(['', '123', '12a4', '1234567890123', '１２３４', ' 1234'])(
    'is not sent if it is invalid: "%s"',
    async (typed) => {
      const { fake, security } = createDesk()
      await security.unlock(typed)
      expect(await security.setPin(typed)).toBe(false)
      expect(security.fault).toEqual({ key: 'security.pin.form' })
      expect(fake.asked).toEqual([])
    },
  )

  it('asks for the old PIN before a change', async () => {
    const { fake, security } = createDesk()
    void security.load()
    await fake.next('security.view').answer(locked)
    const changing = security.setPin('2222')
    expect(security.isAsking).toBe(true)
    void security.unlock('4711')
    await fake.next('security.unlock').answer(open)
    await fake.next('security.setPin').answer(open)
    expect(await changing).toBe(true)
    expect(security.isSaved).toBe(true)
  })
})
