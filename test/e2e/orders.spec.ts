import { expectAccessible, isScrollable, violations } from './axe'
import { expect, idIn, test } from './station'
import { a, b, c, d, foreign, pane, row, sold } from './orders'

test(
  "lists the day's orders with their states, finds one by its item, and shows what was reported for it",
  { tag: '@long' },
  async ({ counter, station }) => {
    const { page } = counter
    await sold(counter, '101', [a, b])
    await sold(counter, '102', [c])
    await station.knobs.setFaults({ offline: true })
    await counter.go('Checkout')
    await counter.sell('103', [d])
    await expect(page.getByText('1 to send')).toBeVisible()

    await counter.go('Orders')
    await expect(row(page, '101')).toContainText('Reported')
    await expect(row(page, '103')).toContainText('To send')
    await expect(page.getByRole('radio', { name: 'All 3' })).toBeChecked()
    await page.getByRole('radio', { name: 'To send 1' }).click()
    await expect(row(page, '101')).toBeHidden()
    await expect(row(page, '103')).toBeVisible()
    await page.getByRole('radio', { name: 'All 3' }).click()

    await counter.field('Order, item, product or budtender').fill(idIn(b))
    await expect(row(page, '102')).toBeHidden()
    await row(page, '101').click()
    await expect(
      pane(page, '101')
        .getByRole('listitem')
        .filter({ hasText: idIn(b) }),
    ).toContainText('Sold')
    await counter.button('History: Sale: order 101').click()
    await expect(pane(page, '101')).toContainText('The service has it.')
    await counter.field('Order, item, product or budtender').fill('no such order')
    await expect(page.getByText('No matching orders')).toBeVisible()
    await counter.button('Show all orders').click()

    // A scan finds its order in whatever list is shown.
    await counter.scan(c)
    await expect(counter.strip).toContainText('Order 102')
    await expect(pane(page, '102')).toBeVisible()
    await counter.typeCode('101')
    await expect(pane(page, '101')).toBeVisible()
    await counter.scan(foreign)
    await expect(counter.strip).toContainText('Not in any order of this station')
    await counter.button('Show all orders').click()

    // The order's state changes while it is open on the screen.
    await station.knobs.setFaults({})
    await row(page, '103').click()
    await expect(row(page, '103')).toContainText('Reported', { timeout: 30_000 })
    await expect(pane(page, '103')).toContainText('Reported')
    await expect(page.getByRole('radio', { name: 'To send 0' })).toBeVisible()
    await row(page, '103').focus()
    await page.keyboard.press('ArrowDown')
    await expect(row(page, '102')).toBeFocused()
    await expect(pane(page, '102')).toBeVisible()
    for (const [key, orderId] of [
      ['End', '101'],
      ['PageUp', '103'],
      ['PageDown', '101'],
      ['Home', '103'],
    ] as const) {
      await page.keyboard.press(key)
      await expect(row(page, orderId), key).toBeFocused()
      await expect(pane(page, orderId)).toBeVisible()
    }
  },
)

test(
  'voids an order with a reason, and first says what the void does, sent or unsent',
  { tag: '@long' },
  async ({ counter, station }) => {
    const { page } = counter
    await sold(counter, '201', [a])
    await station.knobs.setFaults({ offline: true })
    await counter.go('Checkout')
    await counter.sell('202', [b])
    await expect(page.getByText('1 to send')).toBeVisible()
    await counter.go('Orders')
    await row(page, '202').click()
    await expect(pane(page, '202')).toContainText(/A void (cancels the unsent sale|goes out after)/)
    await station.knobs.setFaults({})
    await expect(row(page, '202')).toContainText('Reported', { timeout: 30_000 })

    await row(page, '201').click()
    await expect(pane(page, '201')).toContainText('A void is for the whole order')
    await counter.button('Void order').click()
    const dialog = page.getByRole('dialog', { name: 'Void order 201?' })
    await expect(dialog).toContainText('its item goes back into inventory')
    expect(await violations(page)).toEqual([])
    await counter.approval('wrong customer')
    await expect(row(page, '201')).toContainText('Voided')
    await expect(pane(page, '201')).toContainText('Note: “wrong customer”')
    await expect(counter.button('Void order')).toBeDisabled()
    const reports = (await station.knobs.transactions()).map(({ kind, orderId }) => `${kind} ${orderId}`)
    expect(reports.sort()).toEqual(['complete 201', 'complete 202', 'void 201'])
  },
)

