import { readFileSync } from 'node:fs'
import { expectAccessible, isScrollable, violations } from './axe'
import { codes, expect, test } from './station'

const [a = '', b = ''] = codes.itemsHere
const [foreign = ''] = codes.itemsToImport

test(
  'shows by keyboard alone the history of a sale that went through an outage, and keeps it open and in focus',
  { tag: '@long' },
  async ({ counter, station }) => {
    const { page } = counter
    await counter.button('Practice codes and training switch').click()
    await page.getByText('No network').click()
    await page.keyboard.press('Escape')
    await counter.go('Checkout')
    await counter.sell('7', [a])
    await expect(page.getByText('1 to send')).toBeVisible()
    await counter.go('Outbox')

    const open = counter.button('History: Sale: order 7')
    await expect(open).toHaveAttribute('aria-expanded', 'false')
    await open.focus()
    await page.keyboard.press('Enter')
    await expect(open).toHaveAttribute('aria-expanded', 'true')
    const history = page.getByRole('region', { name: 'History: Sale: order 7' })
    const steps = history.getByRole('listitem')
    await expect(steps.first()).toContainText('Saved at this station, to be sent.')
    await expect(steps.first()).toContainText(/\d{1,2}:\d\d:\d\d [AP]M · A person at this station · “Waiting”/)
    await expect(steps.nth(1)).toContainText('Being sent.')
    await expect(steps.nth(1)).toContainText('Countertag · From “Waiting” to “Sending”')
    await expect(steps.nth(2)).toContainText('Not sent. Retrying.')
    await expect(steps.nth(2)).toContainText('No connection to the service.')
    expect(await violations(page)).toEqual([])

    await station.knobs.setFaults({})
    await expect(page.getByText('Nothing to send')).toBeVisible({ timeout: 30_000 })
    await expect(steps.last()).toContainText('The service has it.')
    await expect(steps.last()).toContainText('From “Sending” to “Reported”')
    await expect(open).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(history).toBeHidden()
    await expect(open).toBeFocused()
    expect((await station.knobs.transactions()).map((one) => one.orderId)).toEqual(['7'])
  },
)

test(
  'says since when the app is offline, that the service is having problems, and how old the oldest report is',
  { tag: '@long' },
  async ({ counter, station }) => {
    const { page } = counter
    const connection = page.getByRole('status', { name: 'Connection' })
    await counter.go('Checkout')
    await counter.scan(a)
    await expect(connection).toHaveText('Connected')
    await station.knobs.setFaults({ offline: true })
    await counter.field('Order number').fill('8')
    await counter.button('Complete 1 item').click()
    await expect(connection).toContainText(/No connection\s+since \d{1,2}:\d\d\s[AP]M/)
    await expect(connection).toHaveAttribute('title', /since .* 1 report is safe here/)
    await expect(counter.button('1 to send')).toHaveAttribute('title', /^The oldest is from \d/)
    await counter.go('Outbox')
    await expect(page.getByText(/^No connection to the service since \d.* The oldest is from \d/)).toBeVisible()

    await station.knobs.setFaults({ rules: [{ kind: 'status', code: 500 }] })
    await counter.sendNow()
    await expect(connection).toContainText(/Service problems\s+since \d/)
    await station.knobs.setFaults({})
    await counter.sendNow()
    await expect(connection).toHaveText('Connected', { timeout: 20_000 })
    await expect(counter.button('Nothing to send')).not.toHaveAttribute('title')
  },
)

test(
  'names the report that another report waits for, by its order and its product, and links to it',
  { tag: '@long' },
  async ({ counter, station }) => {
    const { page } = counter
    await counter.scan(codes.caseToImport)
    await expect(page.getByRole('heading', { name: 'Blue Dune, 3.5 g' })).toBeVisible()
    await counter.go('Checkout')
    await counter.scan(foreign)
    await expect(counter.button('Complete 1 item')).toBeVisible()
    await counter.field('Order number').fill('5')

    await station.knobs.setFaults({ offline: true })
    await counter.button('Complete 1 item').click()
    await counter.button('Complete anyway').click()
    await expect(page.getByText('1 to send')).toBeVisible()
    await counter.tab('Return').click()
    // Waits first: so soon after the sale, the scan would count as the same scan.
    await counter.typeCode(foreign)
    await expect(counter.field('Order number')).toHaveValue('5')
    await counter.button('Return 1 item').click()
    await expect(page.getByText('2 to send')).toBeVisible()

    await counter.go('Outbox')
    await expect(page.getByText('Waits for the sale of order 5, which is not sent yet.')).toBeVisible()
    await station.knobs.setFaults({})
    await expect(page.getByText('Waits for the sale of order 5, which needs attention.')).toBeVisible({
      timeout: 30_000,
    })
    await counter.button('Show the sale of order 5').click()
    const row = page.getByRole('listitem').filter({ hasText: 'Sale: order 5' })
    await expect(row).toBeFocused()
    await expect(row).toContainText('1 item is not in our inventory.')
    expect(await violations(page)).toEqual([])
  },
)

