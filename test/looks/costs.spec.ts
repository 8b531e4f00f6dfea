import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { addPerson, ana, lee, mia } from '../e2e/people'
import { type Counter, codes, expect, idIn, test as base } from '../e2e/station'
import { type Cost, Hands } from './costs'
import { sellEach } from './sell-each'

/** What each task costs a trained person, in scans, keys and clicks: docs/task-costs.md. */

const folder = join(import.meta.dirname, '../../test-results')
const [a = '', b = '', c = ''] = codes.itemsHere
const [foreign = ''] = codes.itemsToImport
const prefix = 'ORD-'
/** Three cases of one product, so that their POS IDs are entered once. */
const packageOfThree = `${codes.package.slice(0, -1)}4`

const Data = z.object({ collections: z.array(z.object({ uuid: z.string(), members: z.array(z.string()) })) })
const store = join(import.meta.dirname, '../../resources/practice/store.json')
const { collections } = Data.parse(JSON.parse(readFileSync(store, 'utf8')))
const refused = collections.find(({ uuid }) => uuid === idIn(codes.caseToImport))?.members.slice(0, 15) ?? []

const costs: { task: string; way: string; cost: Cost }[] = []
const inWords = ({ scans, keys, clicks }: Cost) => `${scans} scans, ${keys} keys, ${clicks} clicks`

const test = base.extend<{ hands: Hands }>({
  hands: async ({ counter }, use) => {
    await use(new Hands(counter))
  },
})

// In one process, so that one table has all of them.
test.describe.configure({ mode: 'default' })

/** Writes the table of the tasks so far, and fails if a task's cost has changed. */
function expectCost(task: string, way: string, { cost }: Hands, expected: Cost) {
  costs.push({ task, way, cost })
  mkdirSync(folder, { recursive: true })
  const lines = costs.map((one) => `| ${one.task} | ${one.way} | ${inWords(one.cost)} |`)
  writeFileSync(join(folder, 'costs.md'), ['| task | by | cost |', '| --- | --- | --- |', ...lines, ''].join('\n'))
  expect(cost).toEqual(expected)
}

/** The till's order numbers begin with `ORD-`, so that a scanned receipt gives the number. */
async function readyForReceipts(counter: Counter) {
  await counter.settings('Scanners')
  await counter.field('Order numbers begin with').fill(prefix)
  await counter.button(/^Save (beginnings|prefixes)$/).click()
  await expect(counter.page.getByText('Saved', { exact: true }).first()).toBeVisible()
  await counter.go('Checkout')
}

async function sold(counter: Counter, orderId: string, items: string[]) {
  await counter.go('Checkout')
  await counter.sell(orderId, items)
  await expect(counter.page.getByText(new RegExp(`Order ${orderId} reported`)).first()).toBeVisible()
  // Scanned again sooner, an item counts as scanned once.
  await counter.page.waitForTimeout(1_500)
  await counter.page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
}

test('sell 3 items, scanner and keyboard', async ({ counter, hands, page }) => {
  await counter.go('Checkout')
  for (const code of [a, b, c]) await hands.scan(code)
  await hands.key('Alt+N')
  await hands.type('10482')
  await hands.key('Control+Enter')
  await expect(page.getByText('Order 10482 reported').first()).toBeVisible()
  expectCost('Sell 3 items', 'keyboard', hands, { scans: 3, keys: 7, clicks: 0 })
})

test('sell 3 items, scanner and touch', async ({ counter, hands, page }) => {
  await readyForReceipts(counter)
  for (const code of [a, b, c]) await hands.scan(code)
  await hands.scan(`${prefix}10482`)
  await hands.click(counter.button('Complete 3 items'))
  await expect(page.getByText('Order 10482 reported').first()).toBeVisible()
  expectCost('Sell 3 items', 'touch', hands, { scans: 4, keys: 0, clicks: 1 })
})

test('switch person and sell 3 items where names are required, scanner and keyboard', async ({
  counter,
  hands,
  page,
}) => {
  await counter.settings('People')
  for (const person of [ana, lee]) await addPerson(counter, person)
  await page.getByRole('radio', { name: 'Required' }).check()
  await addPerson(counter, mia)
  await counter.scan('STAFF-4401')
  await expect(page.getByRole('button', { name: /^Signed in: *Ana Ruiz/ })).toBeVisible()
  await counter.go('Checkout')
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
  await hands.scan('STAFF-4402')
  await expect(page.getByRole('button', { name: /^Signed in: *Lee Wong/ })).toBeVisible()
  expectCost('Switch person', 'scanner', hands, { scans: 1, keys: 0, clicks: 0 })
  const seller = new Hands(counter)
  for (const code of [a, b, c]) await seller.scan(code)
  await seller.key('Alt+N')
  await seller.type('10483')
  await seller.key('Control+Enter')
  await expect(page.getByText('Order 10483 reported').first()).toBeVisible()
  expectCost('Sell 3 items, names required', 'keyboard', seller, { scans: 3, keys: 7, clicks: 0 })
})

