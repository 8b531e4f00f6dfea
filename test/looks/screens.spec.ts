import type { Counter } from '../e2e/station'
import { sold } from '../e2e/orders'
import { codes, idIn, settingsSections } from '../e2e/station'
import { expect, test } from './look'

const packages = [1, 2, 3].map((number) => `${codes.package.slice(0, -1)}${number}`)

async function receive(counter: Counter) {
  for (const uid of packages) {
    await counter.scan(uid)
    await expect(counter.page.getByRole('heading', { name: uid })).toBeVisible()
  }
}

test('receiving', async ({ counter, look }) => {
  const { page } = counter
  await look('receiving empty')
  await receive(counter)
  await look('delivery')
  await counter.scan(codes.caseToImport)
  await expect(page.getByRole('heading', { name: 'Blue Dune, 3.5 g' })).toBeVisible()
  await look('case to import')
  await counter.button(/left out/).click()
  await look('what is imported')
  await page.keyboard.press('Escape')
  await counter.importCase()
  await expect(page.getByText(/Imported here at/).first()).toBeVisible()
  await look('case imported')
  await counter.scan(codes.twoProducts)
  await look('case of two products')
  await counter.scan(codes.byStranger)
  await look('case of another company')
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await look('delivery menu')
  // Closed by what takes the focus, such as the change of the language.
  if (!(await page.getByText('Delivery report').isVisible()))
    await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByText('Delivery report').click()
  await look('delivery report')
  await page.keyboard.press('Escape')
})

test('the record of a delivery', async ({ counter, look }) => {
  const { page } = counter
  await receive(counter)
  await counter.scan(codes.caseToImport)
  await expect(page.getByRole('heading', { name: 'Blue Dune, 3.5 g' })).toBeVisible()
  await counter.importCase()
  await expect(page.getByText(/Imported here at/).first()).toBeVisible()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByText('Photos of damage').click()
  await look('photos, none')
  const drawn = await page.screenshot({ type: 'png' })
  const picture = (name: string) => ({ name, mimeType: 'image/png', buffer: drawn })
  await page
    .locator('input[type=file]')
    .setInputFiles([picture('a.png'), picture('b.png'), { name: 'c.pdf', mimeType: '', buffer: Buffer.from('%PDF') }])
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('2 of 24 photos')
  await dialog.getByLabel('What it shows').first().fill('Torn seal on the outer box')
  await dialog.getByRole('button', { name: 'Remove: Photo' }).last().click()
  await look('photos')
  await counter.button('Use camera').click()
  await expect(counter.button('Take photo')).toBeEnabled()
  await look('camera')
  await counter.button('Take photo').click()
  await look('camera, photo taken')
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'Undo removing: Photo' }).click()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await counter.button('Finish delivery').first().click()
  await look('finish delivery')
  await counter.field('Received by').fill('Maya Ortiz')
  await counter.field('Driver (optional)').fill('D. Cole')
  await counter.finishNow()
  await look('delivery finished')
  await counter.button('Next delivery').click()
  await counter.button('History').click()
  await page.getByRole('tab', { name: 'Deliveries' }).click()
  await expect(page.getByText('Reopen', { exact: true })).toBeVisible()
  await look('deliveries')
  await counter.button(/^Record of the delivery/).click()
  await expect(dialog.locator('.paper')).toContainText('Torn seal on the outer box')
  await look('delivery record')
  await dialog.getByRole('button', { name: 'Add correction' }).click()
  await look('correction')
})

test('a count', async ({ counter, look }) => {
  const { page } = counter
  await counter.scan(codes.package)
  await counter.scan(codes.caseToImport)
  await counter.button('Count items').click()
  await look('count begins')
  await counter.button('Only this case').click()
  await counter.scan(codes.itemsToImport[0] ?? '')
  await counter.scan(codes.itemsHere[0] ?? '')
  await look('count')
  await page.keyboard.press('Control+Enter')
  await look('count ends')
  await page.getByRole('dialog').getByRole('button', { name: 'Finish count' }).click()
  await expect(page.getByRole('heading', { name: /differences/ })).toBeVisible()
  await look('differences')
})

