import { expectAccessible, isScrollable } from './axe'
import { a, b, c, sold } from './orders'
import { expect, test } from './station'

test(
  'shows the day at a glance: net figures first, sales by hour and product, and an outage that was lived through',
  { tag: '@long' },
  async ({ counter, station }) => {
    const { page } = counter
    await sold(counter, '901', [a, b])
    await station.knobs.setFaults({ offline: true })
    await counter.sell('902', [c])
    await expect(counter.button('1 to send')).toBeVisible()
    // Shorter outages are not kept.
    const status = page.getByRole('status', { name: 'Connection' })
    await expect(status).toContainText('No connection')
    await page.waitForTimeout(2_500)
    await station.knobs.setFaults({})
    await expect(status).toHaveText('Connected', { timeout: 30_000 })
    await expect(counter.button('Nothing to send')).toBeVisible({ timeout: 30_000 })
    await counter.tab('Return').click()
    await counter.typeCode(b)
    await counter.button('Return 1 item').click()
    await expect(page.getByText(/Return for order 901 reported|Order 901 reported/).first()).toBeVisible()

    await counter.go('Orders')
    await counter.button('Close the day').click()
    await expect(page.getByRole('row', { name: 'Completed 2 3' })).toBeVisible()
    await expect(page.getByRole('row', { name: 'Net 2 2' })).toBeVisible()
    const hours = page.getByRole('table', { name: 'Items sold by hour' })
    await expect(hours.getByRole('row').last()).toContainText(/\d{1,2}:00\s[AP]M/)
    const counts = await hours.getByRole('row').locator('td:nth-of-type(2)').allTextContents()
    expect(counts.map(Number).reduce((sum, count) => sum + count, 0)).toBe(3)
    // One table of products, drawn as bars.
    const products = page.getByRole('table', { name: 'By product' })
    await expect(products.getByRole('row', { name: /3 1 0$/ })).toBeVisible()
    await expect(page.getByRole('table', { name: 'Best sellers' })).toHaveCount(0)
    await expect(
      page.getByText(
        /^\d{1,2}:\d\d(:\d\d)?\s[AP]M to \d{1,2}:\d\d(:\d\d)?\s[AP]M \(\d+ s\): No connection\. 1 report came late\.$/,
      ),
    ).toBeVisible()
    await expectAccessible(page, 'the day at a glance')
    expect(await isScrollable(page)).toBe(false)

    // The figures stand beside the steps, both in sight at the start.
    const sums = await page.getByRole('table', { name: 'Summary' }).boundingBox()
    const step = await page.getByRole('region', { name: 'What is open' }).boundingBox()
    expect(sums && step && sums.x > step.x + step.width && sums.y < step.y + step.height).toBe(true)
    for (const name of ['What is open', 'Verify with the service', 'Compare with the POS'])
      await expect(page.getByRole('heading', { name })).toBeInViewport()

    await counter.button(/^Print$/).click()
    const sheet = page.getByRole('dialog', { name: 'Close of day' })
    await expect(sheet.getByText('Items sold by hour').first()).toBeVisible()
    await expect(sheet).toContainText('Outages')
    await page.emulateMedia({ media: 'print' })
    const pdf = (await page.pdf({ format: 'Letter' })).toString('latin1')
    expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
  },
)