test('import 3 cases, scanner and keyboard', async ({ counter, hands, page }) => {
  await hands.scan(packageOfThree)
  await expect(counter.field('POS product ID')).toBeVisible()
  // The primary action is "Fill in POS IDs" as long as they are missing.
  await hands.key('Control+Enter')
  await expect(counter.field('POS product ID')).toBeFocused()
  await hands.type('P20')
  await hands.tabTo(counter.field('POS inventory ID'))
  await hands.type('I77')
  await hands.key('Control+Enter')
  await expect(page.getByText('3 cases imported', { exact: true })).toBeVisible()
  expectCost('Import 3 cases', 'keyboard', hands, { scans: 1, keys: 9, clicks: 0 })
})

test('import 3 cases, scanner and touch', async ({ counter, hands, page }) => {
  await hands.scan(packageOfThree)
  await hands.click(counter.field('POS product ID'))
  await hands.type('P20')
  await hands.click(counter.field('POS inventory ID'))
  await hands.type('I77')
  await hands.click(counter.button('Import 3 cases'))
  await expect(page.getByText('3 cases imported', { exact: true })).toBeVisible()
  expectCost('Import 3 cases', 'touch', hands, { scans: 1, keys: 6, clicks: 3 })
})

/** The POS's catalog names the product, and its inventory ID belongs to the package. */
async function loadCatalog({ page, button }: Pick<Counter, 'page' | 'button'>) {
  await button('POS catalog').click()
  const dialog = page.getByRole('dialog')
  const buffer = Buffer.from('Item Name;Product ID\r\n"House Flower, 3.5 g";P20')
  await dialog.locator('input[type=file]').setInputFiles({ name: 'menu.csv', mimeType: 'text/csv', buffer })
  await dialog.getByRole('button', { name: /^Load 1 line/ }).click()
  await expect(dialog.getByText('1 line loaded')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
}

test('import 3 cases of a known product, scanner and keyboard', async ({ counter, hands, page }) => {
  await loadCatalog({ page, button: (name) => counter.button(name) })
  await hands.scan(packageOfThree)
  await expect(counter.field('POS product ID')).toHaveValue('P20')
  // To the one field that is missing.
  await hands.key('Control+Enter')
  await expect(counter.field('POS inventory ID')).toBeFocused()
  await hands.type('I77')
  await hands.key('Control+Enter')
  await expect(page.getByText('3 cases imported', { exact: true })).toBeVisible()
  expectCost('Import 3 cases of a known product', 'keyboard', hands, { scans: 1, keys: 5, clicks: 0 })
})

/** A delivery of which nothing is left to import. */
async function settled(counter: Counter) {
  await counter.scan(packageOfThree)
  await counter.field('POS product ID').fill('P20')
  await counter.field('POS inventory ID').fill('I77')
  await counter.button('Import 3 cases').click()
  await expect(counter.page.getByText('3 cases imported', { exact: true })).toBeVisible()
  await expect(counter.page.getByText('All cases settled')).toBeVisible()
  await counter.page.evaluate(() => {
    window.print = () => (document.body.dataset.printed = document.querySelector('.paper')?.textContent ?? '')
  })
}

test('finish a delivery and print its record, scanner and keyboard', async ({ counter, hands, page }) => {
  await settled(counter)
  await hands.key('Control+Enter')
  await expect(page.getByRole('heading', { name: 'Finish this delivery?' })).toBeVisible()
  await hands.key('Control+Enter')
  await expect(page.getByRole('heading', { name: 'Delivery finished' })).toBeVisible()
  await hands.key('Control+Enter')
  await expect(page.locator('body[data-printed]')).toHaveAttribute('data-printed', /House Flower/)
  expectCost('Finish a delivery, print its record', 'keyboard', hands, { scans: 0, keys: 3, clicks: 0 })
})

test('finish a delivery and print its record, scanner and touch', async ({ counter, hands, page }) => {
  await settled(counter)
  await hands.click(counter.button('Finish delivery').last())
  const finishing = page.getByRole('region', { name: 'Finish this delivery?' })
  await hands.click(finishing.getByRole('button', { name: 'Finish delivery' }))
  await hands.click(counter.button('Print record'))
  await expect(page.locator('body[data-printed]')).toHaveAttribute('data-printed', /House Flower/)
  expectCost('Finish a delivery, print its record', 'touch', hands, { scans: 0, keys: 0, clicks: 3 })
})

test('return 1 item, scanner and keyboard', async ({ counter, hands, page }) => {
  await sold(counter, '10482', [a, b])
  await hands.key('Alt+R')
  await hands.scan(a)
  await expect(counter.field('Order number')).toHaveValue('10482')
  await hands.key('Control+Enter')
  await expect(page.getByText('Return for order 10482 reported').first()).toBeVisible()
  expectCost('Return 1 item', 'keyboard', hands, { scans: 1, keys: 2, clicks: 0 })
})

test('return 1 item, scanner and touch', async ({ counter, hands, page }) => {
  await sold(counter, '10482', [a, b])
  await hands.click(counter.tab('Return'))
  await hands.scan(a)
  await hands.click(counter.button('Return 1 item'))
  await expect(page.getByText('Return for order 10482 reported').first()).toBeVisible()
  expectCost('Return 1 item', 'touch', hands, { scans: 1, keys: 0, clicks: 2 })
})

test('void an order, scanner and keyboard', async ({ counter, hands, page }) => {
  await sold(counter, '10482', [a, b])
  await hands.key('Alt+V')
  await hands.scan(a)
  await expect(counter.button('Void order 10482')).toBeVisible()
  await hands.key('Control+Enter')
  await expect(page.getByRole('dialog').getByLabel('Reason', { exact: true })).toBeFocused()
  await hands.type('typo')
  await hands.key('Enter')
  await expect(page.getByText('Order 10482 voided').first()).toBeVisible()
  expectCost('Void an order', 'keyboard', hands, { scans: 1, keys: 7, clicks: 0 })
})

test('void an order, scanner and touch', async ({ counter, hands, page }) => {
  await sold(counter, '10482', [a, b])
  await hands.click(counter.tab('Void'))
  await hands.scan(a)
  await hands.click(counter.button('Void order 10482'))
  await hands.type('typo')
  await hands.click(page.getByRole('dialog').getByRole('button', { name: 'Void order 10482' }))
  await expect(page.getByText('Order 10482 voided').first()).toBeVisible()
  expectCost('Void an order', 'touch', hands, { scans: 1, keys: 4, clicks: 3 })
})

async function refusedOrder(counter: Counter) {
  await counter.go('Checkout')
  await counter.sellAnyway('10482', [a, foreign])
  await expect(counter.page.getByText('1 needs attention')).toBeVisible()
}

test('repair a refused order, scanner and keyboard', async ({ counter, hands, page }) => {
  await refusedOrder(counter)
  await hands.key('F5')
  await expect(counter.button(/^Leave it out/)).toBeVisible()
  await hands.key('Control+Enter')
  await expect(counter.field('Reason')).toBeFocused()
  await hands.key('ArrowDown')
  await hands.key('Enter')
  await expect(page.getByRole('heading', { name: '1 needs attention' })).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Done today' })).toBeVisible()
  expectCost('Repair a refused order', 'keyboard', hands, { scans: 0, keys: 4, clicks: 0 })
})

test('repair a refused order, scanner and touch', async ({ counter, hands, page }) => {
  await refusedOrder(counter)
  const cards = page.getByRole('region', { name: 'Last orders' })
  await hands.click(cards.getByRole('button', { name: 'Show in Outbox' }).first())
  await hands.click(counter.button(/^Leave it out/))
  await hands.click(page.getByRole('dialog').getByRole('button', { name: 'Stayed in the store' }))
  await hands.click(page.getByRole('dialog').getByRole('button', { name: 'Send the rest' }))
  await expect(page.getByRole('heading', { name: '1 needs attention' })).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Done today' })).toBeVisible()
  expectCost('Repair a refused order', 'touch', hands, { scans: 0, keys: 0, clicks: 4 })
})

async function fifteenRefusals(counter: Counter) {
  await counter.go('Checkout')
  await sellEach(counter.page, 700, refused)
  await expect(counter.button('15 need attention').first()).toBeVisible({ timeout: 60_000 })
}

test('clear 15 refusals, scanner and keyboard', async ({ counter, hands, page }) => {
  await fifteenRefusals(counter)
  await hands.key('F5')
  await hands.tabTo(counter.button('Dismiss all 15: 15 sales'))
  await hands.key('Enter')
  await expect(counter.field('Reason')).toBeFocused()
  // A usual reason takes one key.
  await hands.key('ArrowDown')
  await hands.key('Enter')
  await expect(counter.button('Nothing to send')).toBeVisible()
  await expect(page.getByText('Dismissed: Corrected in the POS')).toHaveCount(15)
  expectCost('Clear 15 refusals', 'keyboard', hands, { scans: 0, keys: 6, clicks: 0 })
})

test('clear 15 refusals, scanner and touch', async ({ counter, hands, page }) => {
  await fifteenRefusals(counter)
  const cards = page.getByRole('region', { name: 'Last orders' })
  await hands.click(cards.getByRole('button', { name: 'Show in Outbox' }).first())
  await hands.click(counter.button('Dismiss all 15: 15 sales'))
  await hands.click(page.getByRole('dialog').getByRole('button', { name: 'Corrected in the POS' }))
  await hands.click(page.getByRole('dialog').getByRole('button', { name: /^Dismiss/ }))
  await expect(page.getByText('Dismissed: Corrected in the POS')).toHaveCount(15)
  expectCost('Clear 15 refusals', 'touch', hands, { scans: 0, keys: 0, clicks: 4 })
})
