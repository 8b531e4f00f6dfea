import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { clientOf, newFolder, openCountertag } from './countertag'
import { bePackaged, beOn } from './platform'
import type { FakeElectron } from '../fakes/electron'

const logOf = (electron: FakeElectron) =>
  readFileSync(join(electron.app.getPath('userData'), 'practice/countertag.log'), 'utf8')

describe('the end of the session', () => {
  // This test is first, on the real platform: native modules are loaded for the platform, once per process.
  it('keeps running if the log-off is canceled', async () => {
    const electron = await openCountertag()
    electron.window.sessionEnds('query-session-end', ['shutdown'])
    expect(await clientOf(electron).call('app.status', undefined)).toMatchObject({ ok: true })
  })

  it('on Windows closes the core without delaying the log-off, and saves the window position', async () => {
    const userData = newFolder()
    beOn('win32')
    const electron = await openCountertag({ userData })
    // Windows groups the app with its shortcut by that name.
    expect(electron.app.userModelId).toBe('app.countertag.station')
    electron.window.bounds = { x: 40, y: 40, width: 1100, height: 800 }
    expect(electron.window.sessionEnds('query-session-end', ['logoff'])).toBe(false)
    expect(electron.app.exitCode).toBeUndefined()
    expect(electron.window.sessionEnds('session-end', ['logoff'])).toBe(false)
    expect(readFileSync(join(userData, 'window-state.json'), 'utf8')).toContain('1100')
    // Nothing was awaited, and the store is closed: data that was only in its log has been moved into the database.
    expect(electron.app.exitCode).toBe(0)
    expect(logOf(electron)).toMatch(/the session ends.*\n(.*\n)*.*"closed at once"/)
    expect(existsSync(join(userData, 'practice/countertag.db-wal'))).toBe(false)
  })

  it("on Linux and macOS is delayed until the core is closed, but the quit that follows isn't", async () => {
    const electron = await openCountertag()
    expect(electron.powerMonitor.shutDown()).toBe(true)
    // macOS asks the app to quit as well: a refusal would cancel the log-out.
    electron.app.quit()
    expect(electron.app.exitCode).toBe(0)
    await vi.waitUntil(() => logOf(electron).includes('"closed"'), 10_000)
  })
})

describe('an AppImage', () => {
  const folderWith = (script: string) => {
    const folder = newFolder()
    const file = join(folder, 'Countertag.AppImage')
    writeFileSync(file, `#!/bin/sh\n${script.replaceAll('FOLDER', folder)}\n`, { mode: 0o755 })
    return { folder, file }
  }

  it('restarts its file once it has ended and released the lock', async () => {
    beOn('linux')
    const { folder, file } = folderWith('echo "$@" > FOLDER/started')
    vi.stubEnv('APPIMAGE', file)
    onTestFinished(() => void vi.unstubAllEnvs())
    bePackaged()
    const electron = await openCountertag({ isPackaged: true })
    electron.app.quit()
    electron.app.startSecondInstance()
    electron.app.startSecondInstance()
    await vi.waitUntil(() => electron.app.exitCode !== undefined, 10_000)
    expect([electron.app.relaunches, electron.app.lockFolder]).toEqual([[], undefined])
    await vi.waitUntil(() => existsSync(join(folder, 'started')), 10_000)
  })
})
