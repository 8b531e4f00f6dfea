import { describe, expect, it, vi } from 'vitest'
import { coaUuid } from '../../scripts/practice-data/coas'
import type { Attempt } from '../fakes/electron/web-contents'
import { clientOf, launch, sharedCountertag } from './countertag'

const attempts: Attempt[] = ['will-navigate', 'will-frame-navigate', 'will-redirect', 'will-attach-webview']

describe('a switch that opens the page or the computer to outside access', () => {
  it.each([
    'remote-debugging-port',
    'remote-debugging-pipe',
    'remote-allow-origins',
    'no-sandbox',
    'disable-web-security',
  ])('ends a package, and says why: %s', async (name) => {
    const electron = await launch({ isPackaged: true, switches: [name] })
    expect(electron.app.exitCode).toBe(1)
    expect(electron.errorBoxes).toEqual([
      { title: 'Countertag cannot start', content: expect.stringContaining(`--${name}`) as string },
    ])
    const unpackaged = await launch({ switches: [name] })
    expect(unpackaged.app.exitCode).toBeUndefined()
  })
})

describe('what a page may not do', () => {
  const countertag = sharedCountertag()

  it.each(attempts)('refuses %s, whatever the target', (attempt) => {
    const electron = countertag()
    const { webContents } = electron.window
    for (const url of ['https://example.com/', 'file:///etc/passwd', 'app://other/', 'javascript:alert(1)']) {
      expect(webContents.attempt(attempt, url)).toBe(false)
    }
  })

  it('opens no other window', () => {
    const electron = countertag()
    expect(electron.window.webContents.openWindow('https://example.com/')).toBe(false)
    expect(electron.window.webContents.openWindow('app://countertag/')).toBe(false)
  })

  it("opens in the person's browser only addresses that main gave to the page, one a second", async () => {
    const electron = countertag()
    const before = electron.openedOutside.length
    const refused = [
      'http://laboratory.example/report',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'data:text/html,<script>alert(1)</script>',
      'mailto:info@laboratory.example',
      'ms-settings:network',
      'smb://laboratory.example/share',
      'https://tag.example:secret@laboratory.example/',
      'https://tag.example@laboratory.example/',
      'blob:https://laboratory.example/4b3d',
      '//laboratory.example/',
      'https://',
      '',
      // Main never gave this address to the page.
      'https://laboratory.example/reports/HF-BD-35',
      'https://tag.example/certificates/GD-HF-35',
    ]
    for (const url of refused) expect(electron.window.webContents.openWindow(url)).toBe(false)
    expect(electron.openedOutside.slice(before)).toEqual([])
    const shown = await clientOf(electron).call('find.entity', { kind: 'coa', id: coaUuid('GD-HF-35') })
    const given = 'https://tag.example/certificates/GD-HF-35'
    expect(shown).toMatchObject({ ok: true, value: { certificateUrl: given } })
    for (const url of [...refused.slice(0, -1), `${given}/other`, given, given]) {
      expect(electron.window.webContents.openWindow(url)).toBe(false)
    }
    expect(electron.openedOutside.slice(before)).toEqual([given])
    await vi.waitUntil(
      () => {
        electron.window.webContents.openWindow(given)
        return electron.openedOutside.length > before + 1
      },
      { timeout: 15_000, interval: 100 },
    )
    expect(electron.openedOutside.slice(before)).toEqual([given, given])
  })

  it('is denied every permission and device', async () => {
    const electron = countertag()
    for (const permission of ['media', 'geolocation', 'notifications', 'hid', 'openExternal', 'clipboard-read']) {
      expect(await electron.session.request(permission)).toBe(false)
      expect(electron.session.check(permission)).toBe(false)
    }
    expect(electron.session.openDevice('hid')).toBe(false)
    expect(electron.session.openDevice('usb')).toBe(false)
  })

  it('runs sandboxed, isolated and without Node, with developer tools only in development', () => {
    const electron = countertag()
    expect(electron.app.isSandboxed).toBe(true)
    expect(electron.window.options.webPreferences).toMatchObject({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      devTools: true,
    })
    const named = Object.keys(electron.window.options.webPreferences ?? {})
    const weakening = ['allowRunningInsecureContent', 'experimentalFeatures', 'enableBlinkFeatures', 'webviewTag']
    expect(named.filter((name) => weakening.includes(name))).toEqual([])
  })
})
