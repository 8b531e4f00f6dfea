import pg from 'pg'
import { expectAccessible, expectFitting } from './axe'
import { a, b } from './orders'
import { type Counter, codes, expect } from './station'
import { card, dialog, joinFirst, joinSecond, test } from './two-stations'

const bar = ({ page }: Counter) => page.getByRole('status', { name: 'Store hub' })
const picture = async ({ page }: Counter, name: string) => {
  const folder = process.env['COUNTERTAG_LOOKS']
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` })
}

test(
  'two stations of a store: an item is in one order, taken over with a reason, and orders on hold are resumed anywhere',
  { tag: '@long' },
  async ({ counter: one, hub, second: two, station }) => {
    test.skip(station.host !== 'browser', 'two stations in one browser')
    test.slow()
    await joinFirst(one, hub)
    await joinSecond(one, two)
    await expect(bar(one)).toContainText('Store connected')

    await one.go('Checkout')
    await one.field('Order number').fill('1004')
    await one.scan(a)
    await expect(one.button('Complete 1 item')).toBeVisible()
    await two.go('Checkout')
    // A number that was typed just before the scan follows its item.
    await expect(async () => {
      await two.scan(a)
      await expect(two.strip).toContainText(/Palisades .*: in order 1004 at Station 1, since \d/, { timeout: 1_000 })
    }).toPass()
    await expectAccessible(two.page, 'a refused claim')
    await picture(two, 'refused-claim')
    await two.strip.getByRole('button', { name: 'Take it over' }).click()
    await expect(dialog(two.page)).toContainText(/Take over Palisades .*\?/)
    await expectAccessible(two.page, 'taking an item over')
    await picture(two, 'take-over')
    await dialog(two.page).getByLabel('Reason', { exact: true }).fill('Customer moved')
    await dialog(two.page).getByRole('button', { name: 'Take it over' }).click()
    await expect(two.button('Complete 1 item')).toBeVisible()

    await expect(one.page.getByRole('alert')).toContainText('Station 2 took over')
    await expect(one.page.getByRole('alert')).toContainText('Reason: Customer moved.')
    await expect(one.page.getByRole('alert')).toContainText('It left order 1004 here')
    // The item has left the order, and the strip says nothing of it any more.
    await expect(one.page.getByRole('region', { name: 'Items', exact: true })).not.toContainText('Palisades')
    await expect(one.button(/^Complete \d/)).toBeHidden()
    await expect(one.strip).not.toContainText('Palisades')
    await picture(one, 'taken-over')
    await expectAccessible(one.page, 'an item that was taken over')
    await one.page.reload()
    await expect(one.page.getByRole('alert')).toContainText('Station 2 took over')
    await one.button('Got it').click()
    await expect(one.page.getByRole('alert')).toBeHidden()

    // Held at the first, resumed at the second.
    await one.field('Order number').fill('1005')
    await one.scan(b)
    await expect(one.button('Complete 1 item')).toBeVisible()
    await one.button(/^Hold/).click()
    await two.button(/on hold$/).click()
    await expect(dialog(two.page)).toContainText('At Station 1')
    await picture(two, 'held')
    await dialog(two.page)
      .getByRole('button', { name: /^Resume order 1005/ })
      .click()
    await expect(two.field('Order number')).toHaveValue('1005')
    await expect(two.button('Complete 1 item')).toBeVisible()
    // What the second had in its cart is on hold instead.
    await one.button(/on hold$/).click()
    await expect(dialog(one.page)).toContainText('At Station 2')
    await expect(dialog(one.page)).not.toContainText('1005')
    await one.page.keyboard.press('Escape')

    await one.page.keyboard.press('F7')
    const stations = one.page.getByRole('main')
    await expect(stations).toContainText('Station 1')
    await expect(stations).toContainText('Station 2')
    await expectFitting(one.page, 'the Store screen')
    await expectAccessible(one.page, 'the Store screen')
    await picture(one, 'store')
  },
)

test(
  'closes the day of two stations from one of them, once the service has everything',
  { tag: '@long' },
  async ({ counter: one, hub, second: two, station }) => {
    test.skip(station.host !== 'browser', 'two stations in one browser')
    test.slow()
    const address = await joinFirst(one, hub)
    await joinSecond(one, two)
    // What it did since it was closed isn't known.
    const client = new pg.Client(address)
    await client.connect()
    const says = {
      unsent: 0,
      attention: 0,
      clockOffset: 0,
      hasScannerTrouble: false,
      untold: 0,
      scansUntold: 0,
      isOff: true,
    }
    await client.query(
      `INSERT INTO countertag.station (id, name, version, says) VALUES (gen_random_uuid(), 'Back', '0', $1)`,
      [says],
    )
    await client.end()
    const sell = async (counter: Counter, orderId: string, code: string) => {
      await counter.go('Checkout')
      await counter.field('Order number').fill(orderId)
      await counter.scan(code)
      await counter.button('Complete 1 item').click()
      await expect(counter.field('Order number')).toHaveValue('')
    }
    const openDay = async (counter: Counter) => {
      await counter.go('Orders')
      await counter.button('Close the day').click()
    }
    await sell(one, '2001', a)
    await sell(two, '2002', b)
    await openDay(two)
    const stations = two.page.getByRole('table', { name: 'By station' })
    await expect(stations.getByRole('row', { name: /Station 1/ })).toContainText('Done')
    await expect(stations.getByRole('row', { name: /Station 2/ })).toContainText('Done')
    await expect(two.page.getByText('Whole store: 3 stations')).toBeVisible()
    await expectAccessible(two.page, 'the day of the store')
    await expectFitting(two.page, 'the day of the store')
    await picture(two, 'store-day')
    // The person is asked about the station that was closed, by name.
    const asked = dialog(two.page)
    await two.button('Close the day for the store').click()
    await expect(asked).toContainText('Close the day without asking these stations?')
    await expect(asked.getByRole('listitem')).toContainText('Back')
    await expect(asked.getByRole('listitem')).toHaveCount(1)
    await expectAccessible(two.page, 'closing the day without a station')
    await picture(two, 'store-day-asked')
    await asked.getByRole('button', { name: 'Don’t close yet' }).click()
    await expect(asked).toBeHidden()
    await expect(two.page.getByText(/^Closed for the store/)).toBeHidden()
    await two.button('Close the day for the store').click()
    await asked.getByLabel('Your name').fill('Maya')
    await asked.getByRole('button', { name: 'Close the day for the store' }).click()
    // The paper has the day of the store: each station, who has not verified, and the steps that were not done.
    const paper = two.page.getByRole('dialog', { name: 'Close of day' })
    await expect(paper).toContainText('Whole store: 3 stations')
    await expect(paper).toContainText('Not verified at Station 1 and Station 2')
    await expect(paper).toContainText('Steps not done: Verify with the service and Compare with the POS')
    await expect(paper.getByRole('row', { name: /Station 1/ })).toContainText('Done · Not verified')
    await expectAccessible(two.page, 'the paper of the store')
    await two.page.keyboard.press('Escape')
    await expect(two.page.getByText(/^Closed for the store .* at Station 2 · Signed by Maya/)).toBeVisible()
    await openDay(one)
    await expect(one.page.getByText(/^Closed for the store .* at Station 2/)).toBeVisible()
    await picture(one, 'store-day-closed')
    // A sale afterwards is seen at both.
    await sell(one, '2003', codes.itemsHere[2] ?? '')
    await expect(two.page.getByText('Reports have changed since the day was closed')).toBeVisible()
    await picture(two, 'store-day-changed')
  },
)

test(
  'says that the store hub does not answer, marks what is taken meanwhile, and clears the mark afterwards',
  { tag: '@long' },
  async ({ counter, hub }) => {
    const { page } = counter
    await joinFirst(counter, hub)
    await expect(card(page)).toContainText('Connected')
    // Its list is read with the connection: what is shown without the hub is that.
    await page.keyboard.press('F7')
    await expect(page.getByRole('main').getByRole('listitem')).toBeVisible()
    await counter.go('Checkout')
    await hub.stop('immediate')
    await expect(bar(counter)).toContainText('Store hub: no answer', { timeout: 20_000 })
    await counter.scan(a)
    await expect(counter.strip).toContainText('Not checked with the other stations')
    await expect(counter.button('Complete 1 item')).toBeVisible()
    await picture(counter, 'apart')
    await expectAccessible(page, 'apart')
    // Its order keeps the word after the sale.
    await counter.field('Order number').fill('2001')
    await counter.button('Complete 1 item').click()
    await expect(counter.field('Order number')).toHaveValue('')
    await counter.go('Orders')
    await page.getByRole('listitem').filter({ hasText: '2001' }).getByRole('button').first().click()
    const order = page.getByRole('region', { name: /^1 item/ })
    await expect(order).toContainText('Not checked with the other stations')
    await picture(counter, 'order-sold-apart')
    await expectAccessible(page, 'an order sold apart')
    await counter.go('Checkout')
    await counter.scan(b)
    await expect(counter.button('Complete 1 item')).toBeVisible()
    await page.keyboard.press('F7')
    await expect(page.getByRole('main')).toContainText('The store hub doesn’t answer')
    await expect(page.getByRole('main').getByRole('listitem')).toContainText(/As of .*\d/)
    await expect(page.getByRole('main')).not.toContainText('All well')
    await picture(counter, 'store-apart')
    await hub.start()
    await counter.go('Checkout')
    await expect(bar(counter)).toContainText('Store connected', { timeout: 20_000 })
    const items = page.getByRole('region', { name: 'Items', exact: true })
    await expect(items).not.toContainText('Not checked with the other stations')
    await expect(counter.button('Complete 1 item')).toBeVisible()
  },
)
