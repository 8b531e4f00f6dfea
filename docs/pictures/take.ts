import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { RealKeyboard } from '../../test/e2e/real-keyboard'
import { type Counter, codes, expect, test } from '../../test/e2e/station'
import { dialog, joinFirst, joinSecond, test as withStations } from '../../test/e2e/two-stations'
import { steadily } from '../../test/fakes/key-traces/play'

const takeOf = (page: Page) => (name: string) =>
  page.screenshot({
    path: join(import.meta.dirname, `${name}.jpg`),
    type: 'jpeg',
    quality: 80,
    animations: 'disabled',
  })

const preRolls = 'https://tag.example/case/Y45gxoSwLrmqnijFUfZsxa'

/** Scans a case and enters what the POS calls its product. */
async function fill(counter: Counter, code: string, name: string, number: number) {
  await counter.scan(code)
  await expect(counter.page.getByRole('heading', { name })).toBeVisible()
  await counter.field('POS product ID').fill(`POS-20${number}`)
  await counter.field('POS inventory ID').fill(`INV-771${number}`)
}

test('takes the pictures', async ({ counter, station }) => {
  const { page } = counter
  const take = takeOf(page)
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })

  for (const number of [1, 2, 3]) {
    const packageUid = `${codes.package.slice(0, -1)}${number}`
    await counter.scan(packageUid)
    await expect(counter.strip).toContainText('cases')
    await expect(page.getByText('Reading', { exact: false })).toBeHidden()
  }
  await fill(counter, preRolls, 'Garden Statement Pre-Rolls, 5 × 0.5 g', 1)
  await counter.button(/^Import .*, \d+ items?$/).click()
  await expect(page.getByText(/Imported here at/).first()).toBeVisible()
  await fill(counter, codes.short, 'Lemon Ferry, 3.5 g', 2)
  // The first of the list: its package stands above it.
  await fill(counter, codes.caseToImport, 'Blue Dune, 3.5 g', 3)
  await expect(counter.button('Import 2 cases')).toBeVisible()
  await page.locator('.list .scroll').evaluate((list) => {
    list.scrollTop = 0
  })
  await page.mouse.move(0, 0)
  await page.waitForLoadState('networkidle')
  await take('receiving')
  await counter.button('Import 2 cases').click()
  await expect(page.getByText('2 cases imported', { exact: true })).toBeVisible()

  await counter.go('Checkout')
  await counter.sell('10481', codes.itemsHere.slice(2))
  await expect(page.getByText('Order 10481 reported')).toBeVisible()
  for (const item of [...codes.itemsToImport.slice(0, 3), ...codes.itemsHere.slice(0, 2)]) {
    await counter.scan(item)
    await expect(counter.strip).toContainText('added')
  }
  await counter.field('Order number').fill('10482')
  await expect(counter.button('Complete 5 items')).toBeVisible()
  await page.mouse.move(0, 0)
  await take('checkout')

  await counter.go('Find')
  await counter.scan(codes.itemsHere[2] ?? '')
  const found = page.getByRole('region', { name: 'What is known of it' })
  await expect(found).toContainText('Open order 10481')
  await page.waitForLoadState('networkidle')
  await page.mouse.move(0, 0)
  await take('find')
  await counter.go('Checkout')

  await station.knobs.setFaults({ offline: true })
  await counter.button('Complete 5 items').click()
  await expect(page.getByText('1 to send')).toBeVisible()
  await counter.go('Orders')
  await page.getByRole('button', { name: /^10481\b/ }).click()
  await expect(page.getByRole('region', { name: 'Order 10481', exact: true })).toBeVisible()
  await page.mouse.move(0, 0)
  await take('orders')

  await page.emulateMedia({ colorScheme: 'dark' })
  await counter.go('Outbox')
  await expect(page.getByRole('heading', { name: '1 waiting' })).toBeVisible()
  await counter.button('History: Sale: order 10482').click()
  await expect(page.getByText('Not sent. Retrying.').first()).toBeVisible()
  await page.mouse.move(0, 0)
  await take('outbox-dark')
})

test('takes the pictures of what a new scanner needs', async ({ counter }) => {
  const { page } = counter
  const take = takeOf(page)
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await counter.settings('Scanners')
  await counter.button('Test a scanner').click()
  const keys = await RealKeyboard.plugIn(page)
  await keys.type(steadily(`${codes.caseToImport}\n`, { gap: 60, held: 40 }))
  await expect(page.getByText('60 ms per key')).toBeVisible()
  await take('scanner-test')
  await page.keyboard.press('Escape')

  await counter.button('Print practice codes').click()
  await expect(page.getByText('Practice only')).toBeVisible()
  await take('practice-sheet')
})

