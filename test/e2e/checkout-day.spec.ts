import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { z } from 'zod'
import { violations } from './axe'
import { doctorWire } from './doctored'
import { Counter, codes, expect, idIn, test } from './station'

const [a = '', b = '', c = '', d = ''] = codes.itemsHere
const [foreign = ''] = codes.itemsToImport
const badge = 'BADGE-000017'

/** The customer reported with each sale. No screen shows it, so it is read from the station's database. */
function customersOf(dataDir: string) {
  const db = new Sqlite(join(dataDir, 'practice', 'countertag.db'))
  const rows = db.prepare(
    `SELECT payload ->> '$.orderId', payload ->> '$.customerId' FROM operation WHERE kind = 'complete' ORDER BY seq`,
  )
  const customers = z.array(z.tuple([z.string(), z.string().nullable()])).parse(rows.raw().all())
  db.close()
  return customers
}

test('holds three orders through a power cut and resumes each: by click, by key, by scanning its number', async ({
  counter,
  station,
}) => {
  const { page, strip } = counter
  const holdWith = async (orderId: string, code: string) => {
    await counter.field('Order number').fill(orderId)
    await counter.scan(code)
    await expect(counter.button('Complete 1 item')).toBeVisible()
    await page.getByRole('button', { name: 'Hold', exact: true }).click()
    await expect(counter.field('Order number')).toHaveValue('')
  }
  await counter.go('Checkout')
  await holdWith('ORD-10001', a)
  await holdWith('ORD-10002', b)
  await counter.field('Order number').fill('ORD-10003')
  await counter.scan(c)
  await expect(counter.button('Complete 1 item')).toBeVisible()
  await counter.scan('CT:HOLD')
  await expect(strip).toContainText('Order ORD-10003 is on hold')
  await expect(counter.button('3 on hold')).toBeVisible()

  await test.step('an item of a held order is refused in the next order, with its location', async () => {
    await counter.scan(a)
    await expect(strip).toContainText('In order ORD-10001, on hold')
    await expect(counter.button('Complete order')).toBeDisabled()
  })

  await station.kill()
  await page.goto(await station.start())
  await counter.go('Checkout')
  await expect(counter.button('3 on hold')).toBeVisible()
  expect(await violations(page)).toEqual([])

  await test.step('by its number', async () => {
    await counter.scan('ORD-10002')
    await page.getByRole('button', { name: 'Use “ORD-10002” as the order number' }).click()
    await expect(strip).toContainText('Order ORD-10002 resumed')
    await expect(counter.field('Order number')).toHaveValue('ORD-10002')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByText('Order ORD-10002 reported, 1 item').first()).toBeVisible()
  })
  await test.step('by key', async () => {
    await counter.button('Resume order ORD-10001').press('Enter')
    await expect(counter.field('Order number')).toHaveValue('ORD-10001')
  })
  await test.step('by click while another order is in front: that order is held instead', async () => {
    await counter.button('1 on hold').click()
    expect(await violations(page)).toEqual([])
    await counter.button('Resume order ORD-10003').click()
    await expect(counter.field('Order number')).toHaveValue('ORD-10003')
    await expect(counter.button('1 on hold')).toBeVisible()
  })
  await test.step('one held order is dropped after a confirmation', async () => {
    await counter.button('1 on hold').click()
    await counter.button('Drop order ORD-10001').click()
    await counter.button('Drop the order').click()
    await expect(counter.button(/on hold/)).toBeHidden()
  })
  await counter.scan('CT:COMPLETE')
  await expect(page.getByText('Order ORD-10003 reported, 1 item').first()).toBeVisible()
  expect((await station.knobs.transactions()).map((one) => one.orderId)).toEqual(['ORD-10002', 'ORD-10003'])
})

test(
  'counts items against the expected quantity, and asks before completing another number',
  { tag: '@long' },
  async ({ counter, station }) => {
    const { page, strip } = counter
    await counter.go('Checkout')
    await counter.field('Order number').fill('20001')
    await counter.scan(a)
    await counter.button(/^Set expected quantity/).click()
    const expected = page.getByLabel(/expected quantity$/)
    for (const bad of ['0', '-1', '1000', 'six']) {
      await expected.fill(bad)
      await expect(page.getByText('A whole number from 1 to 999')).toBeVisible()
    }
    await expected.fill('3')
    await expected.press('Enter')
    await expect(page.getByText('2 missing')).toBeVisible()
    await counter.scan(b)
    await expect(strip).toContainText('2 of 3 of this line')
    await counter.button('Complete 2 items').click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('Palisades Pre-Roll, 1 g')
    await expect(dialog).toContainText('2 of 3')
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Keep scanning' }).click()
    await counter.scan(c)
    await expect(page.getByText('Match')).toBeVisible()
    await counter.scan(d)
    await expect(page.getByText('1 too many')).toBeVisible()
    expect(await station.knobs.transactions()).toEqual([])
    await counter.scan('CT:COMPLETE')
    await expect(strip).toContainText('Quantities don’t match')
    // Waits first: the same code at once would count as one long scan.
    await page.waitForTimeout(1_500)
    await counter.scan('CT:COMPLETE')
    await expect(page.getByText('Order 20001 reported, 4 items').first()).toBeVisible()
  },
)

