import { describe, expect, it } from 'vitest'
import type { Attempt } from '../fakes/electron/web-contents'
import { openCountertag } from './countertag'

const attempts: Attempt[] = ['will-navigate', 'will-frame-navigate', 'will-redirect', 'will-attach-webview']

describe('what a page may not do', () => {
  it.each(attempts)('refuses %s, to wherever it leads', async (attempt) => {
    const electron = await openCountertag()
    const { webContents } = electron.window
    for (const url of ['https://example.com/', 'file:///etc/passwd', 'app://other/', 'javascript:alert(1)']) {
      expect(webContents.attempt(attempt, url)).toBe(false)
    }
  })

  it('opens no further window', async () => {
    const electron = await openCountertag()
    expect(electron.window.webContents.openWindow('https://example.com/')).toBe(false)
    expect(electron.window.webContents.openWindow('app://countertag/')).toBe(false)
  })

  it('gets no permission and no device', async () => {
    const electron = await openCountertag()
    for (const permission of ['media', 'geolocation', 'notifications', 'hid', 'openExternal', 'clipboard-read']) {
      expect(await electron.session.request(permission)).toBe(false)
      expect(electron.session.check(permission)).toBe(false)
    }
    expect(electron.session.openDevice('hid')).toBe(false)
    expect(electron.session.openDevice('usb')).toBe(false)
  })

  it('runs sandboxed, isolated and without Node, with developer tools only in development', async () => {
    const electron = await openCountertag()
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
