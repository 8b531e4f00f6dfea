import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { clientOf, newFolder, openCountertag } from './countertag'
import { bePackaged, beOn } from './platform'
import type { FakeElectron } from '../fakes/electron'

const logOf = (electron: FakeElectron) =>
  readFileSync(join(electron.app.getPath('userData'), 'practice/countertag.log'), 'utf8')

describe('the session ends', () => {
  // First, as the system it is: native modules are loaded by the platform, once a process.
  it('somebody calls the log-off off: all goes on', async () => {
    const electron = await openCountertag()
    electron.window.sessionEnds('query-session-end', ['shutdown'])
    expect(await clientOf(electron).call('app.status', undefined)).toMatchObject({ ok: true })
  })

  it('Windows logs off: the core is closed, nothing is held up, and the place of the window is remembered', async () => {
    const userData = newFolder()
    beOn('win32')
    const electron = await openCountertag({ userData })
    // By that name Windows groups it with its shortcut.
    expect(electron.app.userModelId).toBe('app.countertag.station')
    electron.window.bounds = { x: 40, y: 40, width: 1100, height: 800 }
    expect(electron.window.sessionEnds('query-session-end', ['logoff'])).toBe(false)
    expect(electron.app.exitCode).toBeUndefined()
    expect(electron.window.sessionEnds('session-end', ['logoff'])).toBe(false)
    expect(readFileSync(join(userData, 'window-state.json'), 'utf8')).toContain('1100')
    // Nothing was waited for, and the store is closed: what was only in its log has gone into the database.
    expect(electron.app.exitCode).toBe(0)
    expect(logOf(electron)).toMatch(/the session ends.*\n(.*\n)*.*"closed at once"/)
    expect(existsSync(join(userData, 'practice/countertag.db-wal'))).toBe(false)
  })

  it('Linux and macOS shut down: it is held up until the core is closed, and the quit that follows is not', async () => {
    const electron = await openCountertag()
    expect(electron.powerMonitor.shutDown()).toBe(true)
    // macOS asks the app to quit as well: a no would end the log-out.
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

  it('starts its file again once it has ended, after it let go of the lock', async () => {
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