test(
  'keeps the expected number and the field while its product becomes known',
  { tag: '@long' },
  async ({ page, station }) => {
    const Line = z.looseObject({ key: z.string(), productName: z.string().nullable() })
    const Lines = z.looseObject({ lines: z.array(Line) })
    let isKnown = false
    // As of an item whose product main knows only by name at first.
    await doctorWire(page, (name, said) => {
      // A step from no cart that the page has: it asks for the whole.
      const step = name === 'checkout.cartStep' ? z.looseObject({ since: z.number() }).parse(said) : undefined
      if (step) return { ...step, since: 0 }
      const cart = name === 'checkout.cart' && !isKnown ? Lines.safeParse(said).data : undefined
      return cart
        ? { ...cart, lines: cart.lines.map((line) => ({ ...line, key: line.productName ?? line.key })) }
        : said
    })
    await page.goto(station.url)
    const counter = new Counter(page)
    await expect(page.getByText('Connected', { exact: true })).toBeVisible()
    await counter.go('Checkout')
    await counter.scan(a)
    await counter.button(/^Set expected quantity/).click()
    const expected = page.getByLabel(/expected quantity$/)
    await expect(expected).toBeFocused()
    // Pauses: a person is slower than a scanner.
    await page.keyboard.type('1', { delay: 90 })
    isKnown = true
    await counter.scan(b)
    await expect(counter.button('Complete 2 items')).toBeVisible()
    await expect(expected).toBeFocused()
    // A hand needs a moment between the scanner and the keyboard.
    await page.waitForTimeout(300)
    await page.keyboard.type('2', { delay: 90 })
    await expect(expected).toHaveValue('12')
    await expected.press('Enter')
    await expect(page.getByText('10 missing')).toBeVisible()
  },
)

test(
  'takes the budtender from a badge, keeps them for the next order, and can require one',
  { tag: '@long' },
  async ({ counter }) => {
    const { page, strip } = counter
    await counter.settings('Rules')
    await counter.button('Customize').click()
    await page.getByLabel('Require a budtender for every sale').check()
    await counter.settings('People')
    await counter.scan(badge)
    await page.getByRole('button', { name: `Use “${badge}” as the badge` }).click()
    await expect(counter.field('Badge')).toHaveValue(badge)
    await counter.field('Name').fill('Ana Torres')
    await counter.button(/^Add$/).click()
    await expect(page.getByText('Saved')).toBeVisible()
    expect(await violations(page)).toEqual([])

    await counter.go('Checkout')
    await counter.sell('30001', [a])
    await expect(page.getByText('Scan a badge, or choose a name.')).toBeVisible()
    await counter.scan(badge)
    await expect(strip).toContainText('Budtender: Ana Torres')
    await counter.button('Complete 1 item').click()
    await expect(page.getByText('Order 30001 reported, 1 item').first()).toBeVisible()
    await expect(page.getByText('Ana Torres').first()).toBeVisible()
    await counter.sell('30002', [b])
    await expect(page.getByText('Order 30002 reported, 1 item').first()).toBeVisible()
  },
)

