import { scryptSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SecurityView } from '../../../../src-shared/ipc/contract/station'
import { callNames } from '../../../../src-shared/ipc/contract'
import { ok } from '../../../../src-shared/result'
import { Lock, noManagers } from '../../../../src-main/security/lock'
import { guarded } from '../../../../src-main/security/guarded'
import type { PolicyLock } from '../../../../src-main/policy/policy'
import { type KeptPin, hashPin, isPin } from '../../../../src-main/security/pin'
import { type PinHash, openStationFile } from '../../../../src-main/station/station-file'
import { type HandClock, handClock } from '../../../fakes/clock'

const pin = '4711'
const minute = 60_000
/** A station that keeps its PIN in its file only. */
const pinInFileOnly: KeptPin = {
  read: () => null,
  askAgain: () => Promise.resolve(),
  write: () => Promise.resolve(ok(null)),
}
/** A stored PIN with few scrypt rounds, so that repeated attempts are fast. */
const cheapPin = (): PinHash => {
  const cost = 2 ** 8
  const salt = Buffer.alloc(16, 7)
  return { salt: salt.toString('base64'), hash: scryptSync(pin, salt, 32, { N: cost }).toString('base64'), cost }
}

describe("a manager's PIN", () => {
  let folder: string
  let clock: HandClock
  let lock: Lock
  let views: SecurityView[]
  let startedAt: number
  let managers = noManagers

  /** `kept`: the PIN in the keychain. */
  const open = (kept = pinInFileOnly, policy: PolicyLock = {}) => {
    views = []
    startedAt = clock.now()
    lock = new Lock({
      file: openStationFile(join(folder, 'station.json'), clock),
      kept,
      policy,
      clock,
      sinceStart: () => clock.now() - startedAt,
      announce: (view) => views.push(view),
      managers: () => managers,
    })
  }
  /** Opens locked, as a station with a PIN starts. */
  const openWithPin = () => {
    lock.close()
    const stored = cheapPin()
    open({ ...pinInFileOnly, read: () => stored })
    expect(lock.view().isLocked).toBe(true)
  }
  describe('under a policy', () => {
    it("locks after the minutes set by IT, which can't be changed on the till", async () => {
      lock.close()
      const stored = cheapPin()
      open({ ...pinInFileOnly, read: () => stored }, { afterMinutes: 2 })
      expect(lock.view()).toMatchObject({ autoLockMinutes: 2, isAutoLockFixed: true })
      await lock.unlock(pin)
      expect(lock.setAutoLock(240)).toEqual({ ok: false, error: { code: 'policy/fixed' } })
      clock.advance(2 * minute)
      expect(lock.objection('profile.use')).toEqual({ code: 'security/locked' })
    })

    it('that requires a PIN blocks all guarded calls until a PIN is set, and keeps that PIN', async () => {
      lock.close()
      open(pinInFileOnly, { isPinRequired: true })
      expect(lock.view()).toMatchObject({ hasPin: false, isPinRequired: true })
      const refused = [...guarded].map((call) => lock.objection(call)?.code)
      expect(new Set(refused)).toEqual(new Set(['security/pin-required']))
      expect(lock.objection('checkout.finish')).toBeUndefined()
      expect(await lock.setPin(pin)).toMatchObject({ ok: true })
      expect(lock.objection('profile.use')).toBeUndefined()
      expect(await lock.setPin(null)).toEqual({ ok: false, error: { code: 'policy/fixed' } })
      expect(await lock.setPin('998877')).toMatchObject({ ok: true })
    })
  })

  it('locks for managers who can sign in, also without a PIN, and opens while one is', async () => {
    managers = { ...noManagers, are: true }
    expect(lock.view()).toMatchObject({ hasPin: false, isLocked: true })
    expect(lock.objection('people.save')).toEqual({ code: 'security/locked' })
    expect(lock.objection('checkout.finish')).toBeUndefined()
    expect(await lock.setPin(pin)).toEqual({ ok: false, error: { code: 'security/locked' } })
    managers = { are: true, isIn: true, isLeadIn: true }
    expect(lock.objection('people.save')).toBeUndefined()
    managers = { ...noManagers, are: true }
    expect(lock.objection('people.save')).toEqual({ code: 'security/locked' })
    managers = { ...managers, isLeadIn: true }
    const open = [...guarded].filter((call) => lock.objection(call) === undefined)
    expect(open.toSorted()).toEqual([
      ...['checkout.amend', 'checkout.amendMany', 'checkout.reopen'],
      ...['outbox.confirm', 'outbox.dismiss', 'outbox.dismissMany'],
    ])
  })

  beforeEach(() => {
    managers = noManagers
    folder = mkdtempSync(join(tmpdir(), 'countertag-lock-'))
    clock = handClock()
    open()
  })
  afterEach(() => {
    lock.close()
    rmSync(folder, { recursive: true })
  })

  it('permits what it is given for and unlocks nothing; without one, a reason is enough', async () => {
    expect(lock.gateRules.needsPin()).toBe(false)
    openWithPin()
    expect(lock.gateRules.needsPin()).toBe(true)
    expect(await lock.gateRules.checkPin('0000')).toMatchObject({ code: 'security/wrong-pin' })
    clock.advance(minute)
    expect(await lock.gateRules.checkPin(pin)).toBeUndefined()
    expect(lock.view().isLocked).toBe(true)
  })

  it('blocks nothing until it is set', () => {
    for (const call of callNames) expect(lock.objection(call)).toBeUndefined()
    expect(lock.view()).toMatchObject({ hasPin: false, isLocked: false })
  })

  it('blocks settings, dismissals and exports, but never scanning, selling or receiving', async () => {
    await lock.setPin(pin)
    lock.lock()
    for (const call of callNames) {
      expect(lock.objection(call), call).toEqual(guarded.has(call) ? { code: 'security/locked' } : undefined)
    }
    for (const call of ['outbox.dismiss', 'outbox.export', 'profile.use', 'scanner.setSettings'] as const) {
      expect(guarded.has(call), call).toBe(true)
    }
    for (const call of [
      'scanner.submit',
      'checkout.addItem',
      'checkout.finish',
      'receiving.import',
      'outbox.sendNow',
    ] as const) {
      expect(guarded.has(call), call).toBe(false)
    }
  })

  it('unlocks only with the right digits, also after a restart', async () => {
    await lock.setPin(pin)
    lock.close()
    open()
    expect(lock.view()).toMatchObject({ hasPin: true, isLocked: true })
    expect(await lock.unlock('1174')).toMatchObject({ ok: false, error: { code: 'security/wrong-pin' } })
    clock.advance(minute)
    expect(await lock.unlock(pin)).toMatchObject({ ok: true, value: { isLocked: false } })
    expect(lock.objection('outbox.dismiss')).toBeUndefined()
    expect(views.at(-1)).toMatchObject({ isLocked: false })
  })

  it('makes wrong attempts wait longer and longer, at most five minutes', async () => {
    openWithPin()
    const waits: number[] = []
    for (let n = 0; n < 12; n++) {
      const answer = await lock.unlock('0000')
      if (answer.ok || answer.error.code !== 'security/wrong-pin') throw new Error('was let in')
      waits.push(answer.error.waitMs)
      clock.advance(Math.max(answer.error.waitMs, 500))
    }
    expect(waits.slice(0, 5)).toEqual([0, 0, 5_000, 10_000, 20_000])
    expect(Math.max(...waits)).toBe(300_000)
    // During the wait, even the right PIN is refused.
    await lock.unlock('0000')
    expect(await lock.unlock(pin)).toMatchObject({ ok: false, error: { code: 'security/wrong-pin' } })
    clock.advance(300_000)
    expect(await lock.unlock(pin)).toMatchObject({ ok: true })
  })

  it('keeps the wait after a restart, and whatever the clock shows', async () => {
    openWithPin()
    for (let n = 0; n < 5; n++) {
      const answer = await lock.unlock('0000')
      clock.advance(answer.ok || answer.error.code !== 'security/wrong-pin' ? 0 : Math.max(answer.error.waitMs, 500))
    }
    lock.close()
    openWithPin()
    expect(await lock.unlock(pin)).toMatchObject({ ok: false, error: { waitMs: 20_000 } })
    clock.advance(20_000)
    expect(await lock.unlock(pin)).toMatchObject({ ok: true })
    lock.close()
    openWithPin()
    expect(await lock.unlock(pin)).toMatchObject({ ok: true })
  })

  it('allows a single attempt at a time', async () => {
    openWithPin()
    const answers = await Promise.all(['0000', pin, pin].map((one) => lock.unlock(one)))
    expect(answers.map(({ ok }) => ok)).toEqual([false, false, false])
  })

  it('locks automatically some minutes after the last guarded call', async () => {
    await lock.setPin(pin)
    expect(lock.setAutoLock(5)).toMatchObject({ ok: true, value: { autoLockMinutes: 5 } })
    clock.advance(4 * minute)
    expect(lock.objection('outbox.export')).toBeUndefined()
    clock.advance(4 * minute)
    expect(lock.objection('outbox.export')).toBeUndefined()
    clock.advance(5 * minute)
    expect(lock.objection('outbox.export')).toEqual({ code: 'security/locked' })
    expect(lock.view().isLocked).toBe(true)
  })

  it('can be changed or removed only after unlocking', async () => {
    await lock.setPin(pin)
    lock.lock()
    for (const next of ['9999', null]) {
      expect(await lock.setPin(next)).toEqual({ ok: false, error: { code: 'security/locked' } })
    }
    expect(lock.setAutoLock(60)).toEqual({ ok: false, error: { code: 'security/locked' } })
    await lock.unlock(pin)
    expect(await lock.setPin(null)).toMatchObject({ ok: true, value: { hasPin: false, isLocked: false } })
    expect(await lock.unlock(pin)).toEqual({ ok: false, error: { code: 'security/no-pin' } })
  })

  it('is stored only as a salted hash', async () => {
    await lock.setPin('73915528')
    const text = readFileSync(join(folder, 'station.json'), 'utf8')
    expect(text).not.toContain('73915528')
    const [one, other] = [await hashPin(pin), await hashPin(pin)]
    expect(one.hash).not.toBe(other.hash)
    expect(await isPin(pin, one)).toBe(true)
    expect(await isPin('4712', one)).toBe(false)
  })
})
