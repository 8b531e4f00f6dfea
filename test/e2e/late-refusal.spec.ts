import { violations } from './axe'
import { codes, expect, test } from './station'

const [a = '', b = ''] = codes.itemsHere
const [foreign = ''] = codes.itemsToImport

test(
  'an order that is refused seconds later sounds and is shown over another screen, until it is seen',
  { tag: '@long' },
  async ({ counter, station }) => {
    test.setTimeout(90_000)
    const { page } = counter
    // Counts the low notes that only a refusal has.
    await page.addInitScript(() => {
      const start: unknown = Reflect.get(OscillatorNode.prototype, 'start')
      OscillatorNode.prototype.start = function (this: OscillatorNode, at?: number) {
        if (this.type === 'square') {
          const { dataset } = document.documentElement
          dataset['refusals'] = String(Number(dataset['refusals'] ?? 0) + 1)
        }
        if (typeof start === 'function') Reflect.apply(start, this, [at])
      }
    })
    await page.reload()
    await expect(page.getByText('Ready to scan')).toBeVisible()
    const alert = page.getByRole('region', { name: 'Reports to review' })
    const orders = page.getByRole('region', { name: 'Last orders' })
    await counter.go('Checkout')
    await counter.scan(foreign)
    await expect(page.getByText('Its case is not imported here').first()).toBeVisible()
    await counter.field('Order number').fill('500')
    await station.knobs.setFaults({ rules: [{ kind: 'latency', ms: 6_000 }] })
    await counter.button('Complete 1 item').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Complete anyway' }).click()

    // At once, and the cart takes the next order.
    await expect(orders.getByRole('listitem').first()).toContainText('Order 500, 1 item')
    await expect(orders.getByRole('listitem').first()).toContainText('Saved, being sent')
    await expect(page.getByText('Scan the first item')).toBeVisible()
    // A refusal gets into a region that was urgent before, and leaves it for one that isn't once it was seen.
    const [urgent, calm] = [orders.getByRole('list').first(), orders.getByRole('list').last()]
    await expect(urgent).toHaveAttribute('aria-live', 'assertive')
    await expect(calm).toHaveAttribute('aria-live', 'polite')
    await expect(calm.getByRole('listitem')).toHaveCount(1)
    await counter.go('Orders')
    await expect(alert).toBeHidden()

    await expect(alert).toContainText('Order 500, 1 item', { timeout: 30_000 })
    await expect(alert).toContainText('Refused: 1 item is not in our inventory.')
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset['refusals'])).toBe('2')
    expect(await violations(page)).toEqual([])

    await page.reload()
    await expect(alert).toContainText('Order 500, 1 item')
    // Its card says it where the orders are, and no banner besides.
    await counter.go('Checkout')
    await expect(urgent).toContainText('Refused: 1 item is not in our inventory.')
    await expect(page.getByText('1 item is not in our inventory')).toHaveCount(1)
    await expect(alert).toBeHidden()
    await counter.go('Orders')
    await expect(alert).toContainText('Order 500, 1 item')
    await counter.go('Checkout')
    await orders.getByRole('button', { name: 'Mark as seen' }).click()
    await expect(orders.getByRole('button', { name: 'Mark as seen' })).toBeHidden()
    await expect(calm.getByRole('listitem')).toHaveAttribute('aria-live', 'off')
    await counter.go('Orders')
    await expect(alert).toBeHidden()
    await counter.go('Checkout')
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false)
    await page.reload()
    await expect(orders).toContainText('Refused: 1 item is not in our inventory.')
    await expect(alert).toBeHidden()
  },
)

test('the banner leads to the refused order in the Outbox', async ({ counter }) => {
  const { page } = counter
  await counter.go('Checkout')
  await counter.scan(foreign)
  await counter.field('Order number').fill('501')
  await counter.button('Complete 1 item').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Complete anyway' }).click()
  const alert = page.getByRole('region', { name: 'Reports to review' })
  await counter.go('Find')
  await alert.getByRole('button', { name: 'Show in Outbox' }).click()
  await expect(page.getByRole('heading', { name: 'Outbox' })).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'Sale: order 501' }).first()).toBeFocused()
  await expect(alert).toBeHidden()
})

test(
  'the next order is scanned while the service takes seconds for the one before',
  { tag: '@long' },
  async ({ counter, station }) => {
    const { page } = counter
    await counter.go('Checkout')
    await counter.scan(b)
    await station.knobs.setFaults({ rules: [{ kind: 'latency', ms: 5_000, path: '/api/v1.2/transactions/' }] })
    await counter.field('Order number').fill('601')
    await counter.button('Complete 1 item').click()
    await counter.scan(a)
    await expect(counter.button('Complete 1 item')).toBeVisible()
    const first = page.getByRole('region', { name: 'Last orders' }).getByRole('listitem').first()
    await expect(first).toContainText('Order 601, 1 item')
    await expect(first).toContainText('Order 601 reported, 1 item', { timeout: 20_000 })
  },
)
