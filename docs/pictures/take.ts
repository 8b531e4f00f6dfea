import { join } from 'node:path'
import { codes, expect, test } from '../../test/e2e/station'

test('takes the pictures', async ({ counter, station }) => {
  const { page } = counter
  const take = (name: string) =>
    page.screenshot({
      path: join(import.meta.dirname, `${name}.jpg`),
      type: 'jpeg',
      quality: 80,
      animations: 'disabled',
    })
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })

  await counter.scan(codes.package)
  await counter.scan(codes.caseToImport)
  await counter.importCase()
  await expect(page.getByText(/Imported here at/).first()).toBeVisible()
  await counter.scan(codes.package)
  await expect(counter.strip).toContainText('3 cases')
  await page.waitForLoadState('networkidle')
  await take('receiving')

  await counter.go('Checkout')
  await counter.sell('10481', codes.itemsHere.slice(2))
  await expect(page.getByText('Order 10481 reported')).toBeVisible()
  for (const item of [...codes.itemsToImport.slice(0, 3), ...codes.itemsHere.slice(0, 2)]) {
    await counter.scan(item)
    await expect(counter.strip).toContainText('added')
  }
  await counter.field('Order number').fill('10482')
  await expect(counter.button('Complete 5 items')).toBeVisible()
  await take('checkout')

  await station.knobs.setFaults({ offline: true })
  await counter.button('Complete 5 items').click()
  await expect(page.getByText('1 to send')).toBeVisible()
  await page.emulateMedia({ colorScheme: 'dark' })
  await counter.go('Outbox')
  await expect(page.getByRole('heading', { name: '1 waiting' })).toBeVisible()
  await counter.button('History: Sale: order 10482').click()
  await expect(page.getByText('It could not be sent. It is tried again.').first()).toBeVisible()
  await page.mouse.move(0, 0)
  await take('outbox-dark')
})
