import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type ElectronApplication, expect, test } from '@playwright/test'
import { type RunningElectron, endElectron, launchElectron } from '../e2e/electron-host'
import { Counter, codes } from '../e2e/station'
import { keepLogs, keepPicture } from './evidence'

/**
 * What only Electron's own runtime shows, in the order of a till's day: a window, a scan, a second start, a quit, a
 * kill, and the start after each. The first machine with a runtime runs this before anything else.
 */

const root = resolve(import.meta.dirname, '../..')
const [sold = '', inCart = ''] = codes.itemsHere

/** Waits for a process to end; returns its exit code, null after a signal. */
const ended = (child: ChildProcess) =>
  new Promise<number | null>((done) => {
    if (child.exitCode !== null || child.signalCode !== null) done(child.exitCode)
    else child.once('exit', done)
  })

/** The system's information about the only window. */
const windowOf = (app: ElectronApplication) =>
  app.evaluate(({ BrowserWindow, screen }) => {
    const [window, ...others] = BrowserWindow.getAllWindows()
    if (!window) throw new Error('there is no window')
    const bounds = window.getBounds()
    return {
      others: others.length,
      isVisible: window.isVisible(),
      title: window.getTitle(),
      url: window.webContents.getURL(),
      bounds,
      workArea: screen.getDisplayMatching(bounds).workArea,
    }
  })

const ready = ({ page }: RunningElectron) => expect(page.getByText('Ready to scan')).toBeVisible({ timeout: 60_000 })

test('a till on the real runtime: window, scan, second start, quit, kill, start', async ({
  browserName: _any,
}, info) => {
  // Three starts of the app, on machines whose first start is slow.
  test.setTimeout(300_000)
  const dataDir = mkdtempSync(join(tmpdir(), 'countertag-runtime-'))
  let till = await launchElectron(dataDir)
  try {
    await test.step('the only window appears on the screen', async () => {
      await ready(till)
      await expect.poll(async () => (await windowOf(till.app)).isVisible).toBe(true)
      const { others, title, url, bounds, workArea } = await windowOf(till.app)
      expect([others, title, url]).toEqual([0, 'Countertag', 'app://countertag/'])
      expect(bounds.width).toBeGreaterThan(0)
      expect(bounds.x).toBeLessThan(workArea.x + workArea.width)
      expect(bounds.y).toBeLessThan(workArea.y + workArea.height)
      await keepPicture(till.page, '1-window', info)
    })

    await test.step('keys at scanner speed are read as a scan', async () => {
      // A machine too busy for a scanner's rhythm may split a scan; the test then scans again.
      await expect(async () => {
        await till.page.keyboard.type(`${codes.package.toLowerCase()}\n`)
        await expect(new Counter(till.page).strip).toContainText('3 cases', { timeout: 5_000 })
      }).toPass()
      await keepPicture(till.page, '2-scan', info)
    })

    await test.step('a second start exits and brings the existing window to the front', async () => {
      await till.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide())
      expect((await windowOf(till.app)).isVisible).toBe(false)
      const program = await till.app.evaluate(({ app }) => app.getPath('exe'))
      expect(await ended(spawn(program, [root, '--data-dir', dataDir], { stdio: 'ignore' }))).toBe(0)
      await expect.poll(async () => (await windowOf(till.app)).isVisible).toBe(true)
      expect((await windowOf(till.app)).others).toBe(0)
    })

    await test.step('a sale while offline is kept when the app quits', async () => {
      const counter = new Counter(till.page)
      await counter.go('Checkout')
      await till.knobs.setFaults({ offline: true })
      await counter.sell('1', [sold])
      await expect(till.page.getByText('1 to send')).toBeVisible()
      await keepPicture(till.page, '3-before-quit', info)
      const child = till.app.process()
      await till.app.evaluate(({ app }) => app.quit()).catch(() => undefined)
      expect(await ended(child)).toBe(0)
    })

    await test.step('the next start sends it; the app is killed with items in the cart', async () => {
      till = await launchElectron(dataDir)
      await ready(till)
      await expect(till.page.getByText('Nothing to send')).toBeVisible({ timeout: 60_000 })
      const counter = new Counter(till.page)
      await counter.go('Checkout')
      await counter.field('Order number').fill('2')
      await counter.field('Order number').blur()
      await counter.scan(inCart)
      await expect(counter.button('Complete 1 item')).toBeVisible()
      await keepPicture(till.page, '4-before-kill', info)
      const child = till.app.process()
      child.kill('SIGKILL')
      await ended(child)
    })

    await test.step('the start after that restores the cart, and the service has the sale once', async () => {
      till = await launchElectron(dataDir)
      await ready(till)
      const counter = new Counter(till.page)
      await counter.go('Checkout')
      await expect(counter.field('Order number')).toHaveValue('2')
      await expect(counter.button('Complete 1 item')).toBeVisible()
      expect((await till.knobs.transactions()).map(({ orderId }) => orderId)).toEqual(['1'])
      await keepPicture(till.page, '5-after-kill', info)
    })
  } catch (cause) {
    await keepPicture(till.page, 'failed', info).catch(() => undefined)
    throw cause
  } finally {
    keepLogs(dataDir, info)
    await endElectron(till, dataDir)
  }
})
