import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { OrderId, TagId, toShortUuid } from '../../src-shared/ids'
import { DayReport, type DayVerification } from '../../src-shared/ipc/contract/checkout'
import { violations } from './axe'
import { doctorWire } from './doctored'
import { Counter, expect, test } from './station'
import { a, b, c, foreign, pane, row, sold } from './orders'
import { pagesOf } from './pdf'

test('closes the day: reports everything as sent only when it is, saves a file, signs and prints one page', async ({
  counter,
  station,
}) => {
  const { page } = counter
  await sold(counter, '501', [a, b])
  await station.knobs.setFaults({ offline: true })
  await counter.go('Checkout')
  await counter.sell('502', [c])
  await expect(page.getByText('1 to send')).toBeVisible()
  await counter.go('Orders')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('1 report is not with the service yet')).toBeVisible()
  await expect(page.getByText('until it is sent. It counts once the service has it.')).toBeVisible()
  await expect(page.getByText(/^Everything is with the service/)).toBeHidden()
  await expect(page.getByRole('row', { name: 'Completed 1 2' })).toBeVisible()

  await station.knobs.setFaults({})
  await counter.sendNow()
  await expect(
    page.getByText('Everything is with the service. It has taken 2 sales, returns and voids of this day.'),
  ).toBeVisible({
    timeout: 30_000,
  })
  await expect(page.getByRole('row', { name: 'Completed 2 3' })).toBeVisible()

  const saving = page.waitForEvent('download')
  await counter.button('Download CSV').click()
  const file = readFileSync(await (await saving).path(), 'utf8')
  const lines = file.split(/\r?\n/).filter(Boolean)
  // One line an item: two of order 501, one of 502.
  expect(lines).toHaveLength(4)
  for (const line of lines.slice(1)) expect(line).toContain(`,${hostname()}`)
  expect(file).toContain('501')

  const signing = page.getByRole('region', { name: 'Sign and print' })
  // The step that comes next is the primary action, by its key too.
  await page.keyboard.press('Control+Enter')
  const verified = page.getByRole('region', { name: 'Verify with the service' })
  await expect(verified).toContainText('3 of 3 read back as reported')
  await signing.getByRole('button', { name: 'Sign and print' }).last().click()
  const who = page.getByRole('dialog', { name: 'Who signs the day?' })
  await who.getByRole('button', { name: 'Sign and print' }).click()
  await expect(who).toContainText('Enter your name.')
  await who.getByLabel('Your name').fill('Maya')
  await page.keyboard.press('Enter')
  const sheet = page.getByRole('dialog', { name: 'Close of day' })
  await expect(sheet).toContainText('Signed by Maya')
  await expect(sheet).toContainText('Everything is with the service.')
  await expect(sheet).toContainText(`This station only: ${hostname()}`)
  await page.emulateMedia({ media: 'print' })
  const pdf = (await page.pdf({ format: 'Letter' })).toString('latin1')
  expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
  await page.emulateMedia({ media: 'screen' })
  await page.keyboard.press('Escape')
  await expect(signing).toContainText('Done')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('heading', { name: 'Orders', exact: true })).toBeVisible()
})

test(
  'verifies the day with the service: reads each item back, through an outage, and is out of date after a sale',
  { tag: '@long' },
  async ({ counter, station }) => {
    const { page } = counter
    await counter.go('Orders')
    await counter.button('Close the day').click()
    await expect(page.getByText('Nothing to verify: no items were sold')).toBeVisible()
    await sold(counter, '601', [a, b])
    await counter.go('Orders')
    await expect(
      page.getByText('Everything is with the service. It has taken 1 sale, return or void of this day.'),
    ).toBeVisible()
    await station.knobs.setFaults({ offline: true })
    await counter.button('Verify 2 items').press('Enter')
    await expect(page.getByText('Resumes automatically when the service answers again.')).toBeVisible()
    expect(await violations(page)).toEqual([])
    await station.knobs.setFaults({})
    const result = page.getByRole('region', { name: 'Verify with the service' })
    await expect(result).toContainText('2 of 2 read back as reported')
    await expect(result).toContainText('As of')
    expect(await violations(page)).toEqual([])
    await counter.button(/^Print$/).click()
    await expect(page.getByRole('dialog', { name: 'Close of day' })).toContainText('2 of 2 read back as reported')
    await page.keyboard.press('Escape')
    await sold(counter, '602', [c])
    await counter.go('Orders')
    await expect(result).toContainText('Out of date')
    await counter.button('Verify again').click()
    await expect(result).toContainText('3 of 3 read back as reported')
  },
)

