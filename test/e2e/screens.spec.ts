import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath, pathToFileURL } from 'node:url'
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
  await counter.settings('This station')
  await look('settings')
  await page.getByRole('button', { name: 'Practice codes and training switch' }).click()
  await look('practice')
})

test(
  'opens the practice codes without a scanner and treats a click as a scan',
  { tag: '@long' },
  async ({ counter }) => {
    const { page } = counter
    await counter.button('No scanner? Use the practice codes').click()
    await page.getByRole('button', { name: codes.package }).click()
    await expect(counter.strip).toContainText(`Package ${codes.package}`)
  },
)

test(
  'says that a link was already used when it is opened a second time',
  { tag: '@long' },
  async ({ counter, station, browser }) => {
    await expect(counter.page.getByText('Ready to scan')).toBeVisible()
    const other = await (await browser.newContext()).newPage()
    await other.goto(station.url)
    await expect(other.getByText('This link was already used.')).toBeVisible()
    await counter.page.reload()
    await expect(counter.page.getByText('Ready to scan')).toBeVisible()
  },
)

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

test(
  'opens itself in the browser without telling other users its token, which is used up then',
  { tag: '@long' },
  async ({ page, browser }) => {
    test.skip(process.platform !== 'linux', 'the test knows the name of the program that opens a URL on Linux only')
    const folder = mkdtempSync(join(tmpdir(), 'countertag-e2e-'))
    const programs = join(folder, 'programs')
    mkdirSync(programs)
    // Every user sees the arguments of a program, as this file does.
    const opener = `#!/bin/sh\nprintf '%s\\n' "$@" > '${folder}/told.new'\nmv '${folder}/told.new' '${folder}/told'\n`
    writeFileSync(join(programs, 'xdg-open'), opener, { mode: 0o755 })
    const command = join(import.meta.dirname, '../../out/main/browser.js')
    const child = spawn(process.execPath, [command, '--data-dir', join(folder, 'data')], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, COUNTERTAG_KEYCHAIN: 'off', PATH: `${programs}:${process.env.PATH}` },
    })
    const ended = once(child, 'exit')
    try {
      let url = new URL('http://127.0.0.1')
      for await (const line of createInterface({ input: child.stdout })) {
        const [, said] = /^Ready: (\S+)$/.exec(line) ?? []
        if (said === undefined) continue
        url = new URL(said)
        break
      }
      const token = url.hash.slice(1)
      await expect.poll(() => existsSync(join(folder, 'told'))).toBe(true)
      const [told = '', ...more] = readFileSync(join(folder, 'told'), 'utf8').trim().split('\n')
      expect(more).toEqual([])
      expect(told).not.toContain(token)
      const file = fileURLToPath(told)
      expect([file, dirname(file)].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o700])
      const kept = join(folder, 'kept.html')
      copyFileSync(file, kept)

      const seen: string[] = []
      page.on('framenavigated', (frame) => seen.push(frame.url()))
      await page.goto(told)
      await expect(page.getByText('Ready to scan')).toBeVisible()
      expect(page.url()).toBe(`${url.origin}/`)
      const cdp = await page.context().newCDPSession(page)
      const history = await cdp.send('Page.getNavigationHistory')
      expect(history.entries.map((entry) => entry.url)).toContain(`${url.origin}/`)
      const { referrer, title } = await page.evaluate(() => ({ referrer: document.referrer, title: document.title }))
      expect(JSON.stringify([seen, history, referrer, title])).not.toContain(token)
      await expect.poll(() => existsSync(dirname(file))).toBe(false)
      await page.reload()
      await expect(page.getByText('Ready to scan')).toBeVisible()

      const other = await (await browser.newContext()).newPage()
      for (const late of [pathToFileURL(kept).href, url.href]) {
        await other.goto(late)
        await expect(other.getByText('This link was already used.')).toBeVisible()
      }
      await other.context().close()
      child.kill('SIGTERM')
      expect(await ended).toEqual([0, null])
    } finally {
      child.kill('SIGKILL')
      await ended
      await removeFolder(folder)
    }
  },
)
