import { describe, expect, it } from 'vitest'
import { createClient } from '../../../src-shared/ipc/client'
import type { ConnectionSettings, ConnectionStep } from '../../../src-shared/ipc/connection-view'
import { say } from '../../../src-renderer/messages/text.svelte'
import { Connections } from '../../../src-renderer/settings/connection/connections.svelte'
import { ProfileEntry } from '../../../src-renderer/settings/connection/profile-form.svelte'
import { SignInForm } from '../../../src-renderer/settings/connection/sign-in-form.svelte'
import { stepTexts } from '../../../src-renderer/settings/connection/step-text'
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
const settings: ConnectionSettings = {
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
  step: 'read',
  state: 'passed',
  error: null,
  took: null,
  offset: null,
  ...different,
})

describe('the form of a connection', () => {
  const create = (known?: { id: string; profile: typeof profile }) => {
    const fake = createFakeWire()
    return { fake, form: new ProfileEntry(createClient(fake.wire), known) }
  }
  const faults = (form: ProfileEntry) =>
    Object.fromEntries(Object.entries(form.faults).map(([field, text]) => [field, say(text)]))

  it('says at each field what is wrong, and asks main for nothing', async () => {
    const { fake, form } = create()
    expect(await form.save()).toBeNull()
    expect(faults(form)).toEqual({ name: 'Give it a name.', baseUrl: 'Enter an address.' })
    form.name = 'x'.repeat(61)
    form.baseUrl = 'http://service.test'
    form.retailAuthUrl = 'https://user:word@auth.test'
    form.caFile = 'x'.repeat(1_001)
    await form.save()
    const https = 'Use an address that begins with https:// and has no password, question mark or # in it.'
    const long = 'That is too long.'
    expect(faults(form)).toEqual({ name: long, baseUrl: https, retailAuthUrl: https, caFile: long })
    form.typed('name')
    expect(Object.keys(faults(form))).toEqual(['baseUrl', 'retailAuthUrl', 'caFile'])
    expect(fake.asked).toEqual([])
  })

  it('wants one account, and production elsewhere than on this computer', async () => {
    const { form } = create()
    Object.assign(form, { name: 'Shop', baseUrl: 'https://service.test' })
    await form.save()
    expect(faults(form)).toEqual({ retailAuthUrl: 'Enter the address of one account at least.' })
    Object.assign(form, { kind: 'production', retailAuthUrl: 'http://127.0.0.1:1', baseUrl: 'https://service.test' })
    await form.save()
    expect(faults(form)).toEqual({ baseUrl: 'A production service is never on this computer.' })
  })

  it('hands in what was entered, empty fields as nothing, and gives the settings', async () => {
    const { fake, form } = create({ id: 'shop', profile })
    form.baseUrl = ' https://other.test/ '
    form.sendsSku = false
    const saving = form.save()
    const asked = fake.next('connection.saveProfile')
    expect(asked.input).toEqual({ id: 'shop', profile: { ...profile, baseUrl: 'https://other.test', sendsSku: false } })
    await asked.answer(settings)
    expect(await saving).toEqual(settings)
  })

  it('keeps what was entered when main refuses it', async () => {
    const { fake, form } = create({ id: 'shop', profile })
    form.caFile = '/x.pem'
    const saving = form.save()
    await fake.next('connection.saveProfile').refuse({ code: 'profile/no-ca-file', path: '/x.pem' })
    expect([await saving, form.error?.code, form.caFile, form.isSaving]).toEqual([
      null,
      'profile/no-ca-file',
      '/x.pem',
      false,
    ])
  })
})

describe('the form of client id and secret', () => {
  it('forgets both as soon as they are sent, also when they are refused', async () => {
    const fake = createFakeWire()
    const form = new SignInForm(createClient(fake.wire), 'shop', ['sourcing'])
    await form.save()
    expect([form.faults.clientId, form.faults.clientSecret].map((one) => one && say(one))).toEqual([
      'Enter the client id.',
      'Enter the client secret.',
    ])
    form.clientId = ' till '
    form.clientSecret = 'hush'
    const saving = form.save()
    expect([form.clientId, form.clientSecret]).toEqual(['', ''])
    const asked = fake.next('connection.setCredentials')
    expect(asked.input).toEqual({
      id: 'shop',
      product: 'sourcing',
      credentials: { clientId: 'till', clientSecret: 'hush' },
    })
    await asked.refuse({ code: 'profile/unknown' })
    expect([await saving, form.error?.code, form.clientSecret]).toEqual([null, 'profile/unknown', ''])
  })
})