test(
  "shows that this computer's clock is wrong, by how much and in which direction, light and dark",
  { tag: '@long' },
  async ({ counter, station }) => {
    const { page } = counter
    await counter.go('Checkout')
    await station.knobs.setFaults({ dateSkewMs: 7 * 60_000 })
    await counter.scan(a)
    const chip = counter.button(/^Clock 7 min behind/)
    await expect(chip).toBeVisible()
    await expectAccessible(page, 'the bar')

    await chip.click()
    const drawer = page.getByRole('complementary', { name: 'Warnings' })
    await expect(drawer.getByText('This computer’s clock is 7 minutes behind the service’s.')).toBeVisible()
    await expect(drawer.getByText('Sale times are corrected. Set the clock.')).toBeVisible()
    await expectAccessible(page, 'the drawer')
    expect(await isScrollable(page)).toBe(false)

    // The outbox panel opens beside the work: a scan still goes to the work, and Escape closes the panel and restores the
    // focus.
    await counter.scan(b)
    await expect(counter.strip).toContainText('2 items in this order')
    await drawer.getByRole('heading').focus()
    await page.keyboard.press('Escape')
    await expect(drawer).toBeHidden()
    await expect(chip).toBeFocused()

    await counter.settings('Connection')
    await expect(page.getByText('7 minutes behind the service')).toBeVisible()
    await expectAccessible(page, 'settings')

    await counter.go('Checkout')
    await station.knobs.setFaults({ dateSkewMs: -3 * 3_600_000 })
    await counter.field('Order number').fill('9')
    await counter.button('Complete 2 items').click()
    await expect(counter.button(/^Clock 3 h ahead/)).toBeVisible()
    await station.knobs.setFaults({})
    await counter.sell('10', [codes.itemsHere[2] ?? ''])
    await expect(page.getByText('Order 10 reported, 1 item')).toBeVisible()
    await expect(counter.button(/^Clock/)).toBeHidden()
  },
)

test(
  'shows the time until the next attempt in the outbox, and saves everything as a file',
  { tag: '@long' },
  async ({ counter, station }) => {
    const { page } = counter
    await counter.go('Checkout')
    await counter.scan(a)
    await expect(counter.button('Complete 1 item')).toBeVisible()
    await station.knobs.setFaults({ offline: true })
    await counter.field('Order number').fill('601')
    await counter.button('Complete 1 item').click()
    await counter.go('Outbox')
    await expect(
      page.getByText(/^No connection to the service since .* (The next try is in \d+ s|Trying again now)\./),
    ).toBeVisible()
    const saving = page.waitForEvent('download')
    await counter.button('Export all').click()
    expect(readFileSync(await (await saving).path(), 'utf8')).toContain('601')
  },
)

test(
  "asks a person about a sale that can't be settled, shows what is known, and carries out the decision",
  { tag: '@long' },
  async ({ counter, station }) => {
    const { page } = counter
    // A proxy between the till and the service answers every report with a page of its own.
    await station.knobs.setFaults({ rules: [{ kind: 'garbage', answer: 'html', path: '/api/v1.2/transactions/' }] })
    await counter.go('Checkout')
    await counter.sell('7', [a])
    await counter.go('Outbox')
    const row = page.getByRole('listitem').filter({ hasText: 'Sale: order 7' })
    await expect(async () => {
      await counter.sendNow()
      await expect(row).toContainText('Needs review', { timeout: 500 })
    }).toPass()
    await expect(row).toContainText('It was sent, but nothing shows whether the service has it.')
    await expect(row.getByText('None that is readable')).toBeVisible()
    await expect(row.getByText('The items as not sold')).toBeVisible()
    await expect(counter.button('1 needs attention')).toBeVisible()
    expect(await violations(page)).toEqual([])

    await counter.button('The service has it: Sale: order 7').click()
    const dialog = page.getByRole('dialog', { name: 'Count this as reported?' })
    await expect(dialog.getByText(/Choose this only if you saw it in the service/)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()

    await station.knobs.setFaults({})
    await counter.button('Not there: send again. Sale: order 7').click()
    // While being sent, the operation may briefly appear in both lists.
    await expect(row.filter({ hasText: 'Reported' })).toBeVisible()
    expect((await station.knobs.transactions()).map((one) => one.orderId)).toEqual(['7'])
  },
)
