import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { AppError } from '../../../src-shared/errors'
import { createClient } from '../../../src-shared/ipc/client'
import type { ProfileForm } from '../../../src-shared/ipc/contract/station'
import type { CallInput, CallName, CallOutput } from '../../../src-shared/ipc/contract'
import { rulePresets } from '../../../src-shared/rule-presets'
import { createDispatch } from '../../../src-main/ipc/dispatch'
import { unlimited } from '../../../src-main/ipc/limits'
import { Policy } from '../../../src-main/policy/policy'
import { openStation } from '../../../src-main/station/station'
import { openStore } from '../../../src-main/database/open'
import { fakeScanners } from '../../fakes/hid-layer'
import { fakeKeychain } from '../../fakes/keychain'

/** A till in its own folder that is started repeatedly under different policies. Its services don't answer. */
function aTill() {
  const dataDir = mkdtempSync(join(tmpdir(), 'countertag policy '))
  const { keychain } = fakeKeychain()
  let close = () => Promise.resolve()
  onTestFinished(async () => {
    await close()
    rmSync(dataDir, { recursive: true })
  })
  /** Closes the till if it is open, and opens it; `wishes` is the policy file of IT. */
  const start = async (wishes?: object, startWith?: string) => {
    await close()
    const station = await openStation({
      dataDir,
      resourcesDir: join(import.meta.dirname, '../../../resources'),
      version: '0.0.0-test',
      scanners: fakeScanners().layer,
      keychain,
      startWith,
      policy: wishes && Policy.parse(wishes),
    })
    close = () => {
      close = () => Promise.resolve()
      return station.close(0)
    }
    const dispatch = createDispatch({ station, rateLimit: unlimited, isTrusted: () => true })
    const client = createClient({
      invoke: (call, input) => dispatch('test', call, input),
      subscribe: () => () => undefined,
    })
    return {
      async ask<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>> {
        const answer = await client.call(name, input)
        if (!answer.ok) throw new Error(`${name}: ${JSON.stringify(answer.error)}`)
        return answer.value
      },
      async refused<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<AppError | undefined> {
        const answer = await client.call(name, input)
        return answer.ok ? undefined : answer.error
      },
    }
  }
  return {
    dataDir,
    start,
    /** Leaves an unsent report in the data of a connection that is not open. */
    leaveReport: async (id: string) => {
      await close()
      const store = openStore(join(dataDir, id, 'countertag.db'))
      store.db
        .prepare(
          `INSERT INTO operation (id, kind, payload, state, performed_at, performed_at_raw, clock_offset, next_attempt_at)
           VALUES ('11111111-1111-4111-8111-111111111111', 'sale', '{}', 'queued', '2026-11-01T12:00:00.000Z', 1, 0, 9999999999999)`,
        )
        .run()
      store.close()
    },
  }
}

const profile = { name: 'Green Door', baseUrl: 'https://service.test', retailAuthUrl: 'https://retail.test' }
const fixed = { code: 'policy/fixed' }
const form = (different: Partial<ProfileForm> = {}): ProfileForm => ({
  kind: 'production',
  name: 'Own',
  baseUrl: 'https://own.test',
  retailAuthUrl: 'https://own-retail.test',
  sourcingAuthUrl: null,
  dispensaryId: null,
  sendsSku: false,
  caFile: null,
  ...different,
})

