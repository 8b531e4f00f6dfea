import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { clientOf, newFolder, openCountertag, quit } from './countertag'
import { bePackaged, beOn } from './platform'

describe('kiosk mode', () => {
  it('fills the display, is restored after a restart, and is turned off in Settings, not by closing the window', async () => {
    const userData = newFolder()
    const first = await openCountertag({ userData })
    expect(await clientOf(first).call('till.view', undefined)).toEqual({
      ok: true,
      value: { isKiosk: false, startsWithComputer: null, canSavePdf: true },
    })
    await clientOf(first).call('till.change', { isKiosk: true })
    expect(first.window.isKiosk()).toBe(true)
    // F11, or Electron's handling of it.
    first.window.setFullScreen(false)
    expect(first.window.isKiosk()).toBe(true)
    const items = (first.menu ?? []).flatMap(({ submenu }) => (Array.isArray(submenu) ? submenu : []))
    expect(items.find(({ role }) => role === 'togglefullscreen')?.enabled).toBe(false)
    await quit(first)

    // A display so small that the window would be maximized.
    const second = await openCountertag({ userData, workAreas: [{ x: 0, y: 0, width: 1024, height: 728 }] })
    expect(second.window.isKiosk()).toBe(true)
    expect(second.window.history).not.toContain('maximize')
    second.window.close()
    expect(second.app.exitCode).toBeUndefined()
    expect(second.window.isDestroyed()).toBe(false)
    await clientOf(second).call('till.change', { isKiosk: false })
    expect(second.window.isKiosk()).toBe(false)
    second.window.close()
    await vi.waitUntil(() => second.app.exitCode === 0, 10_000)
  })

  it('allows closing a page that could not be kept alive', async () => {
    const electron = await openCountertag()
    await clientOf(electron).call('till.change', { isKiosk: true })
    electron.window.contents.emit('preload-error', {}, '/preload.cjs', new Error('gone'))
    await vi.waitUntil(() => electron.window.document.includes('page/died'), 10_000)
    // Settings is gone, and a touch screen has no keys.
    await vi.waitUntil(() => !electron.window.isKiosk() && !electron.window.isFullScreen())
    electron.window.close()
    await vi.waitUntil(() => electron.app.exitCode === 0, 10_000)
  })

  it('is turned off with the PIN', async () => {
    const electron = await openCountertag()
    const client = clientOf(electron)
    await client.call('till.change', { isKiosk: true })
    await client.call('security.setPin', { pin: '4711' })
    await client.call('security.lock', undefined)
    expect(await client.call('till.change', { isKiosk: false })).toMatchObject({ error: { code: 'security/locked' } })
    expect(electron.window.isKiosk()).toBe(true)
    await client.call('security.unlock', { pin: '4711' })
    await client.call('till.change', { isKiosk: false })
    expect(electron.window.isKiosk()).toBe(false)
  })
})

describe('the start with the computer', () => {
  const packaged = async (platform: string, userData = newFolder()) => {
    beOn(platform)
    vi.stubEnv('XDG_CONFIG_HOME', join(userData, 'config'))
    onTestFinished(() => void vi.unstubAllEnvs())
    bePackaged()
    return openCountertag({ isPackaged: true, userData })
  }

  it.each(['win32', 'darwin'])("follows the system's own setting: %s", async (platform) => {
    const electron = await packaged(platform)
    const client = clientOf(electron)
    expect(await client.call('till.view', undefined)).toMatchObject({ value: { startsWithComputer: false } })
    const on = await client.call('till.change', { startsWithComputer: true })
    expect([on, electron.app.opensAtLogin]).toMatchObject([{ value: { startsWithComputer: true } }, true])
    await client.call('till.change', { startsWithComputer: false })
    expect(electron.app.opensAtLogin).toBe(false)
  })

  it('is a file on Linux, and a disk error is reported', async () => {
    const userData = newFolder()
    const electron = await packaged('linux', userData)
    const client = clientOf(electron)
    const file = join(userData, 'config/autostart/countertag.desktop')
    expect(await client.call('till.change', { startsWithComputer: true })).toMatchObject({
      value: { startsWithComputer: true },
    })
    expect(readFileSync(file, 'utf8')).toContain(`Exec="${process.execPath}"`)
    expect(await client.call('till.change', { startsWithComputer: false })).toMatchObject({
      value: { startsWithComputer: false },
    })
    expect(existsSync(file)).toBe(false)
    mkdirSync(file)
    expect(await client.call('till.change', { startsWithComputer: true })).toMatchObject({ ok: false })
  })
})

describe('the page as a PDF', () => {
  it('is made on Letter paper, with the margins that the page asks for', async () => {
    const electron = await openCountertag()
    const client = clientOf(electron)
    const answer = await client.call('till.pdf', undefined)
    expect(answer.ok && Buffer.from(answer.value.base64, 'base64').toString('latin1')).toMatch(/^%PDF-/)
    expect(electron.window.contents.printed).toEqual([
      { pageSize: 'Letter', preferCSSPageSize: true, printBackground: true },
    ])
  })

  it('is refused where it can’t be made, and the person still has the print dialog', async () => {
    const electron = await openCountertag()
    electron.window.contents.cannotPrint = true
    expect(await clientOf(electron).call('till.pdf', undefined)).toMatchObject({ error: { code: 'till/no-pdf' } })
  })
})
