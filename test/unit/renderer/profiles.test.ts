import { describe, expect, it } from 'vitest'
import { createClient } from '../../../src-shared/ipc/client'
import type { ProfileSettings, ConnectionStep } from '../../../src-shared/ipc/contract/station'
import { say } from '../../../src-renderer/text/text.svelte'
import { Profiles, stepTexts } from '../../../src-renderer/settings/profiles/profiles.svelte'
import { ProfileEntry, SignInForm } from '../../../src-renderer/settings/profiles/profile-forms.svelte'
import { createFakeWire } from './fake-wire'

const profile = {
  kind: 'test' as const,
  name: 'Shop',
  baseUrl: 'https://service.test',
  retailAuthUrl: 'https://auth.test',
  sourcingAuthUrl: null,
  dispensaryId: null,
  sendsSku: true,
  caFile: null,
}
const settings: ProfileSettings = {
  active: 'practice',
  profiles: [
    { id: 'shop', profile, isManaged: false, credentials: { retail: 'keychain', sourcing: 'none' }, waiting: 0 },
  ],
  allowsOthers: true,
  allowsPractice: true,
  keychain: 'usable',
  problem: null,
}
const step = (different: Partial<ConnectionStep>): ConnectionStep => ({
  step: 'rights-retail',
  state: 'passed',
  error: null,
  took: null,
  offset: null,
  ...different,
})

describe('the connection form', () => {
  const create = (known?: { id: string; profile: typeof profile }) => {
    const fake = createFakeWire()
    const saved: ProfileSettings[] = []
    const entry = new ProfileEntry(createClient(fake.wire), known, (now) => saved.push(now))
    return { fake, saved, entry, form: entry.form, enter: (values: object) => Object.assign(entry.form.values, values) }
  }
  const faults = ({ form }: ProfileEntry) =>
    Object.fromEntries(Object.entries(form.faults).flatMap(([field, text]) => (text ? [[field, say(text)]] : [])))

  it('shows what is wrong beside each field, and sends nothing to main', async () => {
    const { fake, entry, form, enter } = create()
    await form.save()
    expect(faults(entry)).toEqual({ name: 'Give it a name.', baseUrl: 'Enter an address.' })
    enter({
      name: 'x'.repeat(61),
      baseUrl: 'http://service.test',
      retailAuthUrl: 'https://user:word@auth.test',
      caFile: 'x'.repeat(1_001),
    })
    await form.save()
    const https = 'Use an address that begins with https:// and has no password, question mark or # in it.'
    const long = 'That is too long.'
    const local = 'Use a file on this computer, without a network path: up to 1,000 characters.'
    expect(faults(entry)).toEqual({ name: long, baseUrl: https, retailAuthUrl: https, caFile: local })
    form.typed('name')
    expect(Object.keys(faults(entry))).toEqual(['baseUrl', 'retailAuthUrl', 'caFile'])
    expect(fake.asked).toEqual([])
    enter({ name: 'Till \u202Egnp', caFile: '\\\\host\\share\\ca.pem' })
    await form.save()
    const unseen = 'This has characters that can’t be seen. Type it instead of pasting it.'
    expect(faults(entry)).toMatchObject({ name: unseen, caFile: local })
  })

  it('requires at least one sign-in URL, and refuses a production service on this computer', async () => {
    const { entry, form, enter } = create()
    enter({ name: 'Shop', baseUrl: 'https://service.test' })
    await form.save()
    expect(faults(entry)).toEqual({ retailAuthUrl: 'Enter at least one sign-in URL.' })
    entry.kind = 'production'
    enter({ retailAuthUrl: 'http://127.0.0.1:1' })
    await form.save()
    expect(faults(entry)).toEqual({ baseUrl: 'A production service is never on this computer.' })
  })

  it('asks for the dispensary once, where a retail account would be refused for the items of another store', async () => {
    const { fake, entry, form, enter } = create()
    enter({ name: 'Shop', baseUrl: 'https://service.test', sourcingAuthUrl: 'https://auth.test' })
    const sourcing = form.save()
    await fake.next('profile.save').refuse({ code: 'profile/unknown' })
    await sourcing
    enter({ retailAuthUrl: 'https://auth.test' })
    await form.save()
    expect(Object.keys(faults(entry))).toEqual(['dispensaryId'])
    expect([fake.asked.length, entry.isIdAsked]).toEqual([0, true])
    // Saved again, it is meant.
    const saving = form.save()
    const asked = fake.next('profile.save')
    expect(asked.input).toMatchObject({ profile: { dispensaryId: null } })
    await asked.answer(settings)
    await saving
    expect(form.isSaved).toBe(true)
  })

  it('fills in the addresses of a region, and keeps none of the one before', async () => {
    const { fake, entry, form } = create()
    const loading = entry.loadPresets()
    const [east, west] = ['east', 'west'].map((name) => ({
      name,
      baseUrl: `https://${name}.test`,
      retailAuthUrl: `https://auth.${name}.test`,
      sourcingAuthUrl: name === 'east' ? 'https://brands.east.test' : null,
    }))
    if (!east || !west) throw new Error('no regions')
    await fake.next('profile.presets').answer([east, west])
    await loading
    entry.choosePreset('east')
    entry.choosePreset('west')
    expect(form.values).toMatchObject({ ...west, sourcingAuthUrl: '' })
  })

  it('sends what was entered, empty fields as null, and passes the saved settings on', async () => {
    const { fake, saved, entry, form, enter } = create({ id: 'shop', profile })
    enter({ baseUrl: ' https://other.test/ ', dispensaryId: 'D-1' })
    entry.sendsSku = false
    const saving = form.save()
    const asked = fake.next('profile.save')
    expect(asked.input).toEqual({
      id: 'shop',
      profile: { ...profile, baseUrl: 'https://other.test', dispensaryId: 'D-1', sendsSku: false },
    })
    await asked.answer(settings)
    await saving
    expect(saved).toEqual([settings])
  })

  it('keeps what was entered when main refuses it', async () => {
    const { fake, saved, form, enter } = create({ id: 'shop', profile })
    enter({ caFile: '/x.pem', dispensaryId: 'D-1' })
    const saving = form.save()
    await fake.next('profile.save').refuse({ code: 'profile/no-ca-file', path: '/x.pem' })
    await saving
    expect(form).toMatchObject({
      error: { code: 'profile/no-ca-file' },
      values: { caFile: '/x.pem' },
      isSaving: false,
    })
    expect(saved).toEqual([])
  })
})