describe('a till under a policy', () => {
  it('uses the connection of the policy from the first start, without a welcome', async () => {
    const till = await aTill().start({ profile })
    expect(await till.ask('station.welcome', undefined)).toEqual({ isNew: false })
    expect(await till.ask('profile.settings', undefined)).toMatchObject({
      active: 'green-door',
      allowsOthers: true,
      allowsPractice: true,
      profiles: [{ id: 'green-door', isManaged: true, profile: { ...profile, kind: 'production' } }],
    })
    expect(await till.ask('app.status', undefined)).toMatchObject({ profile: { name: 'Green Door' } })
  })

  it('starts with a certificate file on another computer in its policy, doesn’t read it, and says that of the connection', async () => {
    const path = '\\\\host\\share\\company.pem'
    const till = await aTill().start({ profile: { ...profile, caFile: path } })
    expect(await till.ask('profile.settings', undefined)).toMatchObject({ active: 'green-door' })
    const credentials = { clientId: 'id', clientSecret: 'secret' }
    await till.ask('profile.setCredentials', { id: 'green-door', product: 'retail', credentials })
    expect(await till.ask('profile.test', { id: 'green-door' })).toContainEqual(
      expect.objectContaining({ state: 'failed', error: { code: 'profile/no-ca-file', path } }),
    )
  })

  it('does not allow changing or removing that connection, but accepts its credentials', async () => {
    const till = await aTill().start({ profile })
    expect(await till.refused('profile.save', { id: 'green-door', profile: form() })).toEqual(fixed)
    expect(await till.refused('profile.remove', { id: 'green-door' })).toEqual(fixed)
    const credentials = { clientId: 'id', clientSecret: 'secret' }
    const { profiles } = await till.ask('profile.setCredentials', {
      id: 'green-door',
      product: 'retail',
      credentials,
    })
    expect(profiles).toMatchObject([{ credentials: { retail: 'keychain' } }])
  })

  it("keeps a person's choice of connection, and applies the policy's values", async () => {
    const { start } = aTill()
    const first = await start({ profile })
    await first.ask('profile.use', { id: 'practice' })
    const later = await start({ profile: { ...profile, name: 'Green Door, Newark', sendsSku: true } })
    expect(await later.ask('profile.settings', undefined)).toMatchObject({
      active: 'practice',
      profiles: [{ id: 'green-door', isManaged: true, profile: { name: 'Green Door, Newark', sendsSku: true } }],
    })
  })

  it('keeps the gates of the policy under a preset of all rules, which is set as a whole', async () => {
    const { start } = aTill()
    const free = await start()
    const usual = await free.ask('security.gates', undefined)
    const till = await start({ lock: { gates: { void: 'reason' } } })
    expect((await till.ask('security.gates', undefined)).fixed).toEqual(['void'])
    await till.ask('checkout.usePreset', { preset: 'strict' })
    expect(await till.ask('security.gates', undefined)).toMatchObject({
      levels: { ...rulePresets.strict.gates, void: 'reason' },
    })
    expect(await till.ask('checkout.settings', undefined)).toMatchObject({
      requiresBudtender: true,
      levels: { 'past-use-by': 'refuse' },
    })
    // The policy's gate was never set at the station.
    const later = await start()
    expect((await later.ask('security.gates', undefined)).levels).toEqual({
      ...rulePresets.strict.gates,
      void: usual.levels.void,
    })
    await later.ask('security.setPin', { pin: '2468' })
    await later.ask('security.lock', undefined)
    expect(await later.refused('checkout.usePreset', { preset: 'relaxed' })).toEqual({ code: 'security/locked' })
    expect((await later.ask('security.gates', undefined)).levels['take-out']).toBe('pin')
  })

  it('takes over an existing connection to the same service', async () => {
    const { start } = aTill()
    const before = await start()
    await before.ask('profile.save', {
      id: null,
      profile: form({ name: 'Old name', baseUrl: profile.baseUrl }),
    })
    const till = await start({ profile })
    expect((await till.ask('profile.settings', undefined)).profiles).toMatchObject([
      { id: 'old-name', isManaged: true, profile: { name: 'Green Door', retailAuthUrl: profile.retailAuthUrl } },
    ])
  })

  it('gets a second connection for another service, so that no report changes its service', async () => {
    const { start, leaveReport } = aTill()
    await start({ profile })
    await leaveReport('green-door')
    const moved = { profile: { ...profile, baseUrl: 'https://moved.test' }, allowOtherConnections: false }
    const till = await start(moved)
    expect(await till.ask('profile.settings', undefined)).toMatchObject({
      active: 'green-door-2',
      profiles: [
        { id: 'green-door', isManaged: false, waiting: 1, profile: { baseUrl: 'https://service.test' } },
        { id: 'green-door-2', isManaged: true, waiting: 0, profile: { baseUrl: 'https://moved.test' } },
      ],
    })
    // Waiting reports can still be sent.
    expect(await till.refused('profile.use', { id: 'green-door' })).toBeUndefined()
  })

  it('adds, shows and uses no other connections if the policy forbids them, and keeps the existing one stored', async () => {
    const { start } = aTill()
    const before = await start()
    await before.ask('profile.save', { id: null, profile: form() })
    await before.ask('profile.use', { id: 'own' })
    const till = await start({ profile, allowOtherConnections: false })
    const settings = await till.ask('profile.settings', undefined)
    expect(settings).toMatchObject({ active: 'green-door', allowsOthers: false })
    expect(settings.profiles.map(({ id }) => id)).toEqual(['green-door'])
    expect(await till.refused('profile.save', { id: null, profile: form() })).toEqual(fixed)
    expect(await till.refused('profile.use', { id: 'own' })).toEqual(fixed)
    // The connection was kept.
    const again = await start()
    expect((await again.ask('profile.settings', undefined)).profiles).toMatchObject([
      { id: 'own', isManaged: false },
      { id: 'green-door', isManaged: false },
    ])
  })

  it('uses its connection even if started for practice, if the policy forbids practice', async () => {
    const { start } = aTill()
    await (await start()).ask('station.welcomed', undefined)
    const till = await start({ profile, allowPractice: false }, 'practice')
    expect(await till.ask('profile.settings', undefined)).toMatchObject({
      active: 'green-door',
      allowsPractice: false,
    })
    expect(await till.refused('profile.use', { id: 'practice' })).toEqual(fixed)
  })

  it('keeps its connection if the policy is removed, and allows changing it', async () => {
    const { start, dataDir } = aTill()
    await start({ profile })
    const till = await start()
    expect(await till.ask('profile.settings', undefined)).toMatchObject({
      active: 'green-door',
      profiles: [{ id: 'green-door', isManaged: false }],
    })
    const renamed = form({ ...profile, name: 'Renamed' })
    expect(await till.refused('profile.save', { id: 'green-door', profile: renamed })).toBeUndefined()
    expect(readFileSync(join(dataDir, 'station.json'), 'utf8')).not.toContain('isManaged')
  })

  it('writes nothing if nothing changed', async () => {
    const { start, dataDir } = aTill()
    await start({ profile })
    const written = readFileSync(join(dataDir, 'station.json'), 'utf8')
    await start({ profile })
    expect(readFileSync(join(dataDir, 'station.json'), 'utf8')).toBe(written)
  })

  it('has the lock settings of the policy', async () => {
    const till = await aTill().start({ profile, lock: { afterMinutes: 7, isPinRequired: true } })
    const view = { hasPin: false, autoLockMinutes: 7, isAutoLockFixed: true, isPinRequired: true }
    expect(await till.ask('security.view', undefined)).toMatchObject(view)
    expect(await till.refused('support.diagnostics', undefined)).toEqual({ code: 'security/pin-required' })
    await till.ask('security.setPin', { pin: '4711' })
    expect(await till.refused('support.diagnostics', undefined)).toBeUndefined()
    expect(await till.refused('security.setPin', { pin: null })).toEqual(fixed)
    expect(await till.refused('security.setAutoLock', { minutes: 240 })).toEqual(fixed)
  })

  it('has the rules and roles of the policy for people, and opens a store that lost its last manager until they are gone', async () => {
    const { start } = aTill()
    const people = { isSignInRequired: true, afterMinutes: 7, roles: [{ shortName: 'an', role: 'manager' }] }
    const till = await start({ profile, people, lock: { isPinRequired: true } })
    const ana = { name: 'Ana', shortName: 'AN', role: 'manager' } as const
    expect(await till.refused('people.save', { id: null, person: ana })).toEqual({ code: 'security/pin-required' })
    const open = await start({ profile, people: { ...people, isOpen: true }, lock: { isPinRequired: true } })
    expect(await open.refused('people.save', { id: null, person: { ...ana, role: 'clerk' } })).toEqual(fixed)
    const { id } = await open.ask('people.save', { id: null, person: ana })
    await open.ask('people.setPin', { id, pin: '2468' })
    expect(await open.refused('people.setRules', { demand: 'names' })).toEqual(fixed)
    const rules = { demand: 'required', minutes: 7 }
    expect(await open.ask('people.view', undefined)).toMatchObject({ rules, people: [{ isRoleFixed: true }] })
    const locked = await start({ profile, people, lock: { isPinRequired: true } })
    expect(await locked.refused('people.setPin', { id, pin: null })).toEqual({ code: 'security/locked' })
    await locked.ask('people.signIn', { shown: { shortName: 'AN', pin: '2468' } })
    expect(await locked.ask('security.view', undefined)).toMatchObject({ isLocked: false })
    expect(await locked.refused('journal.page', { filter: {} })).toBeUndefined()
    await locked.ask('people.signOut', undefined)
    expect(await locked.refused('journal.page', { filter: {} })).toEqual({ code: 'security/locked' })
  })

  it("does not start if its connection can't be saved", async () => {
    const { start, dataDir } = aTill()
    await start()
    mkdirSync(join(dataDir, 'station.json.new'))
    await expect(start({ profile })).rejects.toMatchObject({ code: 'store/no-access' })
    rmSync(join(dataDir, 'station.json.new'), { recursive: true })
  })
})
