import { readFileSync } from 'node:fs'
import { expectAccessible, expectFitting, isScrollable } from './axe'
import { type Counter, codes, expect, test } from './station'

const picture = async ({ page }: Counter, name: string) => {
  const folder = process.env['COUNTERTAG_LOOKS']
  if (!folder) return
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const size of [
      { width: 1024, height: 768 },
      { width: 1920, height: 1080 },
    ]) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize(size)
      await page.screenshot({ path: `${folder}/stock-${name}.${colorScheme}.${size.width}.png` })
    }
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1024, height: 768 })
}

test(
  'counts a case blind while it is sold from; what is missing gets a reason, and the count is signed',
  { tag: '@long' },
  async ({ counter }) => {
    const { page, strip } = counter
    const [a = '', b = '', c = ''] = codes.itemsToImport
    const figures = (name: string) => page.locator('dl.figures > div').filter({ hasText: name }).locator('dd')
    const look = async (name: string) => {
      await expectAccessible(page, name)
      await expectFitting(page, name)
      expect(await isScrollable(page), name).toBe(false)
      await picture(counter, name)
    }

    await test.step('nothing is expected before something was imported', async () => {
      await counter.go('Stock')
      await expect(page.getByText('Not known yet what should be here')).toBeVisible()
      await expect(page.getByText('Scan the packages of this store in Receiving')).toBeVisible()
      await counter.scan(a)
      await expect(strip).toContainText('No count is open here')
      await expect(counter.button('Start count')).toBeDisabled()
      await look('nothing')
    })

    await test.step('an imported case is expected, and chosen by its label', async () => {
      await counter.go('Receiving')
      await counter.scan(codes.package)
      await expect(strip).toContainText('3 cases')
      await counter.scan(codes.caseToImport)
      await expect(page.getByRole('heading', { name: 'Blue Dune, 3.5 g' })).toBeVisible()
      await counter.importCase()
      await expect(page.getByText(/Imported here at/).first()).toBeVisible()
      await counter.go('Stock')
      await expect(counter.button('Start count')).toBeEnabled()
      // A count is blind before it starts, too.
      await expect(page.getByRole('main').getByText(/\b24 items\b/)).toHaveCount(0)
      await counter.scan(codes.caseToImport)
      await expect(strip).toContainText('Case chosen: Blue Dune, 3.5 g')
      await look('start')
      await page.keyboard.press('Control+Enter')
      await expect(page.getByText('Scan the items on the shelf')).toBeVisible()
    })

    await test.step('scans are counted once, and say nothing of what is expected', async () => {
      await counter.scan(a)
      await expect(strip).toContainText('Blue Dune, 3.5 g counted')
      await counter.scan(b)
      await expect(page.locator('.figure')).toHaveText('2')
      await counter.typeCode(b)
      await expect(strip).toContainText('already counted')
      await expect(page.getByText(/\b24 items\b|of 24\b/)).toHaveCount(0)
      await look('counting')
      await counter.button(/^Remove the scan of .*LCvUPEtMFAZZM5NTZtG8at/).click()
      await expect(page.locator('.figure')).toHaveText('1')
      await counter.button('Pause').click()
      await counter.typeCode(b)
      await expect(strip).toContainText('This count is paused')
      await page.keyboard.press('Control+Enter')
      await expect(counter.button('Pause')).toBeVisible()
      await counter.typeCode(b)
      await expect(page.locator('.figure')).toHaveText('2')
    })

    await test.step('an item is sold meanwhile, and the page is loaded anew', async () => {
      await counter.go('Checkout')
      await counter.sell('10482', [c])
      await expect(page.getByText('Order 10482 reported, 1 item')).toBeVisible()
      await page.reload()
      await expect(page.getByText('Ready to scan')).toBeVisible()
      await counter.go('Stock')
      await counter.button(/^Open Case/).click()
      await expect(page.locator('.figure')).toHaveText('2')
    })

    await test.step('what is missing is shown at the end; what was sold is no difference', async () => {
      await page.keyboard.press('Control+Enter')
      await page.getByRole('dialog').getByRole('button', { name: 'Finish count' }).click()
      await expect(figures('Missing')).toHaveText('21')
      await expect(figures('Found')).toHaveText('2')
      await expect(page.getByText(/1 item was sold, returned or imported/)).toBeVisible()
      await expect(counter.button('21 reasons missing')).toBeDisabled()
      await look('differences')
    })

    await test.step('the differences are counted again', async () => {
      await counter.button('Recount differences').click()
      await expect(page.getByText('Scan the items that were missing')).toBeVisible()
      await counter.scan(codes.itemsToImport[3] ?? '')
      await expect(strip).toContainText('counted')
      await page.keyboard.press('Control+Enter')
      await page.getByRole('dialog').getByRole('button', { name: 'Finish count' }).click()
      await expect(figures('Missing')).toHaveText('20')
      await expect(figures('Found')).toHaveText('3')
    })

    await test.step('a reason for all, then the signature', async () => {
      await page.getByRole('checkbox', { name: 'Choose all 20' }).check()
      await counter.button('Give 20 a reason').click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('Lost', { exact: true }).click()
      await look('reason')
      await dialog.getByRole('button', { name: 'Save reason' }).click()
      await expect(page.getByText('Lost').first()).toBeVisible()
      const [download] = await Promise.all([page.waitForEvent('download'), counter.button('Download CSV').click()])
      const lines = readFileSync(await download.path(), 'utf8')
        .trim()
        .split('\n')
      expect(lines.filter((line) => line.includes('Lost'))).toHaveLength(20)
      expect(lines).toHaveLength(24)
      await counter.button('Print').click()
      await expect(page.getByRole('dialog').getByText(/3 of 23 found, 20 missing/)).toBeVisible()
      await look('paper')
      await page.keyboard.press('Escape')
      await page.keyboard.press('Control+Enter')
      await expect(dialog).toContainText('is closed with 20 differences')
      await dialog.getByLabel('Your name').fill('Robin Reyes')
      await dialog.getByRole('button', { name: 'Sign' }).click()
      await expect(page.getByText(/Signed /).first()).toBeVisible()
      await expect(counter.button('Sign count')).toHaveCount(0)
      await look('signed')
    })

    await test.step('the history has it', async () => {
      await counter.button('History').click()
      await expect(page.getByRole('row').filter({ hasText: 'Signed' })).toContainText('13%')
      await look('history')
    })
  },
)

test(
  'a count that is left in front says that it has been open for more than a day',
  { tag: '@long' },
  async ({ counter }) => {
    const { page, strip } = counter
    await counter.go('Receiving')
    await counter.scan(codes.package)
    await expect(strip).toContainText('3 cases')
    await counter.scan(codes.caseToImport)
    await expect(page.getByRole('heading', { name: 'Blue Dune, 3.5 g' })).toBeVisible()
    await counter.importCase()
    await expect(page.getByText(/Imported here at/).first()).toBeVisible()
    await page.clock.install()
    await counter.go('Stock')
    await expect(counter.button('Start count')).toBeEnabled()
    // A count is blind before it starts, too.
    await expect(page.getByRole('main').getByText(/\b24 items\b/)).toHaveCount(0)
    await counter.scan(codes.caseToImport)
    await expect(strip).toContainText('Case chosen: Blue Dune, 3.5 g')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByText('Scan the items on the shelf')).toBeVisible()
    const notice = page.getByText('This count has been open for more than a day')
    await expect(notice).toBeHidden()
    await page.clock.fastForward('25:00:00')
    await expect(notice).toBeVisible()
  },
)
