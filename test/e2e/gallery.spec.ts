import { expectAccessible } from './axe'
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
    for (const name of ['dialog', 'wide dialog', 'sheet', 'sheet, nothing there']) {
      await page.getByRole('button', { name: `Open ${name}`, exact: true }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await expectAccessible(page, name)
      await page.keyboard.press('Escape')
    }
    expect(problems).toEqual([])
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