test('takes the picture of a sale that a person has to settle', async ({ counter, station }) => {
  const { page } = counter
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await station.knobs.setFaults({
    rules: [{ kind: 'garbage', answer: 'html', path: '/api/v1.2/transactions/' }],
  })
  await counter.go('Checkout')
  await counter.sell('10483', codes.itemsHere.slice(0, 2))
  await counter.go('Outbox')
  await expect(async () => {
    await counter.sendNow()
    await expect(page.getByText('Needs review')).toBeVisible({ timeout: 500 })
  }).toPass()
  await counter.button('History: Sale: order 10483').click()
  await page.mouse.move(0, 0)
  await takeOf(page)('outbox-unsettled')
})

test('takes the picture of a day that was read back', async ({ counter }) => {
  const { page } = counter
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await counter.go('Checkout')
  await counter.sell('10484', codes.itemsHere.slice(0, 2))
  await expect(page.getByText('Order 10484 reported')).toBeVisible()
  await counter.sell('10485', codes.itemsHere.slice(2, 5))
  await expect(page.getByText('Order 10485 reported')).toBeVisible()
  await counter.go('Orders')
  await counter.button('Close the day').click()
  await counter.button('Verify 4 items').click()
  await expect(page.getByText('4 of 4 read back as reported').first()).toBeVisible()
  await page.mouse.move(0, 0)
  await takeOf(page)('verified-day')
})

test('takes the picture of a count of the shelf', async ({ counter }) => {
  const { page } = counter
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await counter.scan(codes.package)
  await expect(counter.strip).toContainText('cases')
  await counter.scan(codes.caseToImport)
  await expect(page.getByRole('heading', { name: 'Blue Dune, 3.5 g' })).toBeVisible()
  await counter.importCase()
  await expect(page.getByText(/Imported here at/).first()).toBeVisible()
  await counter.go('Stock')
  await expect(counter.button('Start count')).toBeEnabled()
  await counter.button('Start count').click()
  for (const item of codes.itemsToImport) {
    await counter.scan(item)
    await expect(counter.strip).toContainText('counted')
  }
  await expect(page.locator('.figure')).toHaveText(String(codes.itemsToImport.length))
  await page.mouse.move(0, 0)
  await takeOf(page)('stock')
})

withStations('takes the pictures of a store of two stations', async ({ counter, hub, second }) => {
  const { page } = counter
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await second.page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await joinFirst(counter, hub)
  await page.getByRole('button', { name: 'Show join code' }).click()
  await expect(dialog(page).getByAltText('Join code')).toBeVisible()
  await takeOf(page)('store-join')
  await page.keyboard.press('Escape')
  await joinSecond(counter, second)
  await counter.go('Receiving')
  await counter.scan(codes.package)
  await expect(counter.strip).toContainText('cases')
  await second.go('Receiving')
  await second.button(/^Join delivery/).click()
  await expect(second.page.getByRole('heading', { name: codes.package })).toBeVisible()
  await expect(second.page.getByText('Blue Dune, 3.5 g').first()).toBeVisible()
  await second.page.waitForLoadState('networkidle')
  await second.page.mouse.move(0, 0)
  await takeOf(second.page)('store-delivery')
  await counter.go('Checkout')
  await counter.field('Order number').fill('10487')
  await counter.scan(codes.itemsHere[1] ?? '')
  await expect(counter.button('Complete 1 item')).toBeVisible()
  await second.go('Checkout')
  // A number that was typed just before the scan follows its item.
  await expect(async () => {
    await second.scan(codes.itemsHere[1] ?? '')
    await expect(second.strip).toContainText('in order 10487 at Station 1', { timeout: 1_000 })
  }).toPass()
  await takeOf(second.page)('store-refused')
  await second.page.keyboard.press('F7')
  await expect(second.page.getByRole('main')).toContainText('Station 2')
  await takeOf(second.page)('store')
  await counter.button('Complete 1 item').click()
  await expect(page.getByText('Order 10487 reported')).toBeVisible()
  await second.go('Orders')
  await second.button('Close the day').click()
  await expect(second.button('Close the day for the store')).toBeVisible()
  await second.page.mouse.move(0, 0)
  await takeOf(second.page)('store-day')
  await hub.stop('immediate')
  await second.go('Checkout')
  await expect(second.page.getByText('Store hub: no answer')).toBeVisible()
  await second.scan(codes.itemsHere[2] ?? '')
  await expect(second.strip).toContainText('Not checked with the other stations')
  await takeOf(second.page)('store-apart')
  await hub.start()
})
