import { Counter, codes, expect, test } from './station'

const [a = '', b = ''] = codes.itemsHere

test(
  'Find says at once that another page has the item in an order, and that it left it',
  { tag: '@long' },
  async ({ counter, station }) => {
    test.skip(station.host !== 'browser', 'an Electron station has one page')
    const { page } = counter
    const other = new Counter(await page.context().newPage())
    await other.page.goto(station.url)
    await expect(other.page.getByText('Ready to scan')).toBeVisible()
    const pane = page.getByRole('region', { name: 'What is known of it' })
    await counter.go('Find')
    await counter.scan(a)
    await expect(pane).toContainText('Sellable')

    await other.go('Checkout')
    await other.typeCode(a)
    await expect(other.button('Complete 1 item')).toBeVisible()
    await expect(pane).toContainText('still open')
    await other.button('Clear').click()
    await other.button('Clear the order').click()
    await expect(pane).toContainText('Sellable')
    await other.page.close()
  },
)

test(
  'the strip does not say that an item was added which another page has taken out',
  { tag: '@long' },
  async ({ counter, station }) => {
    const { page } = counter
    const other = new Counter(await page.context().newPage())
    await other.page.goto(station.url)
    await other.go('Checkout')
    await page.bringToFront()
    await counter.go('Checkout')
    await counter.scan(a)
    await expect(counter.strip).toContainText('added')
    await counter.scan(b)
    await expect(counter.strip).toContainText('2 items in this order')
    await expect(other.button('Complete 2 items')).toBeVisible()
    await other.page.locator('button.fold').first().click()
    await other.page
      .getByRole('button', { name: /^Remove item/ })
      .last()
      .click()
    await expect(counter.button('Complete 1 item')).toBeVisible()
    await expect(counter.strip.getByText('2 items in this order')).toBeHidden()
    await expect(counter.strip.getByRole('button', { name: /^Undo/ })).toBeHidden()
    // What was said before is shown again, and not said again.
    await expect(counter.strip).toContainText('Palisades Pre-Roll, 1 g added')
    await expect(counter.strip.getByRole('status')).toBeEmpty()
    await other.page.close()
  },
)

test(
  'a cart filled without a connection says as of when, and is asked about once there is one',
  { tag: '@long' },
  async ({ counter, station }) => {
    test.skip(station.host !== 'browser', 'an Electron station has one page')
    test.slow()
    const { page } = counter
    const items = page.getByRole('region', { name: 'Items', exact: true })
    await counter.go('Checkout')
    await counter.scan(a)
    await expect(counter.button('Complete 1 item')).toBeVisible()
    await expect(items).not.toContainText('Sellable')
    await station.knobs.setFaults({ offline: true })
    await expect(page.getByText('No connection').first()).toBeVisible({ timeout: 30_000 })
    await counter.scan(b)
    await expect(counter.button('Complete 2 items')).toBeVisible()
    await expect(counter.strip).toContainText(/Sellable, as of \d/)
    await expect(items).toContainText(/Sellable, as of \d/)
    await station.knobs.setFaults({})
    await expect(items).not.toContainText('Sellable', { timeout: 30_000 })
    await expect(counter.strip).not.toContainText('as of')
  },
)
