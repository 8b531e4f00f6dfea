import pg from 'pg'
import { expectAccessible, expectFitting } from './axe'
import { type Counter, expect } from './station'
import { joinFirst, joinSecond, test } from './two-stations'

const packageUid = '1A40E0300000B2F000000004'
const late = '1A40E0300000B2F000000002'
const next = '1A40E0300000B2F000000003'
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
    const address = await joinFirst(one, hub)
    await joinSecond(one, two)
    await one.go('Receiving')
    await one.scan(packageUid)
    await expect(one.strip).toContainText('cases')

    await two.go('Receiving')
    await expect(two.page.getByText('Deliveries under way in the store')).toBeVisible()
    await expectAccessible(two.page, 'a delivery to join')
    await expectFitting(two.page, 'a delivery to join')
    await picture(two, 'delivery-join')
    await two.button(/^Join delivery/).click()
    await expect(two.page.getByRole('heading', { name: packageUid })).toBeVisible()
    await two.scan(another)
    await expect(one.page.getByRole('heading', { name: another })).toBeVisible()
    await expect(one.page.getByText('With Station 2')).toBeVisible()
    await expect(two.page.getByText('At Station 1').first()).toBeVisible()
    await expectAccessible(one.page, 'a delivery of two stations')
    await expectFitting(one.page, 'a delivery of two stations')
    await picture(one, 'delivery-shared')
    await picture(two, 'delivery-along')

    // A third station receives it too and was closed before it could share everything.
    const client = new pg.Client(address)
    await client.connect()
    const says = { unsent: 0, attention: 0, clockOffset: 0, hasScannerTrouble: false, untold: 0, isOff: true }
    await client.query(
      `WITH back AS (INSERT INTO countertag.station (id, name, version, says) VALUES (gen_random_uuid(), 'Back', '0', $1) RETURNING id)
      INSERT INTO countertag.delivery_station SELECT shared_delivery.id, back.id FROM countertag.shared_delivery, back`,
      [{ ...says, entriesUntold: 2, importsUntold: 1 }],
    )
    // It also has the manifest.
    await client.query(
      `UPDATE countertag.station SET says = says || jsonb_build_object('manifestOf', shared_delivery.id)
      FROM countertag.shared_delivery WHERE name = 'Back'`,
    )
    await client.query(`SELECT countertag.tell('stations')`)
    await expect(two.page.getByText('The manifest is at Back')).toBeVisible()
    await expectAccessible(two.page, 'a manifest at another station')
    await expectFitting(two.page, 'a manifest at another station')
    await picture(two, 'delivery-manifest')
    await two.button('Finish delivery').first().click()
    const ask = two.page.getByRole('region', { name: 'Finish this delivery?' })
    await expect(ask).toContainText('It is finished at Station 1 too.')
    await expect(ask).toContainText('May be missing: what was scanned at Back')
    await expectAccessible(two.page, 'finishing a delivery of several stations')
    await expectFitting(two.page, 'finishing a delivery of several stations')
    await picture(two, 'delivery-finish')
    await two.finishNow()
    await expect(one.page.getByRole('heading', { name: packageUid })).toBeHidden()
    await expect(one.page.getByText('Finished at Station 2')).toBeVisible()
    await expectAccessible(one.page, 'a delivery that another station finished')
    await expectFitting(one.page, 'a delivery that another station finished')
    await picture(one, 'delivery-finished-at')

    // What Back had listed arrives.
    await client.query(
      `WITH one AS (UPDATE countertag.shared_delivery SET revision = revision + 1 RETURNING id, revision)
      INSERT INTO countertag.delivery_entry (delivery, key, station, station_name, at, is_gone, turn, revision)
      SELECT one.id, 'package ${late}', station.id, 'Back', 1, false, 1, one.revision FROM one, countertag.station WHERE name = 'Back'`,
    )
    await client.query(`NOTIFY countertag, 'deliveries'`)
    await client.end()
    await expect(one.page.getByText('The record of a finished delivery has a new version')).toBeVisible()
    // Each stays until it is seen, also over a reload of the page.
    await one.page.reload()
    await one.go('Receiving')
    const added = one.page.getByRole('note').filter({ hasText: 'Another station shared changes late.' })
    const finished = one.page.getByRole('note').filter({ hasText: 'Finished at Station 2' })
    await expect(added).toBeVisible()
    await expect(finished).toBeVisible()
    await expectAccessible(one.page, 'what others did with a delivery that is over')
    await expectFitting(one.page, 'what others did with a delivery that is over')
    await picture(one, 'delivery-record-added')
    // Beside the list of a delivery there is room for one.
    await one.scan(next)
    await expect(one.page.getByRole('heading', { name: next })).toBeVisible()
    await expect(added).toContainText('(1 more)')
    await expect(finished).toBeHidden()
    await expectFitting(one.page, 'what others did with a delivery that is over, beside another one')
    await picture(one, 'delivery-record-added-beside')
    await added.getByRole('button', { name: 'Got it' }).click()
    await expect(added).toBeHidden()
    await finished.getByRole('button', { name: 'Show history' }).click()
    await expect(one.page.getByText('Version 2')).toBeVisible()
    await expect(one.page.getByText('Finished at Station 2')).toBeVisible()
    await picture(one, 'delivery-history')
    await one.button(/^Record of the delivery of/).click()
    const record = one.page.getByRole('dialog')
    await expect(record).toContainText('Version 2')
    await expect(record).toContainText(`Received at Back: Package ${late}`)
    await expectAccessible(one.page, 'a record with what arrived late')
    await record.getByText(`Received at Back: Package ${late}`).scrollIntoViewIfNeeded()
    await picture(one, 'delivery-record-late')
    await record.getByRole('button', { name: 'Close' }).first().click()
    await one.page.keyboard.press('F7')
    await expect(one.page.getByText('3 scans and imports not shared')).toBeVisible()
    await expectAccessible(one.page, 'a station that could not share everything')
    await picture(one, 'store-unshared')
  },
)
