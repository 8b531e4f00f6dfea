import pg from 'pg'
import { expectAccessible, expectFitting } from './axe'
import { type Counter, codes, expect } from './station'
import { joinFirst, joinSecond, test } from './two-stations'

/** A case of our own company with its items. */
const packageUid = '1A40E0300000B2F000000004'
const label = 'https://tag.example/case/XUE3ZUVASCi3bUKjbNTXd7'
const item = 'https://tag.example/Cs8EamxhuTPLSy7PLJKpmp'
const [stranger = ''] = codes.itemsHere

const picture = async ({ page }: Counter, name: string) => {
  const folder = process.env['COUNTERTAG_LOOKS']
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` })
}

test(
  'two stations count one case: the second counts along, and each says who scanned',
  { tag: '@long' },
  async ({ counter: one, hub, second: two, station }) => {
    test.skip(station.host !== 'browser', 'two stations in one browser')
    test.slow()
    const address = await joinFirst(one, hub)
    await joinSecond(one, two)
    await one.go('Receiving')
    await one.scan(packageUid)
    await expect(one.strip).toContainText('cases')
    await one.scan(label)
    await expect(one.strip).toContainText('Case:')
    await one.button('Count items').click()
    await one.button('Only this case').click()
    await expect(one.page.getByText(/^0 of \d+$/).first()).toBeVisible()
    await one.scan(item)
    await expect(one.strip).toContainText('1 of')

    await two.go('Receiving')
    await expect(two.page.getByText('Counts under way in the store')).toBeVisible()
    await expectAccessible(two.page, 'a count to join')
    await picture(two, 'count-join')
    await two.button(/^Join count/).click()
    await expect(two.page.getByText(/^1 of \d+$/).first()).toBeVisible()
    await two.scan(item)
    await expect(two.strip).toContainText('Already counted')
    await expect(two.strip).toContainText('at Station 1')
    await two.scan(stranger)
    await expect(two.page.getByText(/does not belong here/)).toBeVisible()
    await picture(two, 'count-along')
    await expectAccessible(two.page, 'a count along')
    await expectFitting(two.page, 'a count along')
    await expect(one.page.getByText(/This station: 1 · Station 2: 1/)).toBeVisible()
    await expect(one.page.getByText(/does not belong here/)).toBeVisible()
    await picture(one, 'count-shared')

    // Another station counted along, began to settle what differs, and is off with scans that it has not told.
    const client = new pg.Client(address)
    await client.connect()
    await client.query(`WITH back AS (
        INSERT INTO countertag.station (id, name, version, says)
        VALUES (gen_random_uuid(), 'Back', '0', '{"isOff": true, "scansUntold": 2}') RETURNING id
      ), counts AS (INSERT INTO countertag.count_station SELECT shared_count.id, back.id FROM countertag.shared_count, back)
      UPDATE countertag.shared_count SET settled_by = back.id FROM back`)
    await client.end()
    await two.button(/^Finish, \d+ not scanned/).click()
    await two.page.getByRole('dialog').getByRole('button', { name: 'Finish count' }).click()
    for (const { page } of [one, two])
      await expect(page.getByRole('heading', { name: /differences? to settle/ })).toBeVisible()
    await picture(two, 'count-finished')
    await expect(two.page.getByText('Scans may be missing from: Back')).toBeVisible()
    await expectAccessible(two.page, 'differences that may lack scans')
    await expectFitting(two.page, 'differences that may lack scans')
    const settle = async () => {
      await two.page
        .getByRole('button', { name: /^Ignore/ })
        .first()
        .click()
      await two.page.getByRole('dialog').getByRole('textbox').fill('Broken at arrival')
      await two.page
        .getByRole('dialog')
        .getByRole('button', { name: /^Ignore/ })
        .click()
    }
    await two.page
      .getByRole('checkbox', { name: /^Select: / })
      .first()
      .check()
    await settle()
    await expect(two.page.getByText('Back settles these differences')).toBeVisible()
    await two.button('Settle here').click()
    const asked = two.page.getByRole('dialog')
    await expect(asked).toContainText('Back began to settle them and is off.')
    await expectAccessible(two.page, 'taking differences over')
    await picture(two, 'count-take-over')
    await asked.getByLabel(/^Reason/).fill('That computer is broken')
    await asked.getByRole('button', { name: 'Settle here' }).click()
    await expect(asked).toBeHidden()
    await expect(two.page.getByText('Back settles these differences')).toBeHidden()
    await settle()
    await expect(two.page.getByText('Back settles these differences')).toBeHidden()
    await picture(two, 'count-taken-over')
  },
)
