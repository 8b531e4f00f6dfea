import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readCaFile } from '../../../../src-main/service/routes'
import { openStationFile } from '../../../../src-main/station/station-file'
import { AppStartError } from '../../../../src-main/database/start-error'
import { handClock } from '../../../fakes/clock'
import { form } from './form'

const clock = handClock()
const minimal = {
  version: 1,
  active: 'green-door',
  profiles: [{ id: 'green-door', profile: form() }],
  security: { pin: null, autoLockMinutes: 15 },
}

describe('the file of the station', () => {
  let folder: string
  let file: string
  beforeEach(() => {
    // With spaces and non-ASCII letters, as in users' folders.
    folder = mkdtempSync(join(tmpdir(), 'countertag station ü 店 '))
    file = join(folder, 'station.json')
  })
  afterEach(() => {
    rmSync(folder, { recursive: true })
  })
  const write = (content: unknown) => {
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  }
  const written = (): unknown => JSON.parse(readFileSync(file, 'utf8'))

  it('is missing on the first start, which opens practice and writes nothing', () => {
    const opened = openStationFile(file, clock)
    expect([opened.problem, opened.read().active, opened.read().profiles]).toEqual([null, 'practice', []])
    expect(readdirSync(folder)).toEqual([])
  })

  it('can be created by an operator, with the minimum of fields', () => {
    write(minimal)
    const opened = openStationFile(file, clock)
    expect([opened.problem, opened.read().active, opened.read().inKeychain]).toEqual([null, 'green-door', []])
  })

  it('keeps unknown fields when it is changed: its own, of a profile and of the lock', () => {
    write({
      ...minimal,
      later: { x: 1 },
      profiles: [{ id: 'green-door', profile: { ...form(), proxy: { host: 'x' } }, colour: 'red' }],
      security: { ...minimal.security, badge: true },
    })
    openStationFile(file, clock).change((settings) => ({ ...settings, active: 'practice' }))
    expect(written()).toMatchObject({
      active: 'practice',
      later: { x: 1 },
      profiles: [{ id: 'green-door', profile: { ...form(), proxy: { host: 'x' } }, colour: 'red' }],
      security: { badge: true },
    })
    expect(readdirSync(folder)).toEqual(['station.json', 'station.json.last'])
  })

  it('of an earlier version is used with a name and a certificate file that would be refused today', () => {
    const caFile = '\\\\host\\share\\ca.pem'
    const hub = { host: '127.1', port: 5432, database: 'd', user: 'u', certificate: null, policy: 'warn' }
    const profile = { ...form(), name: 'Green\u202E Door', caFile, baseUrl: 'https:\\\\service.example' }
    write({
      ...minimal,
      profiles: [{ id: 'green-door', profile }],
      hubs: { 'green-door': { ...hub, stationName: 'Till\u200B 1' } },
    })
    const opened = openStationFile(file, clock)
    expect(opened.problem).toBe(null)
    const [kept] = opened.read().profiles
    expect(kept?.profile).toMatchObject({ name: 'Green\uFFFD Door', caFile, baseUrl: 'https:\\\\service.example' })
    expect(opened.read().hubs['green-door']).toMatchObject({ host: '127.1', stationName: 'Till\uFFFD 1' })
    // The file is on another computer: it isn't read.
    expect(readCaFile(caFile)).toBe(undefined)
  })

  it('can omit defaults, and can begin with the byte order mark of Windows editors', () => {
    const { kind, name, baseUrl, retailAuthUrl } = form()
    const short = { ...minimal, profiles: [{ id: 'green-door', profile: { kind, name, baseUrl, retailAuthUrl } }] }
    write(`\uFEFF${JSON.stringify(short)}`)
    const opened = openStationFile(file, clock)
    expect(opened.problem).toBeNull()
    expect(opened.read().profiles[0]?.profile).toMatchObject({ sourcingAuthUrl: null, sendsSku: false, caFile: null })
  })

  it('is accepted as shown in docs/operator.md', () => {
    const manual = readFileSync(join(import.meta.dirname, '../../../../docs/operator.md'), 'utf8')
    const [, example = ''] = /```json\n(.*?)```/s.exec(manual) ?? []
    write(example)
    const opened = openStationFile(file, clock)
    expect([opened.problem, opened.read().active]).toEqual([null, 'green-door'])
  })

  it('that is damaged or gone is restored from its last copy, with its PIN, and the damaged file is kept', () => {
    write(minimal)
    const pin = { salt: 'AAAA', hash: 'BBBB', cost: 2 }
    openStationFile(file, clock).change((settings) => ({ ...settings, security: { ...settings.security, pin } }))
    for (const damage of [() => write('{'), () => rmSync(file)]) {
      damage()
      const opened = openStationFile(file, clock)
      expect(opened.problem).toBe('damaged')
      expect([opened.read().active, opened.read().security.pin]).toEqual(['green-door', pin])
      expect(openStationFile(file, clock).problem).toBeNull()
    }
    expect(readdirSync(folder)).toEqual(['station.json', 'station.json.damaged-20261121T140000Z', 'station.json.last'])
  })

  it.each([
    ['damaged', '{'],
    ['gone', undefined],
  ])(
    "that is %s where a connection was in use ends the start: a till that has sold doesn't switch to practice",
    (_, content) => {
      if (content !== undefined) write(content)
      mkdirSync(join(folder, 'green-door'))
      writeFileSync(join(folder, 'green-door', 'countertag.db'), 'reports')
      expect(() => openStationFile(file, clock)).toThrow(/connections that they should name/)
      expect(readdirSync(folder)).toEqual(content === undefined ? ['green-door'] : ['green-door', 'station.json'])
    },
  )

  it.each([
    ['nothing', ''],
    ['half of the file', JSON.stringify(minimal).slice(0, 80)],
    ['zeros', '\0'.repeat(300)],
    ['a list', []],
    ['no version', { ...minimal, version: undefined }],
    ['version 0', { ...minimal, version: 0 }],
    ['an id that leaves the folder', { ...minimal, profiles: [{ id: '../x', profile: form() }] }],
    ['a profile in the folder of practice', { ...minimal, profiles: [{ id: 'practice', profile: form() }] }],
    ['two profiles in one folder', { ...minimal, profiles: [...minimal.profiles, ...minimal.profiles] }],
    [
      'a production profile with an invalid address',
      { ...minimal, profiles: [{ id: 'a', profile: form({ kind: 'production', baseUrl: 'green door' }) }] },
    ],
    ['a half-written profile', { ...minimal, profiles: [{ id: 'green-door', profile: { kind: 'test', name: 'x' } }] }],
    ['a lock without its PIN field', { ...minimal, security: { autoLockMinutes: 15 } }],
    ['half a PIN', { ...minimal, security: { pin: { salt: 'AAAA' }, autoLockMinutes: 15 } }],
    ['no lock', { ...minimal, security: undefined }],
    [
      'a profile without an account',
      { ...minimal, profiles: [{ id: 'a', profile: form({ retailAuthUrl: null, sourcingAuthUrl: null }) }] },
    ],
    ['an address without https', { ...minimal, profiles: [{ id: 'a', profile: form({ baseUrl: 'http://x.test' }) }] }],
  ])('that holds %s is set aside unchanged, and the station opens practice', (_what, content) => {
    write(content)
    const before = readFileSync(file)
    const opened = openStationFile(file, clock)
    expect([opened.problem, opened.read().active]).toEqual(['damaged', 'practice'])
    expect(readdirSync(folder)).toEqual(['station.json.damaged-20261121T140000Z'])
    expect(readFileSync(join(folder, 'station.json.damaged-20261121T140000Z'))).toEqual(before)
    opened.change((settings) => settings)
    expect(openStationFile(file, clock).problem).toBeNull()
  })

  it.each([
    ['another shape', { version: 2, secretsOfTomorrow: [] }],
    ['our own shape and a PIN', { ...minimal, version: 3, security: { pin: 'of tomorrow', autoLockMinutes: 15 } }],
  ])(
    'of a newer version, with %s, ends the start with a message and is left alone, so that no till opens without its PIN',
    (_, content) => {
      write(content)
      const before = readFileSync(file)
      const opened = () => openStationFile(file, clock)
      expect(opened).toThrow(AppStartError)
      expect(opened).toThrow(/newer Countertag/)
      expect(readFileSync(file)).toEqual(before)
      expect(readdirSync(folder)).toEqual(['station.json'])
    },
  )

  it('that is a folder ends the start with a message', () => {
    mkdirSync(file)
    expect(() => openStationFile(file, clock)).toThrow(AppStartError)
  })

  // Windows doesn't have these modes.
  it.skipIf(process.platform === 'win32')(
    'can be read by this user only, and so can its copy and the folder it creates',
    () => {
      const own = join(folder, 'till', 'data')
      file = join(own, 'station.json')
      openStationFile(file, clock).change((settings) => settings)
      const modes = () => [own, file, `${file}.last`].map((path) => (statSync(path).mode & 0o777).toString(8))
      expect(modes()).toEqual(['700', '600', '600'])
      // A file created by an operator gets these modes on its first change; the folder keeps its own.
      chmodSync(own, 0o755)
      chmodSync(file, 0o644)
      openStationFile(file, clock).change((settings) => settings)
      expect(modes()).toEqual(['755', '600', '600'])
    },
  )

  // Root can write everywhere.
  it.skipIf(process.getuid?.() === 0)('on a read-only disk keeps its content, and reports it', () => {
    write(minimal)
    const opened = openStationFile(file, clock)
    chmodSync(folder, 0o500)
    try {
      expect(() => {
        opened.change((settings) => ({ ...settings, active: 'practice' }))
      }).toThrow()
      expect([opened.read().active, written()]).toMatchObject(['green-door', { active: 'green-door' }])
    } finally {
      chmodSync(folder, 0o700)
    }
  })

  it("that can't be written keeps its content", () => {
    write(minimal)
    const opened = openStationFile(file, clock)
    // Not even root can write the new file: a folder is in its place.
    mkdirSync(`${file}.new`)
    expect(() => {
      opened.change((settings) => ({ ...settings, active: 'practice' }))
    }).toThrow()
    expect([opened.read().active, written()]).toMatchObject(['green-door', { active: 'green-door' }])
  })
})
