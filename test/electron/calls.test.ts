import { describe, expect, it, vi } from 'vitest'
import type { Scan } from '../../src-shared/scan/meaning'
import { clientOf, sharedCountertag, wireOf } from './countertag'

const invoke = 'countertag:invoke'

describe('calls and events between the page and the core', () => {
  const countertag = sharedCountertag()

  it('answers a contract call through preload, ipcMain and core', async () => {
    const client = clientOf(countertag())
    const status = await client.call('app.status', undefined)
    expect(status).toMatchObject({ ok: true, value: { profile: { kind: 'practice' }, version: '0.1.0', unsent: 0 } })
  })

  it('answers a bad payload with the place of the error, and does not reject', async () => {
    const electron = countertag()
    const answer = await wireOf(electron.window.webContents.page).invoke('scanner.setPlace', { place: 'moon' })
    expect(answer).toMatchObject({ ok: false, error: { code: 'ipc/invalid-input', issues: [{ path: 'place' }] } })
  })

  it('forwards an event of the core, by name, to a subscribed page until the page unsubscribes', async () => {
    const electron = countertag()
    const client = clientOf(electron)
    const scans: Scan[] = []
    const carts = vi.fn()
    client.on('checkout.cart', carts)
    const stop = client.on('scanner.scanned', (scan) => scans.push(scan))
    await client.call('scanner.submit', { text: 'no code at all', source: 'typed' })
    await vi.waitUntil(() => scans.length === 1, 10_000)
    expect(carts).not.toHaveBeenCalled()
    stop()
    await client.call('scanner.submit', { text: 'another one', source: 'typed' })
    expect(scans).toHaveLength(1)
  })

  it.each([
    [
      'a frame inside our page',
      (ours: object) => ({ origin: 'app://countertag', url: 'app://countertag/', parent: ours }),
    ],
    [
      'another site in our window',
      () => ({ origin: 'https://example.com', url: 'https://example.com/', parent: null }),
    ],
    ['another host of our scheme', () => ({ origin: 'app://other', url: 'app://other/', parent: null })],
    ['a sandboxed document at our address', () => ({ origin: 'null', url: 'app://countertag/', parent: null })],
    ['a frame that is gone', () => null],
  ])('refuses a call of %s', async (_who, frame) => {
    const electron = countertag()
    const { id, mainFrame } = electron.window.webContents
    const parent = { ...mainFrame }
    const sender = frame(parent)
    const foreign = sender === null ? null : { ...sender, parent: sender.parent === null ? null : parent }
    const answer = await electron.ipcMain.deliver(id, foreign, invoke, ['app.status', undefined])
    expect(answer).toEqual({ ok: false, error: { code: 'ipc/forbidden-sender' } })
  })

  it('refuses a call from another window, even one that shows our page', async () => {
    const electron = countertag()
    const { id, mainFrame } = electron.window.webContents
    const answer = await electron.ipcMain.deliver(id + 1, mainFrame, invoke, ['app.status', undefined])
    expect(answer).toEqual({ ok: false, error: { code: 'ipc/forbidden-sender' } })
  })

  it('listens on one channel only', () => {
    const electron = countertag()
    expect(electron.ipcMain.channels).toEqual([invoke])
  })
})