test(
  'the question before a void says what the void does now, also when the sale is sent while it is open',
  { tag: '@long' },
  async ({ counter, station }) => {
    const { page } = counter
    await station.knobs.setFaults({ offline: true })
    await counter.go('Checkout')
    await counter.sell('205', [a])
    await expect(page.getByText('1 to send')).toBeVisible()
    await counter.tab('Void').click()
    await counter.field('Order number').fill('205')
    await counter.button('Look up').click()
    await expect(page.getByText('Not sent yet: the sale is canceled')).toBeVisible({ timeout: 30_000 })
    await counter.button('Void order 205').click()
    const dialog = page.getByRole('dialog', { name: 'Void order 205?' })
    await expect(dialog).toContainText('The sale was not sent yet')

    await station.knobs.setFaults({})
    await expect(dialog).toContainText('It is reported as soon as the service answers', { timeout: 60_000 })
    await expect(dialog).not.toContainText('nothing will be sent')
    await dialog.getByRole('button', { name: 'Void order 205' }).click()
    await counter.approval('wrong customer')
    await counter.sendNow()
    const reports = async () => (await station.knobs.transactions()).map(({ kind }) => kind)
    await expect.poll(reports, { timeout: 30_000 }).toEqual(['complete', 'void'])
  },
)

test('starts a return from an order, but never over an open return', { tag: '@long' }, async ({ counter }) => {
  const { page } = counter
  await sold(counter, '301', [a, b])
  await sold(counter, '302', [c])
  await counter.go('Orders')
  await row(page, '301').click()
  await counter.button('Return items').click()
  await expect(counter.tab('Return')).toHaveAttribute('aria-selected', 'true')
  await expect(counter.field('Order number')).toHaveValue('301')
  await counter.typeCode(a)
  await expect(counter.button('Return 1 item')).toBeVisible()

  await counter.go('Orders')
  await row(page, '302').click()
  await counter.button('Return items').click()
  await expect(page.getByText('A return is open: 301. Finish or clear it first.')).toBeVisible()
  await counter.button('Open the return').click()
  await counter.button('Return 1 item').click()
  await expect(page.getByText('Return for order 301 reported')).toBeVisible()
  await counter.go('Orders')
  await row(page, '301').click()
  await expect(pane(page, '301')).toContainText('1 of 2 returned so far')
})

test(
  'sends a refused sale again without the refused items, starting at the order',
  { tag: '@long' },
  async ({ counter, station }) => {
    const { page } = counter
    await counter.go('Checkout')
    await counter.sellAnyway('401', [a, foreign])
    await expect(page.getByText('1 needs attention')).toBeVisible()
    await counter.go('Orders')
    await row(page, '401').click()
    await counter.button('Show in Outbox').first().click()
    const items = page.getByRole('region', { name: 'Refused items: Sale: order 401' })
    await expect(items.getByRole('listitem').filter({ hasText: idIn(foreign) })).toContainText('Refused')
    await expect(items.getByRole('listitem').filter({ hasText: idIn(a) })).toContainText('Not flagged')
    const card = page.getByRole('listitem').filter({ has: items })
    await expect(card.getByRole('button', { name: 'Import its case' })).toBeVisible()
    await expect(page.locator('li:focus')).toContainText('Sale: order 401')
    expect(await violations(page)).toEqual([])

    await items.getByRole('checkbox').uncheck()
    await expect(card.getByRole('button', { name: /^Leave/ })).toBeDisabled()
    await items.getByRole('checkbox').check()
    await card.getByRole('button', { name: 'Leave it out and send the other item' }).click()
    const dialog = page.getByRole('dialog', { name: 'Leave this item out?' })
    await expect(dialog.getByRole('listitem')).toContainText('Blue Dune, 3.5 g')
    await dialog.getByRole('button', { name: 'Send the rest' }).click()
    await expect(dialog.getByText('Please say why')).toBeVisible()
    expect(await violations(page)).toEqual([])
    await dialog.getByLabel('Reason', { exact: true }).fill('stayed in the store')
    await dialog.getByRole('button', { name: 'Send the rest' }).click()
    await expect(page.getByRole('heading', { name: '1 needs attention' })).toBeHidden()
    await expect(page.getByRole('heading', { name: 'Done today' })).toBeVisible()
    expect(await station.knobs.transactions()).toMatchObject([{ orderId: '401' }])
    await counter.go('Orders')
    await expect(row(page, '401')).toContainText('1 item')
    await expect(row(page, '401')).toContainText('Reported')
  },
)

