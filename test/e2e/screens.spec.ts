import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { removeFolder } from '../remove-folder'
import { expectAccessible, isScrollable } from './axe'
import { codes, expect, test } from './station'

test('has no accessibility violation on any screen, light and dark, and fits 1024x768 without scrolling the page', async ({
  counter,
}) => {
  const { page } = counter
  const look = async (screen: string) => {
    await expectAccessible(page, screen)
    expect(await isScrollable(page), screen).toBe(false)
  }
  await look('receiving, empty')
  await counter.scan(codes.package)
  await expect(counter.field('POS product ID')).toBeVisible()
  await look('receiving, a package')
  await counter.scan(codes.twoProducts)
  await expect(page.getByRole('radio').first()).toBeVisible()
  await look('receiving, two products')
  await counter.go('Checkout')
  await look('checkout, empty')
  for (const item of [...codes.itemsHere, ...codes.itemsToImport]) await counter.scan(item)
  await expect(counter.button('Complete 8 items')).toBeVisible()
  await look('checkout, a cart')
  await counter.scan(`a text that is no code ${'x'.repeat(200)}`)
  await look('checkout, a refused scan')
  await counter.tab('Void').click()
  await look('checkout, void')
  await counter.go('Outbox')
  await look('outbox')
  await counter.go('Settings')
  await look('settings')
  await page.getByRole('button', { name: 'Practice codes and training switch' }).click()
  await look('practice')
})

test('opens the practice codes without a scanner and treats a click as a scan', async ({ counter }) => {
  const { page } = counter
  await counter.button('No scanner? Use the practice codes').click()
  await page.getByRole('button', { name: codes.package }).click()
  await expect(counter.strip).toContainText(`Package ${codes.package}`)
})

test('says that a link was already used when it is opened a second time', async ({ counter, station, browser }) => {
  await expect(counter.page.getByText('Ready to scan')).toBeVisible()
  const other = await (await browser.newContext()).newPage()
  await other.goto(station.url)
  await expect(other.getByText('This link was already used.')).toBeVisible()
  await counter.page.reload()
  await expect(counter.page.getByText('Ready to scan')).toBeVisible()
})

test('starts by its command, which prints the address and ends when asked to', async ({ page }) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'countertag-e2e-'))
  const command = join(import.meta.dirname, '../../out/main/browser.js')
  const child = spawn(process.execPath, [command, '--no-open', '--port', '0', '--data-dir', dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, COUNTERTAG_KEYCHAIN: 'off' },
  })
  const ended = once(child, 'exit')
  try {
    let url = ''
    for await (const line of createInterface({ input: child.stdout })) {
      url = /^Ready: (\S+)$/.exec(line)?.[1] ?? ''
      if (url !== '') break
    }
    await page.goto(url)
    await expect(page.getByText('Ready to scan')).toBeVisible()
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  } finally {
    child.kill('SIGKILL')
    await ended
    await removeFolder(dataDir)
  }
})
