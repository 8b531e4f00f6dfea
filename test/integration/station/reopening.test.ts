import { mkdirSync, mkdtempSync, readFileSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../../src-main/core/clock'
import { noKeychain } from '../../../src-main/credentials/os-keychain'
import { createDispatch } from '../../../src-main/ipc/dispatch'
import type { StartTraining } from '../../../src-main/practice/handlers'
import { openStation } from '../../../src-main/station/station'
import { AppStartError } from '../../../src-main/database/start-error'
import { outsidePractice } from '../../fakes/outside-practice'

/** A port where no server listens. */
const nowhere = 'http://127.0.0.1:9'

describe('a station that is reopened', () => {
  let dataDir: string
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'countertag reopening '))
    onTestFinished(() => {
      rmSync(dataDir, { recursive: true })
    })
  })

  /** A station with a shop to switch to, and a practice store under the test's control. */
  const open = async (practice: { refusal?: Error; closing?: Error }) => {
    const account = { clientId: 'practice', clientSecret: 'practice' }
    const dispensary = { uuid: '9b2f6a52-0a5e-4a0e-8a4e-6d2f0c5f7c11', name: 'Practice' }
    const start = outsidePractice({ baseUrl: nowhere, authUrl: nowhere, adminUrl: nowhere, account, dispensary })
    const startPractice: StartTraining = async (parts) => {
      if (practice.refusal) throw practice.refusal
      const training = await start(parts)
      return {
        ...training,
        close: () => (practice.closing ? Promise.reject(practice.closing) : Promise.resolve()),
      }
    }
    const died: unknown[] = []
    const station = await openStation({
      dataDir,
      resourcesDir: '',
      version: '0.0.0-test',
      keychain: noKeychain,
      clock: systemClock,
      startPractice,
      onDeath: (cause) => died.push(cause),
    })
    onTestFinished(() => station.close())
    const dispatch = createDispatch({ station, isTrusted: () => true })
    const profile = { kind: 'test', name: 'Shop', baseUrl: nowhere, retailAuthUrl: nowhere, sourcingAuthUrl: null }
    const rest = { dispensaryId: null, sendsSku: false, caFile: null }
    await dispatch('test', 'profile.save', { id: null, profile: { ...profile, ...rest } })
    const use = (id: string) => dispatch('test', 'profile.use', { id })
    return { station, died, use, status: () => dispatch('test', 'app.status', undefined) }
  }
  const logsHeldOpen = () =>
    readdirSync('/proc/self/fd').flatMap((handle) => {
      try {
        const file = readlinkSync(join('/proc/self/fd', handle))
        return file.startsWith(dataDir) && file.endsWith('.log') ? [file] : []
      } catch {
        // This handle belongs to the listing itself.
        return []
      }
    })
  const spoilShop = () => mkdirSync(join(dataDir, 'shop', 'countertag.db'), { recursive: true })

  // Only where the handles of a process can be listed.
  it.skipIf(process.platform !== 'linux')('keeps only its own log open, however often it is reopened', async () => {
    const { use, station } = await open({})
    for (let times = 0; times < 3; times++) {
      await use('shop')
      await use('practice')
    }
    expect(logsHeldOpen()).toEqual([join(dataDir, 'practice', 'countertag.log')])
    await station.close()
    expect(logsHeldOpen()).toEqual([])
    expect(readFileSync(join(dataDir, 'shop', 'countertag.log'), 'utf8')).toMatch(/"closed"\}\n$/)
  })

  it("goes back to the previous profile if the other one can't be opened", async () => {
    const { use, status, died } = await open({})
    spoilShop()
    expect(await use('shop')).toEqual({ ok: false, error: { code: 'profile/not-opened' } })
    expect(await status()).toMatchObject({ ok: true, value: { profile: { kind: 'practice' } } })
    expect(died).toEqual([])
  })

  it('tells its host if neither can be opened any more, and still closes', async () => {
    const practice: { refusal?: Error } = {}
    const { station, use, status, died } = await open(practice)
    spoilShop()
    practice.refusal = new AppStartError('practice/unusable', 'The practice store is gone.')
    expect(await use('shop')).toMatchObject({ ok: false, error: { code: 'app/unexpected' } })
    expect(died).toEqual([practice.refusal])
    expect(await status()).toMatchObject({ ok: false, error: { code: 'app/unexpected' } })
    await station.close()
  })

  it('opens even if the previous profile could not be closed properly, and can go back', async () => {
    const practice: { closing?: Error } = { closing: new Error('it does not end') }
    const { use, status, died } = await open(practice)
    expect(await use('shop')).toEqual({ ok: true, value: null })
    expect(await status()).toMatchObject({ ok: true, value: { profile: { name: 'Shop' } } })
    delete practice.closing
    // Its store was closed anyway, or a second one on the same data would be refused.
    expect(await use('practice')).toEqual({ ok: true, value: null })
    expect(await status()).toMatchObject({ ok: true, value: { profile: { kind: 'practice' } } })
    expect(died).toEqual([])
  })
})
