import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openStore } from '../../src-main/database/open'
import { clientOf, launch, newFolder, openCountertag, quit } from './countertag'

/** A Windows user's folders, and what the process sees of them during a test. */
function asOnWindows() {
  const user = newFolder()
  const [roaming, local] = [join(user, 'Roaming'), join(user, 'Local')]
  const usual = process.platform
  Object.defineProperty(process, 'platform', { value: 'win32' })
  vi.stubEnv('APPDATA', roaming)
  vi.stubEnv('LOCALAPPDATA', local)
  onTestFinished(() => {
    Object.defineProperty(process, 'platform', { value: usual })
    vi.unstubAllEnvs()
  })
  const userData = join(roaming, 'countertag')
  mkdirSync(userData, { recursive: true })
  return { userData, here: join(local, 'countertag') }
}

/** Data of an earlier version: a practice store with an order in the cart, and its settings. */
async function leaveEarlierData(userData: string) {
  const electron = await openCountertag({ userData }, ['--data-dir', userData])
  expect(await clientOf(electron).call('app.setLocale', { locale: 'es' })).toMatchObject({ ok: true })
  await quit(electron)
  expect(existsSync(join(userData, 'practice/countertag.db'))).toBe(true)
}

describe('on Windows, where a profile may roam', () => {
  // Loaded once, on the real platform: the native binaries stay loaded afterwards.
  beforeAll(async () => {
    const ends: (() => void | Promise<void>)[] = []
    await openCountertag({}, [], (end) => ends.unshift(end))
    for (const end of ends) await end()
  })

  it('keeps everything in the local folder, including lock, session and window state', async () => {
    const { userData, here } = asOnWindows()
    const electron = await openCountertag({ userData })
    expect([electron.app.askedLocks, electron.app.getPath('sessionData')]).toEqual([[here], here])
    await quit(electron)
    for (const name of ['practice/countertag.db', 'station.json', 'window-state.json']) {
      expect([name, existsSync(join(here, name)), existsSync(join(userData, name))]).toEqual([name, true, false])
    }
  })

  it("moves an earlier version's data there, with that folder locked", async () => {
    const { userData, here } = asOnWindows()
    await leaveEarlierData(userData)
    const electron = await openCountertag({ userData })
    expect(electron.app.askedLocks).toEqual([userData, here])
    expect(await clientOf(electron).call('app.status', undefined)).toMatchObject({ ok: true, value: { locale: 'es' } })
    expect([existsSync(join(userData, 'practice')), existsSync(join(userData, 'station.json'))]).toEqual([false, false])
    await quit(electron)
    const again = await openCountertag({ userData })
    expect(again.app.askedLocks).toEqual([here])
    expect(await clientOf(again).call('app.status', undefined)).toMatchObject({ ok: true, value: { locale: 'es' } })
  })

  it('quits without moving anything while an earlier version runs', async () => {
    const { userData, here } = asOnWindows()
    await leaveEarlierData(userData)
    const { app } = await launch({ userData, heldFolder: userData })
    expect([app.exitCode, app.windows, existsSync(here)]).toEqual([0, [], false])
    expect(existsSync(join(userData, 'practice/countertag.db'))).toBe(true)
  })

  it('shows an error and moves nothing when another host has the data open', async () => {
    const { userData, here } = asOnWindows()
    await leaveEarlierData(userData)
    const store = openStore(join(userData, 'practice/countertag.db'))
    const electron = await openCountertag({ userData })
    expect(electron.window.document).toContain('store/in-use')
    expect(existsSync(here)).toBe(false)
    electron.window.close()
    store.close()
  })

  it('uses the folder that --data-dir names, and leaves the roaming one alone', async () => {
    const { userData, here } = asOnWindows()
    await leaveEarlierData(userData)
    const dataDir = join(newFolder(), 'till 2')
    const electron = await openCountertag({ userData }, ['--data-dir', dataDir])
    expect([electron.app.askedLocks, existsSync(here)]).toEqual([[dataDir], false])
    expect(existsSync(join(userData, 'practice/countertag.db'))).toBe(true)
  })

  it('keeps the data in the folder of --data-dir when Windows names no local folder', async () => {
    const { userData, here } = asOnWindows()
    vi.stubEnv('LOCALAPPDATA', undefined)
    const electron = await openCountertag({ userData })
    expect(electron.app.askedLocks).toEqual([here])
  })
})
