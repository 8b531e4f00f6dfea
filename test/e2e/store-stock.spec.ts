import pg from 'pg'
import { expectAccessible, expectFitting, isScrollable } from './axe'
import { tagNamed } from '../integration/core/receiving-desk'
import { type Counter, codes, expect, idIn } from './station'
import { joinFirst, joinSecond, test } from './two-stations'

/** A package with a case that is imported from the start: 20 items. */
const packageUid = '1A40E0300000B2F000000003'
const [a = '', b = '', c = ''] = codes.itemsHere
/** Items of the same case that are not scanned. */
const others = Array.from({ length: 20 }, (_, at) => tagNamed(`on sale HF-PA-1 ${at + 1}`)).filter(
  (tagId) => ![a, b, c].some((code) => idIn(code) === tagId),
)

/** What another station tells the hub, of whose program this test needs nothing. */
const backRoom = {
  isOff: `INSERT INTO countertag.station (id, name, version, says)
    VALUES (gen_random_uuid(), 'Back room', '0', '{"isOff": true, "scansUntold": 2}')`,
  counts: `INSERT INTO countertag.shelf_station SELECT shared_shelf.id, station.id
    FROM countertag.shared_shelf, countertag.station WHERE name = 'Back room'`,
  scans: (tagId: string) => `WITH one AS (
      UPDATE countertag.shared_shelf SET revision = revision + 1 RETURNING id, revision
    ), scan AS (
      INSERT INTO countertag.shelf_scan SELECT one.id, '${tagId}',
        '{"standing": "here", "isUnsent": false, "productId": null, "productName": "Blue Dream 3.5 g", "brandName": "Hudson", "caseId": null}',
        station.id, name, extract(epoch FROM now())::bigint * 1000, false, nextval('countertag.turn'), revision
      FROM one, countertag.station WHERE name = 'Back room' RETURNING 1
    ) SELECT countertag.tell('shelf') FROM scan`,
  begins: `WITH one AS (
      INSERT INTO countertag.shared_shelf (id, station, station_name, body, is_recount)
      SELECT gen_random_uuid(), id, name, '{"scope": {"kind": "all"}, "startedAt": ' || extract(epoch FROM now())::bigint * 1000 || '}', false
      FROM countertag.station WHERE name = 'Back room' RETURNING 1
    ) SELECT countertag.tell('shelf') FROM one`,
}

const picture = async ({ page }: Counter, name: string) => {
  const folder = process.env['COUNTERTAG_LOOKS']
  if (!folder) return
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const size of [
      { width: 1024, height: 768 },
      { width: 1920, height: 1080 },
    ]) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize(size)
      await page.screenshot({ path: `${folder}/store-stock-${name}.${colorScheme}.${size.width}.png` })
    }
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1024, height: 768 })
  const speak = async (language: string) => {
    await page.keyboard.press('F6')
    await page.getByRole('button', { name: /^(This station|Esta estación)$/ }).click()
    await page.getByText(language, { exact: true }).click()
    await page.keyboard.press('F8')
  }
  if (await page.getByRole('dialog').isVisible()) return
  await speak('Español')
  await page.screenshot({ path: `${folder}/store-stock-${name}.es.light.1024.png` })
  await speak('English')
}
const look = async (counter: Counter, name: string) => {
  await expectAccessible(counter.page, name)
  await expectFitting(counter.page, name)
  expect(await isScrollable(counter.page), name).toBe(false)
  await picture(counter, name)
}