/** A verified day with items that differ at the service. */
const differing = (count: number): DayVerification => ({
  day: '2026-11-21',
  state: 'finished',
  waitsFor: null,
  startedAt: '2026-11-21T21:00:00.000Z',
  asOf: '2026-11-21T21:01:00.000Z',
  total: 412,
  done: 412,
  asReported: 412 - count,
  notSettled: 2,
  ownTimes: 3,
  soldSince: 4,
  differences: Array.from({ length: count }, (_, i) => ({
    kind: (['not-sold', 'still-sold', 'not-shown'] as const)[i % 3] ?? 'not-sold',
    tagId: TagId.parse(toShortUuid(`00000000-0000-4000-8000-${String(i).padStart(12, '0')}`)),
    orderId: OrderId.parse(`40${i}`),
    productName: 'Blue Dune Reserve Pre-Roll Multipack, 10 × 0.35 g, Indica, Child-Resistant Tin',
    reported: 'complete',
    reportedAt: '2026-11-21T20:00:00.000Z',
    shownSoldAt: i % 3 === 1 ? '2026-11-21T20:30:00.000Z' : null,
  })),
  differenceCount: count,
  isOutOfDate: true,
})

test(
  'prints a full day whole: 60 products with long names, 12 budtenders, and many open problems, each page with store, day and number',
  { tag: '@long' },
  async ({ page, station }) => {
    const long = 'Blue Dune Reserve Pre-Roll Multipack, 10 × 0.35 g, Indica, Child-Resistant Tin'
    const figures = (n: number) => ({ sold: n, returned: 1, voided: 0 })
    let undoneCount = 0
    await doctorWire(page, (name, said) => {
      if (name !== 'checkout.day') return said
      const report = DayReport.parse(said)
      const [one] = report.refused
      return {
        ...report,
        byProduct: Array.from({ length: 60 }, (_, i) => ({
          productName: `${i} ${long}`,
          brandName: 'Hudson Valley Gardens',
          ...figures(60 - i),
        })),
        byBudtender: Array.from({ length: 12 }, (_, i) => ({
          budtender: { id: `B-${i}`, name: `Budtender ${i} with Two Long Surnames` },
          orders: 10,
          ...figures(40 - i),
        })),
        verification: differing(undoneCount),
        refused: Array.from({ length: undoneCount }, (_, i) => ({
          ...one,
          id: `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`,
        })),
      }
    })
    await page.goto(station.url)
    const counter = new Counter(page)
    await expect(page.getByText('Ready to scan')).toBeVisible()
    await counter.go('Checkout')
    await counter.sellAnyway('402', [foreign])
    await expect(page.getByText('1 needs attention')).toBeVisible()
    for (undoneCount of [0, 30]) {
      await counter.go('Orders')
      await counter.button('Close the day').click()
      await expect(page.getByText(`${412 - undoneCount} of 412 read back as reported`).first()).toBeVisible()
      await counter.button(/^Print$/).click()
      const sheet = page.getByRole('dialog', { name: 'Close of day' })
      await expect(sheet).toContainText(`0 ${long}`)
      await page.emulateMedia({ media: 'print' })
      for (const format of ['A4', 'Letter']) {
        const printed = pagesOf(await page.pdf({ format }))
        const what = `${format}, ${undoneCount}`
        expect(printed.length, what).toBeGreaterThan(1)
        const text = printed.join('')
        // Names are whole, also in the last row.
        for (const at of [0, 30, 59]) expect(text, what).toContain(`${at} ${long}`.replaceAll(' ', ''))
        expect(text, what).not.toContain('…')
        const date = new Date().toLocaleDateString('en-US', { dateStyle: 'medium' }).replaceAll(' ', '')
        for (const [place, one] of printed.entries()) {
          expect(one, what).toContain(`Page${place + 1}of${printed.length}`)
          expect(one, what).toMatch(/GreenDoor/)
          expect(one, what).toContain(`Closeofday${date}`)
        }
        // The head of the table of products is repeated.
        const ofProducts = printed.filter((one) => one.includes('Multipack') && one.includes('HudsonValleyGardens'))
        expect(ofProducts.length, what).toBeGreaterThan(1)
        for (const one of ofProducts) expect(one, what).toContain('ProductItemssoldReturnedVoided')
      }
      await page.emulateMedia({ media: 'screen' })
      await page.keyboard.press('Escape')
      if (undoneCount === 0) await page.keyboard.press('Escape')
    }
    await counter.button('Verify with the service').click()
    await counter
      .button(/^Find item/)
      .first()
      .click()
    await expect(page.getByRole('heading', { name: 'Find', exact: true })).toBeVisible()
    await counter.go('Orders')
    await counter.button('Open order 400').click()
    await expect(pane(page, '400')).toBeVisible()
  },
)

