import { describe, expect, it, vi } from 'vitest'
import { coaUuid } from '../../scripts/practice-data/coas'
import type { FakeElectron } from '../fakes/electron'
import type { Asking } from '../fakes/electron/session'
import type { Attempt } from '../fakes/electron/web-contents'
import { clientOf, launch, sharedCountertag } from './countertag'
import { beOn } from './platform'

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

/** Our own page asks, from its main frame. */
const ownPage = ({ window }: FakeElectron): Asking => ({
  contents: window.webContents,
  url: 'app://countertag/',
  isMainFrame: true,
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

  it('is denied every permission and device but the camera', async () => {
    const electron = countertag()
    for (const permission of [
      ...['geolocation', 'notifications', 'hid', 'openExternal', 'clipboard-read', 'display-capture', 'fileSystem'],
      // Without a type: none that we know.
      'media',
    ]) {
      expect([permission, await electron.session.request(permission, ownPage(electron))]).toEqual([permission, false])
      expect([permission, electron.session.check(permission, ownPage(electron))]).toEqual([permission, false])
    }
    expect(electron.session.openDevice('hid')).toBe(false)
    expect(electron.session.openDevice('usb')).toBe(false)
  })

  it.each<[what: string, isGranted: boolean, asking: Partial<Asking>]>([
    ['the camera, for the page', true, {}],
    ['the microphone', false, { mediaTypes: ['audio'] }],
    ['both together', false, { mediaTypes: ['video', 'audio'] }],
    ['the camera, for a frame in the page', false, { isMainFrame: false }],
    ['the camera, for a page of the web', false, { url: 'https://example.com/' }],
    ['the camera, for another page of the scheme', false, { url: 'app://other/' }],
    ['the camera, for a page whose name begins like ours', false, { url: 'app://countertag.example/' }],
    ['the camera, for another window', false, { contents: { id: 999 } }],
  ])('is given %s: %s', async (_what, isGranted, asking) => {
    const electron = countertag()
    const whole: Asking = { ...ownPage(electron), mediaTypes: ['video'], ...asking }
    expect([await electron.session.request('media', whole), electron.session.check('media', whole)]).toEqual([
      isGranted,
      isGranted,
    ])
    // Screens are asked for with the same types.
    expect(await electron.session.request('display-capture', whole)).toBe(false)
    expect(electron.askedOfSystem).toEqual([])
  })

  it('is given the camera on macOS as the person answers the system, which is not asked for anything else', async () => {
    const electron = countertag()
    beOn('darwin')
    const camera: Asking = { ...ownPage(electron), mediaTypes: ['video'] }
    const answers = [
      () => Promise.resolve(true),
      () => Promise.resolve(false),
      () => Promise.reject(new Error('no such type')),
    ]
    const given: boolean[] = []
    for (const answer of answers) {
      electron.systemAnswer = answer
      given.push(await electron.session.request('media', camera))
    }
    expect(given).toEqual([true, false, false])
    expect(await electron.session.request('media', { ...camera, mediaTypes: ['audio'] })).toBe(false)
    expect(electron.askedOfSystem).toEqual(['camera', 'camera', 'camera'])
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
