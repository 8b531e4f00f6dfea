import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ProfileForm } from '../../../../src-shared/ipc/contract/station'
import { type Profiles, profileOf, createProfiles } from '../../../../src-main/station/profiles'
import { openStationFile } from '../../../../src-main/station/station-file'
import { handClock } from '../../../fakes/clock'
import { form } from './form'

const certificate = join(import.meta.dirname, '../../../fixtures/tls/authority.pem')

describe('the profiles of a station', () => {
  let folder: string
  let profiles: Profiles
  const withData = new Set<string>()
  const unsent = new Map<string, number | undefined>()
  const data = {
    isThere: (id: string) => withData.has(id),
    waiting: (id: string) => (unsent.has(id) ? unsent.get(id) : 0),
  }
  const open = (startWith?: string) =>
    createProfiles(openStationFile(join(folder, 'station.json'), handClock()), data, startWith)
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'countertag profiles '))
    withData.clear()
    unsent.clear()
    profiles = open()
  })
  afterEach(() => {
    rmSync(folder, { recursive: true })
  })
  const add = (different: Partial<ProfileForm>) => profiles.save(null, form(different))

  it.each([
    ['Green Door, Newark', 'green-door-newark'],
    ['  Café Ünïque  ', 'cafe-unique'],
    ['店', 'store'],
    ['---', 'store'],
    ['../../etc', 'etc'],
    ['practice', 'practice-2'],
    ['COM1', 'store-com1'],
    ['nul', 'store-nul'],
    ['a'.repeat(60), 'a'.repeat(30)],
    [`${'a'.repeat(29)} b`, 'a'.repeat(29)],
  ])('called %j keeps its data in %s', (name, id) => {
    expect(add({ name })).toMatchObject({ ok: true, value: id })
  })

  it('with the same name get separate folders', () => {
    expect([add({}), add({}), add({})]).toMatchObject([
      { value: 'green-door' },
      { value: 'green-door-2' },
      { value: 'green-door-3' },
    ])
  })

  it('never reuse the folder of a removed profile: its reports belong to another service', () => {
    add({})
    withData.add('green-door')
    expect(profiles.remove('green-door').ok).toBe(true)
    expect(add({})).toMatchObject({ value: 'green-door-2' })
  })

  it('never reuse the id of a removed profile whose secrets are still in an unreachable keychain', () => {
    for (const left of [{ inKeychain: ['green-door/retail'] }, { clients: { 'green-door/sourcing': 'mark' } }]) {
      const file = openStationFile(join(folder, 'station.json'), handClock())
      file.change((settings) => ({ ...settings, inKeychain: [], clients: {}, profiles: [], ...left }))
      profiles = open()
      expect(add({})).toMatchObject({ value: 'green-door-2' })
      expect(add({ name: 'Green' })).toMatchObject({ value: 'green' })
    }
  })

  it('survive a restart, and so does the active one', () => {
    add({ name: 'One' })
    expect(profiles.use('one').ok).toBe(true)
    profiles = open()
    expect([profiles.active(), profiles.byId('one')]).toEqual(['one', form({ name: 'One' })])
  })

  it('hide fields written by a newer version, and keep them when changed', () => {
    add({})
    const file = openStationFile(join(folder, 'station.json'), handClock())
    file.change((settings) => ({
      ...settings,
      profiles: settings.profiles.map((one) => ({ ...one, profile: { ...one.profile, proxy: 'x' } })),
    }))
    profiles = open()
    expect([profiles.byId('green-door'), profiles.all()]).toEqual([form(), [{ id: 'green-door', profile: form() }]])
    expect(profiles.save('green-door', form({ sendsSku: false })).ok).toBe(true)
    const { profiles: written } = openStationFile(join(folder, 'station.json'), handClock()).read()
    expect(written).toEqual([{ id: 'green-door', profile: { ...form(), sendsSku: false, proxy: 'x' } }])
  })

  it("can't change their kind, since waiting reports belong to that service", () => {
    add({})
    expect(profiles.save('green-door', form({ kind: 'production' }))).toEqual({
      ok: false,
      error: { code: 'profile/other-kind' },
    })
    expect(profiles.save('green-door', form({ baseUrl: 'https://other.test' })).ok).toBe(true)
    expect(profiles.byId('green-door')).toMatchObject({ kind: 'test', baseUrl: 'https://other.test' })
  })

  it('refuse an unknown id, removal of the active one, and changes to practice', () => {
    add({})
    profiles.use('green-door')
    const codes = [
      profiles.save('unknown', form()),
      profiles.save('practice', form()),
      profiles.use('unknown'),
      profiles.remove('unknown'),
      profiles.remove('practice'),
      profiles.remove('green-door'),
    ].map((result) => (result.ok ? 'ok' : result.error.code))
    expect(codes).toEqual([
      'profile/unknown',
      'profile/unknown',
      'profile/unknown',
      'profile/unknown',
      'profile/unknown',
      'profile/active',
    ])
    expect(profiles.use('practice').ok).toBe(true)
    expect(profiles.remove('green-door').ok).toBe(true)
  })

  it('fall back to practice if the active one is missing, but not on a station that has sold', () => {
    const file = join(folder, 'station.json')
    const text = JSON.stringify({
      version: 1,
      active: 'gone',
      profiles: [],
      security: { pin: null, autoLockMinutes: 15 },
    })
    writeFileSync(file, text)
    expect(open().active()).toBe('practice')
    mkdirSync(join(folder, 'gone'))
    writeFileSync(join(folder, 'gone', 'countertag.db'), 'sales')
    expect(open).toThrow(expect.objectContaining({ code: 'station/damaged' }))
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  it('can be overridden by a start for its own process, until a person chooses one', () => {
    add({})
    expect(profiles.use('green-door').ok).toBe(true)
    const practising = open('practice')
    expect([practising.active(), open().active()]).toEqual(['practice', 'green-door'])
    expect(practising.use('green-door').ok).toBe(true)
    expect(practising.active()).toBe('green-door')
    expect(open('practice').use('practice').ok).toBe(true)
    expect(open().active()).toBe('practice')
  })

  it("keep their address while reports are unsent or can't be counted, but can change otherwise", () => {
    add({})
    const elsewhere = form({ baseUrl: 'https://other.test' })
    unsent.set('green-door', 3)
    expect(profiles.save('green-door', elsewhere)).toEqual({ ok: false, error: { code: 'profile/unsent', count: 3 } })
    unsent.set('green-door', undefined)
    expect(profiles.save('green-door', elsewhere)).toEqual({ ok: false, error: { code: 'profile/unreadable-data' } })
    // The same address in another spelling counts as unchanged; a new name is allowed.
    const renamed = ProfileForm.parse(form({ name: 'Renamed', baseUrl: `${form().baseUrl}/` }))
    expect(profiles.save('green-door', renamed).ok).toBe(true)
    unsent.set('green-door', 0)
    expect(profiles.save('green-door', elsewhere).ok).toBe(true)
    expect(profiles.byId('green-door')?.baseUrl).toBe('https://other.test')
  })

  it('report it when the disk refuses, and stay unchanged', () => {
    const file = openStationFile(join(folder, 'station.json'), handClock())
    const refusing = createProfiles(
      {
        ...file,
        change() {
          throw Object.assign(new Error('read-only'), { code: 'EROFS', syscall: 'open' })
        },
      },
      data,
    )
    expect(refusing.save(null, form())).toEqual({ ok: false, error: { code: 'store/not-saved' } })
    expect(refusing.all()).toEqual([])
  })

  it('accept a certificate file only', () => {
    const notes = join(folder, 'notes.pem')
    writeFileSync(notes, 'no certificate')
    const broken = join(folder, 'broken.pem')
    writeFileSync(broken, '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n')
    for (const caFile of ['/nowhere/ca.pem', folder, notes, broken]) {
      expect(add({ caFile }), caFile).toEqual({ ok: false, error: { code: 'profile/no-ca-file', path: caFile } })
    }
    expect(add({ caFile: certificate }).ok).toBe(true)
  })

  it('become connections with one account or two', () => {
    const auth = 'https://auth.test'
    expect(profileOf(form({ retailAuthUrl: auth, sourcingAuthUrl: null })).authUrls).toEqual({ retail: auth })
    expect(profileOf(form({ retailAuthUrl: null, sourcingAuthUrl: auth })).authUrls).toEqual({ sourcing: auth })
    expect(profileOf(form({ retailAuthUrl: auth, sourcingAuthUrl: auth })).authUrls).toEqual({
      retail: auth,
      sourcing: auth,
    })
  })
})