function signIn(product: 'retail' | 'sourcing') {
  const fake = createFakeWire()
  const saved: ProfileSettings[] = []
  const entry = new SignInForm({
    client: createClient(fake.wire),
    id: 'shop',
    products: [product],
    onSaved: (now) => saved.push(now),
  })
  const enter = (clientId: string, clientSecret: string) => Object.assign(entry.form.values, { clientId, clientSecret })
  return { fake, saved, entry, form: entry.form, enter }
}

describe('the form for client id and secret', () => {
  it('forgets both as soon as they are sent, even if they are refused', async () => {
    const { fake, form, enter } = signIn('sourcing')
    await form.save()
    expect([form.faults.clientId, form.faults.clientSecret].map((one) => one && say(one))).toEqual([
      'Enter the client ID.',
      'Enter the client secret.',
    ])
    enter(' till ', 'hush')
    const saving = form.save()
    expect(form.values).toEqual({ clientId: '', clientSecret: '' })
    const asked = fake.next('profile.setCredentials')
    expect(asked.input).toEqual({
      id: 'shop',
      product: 'sourcing',
      credentials: { clientId: 'till', clientSecret: 'hush' },
    })
    await asked.refuse({ code: 'profile/unknown' })
    await saving
    expect([form.error?.code, form.values.clientSecret]).toEqual(['profile/unknown', ''])
  })
})

describe('another client id while reports wait', () => {
  it('is saved for the same store only after that id is confirmed', async () => {
    const { fake, saved, entry, form, enter } = signIn('retail')
    const other = { code: 'profile/other-account', count: 3 } as const
    enter('till-2', 'hush')
    void form.save()
    await fake.next('profile.setCredentials').refuse(other)
    expect([entry.isOther, form.values]).toEqual([true, { clientId: 'till-2', clientSecret: 'hush' }])
    // A different client id was typed, so the confirmation no longer applies.
    form.values.clientId = 'till-3'
    expect(entry.isOther).toBe(false)
    void form.save()
    const again = fake.next('profile.setCredentials')
    expect(again.input).not.toHaveProperty('isSameStore')
    await again.refuse(other)
    void form.save()
    const asked = fake.next('profile.setCredentials')
    expect(asked.input).toMatchObject({ credentials: { clientId: 'till-3' }, isSameStore: true })
    await asked.answer(settings)
    expect([form.error, form.values.clientSecret, saved.length]).toEqual([null, '', 1])
  })

  it('does not return to a form that was closed meanwhile', async () => {
    const { fake, entry, form, enter } = signIn('retail')
    enter('till-2', 'hush')
    void form.save()
    entry.close()
    await fake.next('profile.setCredentials').refuse({ code: 'profile/other-account', count: 3 })
    expect(form.values).toEqual({ clientId: '', clientSecret: '' })
  })
})

describe('the profiles', () => {
  it('show the steps of the current test only, as they end, and read the keychain afterwards', async () => {
    const fake = createFakeWire()
    const profiles = new Profiles(createClient(fake.wire))
    const testing = profiles.test('shop')
    await fake.emit('profile.step', { id: 'other', step: step({ step: 'address' }) })
    await fake.emit('profile.step', { id: 'shop', step: step({ step: 'address', took: 3 }) })
    expect([profiles.steps.map((one) => one.took), profiles.isTesting]).toEqual([[3], true])
    await fake.next('profile.test').answer([step({ step: 'address', took: 3 }), step({ took: 9 })])
    await fake.next('profile.settings').answer({ ...settings, keychain: 'locked' })
    await testing
    expect([profiles.steps.length, profiles.isTesting, profiles.settings?.keychain]).toEqual([2, false, 'locked'])
  })

  it('show why a change was refused, and stay as they were', async () => {
    const fake = createFakeWire()
    const profiles = new Profiles(createClient(fake.wire))
    const using = profiles.use('shop')
    await fake.next('profile.use').refuse({ code: 'profile/unknown' })
    expect([(await using)?.code, profiles.isBusy]).toEqual(['profile/unknown', false])
  })
})

describe('a step of the connection test', () => {
  const said = (different: Partial<ConnectionStep>) => stepTexts(step(different)).map(say)

  it('says how long it took, why it failed, and how wrong the clock is', () => {
    expect(said({ took: 1_234 })).toEqual(['1,234 ms'])
    expect(said({ state: 'skipped' })).toEqual([])
    expect(said({ state: 'failed', error: { code: 'keychain/denied' } })).toEqual([
      'The keychain did not let Countertag in.',
      'Test the connection and allow Countertag when the keychain asks.',
    ])
    expect(said({ step: 'clock', offset: 0 })).toEqual(['Correct within two seconds'])
    expect(said({ step: 'clock', offset: 61_000 })).toEqual(['61 s behind the service'])
    expect(said({ step: 'clock', state: 'failed', offset: -300_000 })[0]).toBe('300 s ahead of the service')
  })
})
