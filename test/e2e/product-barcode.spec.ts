import { codes, expect, test } from './station'

const upc = '850022150746'

test(
  "says of a product's barcode what it is, wherever it is scanned, and sells nothing by it",
  { tag: '@long' },
  async ({ counter }) => {
    const { page } = counter
    for (const screen of ['Receiving', 'Checkout', 'Outbox', 'Settings'] as const) {
      await counter.go(screen)
      await counter.typeCode(upc)
      await expect(counter.strip).toContainText('A product’s barcode, not an item’s')
      await expect(counter.strip).toContainText('Scan the QR code.')
    }
    // Digits alone may be this store's order number: a person decides.
    await counter.go('Checkout')
    await counter.typeCode(upc)
    await counter.button(`Use “${upc}” as the order number`).click()
    await expect(counter.field('Order number')).toHaveValue(upc)
    await counter.scan(codes.itemsHere[0] ?? '')
    await expect(counter.button('Complete 1 item')).toBeVisible()
    await counter.button('Complete 1 item').click()
    await expect(page.getByText(`Order ${upc} reported, 1 item`)).toBeVisible()
    // On Orders it looks for the order of that number first.
    await counter.go('Orders')
    await counter.typeCode(upc)
    await expect(page.getByRole('region', { name: `Order ${upc}`, exact: true })).toBeVisible()
    await counter.typeCode('036000291452')
    await expect(counter.strip).toContainText('A product’s barcode, not an item’s')
  },
)
