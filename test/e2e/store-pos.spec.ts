import { expectAccessible, expectFitting } from './axe'
import { a, b, c, pane, row, sold } from './orders'
import { type Counter, expect } from './station'
import { joinFirst, joinSecond, test } from './two-stations'

const picture = async ({ page }: Counter, name: string) => {
  const folder = process.env['COUNTERTAG_LOOKS']
  if (!folder) return
  await page.setViewportSize({ width: 1024, height: 768 })
  await page.waitForTimeout(300)
  await page.screenshot({ path: `${folder}/${name}.png` })
}
const today = () => new Date().toLocaleDateString('sv-SE')

test(
  'the POS’s day is compared with all stations, and what may be missing is no difference',
  { tag: '@long' },
  async ({ counter: one, hub, second: two, station }) => {
    test.skip(station.host !== 'browser', 'two stations in one browser')
    test.slow()
    await joinFirst(one, hub)
    await joinSecond(one, two)
    await sold(one, '701', [a])
    await sold(two, '702', [b])
    await sold(two, '703', [c])
    await one.go('Orders')
    await row(one.page, '701').click()
    const item = pane(one.page, '701').locator('.item > span').first()
    await expect(item).toBeVisible()
    const product = (await item.evaluate((node) => node.firstChild?.textContent ?? '')).trim()
    await one.button('Close the day').click()
    await one.button('Load the POS’s sales').click()
    await expect(one.page.getByText('The reports of all stations of the store are compared.')).toBeVisible()

    const line = (orderId: string, quantity = 1) => `${orderId},${today()} 11:30,"${product}",${quantity}`
    const text = ['Receipt Number,Date,Item,Quantity', line('701'), line('702', 2), line('704')].join('\n')
    const transfer = await one.page.evaluateHandle((content) => {
      const data = new DataTransfer()
      data.items.add(new File([content], 'sales.csv', { type: 'text/csv' }))
      return data
    }, text)
    await one.page.getByText('Choose the POS’s sales file').dispatchEvent('drop', { dataTransfer: transfer })
    await one.page.getByRole('dialog').getByRole('button', { name: 'Compare 3 lines' }).click()

    const result = one.page.getByRole('region', { name: 'Compare with the POS' })
    await expect(result).toContainText(/Compared with all 2 stations as of \d/)
    const order = (orderId: string) => one.page.getByRole('listitem').filter({ hasText: `Order ${orderId}` })
    await expect(order('702')).toContainText('Reported at Station 2: open the order there.')
    await expect(order('702').getByRole('button', { name: /^Open order/ })).toBeHidden()
    await expect(order('703')).toContainText('Not in the POS')
    await expect(order('704')).toContainText('Only in the POS')
    await result.scrollIntoViewIfNeeded()
    await expectAccessible(one.page, 'the POS and all stations')
    await expectFitting(one.page, 'the POS and all stations')
    await picture(one, 'store-pos')

    // Told by the other station while the day is shown.
    await two.go('Orders')
    await row(two.page, '703').click()
    await two.button('Void order').click()
    await two.approval('wrong customer')
    await expect(row(two.page, '703')).toContainText('Voided')
    await expect(order('703')).toBeHidden()

    await two.go('Outbox')
    await two.button('Outages').click()
    await expect(two.page.getByText('Outages of Station 2 only')).toBeVisible()
    await expectAccessible(two.page, 'outages of one station')
    await picture(two, 'store-outages')

    await hub.stop('immediate')
    await expect(result).toContainText('The store hub can’t be reached')
    await one.page.getByRole('radio', { name: 'Not known here yet 1' }).check()
    await expect(order('704')).toContainText('Not known here yet')
    await expect(order('704').getByRole('button', { name: /^Scan/ })).toBeHidden()
    await expectAccessible(one.page, 'the POS without the hub')
    await picture(one, 'store-pos-apart')
    await one.button(/^Print$/).click()
    await expect(one.page.getByRole('dialog')).toContainText('The store hub can’t be reached')
    await picture(one, 'store-pos-paper')
  },
)
