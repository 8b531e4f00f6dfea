import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Rectangle } from 'electron'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { practiceKnobs } from '../fakes/practice-admin'
import { clientOf, launch, newFolder, openCountertag, quit, sharedCountertag } from './countertag'
import type { FakeElectron } from '../fakes/electron'

const area = (width: number, height: number, x = 0, y = 0): Rectangle => ({ x, y, width, height })
const logOf = (electron: FakeElectron) =>
  readFileSync(join(electron.app.getPath('userData'), 'practice/countertag.log'), 'utf8')
const theWindow = ({ app }: FakeElectron) => app.windows[0]

function useFakeTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
}

describe('a window appears', () => {
  it('when its page is loaded, though ready-to-show never comes', async () => {
    const electron = await launch({ isNeverReady: true })
    await vi.waitUntil(() => theWindow(electron)?.isVisible(), 10_000)
    expect(electron.window.document).toContain('<html')
    expect(electron.window.history.filter((step) => step === 'show')).toHaveLength(1)
  })

  it('even if no event comes at all', async () => {
    useFakeTimers()
    const electron = await launch({ holdLoad: new Promise(() => undefined) })
    // Each poll advances the app's clock a little.
    await vi.waitUntil(() => theWindow(electron)?.history.includes('load app://countertag/'), 10_000)
    vi.advanceTimersByTime(10_000)
    expect(theWindow(electron)?.isVisible()).toBe(true)
  })

  it("with a message when its page can't be loaded", async () => {
    const said = vi.spyOn(console, 'error').mockReturnValue()
    const gate = Promise.withResolvers<undefined>()
    const electron = await launch({ holdLoad: gate.promise })
    await vi.waitUntil(() => theWindow(electron)?.history.includes('load app://countertag/'), 10_000)
    const first = theWindow(electron)
    electron.protocol.handlers.clear()
    gate.resolve(undefined)
    await vi.waitUntil(() => electron.app.windows.at(-1)?.document.includes('unexpected'), 10_000)
    expect(first?.history).toContain('show')
    said.mockRestore()
  })
})

describe('a window fits its display', () => {
  it('when a taskbar grows or a display is unplugged', async () => {
    const { window, screen } = await openCountertag({ workAreas: [area(1920, 1040), area(1920, 1080, 1920)] })
    window.drag({ x: 2400, y: 200 })
    screen.change([area(1920, 1040), area(1366, 728, 1920)])
    expect(window.minimumSize).toEqual([1024, 728])
    expect(window.bounds).toEqual(area(1280, 728, 2006, 0))
    screen.change([area(1920, 1040)])
    expect(window.minimumSize).toEqual([1024, 768])
    expect(window.bounds).toEqual(area(1280, 768, 640, 0))
    window.close()
    expect(() => {
      screen.change([area(1024, 728)])
    }).not.toThrow()
  })

  it('and keeps its zoom and full screen', async () => {
    const userData = newFolder()
    const first = await openCountertag({ userData })
    first.window.webContents.setZoomLevel(2)
    first.window.setFullScreen(true)
    await quit(first)
    const { window } = await openCountertag({ userData })
    expect([window.webContents.getZoomLevel(), window.isFullScreen()]).toEqual([2, true])
  })
})

describe('an aborted load is not reported as an app error', () => {
  const begin = async () => {
    const gate = Promise.withResolvers<undefined>()
    const userData = newFolder()
    const electron = await launch({ holdLoad: gate.promise, userData })
    await vi.waitUntil(() => theWindow(electron)?.history.includes('load app://countertag/'), 10_000)
    return { electron, gate, window: electron.window }
  }

  it('when the window is closed meanwhile', async () => {
    const { electron, window } = await begin()
    window.close()
    await vi.waitUntil(() => electron.app.exitCode !== undefined, 10_000)
    expect([electron.app.exitCode, electron.errorBoxes, electron.app.windows]).toEqual([0, [], []])
  })

  it('when the app quits meanwhile', async () => {
    const { electron } = await begin()
    await quit(electron)
    expect([electron.app.exitCode, electron.errorBoxes, electron.app.windows]).toEqual([0, [], []])
  })

  it('when its renderer dies meanwhile: the page is loaded again', async () => {
    const { electron, gate, window } = await begin()
    window.contents.loseProcess({ reason: 'crashed', exitCode: 5 })
    gate.resolve(undefined)
    await vi.waitUntil(() => window.isVisible() && window.document !== '', 10_000)
    expect(window.document).not.toContain('unexpected')
    // Nothing had been shown that could be shown again: the page is loaded from the start.
    expect(window.history.filter((step) => step.startsWith('load'))).toHaveLength(2)
    expect(electron.app.windows).toHaveLength(1)
  })

  it('when its renderer dies meanwhile, and the window is closed during the reload', async () => {
    const said = vi.spyOn(console, 'error').mockReturnValue()
    const { electron, window } = await begin()
    window.contents.loseProcess({ reason: 'crashed', exitCode: 5 })
    await vi.waitUntil(() => window.history.filter((step) => step.startsWith('load')).length === 2, 10_000)
    window.close()
    await vi.waitUntil(() => electron.app.exitCode !== undefined, 10_000)
    expect([electron.app.exitCode, electron.errorBoxes, electron.app.windows]).toEqual([0, [], []])
    expect(said.mock.calls).toEqual([])
    said.mockRestore()
  })

  it('when another load replaces it', async () => {
    const { electron, gate, window } = await begin()
    window.loadURL('app://countertag/').catch(() => undefined)
    gate.resolve(undefined)
    await vi.waitUntil(() => window.isVisible() && window.document !== '', 10_000)
    expect(electron.app.windows).toHaveLength(1)
    expect(electron.app.exitCode).toBeUndefined()
  })
})