test('a manifest', async ({ counter, look }) => {
  const { page } = counter
  const [first = '', second = ''] = packages
  const order = [
    'Package Tag,Item Name,Shipped Qty',
    `${first},"Blue Dune, 3.5 g",26`,
    `${first},Pre-rolls of the garden,20`,
    `${first},"Hudson Ground, 7 g",12`,
    `${first.slice(0, -1)}4,"House Flower, 3.5 g",12`,
    'PKG-77,Jalapeño gummies,5',
    `${first.slice(0, -1)}5,"Ground, by weight",453.59 g`,
  ].join('\n')
  await counter.button('Load manifest').click()
  await look('manifest start')
  const choose = page.getByRole('dialog').locator('input[type=file]')
  await choose.setInputFiles({ name: 'order-2026-11-25.csv', mimeType: 'text/csv', buffer: Buffer.from(order) })
  await look('manifest columns')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Load \d/ })
    .click()
  await look('manifest loaded')
  await page.keyboard.press('Escape')
  await look('manifest waits')
  await counter.scan(first)
  await counter.scan(second)
  await expect(page.getByText('Not on the manifest').first()).toBeVisible()
  await look('manifest bar')
  await counter.button('Show manifest').click()
  await look('manifest lines')
  await counter.button('Finish delivery').first().click()
  await look('manifest at the end')
  await page.keyboard.press('Escape')
  await counter.button(/^More$/).click()
  await page.getByText('Delivery report').click()
  await look('manifest report')
})

test('a shelf count', async ({ counter, look }) => {
  const { page } = counter
  const dialog = page.getByRole('dialog')
  await receive(counter)
  await counter.scan(codes.caseToImport)
  await expect(page.getByRole('heading', { name: 'Blue Dune, 3.5 g' })).toBeVisible()
  await counter.importCase()
  await expect(page.getByText(/Imported here at/).first()).toBeVisible()
  await counter.go('Stock')
  await expect(counter.button('Start count')).toBeEnabled()
  await look('stock start')
  await counter.scan(codes.caseToImport)
  await expect(page.getByText('Chosen: Blue Dune, 3.5 g', { exact: true })).toBeVisible()
  await counter.button('Start count').click()
  await expect(page.getByText('Scan the items on the shelf')).toBeVisible()
  for (const tagId of [...codes.itemsToImport.slice(0, 2), codes.unknownItem]) await counter.scan(tagId)
  await expect(page.locator('.figure')).toHaveText(/^[23]$/)
  await look('shelf count')
  await page.keyboard.press('Control+Enter')
  await look('shelf count ends')
  await dialog.getByRole('button', { name: 'Finish count' }).click()
  await expect(counter.button(/reasons missing$/)).toBeVisible()
  await look('shelf differences')
  await page.getByRole('checkbox', { name: /^Choose all/ }).check()
  await counter.button(/a reason$/).click()
  await look('shelf reason')
  await page.keyboard.press('Escape')
  await counter.button('Print').click()
  await look('shelf paper')
  await page.keyboard.press('Escape')
  await counter.button('History').click()
  await look('stock history')
})

test('the POS’s day', async ({ counter, look }) => {
  const { page } = counter
  await sold(counter, '702', codes.itemsHere.slice(0, 1))
  await counter.go('Orders')
  await counter.button('Close the day').click()
  const card = page.getByRole('region', { name: 'Compare with the POS' })
  await counter.button('Load the POS’s sales').click()
  await card.evaluate((step) => step.scrollIntoView())
  await look('pos start')
  const day = new Date().toLocaleDateString('sv-SE')
  const file = [
    'Receipt Number,Date,Item,Quantity,Voided',
    `704,${day} 11:30,"Garden Statement, 3.5 g",1.00,No`,
    `705,${day} 11:30,Lighter,1.00,No`,
    `706,${day} 11:30,Lighter,one,No`,
  ].join('\n')
  const choose = page.locator('input[type=file]')
  await choose.setInputFiles({ name: 'sales.csv', mimeType: 'text/csv', buffer: Buffer.from(file) })
  await expect(page.getByRole('dialog')).toContainText('sales.csv')
  await look('pos columns')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Compare/ })
    .click()
  await expect(card).toContainText('1 difference')
  await card.evaluate((step) => step.scrollIntoView())
  await look('pos differences')
  await counter.button('Give a reason: order 702').click()
  await look('pos reason')
})

test('outages', async ({ counter, station, look }) => {
  const { page } = counter
  await counter.go('Outbox')
  await counter.button('Outages').click()
  await look('outages, none')
  await counter.go('Checkout')
  await station.knobs.setFaults({ offline: true })
  await counter.sell('902', codes.itemsHere.slice(1, 2))
  const status = page.getByRole('status', { name: 'Connection' })
  await expect(status).toContainText('No connection')
  // A shorter one is none.
  await page.waitForTimeout(2_500)
  await status.getByRole('button').press('Enter')
  await expect(page.getByText('Still going on')).toBeVisible()
  await look('outage now')
  await station.knobs.setFaults({})
  await expect(page.getByText('1 reported since')).toBeVisible({ timeout: 30_000 })
  await counter.button(/^Details: outage/).press('Enter')
  await look('outage')
  await counter.button('Print').click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await look('outage paper')
})

