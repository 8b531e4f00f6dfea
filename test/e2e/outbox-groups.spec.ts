import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { expectAccessible, isScrollable } from './axe'
import { codes, expect, idIn, test } from './station'
import { sellEach } from '../looks/sell-each'

const Data = z.object({ collections: z.array(z.object({ uuid: z.string(), members: z.array(z.string()) })) })
const store = join(import.meta.dirname, '../../resources/practice/store.json')
const { collections } = Data.parse(JSON.parse(readFileSync(store, 'utf8')))
const membersOf = (caseId: string) => collections.find(({ uuid }) => uuid === caseId)?.members ?? []
const items = membersOf(idIn(codes.caseToImport)).slice(0, 15)
/** A case of pre-rolls that isn't imported either. */
const otherCase = 'Y45gxoSwLrmqnijFUfZsxa'

test(
  'fifteen refusals of one cause are one card, opened by keyboard and cleared with one reason',
  { tag: '@long' },
  async ({ counter, station }) => {
    test.skip(station.host !== 'browser', 'the sales are made over a second WebSocket')
    const { page } = counter
    expect(items).toHaveLength(15)
    // Sold while the network is down, from a case that was never imported.
    await station.knobs.setFaults({ offline: true })
    await sellEach(page, 700, items)
    await expect(counter.button('15 to send')).toBeVisible()
    await station.knobs.setFaults({})
    await counter.go('Outbox')
    await counter.sendNow()
    await expect(page.getByRole('heading', { name: '15 need attention' })).toBeVisible({ timeout: 30_000 })

    // One card, not fifteen; the day's figures stand above it.
    const card = page.getByRole('listitem').filter({ hasText: '15 sales' })
    await expect(card).toContainText('15 items are not in our inventory.')
    await expect(page.getByText('Sale: order 703')).toBeHidden()
    await expect(page.getByText('Today: 0 reports with the service.')).toBeVisible()
    await expectAccessible(page, 'a group in the outbox')
    expect(await isScrollable(page)).toBe(false)
    const members = counter.button('Review one by one: 15 sales')
    await members.press('Enter')
    await expect(members).toHaveAttribute('aria-expanded', 'true')
    await expect(page.getByRole('listitem').filter({ hasText: /^Sale: order 703/ })).toBeVisible()
    await expectAccessible(page, 'an open group in the outbox')
    await members.press('Enter')

    // Sent again together: refused again, and still one card.
    await counter.button('Try all 15 again: 15 sales').press('Enter')
    await expect(page.getByText('15 reports will be tried again')).toBeVisible()
    const refusals = async () => {
      const requests = await station.knobs.requests()
      return requests.filter(({ path, status }) => path.includes('/transactions/complete/') && status === 400).length
    }
    await expect.poll(refusals).toBe(30)
    await expect(page.getByRole('heading', { name: '15 need attention' })).toBeVisible()

    await counter.button('Dismiss all 15: 15 sales').press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Dismiss 15 reports?' })
    await expect(counter.field('Reason')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(dialog).toContainText('Please say why')
    await counter.field('Reason').fill('Rung up from the wrong shelf')
    await page.keyboard.press('Enter')
    await expect(dialog).toBeHidden()
    await expect(page.getByText('15 reports dismissed')).toBeVisible()
    await expect(card).toBeHidden()
    await expect(counter.button('Nothing to send')).toBeVisible()
    await expect(page.getByText('Today: 0 reports with the service, 15 dismissed or canceled.')).toBeVisible()
    await expect(page.getByText('Dismissed: Rung up from the wrong shelf')).toHaveCount(15)
    // The focus stays on the screen.
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false)
  },
)

test(
  'two refused orders of one cause are sent without their refused items, with one reason',
  { tag: '@long' },
  async ({ counter, station }) => {
    const { page } = counter
    const [a = '', b = ''] = codes.itemsHere
    const [one = '', other = ''] = codes.itemsToImport
    await counter.go('Checkout')
    await counter.sellAnyway('811', [a, one])
    await expect(page.getByText('1 needs attention')).toBeVisible()
    await counter.sellAnyway('812', [b, other])
    await expect(page.getByText('2 need attention').first()).toBeVisible()
    await counter.go('Outbox')
    const amend = counter.button('Leave 2 items out and send 2 orders: 2 sales')
    await expect(amend).toBeVisible()
    await expectAccessible(page, 'a group whose items are taken out')
    await page.keyboard.press('Control+Enter')
    const dialog = page.getByRole('dialog', { name: 'Leave these 2 items out?' })
    await expect(dialog).toContainText('Only if all these items stayed in the store.')
    await expect(dialog).toContainText('× 2')
    await dialog.getByRole('button', { name: 'Stayed in the store' }).click()
    await dialog.getByRole('button', { name: 'Send the rest' }).click()
    await expect(page.getByText('2 reports will be sent without their refused items')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Done today' })).toBeVisible()
    await expect(page.getByRole('heading', { name: '2 need attention' })).toBeHidden()
    const sent = await station.knobs.transactions()
    expect(sent.map(({ orderId, tagIds }) => [orderId, tagIds.length])).toEqual([
      ['811', 1],
      ['812', 1],
    ])
  },
)

test(
  'a group of sales leads to every case that they lack, and then to sending them again',
  { tag: '@long' },
  async ({ counter }) => {
    const { page, strip } = counter
    await counter.go('Checkout')
    await counter.sellAnyway('821', [codes.itemsToImport[0] ?? ''])
    await expect(page.getByText('1 needs attention')).toBeVisible()
    await counter.sellAnyway('822', [`https://tag.example/${membersOf(otherCase)[0]}`])
    await expect(page.getByText('2 need attention').first()).toBeVisible()
    await counter.go('Outbox')
    await expect(page.getByText('Receiving lists all 2.')).toBeVisible()
    await expectAccessible(page, 'a group whose cases are missing')
    await counter.button('Import 2 missing cases: 2 sales').press('Enter')
    await expect(strip).toContainText('2 of 2 cases listed')
    await expect(page.getByRole('button', { name: /Blue Dune, 3.5 g/ }).first()).toBeVisible()
    await expect(page.getByRole('button', { name: /Garden Statement/ }).first()).toBeVisible()
    await counter.importCase()
    await counter.go('Outbox')
    await expect(counter.button('Import the missing case: 2 sales')).toBeVisible()
  },
)