test(
  'returns an order in two parts, then voids the rest behind the unsent returns',
  { tag: '@long' },
  async ({ counter, station }) => {
    const { page, strip } = counter
    await counter.go('Checkout')
    await counter.sell('40001', [a, b, c])
    await expect(page.getByText('Order 40001 reported, 3 items').first()).toBeVisible()
    await counter.tab('Return').click()
    await counter.scan(a)
    await expect(page.getByText('0 of 3')).toBeVisible()
    await counter.field('Reason').fill('damaged')
    await counter.button('Return 1 item').click()
    await expect(page.getByText('Return for order 40001 reported, 1 item').first()).toBeVisible()
    // What is scanned after a return is to be sold.
    await expect(counter.tab('Sell')).toHaveAttribute('aria-selected', 'true')
    await counter.tab('Return').click()
    await counter.typeCode(a)
    await expect(strip).toContainText('Already returned for order 40001')

    await station.knobs.setFaults({ offline: true })
    await counter.scan(b)
    await expect(page.getByText('1 of 3')).toBeVisible()
    await counter.scan('CT:COMPLETE')
    await expect(page.getByText('Will be sent when the connection is back.').first()).toBeVisible()

    await counter.tab('Void').click()
    await counter.scan(foreign)
    await expect(strip).toContainText('Not sold by this station')
    await counter.scan(c)
    await expect(counter.field('Order number')).toHaveValue('40001')
    await expect(page.getByText('the void goes out after it').first()).toBeVisible()
    await expect(page.getByText('Noted here: damaged')).toBeVisible()
    expect(await violations(page)).toEqual([])
    await counter.scan('CT:COMPLETE')
    await expect(page.getByRole('dialog')).toContainText('Void order 40001?')
    await counter.approval()
    await expect(page.getByText('2 to send')).toBeVisible()

    await station.knobs.setFaults({})
    await expect(page.getByText('Nothing to send')).toBeVisible({ timeout: 30_000 })
    expect((await station.knobs.transactions()).map(({ kind, orderId }) => [kind, orderId])).toEqual([
      ['complete', '40001'],
      ['return', '40001'],
      ['return', '40001'],
      ['void', '40001'],
    ])
  },
)

test(
  'imports the case of an item that would be refused, from checkout, and sells the item',
  { tag: '@long' },
  async ({ counter, station }) => {
    const { page } = counter
    await counter.go('Checkout')
    await counter.scan(foreign)
    await expect(page.getByText('Its case is not imported here').first()).toBeVisible()
    await page.getByRole('button', { name: 'Import its case' }).first().click()
    await expect(page.getByRole('heading', { name: 'Blue Dune, 3.5 g' })).toBeVisible()
    await counter.importCase()
    await expect(page.getByText(/Imported here at/).first()).toBeVisible()
    await counter.go('Checkout')
    await counter.field('Order number').fill('50001')
    await counter.button('Complete 1 item').click()
    await expect(page.getByText('Order 50001 reported, 1 item').first()).toBeVisible()
    expect((await station.knobs.transactions()).map(({ tagIds }) => tagIds)).toEqual([[idIn(foreign)]])
  },
)

test(
  'includes a customer ID that is still being typed, and starts the next order without one',
  { tag: '@long' },
  async ({ counter, station }) => {
    const { page } = counter
    await counter.go('Checkout')
    await counter.field('Order number').fill('60001')
    await counter.scan(a)
    await expect(counter.button('Complete 1 item')).toBeVisible()
    await counter.button('Add customer ID').click()
    // All at once, not key by key: keys that fast count as a scan.
    await counter.field('Customer ID').fill('CUSTOMER-1')
    await expect(counter.field('Customer ID')).toBeFocused()
    await counter.scan('CT:COMPLETE')
    await expect(page.getByText('Order 60001 reported, 1 item').first()).toBeVisible()
    await counter.field('Order number').fill('60002')
    await counter.scan(b)
    await expect(counter.button('Complete 1 item')).toBeVisible()
    // The field is collapsed or empty: it holds no previous customer.
    const customer = counter.field('Customer ID')
    if (await customer.isVisible()) await expect(customer).toHaveValue('')
    await counter.button('Complete 1 item').click()
    await expect(page.getByText('Order 60002 reported, 1 item').first()).toBeVisible()
    // While the station runs, its database is locked to other processes.
    await station.kill()
    expect(customersOf(station.dataDir)).toEqual([
      ['60001', expect.stringMatching(/^sealed:1:[\w+/=]{40,}$/)],
      ['60002', null],
    ])
  },
)

test('asks before completing an order with an item that the service will refuse, and removes the item', async ({
  counter,
  station,
}) => {
  const { page, strip } = counter
  await counter.go('Checkout')
  await counter.field('Order number').fill('70001')
  await counter.scan(a)
  await counter.scan(foreign)
  await expect(counter.button('Complete 2 items')).toBeVisible()
  // The item's state may still change the order: the order is completed as it was shown, or not at all.
  await expect(strip).not.toContainText('looking it up')
  await counter.scan('CT:COMPLETE')
  await expect(strip).toContainText('The service will refuse an item')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(idIn(foreign))
  await expect(dialog).toContainText('Its case is not imported here')
  expect(await violations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Take it out' }).click()
  await counter.button('Complete 1 item').click()
  await expect(page.getByText('Order 70001 reported, 1 item').first()).toBeVisible()
  expect((await station.knobs.transactions()).map(({ tagIds }) => tagIds)).toEqual([[idIn(a)]])
})
