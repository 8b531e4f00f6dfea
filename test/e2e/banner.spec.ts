import { codes, expect, test } from './station'

const [a = '', b = '', c = ''] = codes.itemsHere

test(
  'the strip says nothing of earlier scans once a key or button changed the screen',
  { tag: '@long' },
  async ({ counter }) => {
    const { page, strip } = counter
    const isReady = () => expect(strip).toContainText('Ready to scan')
    await counter.go('Checkout')

    await test.step('complete by key', async () => {
      await counter.scan(a)
      await expect(strip).toContainText('added')
      await counter.field('Order number').fill('700')
      await page.keyboard.press('Control+Enter')
      await expect(page.getByText('Order 700 reported, 1 item')).toBeVisible()
      await isReady()
      await page.keyboard.press('Control+Enter')
      await expect(page.getByText('The order number is missing.')).toBeHidden()
    })

    await test.step('hold, resume, clear', async () => {
      await counter.scan(b)
      await expect(strip).toContainText('added')
      await counter.button('Hold').click()
      await isReady()
      await counter.scan(c)
      await expect(strip).toContainText('added')
      await counter.button('Clear').click()
      await page.getByRole('dialog').getByRole('button', { name: 'Clear the order' }).click()
      await isReady()
    })

    await test.step('void', async () => {
      await counter.tab('Void').click()
      await counter.scan(a)
      await expect(strip).toContainText('700')
      await counter.button('Void order 700').click()
      await counter.approval()
      await expect(page.getByText('Order 700 voided')).toBeVisible()
      await isReady()
    })
  },
)

test('an import clears what the strip said of its case', async ({ counter }) => {
  await counter.scan(codes.package)
  await counter.scan(codes.caseToImport)
  await expect(counter.page.getByText('24 of 24 required').first()).toBeVisible()
  await counter.importCase()
  await expect(counter.page.getByText(/Imported here at/).first()).toBeVisible()
  await expect(counter.strip).toContainText('Ready to scan')
})

test(
  'an order that is only looked at can be cleared, or replaced by another',
  { tag: '@long' },
  async ({ counter }) => {
    const { page } = counter
    await counter.go('Checkout')
    for (const [orderId, item] of [
      ['710', a],
      ['711', b],
    ] as const) {
      await counter.sell(orderId, [item])
      await expect(page.getByText(`Order ${orderId} reported, 1 item`)).toBeVisible()
    }
    await counter.tab('Void').click()
    await counter.scan(a)
    await expect(page.getByRole('heading', { name: 'Order 710' })).toBeVisible()
    await counter.scan(b)
    await expect(page.getByRole('heading', { name: 'Order 711' })).toBeVisible()
    await counter.button('Clear').click()
    await expect(page.getByText('Enter the order to void')).toBeVisible()
    await expect(counter.field('Order number')).toBeFocused()
    await expect(counter.field('Order number')).toHaveValue('')
  },
)
