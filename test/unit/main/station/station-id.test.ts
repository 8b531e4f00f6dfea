import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CredentialsForm } from '../../../../src-shared/ipc/contract/station'
import { openStationFile } from '../../../../src-main/station/station-file'
import { stationIdOf } from '../../../../src-main/station/station-keychain'
import { handClock } from '../../../fakes/clock'

describe('the id of a station', () => {
  let folder: string
  let path: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'countertag-id-'))
    path = join(folder, 'station.json')
  })
  afterEach(() => {
    rmSync(folder, { recursive: true })
  })
  const number = () => stationIdOf(openStationFile(path, handClock()), path)

  it('is drawn once, and differs between stations', () => {
    const drawn = number()
    expect(number()).toBe(drawn)
    for (const one of [path, `${path}.last`]) rmSync(one)
    expect(number()).not.toBe(drawn)
  })

  it('survives a file that was damaged by hand, since keychain entries depend on it', () => {
    const drawn = number()
    const whole = readFileSync(path, 'utf8')
    for (const broken of [whole.slice(0, -2), whole.replace(',', ',,'), whole.replace('"practice"', '7')]) {
      writeFileSync(path, broken)
      rmSync(`${path}.last`, { force: true })
      expect(number()).toBe(drawn)
    }
  })

  it('that is invalid is drawn again', () => {
    const drawn = number()
    for (const none of ['till-7', '']) {
      writeFileSync(path, readFileSync(path, 'utf8').replace(/("stationId": )"[^"]*"/, `$1"${none}"`))
      expect(number()).toMatch(/^[0-9a-f-]{36}$/)
    }
    expect(number()).not.toBe(drawn)
  })
})

describe('client id and secret', () => {
  const fits = (clientId: string, clientSecret: string) => CredentialsForm.safeParse({ clientId, clientSecret }).success

  it('are accepted as long as every keychain can store the two in one entry', () => {
    expect(fits('till-7', 'x'.repeat(1_200))).toBe(true)
    expect(fits('x'.repeat(300), 'x'.repeat(900))).toBe(true)
    // Too long; too long together; too long once the quotes are escaped.
    expect(fits('till-7', 'x'.repeat(1_201))).toBe(false)
    expect(fits('x'.repeat(300), 'x'.repeat(1_000))).toBe(false)
    expect(fits('till-7', '"'.repeat(700))).toBe(false)
  })
})