describe('after an error at run time', () => {
  it('a second start shows the page that says so, and touches no closed window', async () => {
    const said = vi.spyOn(console, 'error').mockReturnValue()
    const others = new Set(process.listeners('uncaughtException'))
    const electron = await openCountertag()
    const listener = process.listeners('uncaughtException').find((each) => !others.has(each))
    if (!listener) throw new Error('no listener')
    Reflect.apply(listener, process, [new Error('a bug'), 'uncaughtException'])
    await vi.waitUntil(
      () => electron.app.windows.length === 1 && electron.window.document.includes('unexpected'),
      10_000,
    )
    const before = electron.window.history.length
    electron.app.startSecondInstance()
    expect(electron.window.history.slice(before)).toEqual(['show', 'focus'])
    said.mockRestore()
  })
})

describe('a till, in the order of its day', () => {
  const countertag = sharedCountertag()

  it('sends no request outside the app from its page, whatever its policy says', async () => {
    const { session } = countertag()
    const outside = [
      'https://example.com/',
      'http://127.0.0.1:1/',
      'ws://a/',
      'wss://a/',
      'ftp://a/',
      'file:///a',
      'nonsense',
    ]
    for (const url of outside) expect([url, await session.mayLoad(url)]).toEqual([url, false])
    for (const url of ['app://countertag/', 'data:text/html,a', 'blob:app://countertag/1', 'devtools://devtools/a']) {
      expect([url, await session.mayLoad(url)]).toEqual([url, true])
    }
  })

  it.each([
    ['a field', { isEditable: true, selectionText: '' }, ['Paste', 'Select All']],
    [
      'a field with something selected',
      { isEditable: true, selectionText: 'a' },
      ['Cut', 'Copy', 'Paste', 'Select All'],
    ],
    ['a text that is selected', { isEditable: false, selectionText: 'a' }, ['Copy']],
    ['anything else', { isEditable: false, selectionText: ' ' }, []],
  ])('offers to copy and paste by the right button or a finger: %s', (_what, params, labels) => {
    const { window, popups } = countertag()
    popups.length = 0
    window.contents.openContextMenu({ ...params, menuSourceType: 'longPress' })
    expect(popups.flat().map(({ label }) => label)).toEqual(labels)
  })

  it('offers the menu in the language of the app', async () => {
    const electron = countertag()
    electron.popups.length = 0
    await clientOf(electron).call('app.setLocale', { locale: 'es' })
    electron.window.contents.openContextMenu({ isEditable: true })
    expect(electron.popups.flat().map(({ label }) => label)).toEqual(['Pegar', 'Seleccionar todo'])
  })

  it("writes the page's errors into the log, bounded", () => {
    const electron = countertag()
    const { contents } = electron.window
    contents.say({ level: 'info', message: 'nothing of interest' })
    contents.say({ level: 'error', message: `bad ${'!'.repeat(10_000)}` })
    for (let line = 0; line < 300; line++) contents.say({ level: 'warning', message: 'the same again' })
    const log = logOf(electron)
    expect(log).not.toContain('nothing of interest')
    expect(log).toContain(`bad ${'!'.repeat(496)}"`)
    expect(log.split('the same again')).toHaveLength(200)
  })

  it('keeps crash dumps local', () => {
    const { app, crashReports } = countertag()
    expect(crashReports).toEqual({ uploadToServer: false })
    expect(app.getPath('crashDumps')).toBe(join(app.getPath('userData'), 'crashes'))
  })

  it('comes to the front on a scan, and only then', async () => {
    const electron = countertag()
    electron.window.loseFocus()
    const before = electron.window.history.length
    await clientOf(electron).call('scanner.submit', { text: 'SC-1', source: 'wedge' })
    expect(electron.window.history.slice(before)).toEqual(['show', 'focus'])
  })

  it('reloads a page that hangs, unless the page responds first', async () => {
    const electron = countertag()
    const { contents } = electron.window
    useFakeTimers()
    electron.window.emit('unresponsive')
    vi.advanceTimersByTime(10_000)
    electron.window.emit('responsive')
    vi.advanceTimersByTime(60_000)
    expect(contents.forcedCrashes).toBe(0)
    electron.window.emit('unresponsive')
    electron.window.emit('unresponsive')
    vi.advanceTimersByTime(15_000)
    vi.useRealTimers()
    expect(contents.forcedCrashes).toBe(1)
    await vi.waitUntil(() => contents.reloads === 1 && !contents.isCrashed() && contents.page !== undefined, 10_000)
    expect(await clientOf(electron).call('app.status', undefined)).toMatchObject({ ok: true })
    expect(logOf(electron)).toMatch(/the page hangs[^]*the page answers again[^]*the page hung, and is ended/)
  })

  it('gives up a page whose preload fails, because the page would have no API', async () => {
    const electron = countertag()
    electron.window.contents.emit('preload-error', {}, '/preload.cjs', new Error('no electron'))
    await vi.waitUntil(() => electron.window.document.includes('page/died'), 10_000)
    expect(logOf(electron)).toContain('the preload failed')
  })

  it('ignores a hung page that was closed', () => {
    const { window } = countertag()
    useFakeTimers()
    window.emit('unresponsive')
    window.close()
    vi.advanceTimersByTime(15_000)
    expect(window.contents.forcedCrashes).toBe(1)
  })
})