test(
  'two stations count one shelf: the second counts along, the first finishes, both name who scanned',
  { tag: '@long' },
  async ({ counter: one, hub, second: two, station }) => {
    test.skip(station.host !== 'browser', 'two stations in one browser')
    test.slow()
    const address = await joinFirst(one, hub)
    await joinSecond(one, two)
    const tell = async (...statements: string[]) => {
      const client = new pg.Client(address)
      await client.connect()
      for (const statement of statements) await client.query(statement)
      await client.end()
    }
    const figure = ({ page }: Counter) => page.locator('p.figure')

    await test.step('the second station is offered the count, and refused another one of the same items', async () => {
      for (const counter of [one, two]) {
        await counter.go('Receiving')
        await counter.scan(packageUid)
        await expect(counter.page.getByRole('heading', { name: packageUid })).toBeVisible()
        await counter.go('Stock')
        await counter.button('Read from the service').click()
        await expect(counter.page.getByText(/^Read from the service .* or later/)).toBeVisible()
        await expect(counter.button('Start count')).toBeEnabled()
      }
      await one.button('Start count').click()
      await expect(one.page.getByText('Scan the items on the shelf')).toBeVisible()
      await one.scan(a)
      await expect(figure(one)).toHaveText('1')
      await expect(two.page.getByText('Counts under way in the store')).toBeVisible()
      await expect(two.page.getByText('1 item scanned')).toBeVisible()
      await two.button('Start count').click()
      await expect(two.page.getByText('Station 1 is counting some of these items.')).toBeVisible()
      await look(two, 'refused')
      await two.page.getByRole('alert').getByRole('button', { name: 'Join count' }).click()
      await expect(figure(two)).toHaveText('1')
    })

    await test.step('each shows its own scans and the total of both', async () => {
      await two.scan(a)
      await expect(two.strip).toContainText('already counted')
      await expect(two.strip).toContainText('at Station 1')
      await two.scan(b)
      await expect(figure(one)).toHaveText('2')
      await expect(one.page.getByText('This station: 1 · Station 2: 1')).toBeVisible()
      await expect(one.page.getByRole('button', { name: /^Remove the scan of/ })).toHaveCount(1)
      await look(two, 'along')
      await look(one, 'shared')
    })

    await test.step('a station that may have scans to tell is named before the count is finished', async () => {
      await tell(backRoom.isOff, backRoom.counts)
      await one.button('Finish count').click()
      const asked = one.page.getByRole('dialog')
      await expect(asked).toContainText('Scans may be missing from: Back room')
      await expect(asked).toContainText('It is finished at all stations.')
      await look(one, 'finishing')
      await asked.getByRole('button', { name: 'Finish count' }).click()
      await expect(one.page.getByText('This station: 1 · Station 2: 1')).toBeVisible()
      await expect(one.button('18 reasons missing')).toBeDisabled()
      await look(one, 'finished')
    })

    await test.step('the second station says where it was finished, and counts the differences again', async () => {
      await expect(two.page.getByText('Finished at Station 1')).toBeVisible()
      await look(two, 'finished-elsewhere')
      await one.button('Recount differences').click()
      await expect(two.page.getByText('Recounting differences')).toBeVisible()
      await two.scan(c)
      await expect(figure(one)).toHaveText('3')
      await two.button('Finish count').click()
      await two.page.getByRole('dialog').getByRole('button', { name: 'Finish count' }).click()
      await expect(one.page.getByText('Finished at Station 2')).toBeVisible()
      await one.button('Open again here').click()
      await expect(figure(one)).toHaveText('3')
      await one.button('Finish count').click()
      await one.page.getByRole('dialog').getByRole('button', { name: 'Finish count' }).click()
    })

    await test.step('signed, it names the stations on paper and in the history of both', async () => {
      await one.page.getByRole('checkbox', { name: 'Choose all 17' }).check()
      await one.button('Give 17 a reason').click()
      const asked = one.page.getByRole('dialog')
      await asked.getByText('Lost', { exact: true }).click()
      await asked.getByRole('button', { name: 'Save reason' }).click()
      await expect(asked).toBeHidden()
      await one.button('Print').click()
      await expect(asked).toContainText('Counted by Station 1: 1 · Station 2: 2')
      await look(one, 'paper')
      await one.page.keyboard.press('Escape')
      await one.page.keyboard.press('Control+Enter')
      await asked.getByLabel('Your name').fill('Robin Reyes')
      await asked.getByRole('button', { name: 'Sign' }).click()
      await expect(two.page.getByText('Signed at Station 1')).toBeVisible()
      await look(two, 'signed-elsewhere')
      await two.button('History').click()
      await expect(two.page.getByRole('row').filter({ hasText: 'Signed at Station 1' })).toContainText(
        'This station: 2 · Station 1: 1',
      )
      await look(two, 'history')
    })

    await test.step('scans that are told after the signature are named on the screen and on paper', async () => {
      await tell(...others.slice(0, 5).map(backRoom.scans))
      const notice = one.page.getByRole('note').filter({ hasText: '5 scans came after the signature' })
      await expect(notice).toContainText('Blue Dream 3.5 g')
      await expect(notice).toContainText('Back room')
      await expect(notice).toContainText('2 more are in the printout and the CSV file')
      await look(one, 'late')
      await one.button('Print').click()
      const paper = one.page.getByRole('dialog')
      await expect(paper.getByRole('row').filter({ hasText: 'Back room' })).toHaveCount(5)
      await expect(paper).toContainText('5 scans came after the signature')
      await paper.getByText('5 scans came after the signature').scrollIntoViewIfNeeded()
      await look(one, 'late-paper')
      await one.page.keyboard.press('Escape')
    })

    await test.step('a count that began at another station meanwhile is named on the one of the same items', async () => {
      await one.button('All counts').click()
      await one.button('Start count').click()
      await expect(figure(one)).toHaveText('0')
      await tell(backRoom.begins)
      await expect(one.page.getByText('Back room is counting some of these items')).toBeVisible()
      await look(one, 'overlapping')
    })
  },
)
