import { readFileSync } from 'node:fs'
import { expectAccessible, isScrollable } from './axe'
import { a, b, sold } from './orders'
import { expect, test } from './station'

test(
  'an outage is listed with its cause and everything done during it, on the screen, on paper and as a file',
  { tag: '@long' },
  async ({ counter, station }) => {
    const { page } = counter
    await counter.go('Outbox')
    await counter.button('Outages').click()
    await expect(page.getByText('No outages in this period')).toBeVisible()
    await expectAccessible(page, 'no outages')

    await sold(counter, '901', [a])
    await station.knobs.setFaults({ offline: true })
    await counter.sell('902', [b])
    const status = page.getByRole('status', { name: 'Connection' })
    await expect(status).toContainText('No connection')
    // A shorter one is none.
    await page.waitForTimeout(2_500)
    // From the bar to the ledger.
    await status.getByRole('button').press('Enter')
    const outage = page.getByRole('listitem').filter({ hasText: 'Still going on' })
    await expect(outage).toContainText('No connection')
    await expect(outage).toContainText(/1 (report made during it|waited when it began)/)
    await expect(outage).toContainText('1 waiting')

    await station.knobs.setFaults({})
    await expect(status).toHaveText('Connected', { timeout: 30_000 })
    await expect(page.getByText('1 reported since')).toBeVisible({ timeout: 30_000 })
    await expect(page.getByText(/^1 outage, \d+ s in all\. 1 report reached the service late\.$/)).toBeVisible()
    await counter.button(/^Details: outage/).press('Enter')
    const row = page.getByRole('row').filter({ hasText: 'Sale: order 902' })
    await expect(row).toContainText('Reported')
    await expect(row.getByRole('cell').nth(2)).toHaveText(/^\d+ s$/)
    await expect(page.getByRole('row').filter({ hasText: '901' })).toHaveCount(0)
    await expectAccessible(page, 'an outage with its details')
    expect(await isScrollable(page)).toBe(false)

    const [download] = await Promise.all([page.waitForEvent('download'), counter.button('Save as CSV').click()])
    const lines = readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain('902')
    expect(lines[1]).toContain('No connection')

    await counter.button('Print').click()
    const sheet = page.getByRole('dialog', { name: 'Outages' })
    await expect(sheet.getByRole('row').filter({ hasText: 'Sale: order 902' })).toBeVisible()
    await expectAccessible(page, 'the ledger on paper')
    await sheet.getByRole('button', { name: 'Close' }).last().click()

    // The closing report leads to the same place.
    await counter.go('Orders')
    await counter.button('Close the day').click()
    await expect(page.getByText(/: No connection\. 1 report came late\.$/)).toBeVisible()
    await counter.button('Show outages').click()
    await expect(counter.field('First day')).toBeVisible()
    await expect(page.getByText('1 reported since')).toBeVisible()
  },
)
