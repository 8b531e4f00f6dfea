import { expectAccessible, expectFitting } from './axe'
import { type Counter, expect } from './station'
import { joinFirst, joinSecond, test } from './two-stations'

const packageUid = '1A40E0300000B2F000000004'
const another = '1A40E0300000B2F000000001'

const picture = async ({ page }: Counter, name: string) => {
  const folder = process.env['COUNTERTAG_LOOKS']
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` })
}

test(
  'two stations receive one delivery: the second receives along, each says who listed what, and it ends for both',
  { tag: '@long' },
  async ({ counter: one, hub, second: two, station }) => {
    test.skip(station.host !== 'browser', 'two stations in one browser')
    test.slow()
    await joinFirst(one, hub)
    await joinSecond(one, two)
    await one.go('Receiving')
    await one.scan(packageUid)
    await expect(one.strip).toContainText('cases')

    await two.go('Receiving')
    await expect(two.page.getByText('Deliveries under way in the store')).toBeVisible()
    await expectAccessible(two.page, 'a delivery to join')
    await expectFitting(two.page, 'a delivery to join')
    await picture(two, 'delivery-join')
    await two.button(/^Receive along/).click()
    await expect(two.page.getByRole('heading', { name: packageUid })).toBeVisible()
    await two.scan(another)
    await expect(one.page.getByRole('heading', { name: another })).toBeVisible()
    await expect(one.page.getByText('With Station 2')).toBeVisible()
    await expect(two.page.getByText('At Station 1').first()).toBeVisible()
    await expectAccessible(one.page, 'a delivery of two stations')
    await expectFitting(one.page, 'a delivery of two stations')
    await picture(one, 'delivery-shared')
    await picture(two, 'delivery-along')

    await two.button('Finish').click()
    const ask = two.page.getByRole('dialog')
    await expect(ask).toContainText('It is finished at Station 1 too.')
    await picture(two, 'delivery-finish')
    await ask.getByRole('button', { name: 'Finish' }).click()
    await expect(one.page.getByRole('heading', { name: packageUid })).toBeHidden()
  },
)
