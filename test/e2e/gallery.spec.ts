import { expectAccessible, violations } from './axe'
import { expect, test } from './station'

test(
  'the gallery shows every shared component without an accessibility violation, light and dark',
  { tag: '@long' },
  async ({ page, station }) => {
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(error.message))
    await page.goto(new URL('/gallery.html', station.url).href)
    await expect(page.getByRole('heading', { name: 'Dialog and PrintSheet' })).toBeVisible()
    await expectAccessible(page, 'all components')
    const dialogs = page.getByRole('button', { name: /^Open / })
    const names = (await dialogs.allInnerTexts()).map((text) => text.slice('Open '.length))
    expect(names.length).toBeGreaterThan(9)
    for (const name of names) {
      await page.getByRole('button', { name: `Open ${name}`, exact: true }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await expectAccessible(page, name)
      await page.keyboard.press('Escape')
    }
    expect(problems).toEqual([])
  },
)

test(
  'the gallery fits a window at 200 % zoom, also in forced colors',
  { tag: '@long' },
  async ({ page, station }, info) => {
    await page.goto(new URL('/gallery.html', station.url).href)
    // A window of 1280 x 1024 at 200 %.
    await page.setViewportSize({ width: 640, height: 512 })
    const looks = [
      ['none', 'light'],
      ['active', 'light'],
      ['active', 'dark'],
    ] as const
    for (const [forcedColors, colorScheme] of looks) {
      await page.emulateMedia({ forcedColors, colorScheme, reducedMotion: 'reduce' })
      await expect(page.getByRole('heading', { name: 'DataTable' })).toBeAttached()
      const { width, room } = await page
        .locator('main')
        .evaluate(({ scrollWidth, clientWidth }) => ({ width: scrollWidth, room: clientWidth }))
      expect(width).toBeLessThanOrEqual(room)
      expect(await violations(page), `${forcedColors}, ${colorScheme}`).toEqual([])
      await page.screenshot({ path: info.outputPath(`gallery-${forcedColors}-${colorScheme}.png`) })
    }
  },
)

test(
  'the gallery is shown whole, light and dark, in each language',
  { tag: '@long' },
  async ({ page, station }, info) => {
    for (const locale of ['en', 'es'])
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width: 1366, height: 768 })
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await page.goto(new URL(`/gallery.html?locale=${locale}`, station.url).href)
        await expect(page.getByRole('heading', { name: 'Dialog and PrintSheet' })).toBeVisible()
        await expect(page.getByLabel(locale === 'en' ? 'Close' : 'Cerrar').first()).toBeAttached()
        // It scrolls inside the page: with a window as high as what is in it, all of it is drawn.
        const height = await page.locator('main').evaluate(({ scrollHeight }) => scrollHeight)
        await page.setViewportSize({ width: 1366, height })
        await page.screenshot({ path: info.outputPath(`gallery-${locale}-${colorScheme}.png`) })
      }
  },
)

test('the app itself loads nothing from the gallery', { tag: '@long' }, async ({ counter }) => {
  const { page } = counter
  const urls: string[] = []
  page.on('request', (request) => urls.push(request.url()))
  await page.reload()
  await expect(page.getByText('Ready to scan')).toBeVisible()
  await page.waitForLoadState('networkidle')
  expect(urls.length).toBeGreaterThan(3)
  expect(urls.filter((url) => /gallery/i.test(url))).toEqual([])
})