describe('a valid connection', () => {
  const isTaken = (different: Partial<ProfileForm>) => ProfileForm.safeParse(form(different)).success

  it.each([
    'http://service.test',
    'ftp://service.test',
    'service.test',
    'https://',
    'https://user:word@service.test',
    'https://service.test?key=1',
    'https://service.test#x',
    'javascript:alert(1)',
    'http://127.0.0.1.evil.test',
    'http://localhost.evil.test',
    '',
    `https://${'a'.repeat(400)}.test`,
  ])("can't have the address %j", (baseUrl) => {
    expect([isTaken({ baseUrl }), isTaken({ retailAuthUrl: baseUrl })]).toEqual([false, false])
  })

  it('uses https, or http on this computer for tests only', () => {
    for (const baseUrl of ['http://127.0.0.1:8080', 'http://localhost:1', 'http://[::1]:1']) {
      expect([isTaken({ baseUrl }), isTaken({ baseUrl, kind: 'production' })], baseUrl).toEqual([true, false])
    }
    expect(ProfileForm.parse(form({ baseUrl: ' https://service.test/base// ' })).baseUrl).toBe(
      'https://service.test/base',
    )
  })

  it('needs an account and a name', () => {
    expect(isTaken({ retailAuthUrl: null, sourcingAuthUrl: null })).toBe(false)
    expect([isTaken({ name: ' ' }), isTaken({ name: 'x'.repeat(61) })]).toEqual([false, false])
  })
})