describe('a computer that wakes up', () => {
  it('asks the service at once, though all was well before sleep', async () => {
    const said = vi.spyOn(console, 'log').mockReturnValue()
    vi.stubEnv('COUNTERTAG_SAY_PRACTICE', '1')
    const electron = await openCountertag()
    vi.unstubAllEnvs()
    const line =
      said.mock.calls
        .flat()
        .map(String)
        .find((text) => text.startsWith('Practice service: ')) ?? ''
    said.mockRestore()
    const { adminUrl } = z.object({ adminUrl: z.url() }).parse(JSON.parse(line.slice(line.indexOf('{'))))
    await vi.waitUntil(async () => {
      const status = await clientOf(electron).call('app.status', undefined)
      return status.ok && status.value.connection.state === 'online'
    }, 10_000)
    const asked = async () => (await practiceKnobs(adminUrl).requests()).length
    const before = await asked()
    electron.powerMonitor.wakeUp()
    await vi.waitUntil(async () => (await asked()) > before, 10_000)
  })
})

describe('a page whose process is gone', () => {
  it('gets no events, and is restored', async () => {
    const electron = await openCountertag()
    const client = clientOf(electron)
    electron.window.contents.loseProcess({ reason: 'oom', exitCode: 1 })
    await client.call('security.lock', undefined).catch(() => undefined)
    await vi.waitUntil(() => !electron.window.contents.isCrashed(), 10_000)
    expect([electron.errorBoxes, electron.app.windows.length]).toEqual([[], 1])
  })
})

describe('broken graphics', () => {
  it('disable the GPU after two GPU crashes, from the next start until another version', async () => {
    const userData = newFolder()
    const gpuOf = async (befalls: Parameters<FakeElectron['app']['loseProcess']>[0][]) => {
      const electron = await openCountertag({ userData })
      for (const each of befalls) electron.app.loseProcess(each)
      await quit(electron)
      return electron.app.hasHardwareAcceleration
    }
    const harmless = [
      { type: 'GPU', reason: 'clean-exit', exitCode: 0 },
      { type: 'Utility', reason: 'crashed', exitCode: 5 },
      { type: 'GPU', reason: 'killed', exitCode: 9 },
    ] as const
    expect(await gpuOf([...harmless, { type: 'GPU', reason: 'crashed', exitCode: 5 }])).toBe(true)
    expect(await gpuOf([{ type: 'GPU', reason: 'launch-failed', exitCode: 1 }])).toBe(true)
    expect(readFileSync(join(userData, 'practice/countertag.log'), 'utf8')).toContain('a process of Chromium is gone')
    expect(await gpuOf([])).toBe(false)
    writeFileSync(join(userData, 'gpu.json'), JSON.stringify({ version: '0.0.9', crashes: 7 }))
    expect(await gpuOf([])).toBe(true)
    writeFileSync(join(userData, 'gpu.json'), '{"version":"0.1.0","crashes":"2"')
    expect(await gpuOf([])).toBe(true)
  })
})