test('checkout', async ({ counter, station, look }) => {
  const { page } = counter
  await counter.go('Checkout')
  await look('checkout empty')
  for (const code of [...codes.itemsHere.slice(0, 2), ...codes.itemsToImport.slice(0, 2), codes.unknownItem])
    await counter.scan(code)
  await counter.field('Order number').fill('601')
  // What the service said of each item is there: pictures of a busy machine would show an empty cart.
  await expect(page.getByText('Item read, looking it up')).toHaveCount(0)
  await look('cart')
  await counter.button(/^Complete/).click()
  await look('complete anyway')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Alt+H')
  await counter.sell('602', codes.itemsHere.slice(2, 4))
  await expect(page.getByText('Order 602 reported')).toBeVisible()
  await look('order reported')
  await page.keyboard.down('Alt')
  await look('keys')
  await page.keyboard.up('Alt')
  await station.knobs.setFaults({ offline: true })
  await counter.tab('Return').click()
  await counter.scan(codes.itemsHere[2] ?? '')
  await look('return')
  await counter.tab('Void').click()
  await counter.field('Order number').fill('602')
  await page.keyboard.press('Enter')
  await look('void')
})

test('a refused order, and the outbox', async ({ counter, look }) => {
  const { page } = counter
  await counter.go('Checkout')
  await counter.sellAnyway('701', codes.itemsToImport.slice(0, 2))
  await expect(page.getByText('1 needs attention')).toBeVisible()
  await look('refused')
  await counter.go('Outbox')
  await expect(page.getByRole('region', { name: /^Refused items/ }).getByRole('checkbox')).toHaveCount(2)
  await look('outbox refused')
  await counter
    .button(/^History/)
    .first()
    .click()
  await look('outbox history')
  await counter.go('Orders')
  await page.getByRole('button', { name: /^701\b/ }).click()
  await look('order refused')
})

test('orders and the day', async ({ counter, station, look }) => {
  const { page } = counter
  await counter.go('Orders')
  await look('orders empty')
  await counter.go('Checkout')
  await counter.sell('801', codes.itemsHere.slice(0, 2))
  await expect(page.getByText('Order 801 reported')).toBeVisible()
  await station.knobs.setFaults({ offline: true })
  await counter.sell('802', codes.itemsHere.slice(2, 3))
  await expect(page.getByText('1 to send')).toBeVisible()
  await counter.go('Outbox')
  await look('outbox waiting')
  await counter.go('Orders')
  await page.getByRole('button', { name: /^801\b/ }).click()
  await look('orders')
  await counter.button('Close the day').click()
  await look('the day')
  await counter.button('Sign and print').last().click()
  await look('the day signing')
  await page.getByRole('dialog').getByLabel('Your name').fill('Maya')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toContainText('Signed by Maya')
  await look('the day printed')
  await page.keyboard.press('Escape')
  for (const name of ['What is open', 'Verify with the service', 'Compare with the POS', 'Sign and print']) {
    const step = page.getByRole('heading', { name }).getByRole('button')
    if ((await step.getAttribute('aria-expanded')) === 'false') await step.click()
  }
  await look('the day open', 1600)
})

test('find', async ({ counter, look }) => {
  const { page } = counter
  await counter.go('Find')
  await look('find empty')
  await counter.scan(codes.itemsHere[0] ?? '')
  const isRead = () => expect(page.getByText(/looking it up/i)).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Palisades Pre-Roll, 1 g' })).toBeVisible()
  await isRead()
  await look('find item')
  await counter.scan(codes.caseToImport)
  await expect(page.getByRole('heading', { name: 'Blue Dune, 3.5 g' })).toBeVisible()
  await isRead()
  await look('find case')
  await counter.scan(codes.package)
  await expect(page.getByRole('article')).toContainText(codes.package)
  await isRead()
  await look('find package')
  await counter.scan(codes.unknownItem)
  await expect(page.getByRole('article')).toContainText(idIn(codes.unknownItem))
  await isRead()
  await look('find unknown')
})

test('settings and help', async ({ counter, look }) => {
  const { page } = counter
  for (const section of settingsSections) {
    await counter.settings(section)
    await look(`settings ${section}`, 1_400)
  }
  await page.keyboard.press('Control+F')
  await page.keyboard.type('pin', { delay: 120 })
  await look('settings search')
  await page.keyboard.press('Escape')
  await counter.settings('Scanners')
  await counter.button('Test a scanner').click()
  await look('scanner test')
  await page.keyboard.press('Escape')
  // While the test is open, one key may be a scan.
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('?')
  await look('help')
})
