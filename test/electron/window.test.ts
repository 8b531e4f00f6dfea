import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import type { ProfileForm } from '../../src-shared/ipc/contract/station'
import { clientOf, newFolder, openCountertag, quit } from './countertag'

const placed = { x: 200, y: 100, width: 1200, height: 800 }

describe('the window', () => {
  it('stays hidden until its page is there, and is never smaller than the screens are designed for', async () => {
    const { window } = await openCountertag()
    expect(window.options).toMatchObject({ show: false, minWidth: 1024, minHeight: 768 })
    expect(window.history).toEqual(['no menu bar', 'load app://countertag/', 'show'])
  })

  it('opens where it was when it closed', async () => {
    const userData = newFolder()
    const first = await openCountertag({ userData })
    first.window.bounds = placed
    first.window.close()
    await quit(first)
    expect(readdirSync(userData).filter((name) => name.startsWith('window-state'))).toEqual(['window-state.json'])

    const second = await openCountertag({ userData })
    expect(second.window.options).toMatchObject(placed)
    expect(second.window.isMaximized()).toBe(false)
  })

  it('opens maximized when it was, and keeps its restored position', async () => {
    const userData = newFolder()
    const first = await openCountertag({ userData })
    first.window.bounds = placed
    first.window.maximize()
    await quit(first)

    const second = await openCountertag({ userData })
    expect(second.window.options).toMatchObject(placed)
    expect(second.window.isMaximized()).toBe(true)
  })

  it.each([
    ['the display it was on is gone', { bounds: { ...placed, x: 3000 }, isMaximized: false }],
    ['a number makes no sense', { bounds: { ...placed, width: 1e12 }, isMaximized: false }],
  ])('opens at its usual place when %s', async (_why, saved) => {
    const userData = newFolder()
    writeFileSync(join(userData, 'window-state.json'), JSON.stringify(saved))
    const { window } = await openCountertag({ userData })
    expect(window.options).toMatchObject({ x: 320, y: 120, width: 1280, height: 800 })
  })

  it('opens at its default position when the file is invalid, and writes a valid one again', async () => {
    const userData = newFolder()
    const file = join(userData, 'window-state.json')
    writeFileSync(file, '{"bounds": {"x": 1')
    const electron = await openCountertag({ userData })
    expect(electron.errorBoxes).toEqual([])
    electron.window.bounds = placed
    await quit(electron)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ bounds: placed, isMaximized: false })
  })

  it('opens on a second display left of the first', async () => {
    const userData = newFolder()
    const left = { ...placed, x: -1800 }
    writeFileSync(join(userData, 'window-state.json'), JSON.stringify({ bounds: left, isMaximized: false }))
    const workAreas = [
      { x: 0, y: 0, width: 1920, height: 1040 },
      { x: -1920, y: 0, width: 1920, height: 1080 },
    ]
    const { window } = await openCountertag({ userData, workAreas })
    expect(window.options).toMatchObject(left)
  })

  it('shows what to do in place of a page that dies again right after a reload', async () => {
    const userData = newFolder()
    const electron = await openCountertag({ userData })
    const { window } = electron
    const { contents } = window
    contents.loseProcess({ reason: 'crashed', exitCode: 5 })
    await vi.waitUntil(() => contents.reloads === 1 && !contents.isCrashed())
    expect(window.history.at(-1)).toBe('show')
    contents.loseProcess({ reason: 'crashed', exitCode: 5 })
    await vi.waitUntil(() => window.document.includes('page/died'))
    expect([contents.reloads, window.history.at(-1)]).toEqual([1, 'load data:'])
    expect(window.document).toMatch(/The screen of Countertag has stopped.*Nothing is lost/s)
    expect(window.document).toMatch(/La pantalla de Countertag se detuvo.*No se perdió nada/s)
    expect(window.document).not.toMatch(/cannot start|no puede abrirse/)
    for (const place of [userData, join(userData, 'practice', 'countertag.log')]) {
      expect(window.document).toContain(`<dd>${place}</dd>`)
    }
    // This page isn't reloaded forever either.
    contents.loseProcess({ reason: 'crashed', exitCode: 5 })
    expect(window.history.filter((step) => step === 'load data:')).toHaveLength(1)
    await quit(electron)
    expect(electron.app.exitCode).toBe(0)
  })

  it("reloads with another connection, which a page can't do by itself, and stays with the same connection", async () => {
    const electron = await openCountertag()
    const { webContents } = electron.window
    webContents.reloadItself()
    expect(webContents.reloads).toBe(0)

    const client = clientOf(electron)
    const profile: ProfileForm = {
      kind: 'test',
      name: 'Shop',
      baseUrl: 'http://127.0.0.1:9',
      retailAuthUrl: 'http://127.0.0.1:9',
      sourcingAuthUrl: null,
      dispensaryId: null,
      sendsSku: false,
      caFile: null,
    }
    const reopened = vi.fn()
    client.on('app.reopened', reopened)
    await client.call('profile.save', { id: null, profile })
    expect(await client.call('profile.use', { id: 'shop' })).toEqual({ ok: true, value: null })
    expect([webContents.reloads, reopened.mock.calls]).toEqual([1, []])

    const { page } = webContents
    await vi.waitUntil(() => webContents.page !== page)
    const next = clientOf(electron)
    next.on('app.reopened', reopened)
    await next.call('profile.save', { id: 'shop', profile: { ...profile, name: 'Our shop' } })
    expect([webContents.reloads, reopened.mock.calls]).toEqual([1, [[{ isOther: false }]]])
  })

  it('reloads a page that dies after a while, unless it ended by itself', async ({ onTestFinished }) => {
    const { window } = await openCountertag()
    const now = Date.now
    onTestFinished(() => {
      Date.now = now
    })
    Date.now = () => now() + 60_000
    window.webContents.loseProcess({ reason: 'clean-exit', exitCode: 0 })
    window.webContents.loseProcess({ reason: 'crashed', exitCode: 5 })
    await vi.waitUntil(() => window.webContents.reloads > 0)
    expect(window.webContents.reloads).toBe(1)
  })
})
