import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page, WebSocketRoute } from '@playwright/test'
import { isScrollable, tooSmall, violations } from '../e2e/axe'
import { Counter, expect, test as base } from '../e2e/station'
import { pageFaults, treeFaults, treeOf } from './tree'

const folder = join(import.meta.dirname, '../../test-results/looks')

const sizes = [
  [1024, 768],
  [1366, 768],
  [1920, 1080],
] as const
const schemes = ['light', 'dark'] as const
const locales = ['en', 'es'] as const

/**
 * Takes the screen as it is now in every size, scheme and language, and checks each. Leaves the first of each. `height`: of
 * the window, for what is longer than it.
 */
export type Look = (name: string, height?: number) => Promise<void>

/** What the page and main are sent beside what they send each other. */
interface Wire {
  toMain?: WebSocketRoute
  toPage?: WebSocketRoute
}

export const test = base.extend<{ look: Look; wire: Wire }>({
  wire: async ({ page }, use) => {
    const wire: Wire = {}
    await page.routeWebSocket(/./, (socket) => {
      wire.toPage = socket
      wire.toMain = socket.connectToServer()
    })
    await use(wire)
  },
  counter: async ({ wire, page, station }, use) => {
    if (wire.toMain) throw new Error('too early')
    await page.goto(station.url)
    await expect(page.getByText('Ready to scan')).toBeVisible()
    await use(new Counter(page))
  },
  look: async ({ page, wire }, use) => {
    mkdirSync(folder, { recursive: true })
    const faults: string[] = []
    await use(async (name, tall) => {
      await page.mouse.move(0, 0)
      const tree = await treeOf(page)
      writeFileSync(join(folder, `${name.replaceAll(/\W+/g, '-')}.txt`), tree)
      faults.push(...[...treeFaults(tree), ...(await pageFaults(page))].map((fault) => `${name}: ${fault}`))
      for (const locale of locales) {
        await speak(page, wire.toMain, locale)
        for (const [width, height] of sizes) {
          await page.setViewportSize({ width, height: tall ?? height })
          const where = `${name} ${locale} ${width}x${height}`
          for (const scheme of schemes) {
            await page.emulateMedia({ colorScheme: scheme })
            const path = join(folder, `${name.replaceAll(/\W+/g, '-')}.${locale}.${width}.${scheme}.jpg`)
            await page.screenshot({ path, type: 'jpeg', quality: 70, animations: 'disabled' })
            if (width !== sizes[0][0]) continue
            const found = await violations(page, scheme === 'light' ? [] : ['color-contrast', 'link-in-text-block'])
            faults.push(...found.map(({ id, nodes }) => `${where} ${scheme}: ${id}: ${nodes.join(' | ')}`))
          }
          if (await isScrollable(page)) faults.push(`${where}: the page scrolls`)
          faults.push(...(await cutOff(page)).map((text) => `${where}: cut off: ${text}`))
          faults.push(...(await tooSmall(page)).map((text) => `${where}: too small to press: ${text}`))
        }
      }
      const [[width, height]] = sizes
      await page.setViewportSize({ width, height })
      await page.emulateMedia({ colorScheme: 'light' })
      await speak(page, wire.toMain, 'en')
    })
    expect(faults).toEqual([])
  },
})
export { expect }

/** Changes the language as the settings do, without leaving the screen. */
async function speak(page: Page, toMain: WebSocketRoute | undefined, locale: (typeof locales)[number]) {
  toMain?.send(JSON.stringify({ id: -1, call: 'app.setLocale', input: { locale } }))
  await expect(page.locator('html')).toHaveAttribute('lang', locale)
}

/** Buttons and headings whose text is wider than they are, and what reaches out of the window. */
const cutOff = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button, h1, h2, h3, label, [role=tab], dialog')]
      .filter((one) => one.checkVisibility() && !one.closest('.visually-hidden'))
      .filter((one) => {
        const { left, right, width } = one.getBoundingClientRect()
        const isWider = one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== 'visible'
        return width > 1 && (isWider || right > innerWidth + 1 || left < -1)
      })
      .map((one) => `${one.tagName} ${(one.getAttribute('aria-label') ?? one.textContent).trim().slice(0, 60)}`),
  )