test(
  "finds today's sales and closes the day with a clock that is a day behind or ahead",
  { tag: '@long' },
  async ({ counter, station }) => {
    const { page } = counter
    for (const [place, days] of [1, -1].entries()) {
      await station.knobs.setFaults({ dateSkewMs: days * 86_400_000 })
      await counter.go('Checkout')
      await counter.scan([a, b][place] ?? '')
      await expect(counter.button(days > 0 ? /^Clock .* behind/ : /^Clock .* ahead/)).toBeVisible()
      await counter.field('Order number').fill(`80${place}`)
      await counter.button('Complete 1 item').click()
      await expect(page.getByText(`Order 80${place} reported, 1 item`)).toBeVisible()
      await counter.go('Orders')
      await expect(row(page, `80${place}`)).toContainText('Reported')
      await expect(page.getByRole('radio', { name: 'All 1' })).toBeVisible()
      await counter.button('Close the day').click()
      await expect(
        page.getByText('Everything is with the service. It has taken 1 sale, return or void of this day.'),
      ).toBeVisible()
      await expect(page.getByRole('row', { name: 'Completed 1 1' })).toBeVisible()
      await page.keyboard.press('Escape')
      await counter.go('Outbox')
      const today = page.getByRole('region', { name: 'Done today' })
      await expect(today).toContainText(`order 80${place}`)
    }
  },
)

test(
  'keeps the report and its file on the day it was opened for when midnight passes, and says so',
  { tag: '@long' },
  async ({ counter }) => {
    const { page } = counter
    await sold(counter, '811', [a])
    await counter.go('Orders')
    await counter.button('Close the day').click()
    await expect(page.getByRole('row', { name: 'Completed 1 1' })).toBeVisible()
    const saved = async () => {
      const saving = page.waitForEvent('download')
      await counter.button('Download CSV').click()
      return (await saving).suggestedFilename()
    }
    const before = await saved()
    await page.clock.setFixedTime(Date.now() + 86_400_000)
    const notice = page.getByText(/^A new day began: today is .* This report is still that of/)
    await expect(notice).toBeVisible({ timeout: 40_000 })
    await expect(page.getByRole('row', { name: 'Completed 1 1' })).toBeVisible()
    expect(await saved()).toBe(before)
    expect(await violations(page)).toEqual([])
    await counter.button('Show today').click()
    await expect(page.getByRole('row', { name: 'Completed 0 0' })).toBeVisible()
    await expect(notice).toBeHidden()
    expect(await saved()).not.toBe(before)
  },
)
