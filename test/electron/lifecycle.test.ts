import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { clientOf, launch, newFolder, openCountertag, quit } from './countertag'
import { bePackaged, beOn } from './platform'
import { root } from './root'

describe('starting and quitting', () => {
  it('brings its window to the front on a second start', async () => {
    const { app, window } = await openCountertag()
    const before = window.history.length
    window.minimize()
    app.startSecondInstance()
    expect(window.history.slice(before)).toEqual(['restore', 'show', 'focus'])
    app.startSecondInstance()
    expect(window.history.slice(before + 3)).toEqual(['show', 'focus'])
  })

  it('quits without opening anything when it is the second instance', async () => {
    const userData = newFolder()
    const { app, protocol } = await launch({ userData, hasLock: false })
    expect(app.exitCode).toBe(0)
    expect(app.windows).toEqual([])
    expect(protocol.handlers.size).toBe(0)
    expect(existsSync(join(userData, 'practice'))).toBe(false)
  })

  it('keeps the data, the lock and the window state in the folder that --data-dir names', async () => {
    const dataDir = join(newFolder(), 'till 2')
    const electron = await openCountertag({}, ['--data-dir', dataDir, '--profile', 'practice'])
    expect(electron.app.lockFolder).toBe(dataDir)
    await quit(electron)
    expect(existsSync(join(dataDir, 'window-state.json'))).toBe(true)
    expect(existsSync(join(dataDir, 'practice'))).toBe(true)
  })

  it('closes the core before it quits, once, however often it is told to quit', async () => {
    const userData = newFolder()
    const first = await openCountertag({ userData })
    first.app.quit()
    first.app.quit()
    expect(first.app.exitCode).toBeUndefined()
    await vi.waitUntil(() => first.app.exitCode !== undefined, 10_000)
    expect(first.app.exitCode).toBe(0)

    // A core still open would hold the store, and this start would fail.
    const second = await openCountertag({ userData })
    expect(second.errorBoxes).toEqual([])
    expect(await clientOf(second).call('app.status', undefined)).toMatchObject({ ok: true })
  })

  it('quits when its window is closed, and answers no call after that', async () => {
    const electron = await openCountertag()
    electron.window.close()
    await vi.waitUntil(() => electron.app.exitCode === 0, 10_000)
    expect(electron.ipcMain.channels).toEqual([])
  })

  it('starts again when a second start comes during closing: the first instance hands over and exits', async () => {
    const { app, window } = await openCountertag()
    app.startSecondInstance()
    expect(app.relaunches).toEqual([])
    window.close()
    app.startSecondInstance()
    app.startSecondInstance()
    await vi.waitUntil(() => app.exitCode === 0, 10_000)
    expect(app.relaunches).toEqual([{}])
  })

  it('sets damaged data aside and starts', async () => {
    const userData = newFolder()
    mkdirSync(join(userData, 'practice'))
    const rubbish = Buffer.alloc(8192, 'rubbish')
    writeFileSync(join(userData, 'practice/countertag.db'), rubbish)
    const electron = await openCountertag({ userData })
    expect(electron.errorBoxes).toEqual([])
    const aside = readdirSync(join(userData, 'practice')).filter((name) => name.includes('damaged'))
    expect(aside).toHaveLength(1)
    expect(readFileSync(join(userData, 'practice', aside[0] ?? '')).equals(rubbish)).toBe(true)
  })

  it.each([
    ['linux', 'en-US', ['View'], 'Zoom In'],
    ['darwin', 'es', ['Countertag', 'Edición', 'Ver', 'Ventana'], 'Acercar'],
  ])('has the menu of its system and language, each item named: %s, %s', async (platform, locale, titles, zoomIn) => {
    beOn(platform)
    const { menu, window } = await openCountertag({ locale })
    expect(menu?.map(({ label }) => label)).toEqual(titles)
    const items = (menu ?? []).flatMap(({ submenu }) => (Array.isArray(submenu) ? submenu : []))
    const roles = items.filter(({ type }) => type !== 'separator')
    expect(roles.filter(({ role, label }) => !role || !label)).toEqual([])
    expect(roles.find(({ role }) => role === 'zoomIn')?.label).toBe(zoomIn)
    // The menu exists only for its keyboard shortcuts: Windows and Linux don't show it.
    expect(window.history).toContain('no menu bar')
  })

  it('finds its resources in the package once packaged', async () => {
    bePackaged()
    const electron = await openCountertag({ isPackaged: true, appPath: '/nowhere/app.asar' })
    expect(electron.errorBoxes).toEqual([])
    expect(electron.window.options.icon).toBe(join(root, 'resources/icons/countertag.png'))
    expect(electron.window.options.webPreferences?.devTools).toBe(false)
  })
})