test('leads from a refused sale to its case in Receiving', { tag: '@long' }, async ({ counter }) => {
  const { page } = counter
  await counter.go('Checkout')
  await counter.sellAnyway('402', [foreign])
  await expect(page.getByText('1 needs attention')).toBeVisible()
  await counter.go('Outbox')
  await expect(page.getByText('Nothing would be left in this order')).toBeVisible()
  await expect(counter.button(/^Leave it out/)).toBeHidden()
  await counter.button('Import its case').click()
  await expect(counter.field('POS product ID')).toBeVisible()
  await counter.importCase()
  await expect(page.getByText(/Imported here at/).first()).toBeVisible()
  await counter.go('Outbox')
  await counter.button('Try again: Sale: order 402').click()
  await expect(page.getByRole('heading', { name: '1 needs attention' })).toBeHidden()
})

test(
  'has no accessibility violation in orders, closing and the outbox, light and dark, and fits the window',
  { tag: '@long' },
  async ({ counter, station }) => {
    const { page } = counter
    const look = async (screen: string) => {
      // The screen is loaded when it is first opened.
      await expect(page.locator('h1')).toBeAttached()
      await expectAccessible(page, screen)
      expect(await isScrollable(page), screen).toBe(false)
    }
    await counter.go('Orders')
    await look('orders, none')
    await sold(counter, '701', [a, b])
    await counter.go('Checkout')
    await counter.sellAnyway('702', [c, foreign])
    await expect(page.getByText('1 needs attention')).toBeVisible()
    await station.knobs.setFaults({ offline: true })
    await counter.go('Checkout')
    await page.keyboard.press('Escape')
    await counter.go('Checkout')
    await counter.sell('703', [d])
    await expect(page.getByText('1 to send')).toBeVisible()
    await counter.go('Orders')
    await look('orders')
    for (const orderId of ['701', '702', '703']) {
      await row(page, orderId).click()
      await expect(pane(page, orderId)).toContainText('What was reported')
      await look(`order ${orderId}`)
    }
    await counter.button('Close the day').click()
    await expect(page.getByText('1 report is not with the service yet')).toBeVisible()
    await look('closing')
    await counter.button(/^Print$/).click()
    await look('closing, printed')
    await page.keyboard.press('Escape')
    await counter.go('Outbox')
    await expect(counter.button(/^Leave it out/)).toBeVisible()
    await look('outbox')
  },
)

test('lists the orders of the last days, and of dates that a person chooses', async ({ counter }) => {
  const { page } = counter
  await sold(counter, '711', [a])
  await counter.go('Orders')
  const today = new Date().toLocaleDateString('sv-SE')
  await page.getByRole('radio', { name: 'Yesterday' }).check()
  await expect(page.getByRole('heading', { name: 'No orders on this day' })).toBeVisible()
  await page.getByRole('radio', { name: 'Last 7 days' }).check()
  await expect(row(page, '711')).toBeVisible()
  await page.getByRole('radio', { name: 'Dates…' }).check()
  await expect(counter.field('First day')).toHaveValue(today)
  await expect(row(page, '711')).toBeVisible()
  await counter.field('First day').fill('2026-01-02')
  await expect(row(page, '711')).toBeVisible()
  await counter.field('Last day').fill('2026-01-03')
  await expect(page.getByRole('heading', { name: 'No orders on these days' })).toBeVisible()
  await expectAccessible(page, 'orders of some dates')
  expect(await isScrollable(page)).toBe(false)
})