describe('another client id while reports wait', () => {
  it('is saved only as one of the same store, by a word of its own', async () => {
    const fake = createFakeWire()
    const form = new SignInForm(createClient(fake.wire), 'shop', ['retail'])
    const enter = () => Object.assign(form, { clientId: 'till-2', clientSecret: 'hush' })
    enter()
    void form.save(form.isOther)
    await fake.next('connection.setCredentials').refuse({ code: 'profile/other-account', count: 3 })
    expect([form.isOther, form.clientId, form.clientSecret]).toEqual([true, 'till-2', 'hush'])
    // Something else was typed: that is not what was asked about.
    form.typed('clientId')
    expect(form.isOther).toBe(false)
    void form.save(form.isOther)
    await fake.next('connection.setCredentials').refuse({ code: 'profile/other-account', count: 3 })
    void form.save(form.isOther)
    const asked = fake.next('connection.setCredentials')
    expect(asked.input).toMatchObject({ credentials: { clientId: 'till-2' }, isSameStore: true })
    await asked.answer(settings)
    expect([form.error, form.clientSecret]).toEqual([null, ''])
  })

  it('does not come back to a form that was closed meanwhile', async () => {
    const fake = createFakeWire()
    const form = new SignInForm(createClient(fake.wire), 'shop', ['retail'])
    Object.assign(form, { clientId: 'till-2', clientSecret: 'hush' })
    void form.save()
    form.close()
    await fake.next('connection.setCredentials').refuse({ code: 'profile/other-account', count: 3 })
    expect([form.clientId, form.clientSecret]).toEqual(['', ''])
  })
})

describe('the connections', () => {
  it('show the steps of a test as they end, those of this test alone, and look at the keychain afterwards', async () => {
    const fake = createFakeWire()
    const connections = new Connections(createClient(fake.wire))
    const testing = connections.test('shop')
    await fake.emit('connection.step', { id: 'other', step: step({ step: 'keychain' }) })
    await fake.emit('connection.step', { id: 'shop', step: step({ step: 'keychain', took: 3 }) })
    expect([connections.steps.map((one) => one.took), connections.isTesting]).toEqual([[3], true])
    await fake.next('connection.test').answer([step({ step: 'keychain', took: 3 }), step({ took: 9 })])
    await fake.next('connection.settings').answer({ ...settings, keychain: 'locked' })
    await testing
    expect([connections.steps.length, connections.isTesting, connections.settings?.keychain]).toEqual([
      2,
      false,
      'locked',
    ])
  })

  it('say what was refused, and stay as they were', async () => {
    const fake = createFakeWire()
    const connections = new Connections(createClient(fake.wire))
    const using = connections.use('shop')
    await fake.next('connection.use').refuse({ code: 'profile/unknown' })
    expect([(await using)?.code, connections.isBusy]).toEqual(['profile/unknown', false])
  })
})

describe('a step of the test of a connection', () => {
  const said = (different: Partial<ConnectionStep>) => stepTexts(step(different)).map(say)

  it('says how long it took, why it failed, and how wrong the clock is', () => {
    expect(said({ took: 1_234 })).toEqual(['1,234 ms'])
    expect(said({ state: 'skipped' })).toEqual([])
    expect(said({ state: 'failed', took: 5, error: { code: 'keychain/denied' } })).toEqual([
      '5 ms',
      'The keychain did not let Countertag in.',
      'Test the connection and allow Countertag when the keychain asks.',
    ])
    expect(said({ step: 'clock', offset: 0 })).toEqual(['Right, within two seconds'])
    expect(said({ step: 'clock', offset: 61_000 })).toEqual(['61 s behind the service'])
    expect(said({ step: 'clock', state: 'failed', offset: -300_000 })[0]).toBe('300 s ahead of the service')
  })
})
