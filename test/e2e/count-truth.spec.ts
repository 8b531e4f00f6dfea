import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { violations } from './axe'
import { type Counter, codes, expect, test } from './station'

/** A package of our own company, and a case in it: its contents may be changed. */
const own = {
  package: '1A40E0300000B2F000000004',
  case: 'https://tag.example/case/XUE3ZUVASCi3bUKjbNTXd7',
  item: 'https://tag.example/Cs8EamxhuTPLSy7PLJKpmp',
}

/** Folder for screenshots to review; usually unset. */
const pictures = process.env.COUNTERTAG_PICTURES

async function look(page: Page, name: string) {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  expect(await violations(page), name).toEqual([])
  if (pictures === undefined) return
  const before = page.viewportSize()
  for (const [width, height] of [
    [1920, 1080],
    [1024, 768],
  ] as const) {
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height })
      await page.waitForTimeout(400)
      await page.screenshot({ path: `${pictures}/${name}-${width}-${colorScheme}.png`, animations: 'disabled' })
    }
  }
  if (before) await page.setViewportSize(before)
}

/** A person's pause: keys without a pause count as a scan. */
const pause = (page: Page) => page.waitForTimeout(400)

/** Counts one item of a case and finishes. */
async function countOne(counter: Counter, packageUid: string, label: string, item: string) {
  const { page, strip } = counter
  await counter.scan(packageUid)
  await expect(strip).toContainText('cases')
  await counter.scan(label)
  await expect(strip).toContainText('Case:')
  await counter.button('Count items').click()
  await counter.button('Only this case').click()
  await expect(page.getByText(/^0 of \d+$/).first()).toBeVisible()
  await counter.scan(item)
  await expect(strip).toContainText('1 of')
}

async function finish(counter: Counter) {
  await counter.button(/^Finish, \d+ not scanned/).click()
  await counter.page.getByRole('dialog').getByRole('button', { name: 'Finish count' }).click()
  await expect(counter.page.getByRole('heading', { name: /differences? to settle/ })).toBeFocused()
}

test('the first scan starts a count of the delivery', async ({ counter }) => {
  const { page, strip } = counter
  await counter.scan(codes.package)
  await expect(strip).toContainText('3 cases')
  await counter.button('Count items').click()
  await expect(counter.button('Count all 56 items')).toBeEnabled()
  const [item = ''] = codes.itemsToImport
  await counter.scan(item)
  await expect(strip).toContainText('Blue Dune, 3.5 g: 1 of 24')
  await expect(page.getByText('1 of 56', { exact: true })).toBeVisible()
})

test(
  "a brand's case: taking out isn't offered, and one reason settles all its differences",
  { tag: '@long' },
  async ({ counter, station }) => {
    const { page } = counter
    await countOne(counter, codes.package, codes.caseToImport, codes.itemsToImport[0] ?? '')
    await finish(counter)
    await expect(page.getByText('Only Hudson Fields Farms LLC can remove items from it')).toBeVisible()
    await page.getByRole('checkbox', { name: /^Select all of: 23 items missing from case/ }).check()
    await expect(page.getByText('23 selected items can only be ignored.')).toBeVisible()
    await expect(counter.button(/from the case/)).toHaveCount(0)
    await look(page, 'count-brand')

    await counter.button('Ignore 23').press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Ignore 23 differences?' })
    await expect(dialog.getByLabel('Reason', { exact: true })).toBeFocused()
    await expect(dialog.getByRole('button', { name: 'Damaged or destroyed' })).toBeVisible()
    await look(page, 'count-ignore')
    await pause(page)
    await page.keyboard.press('Enter')
    await expect(dialog.getByText('Enter a reason.')).toBeVisible()
    await dialog.getByLabel('Reason', { exact: true }).fill('Brand was told by phone')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Every difference is settled' })).toBeFocused()
    await expect(page.getByText('Reason: Brand was told by phone').first()).toBeVisible()
    await look(page, 'count-brand-settled')
    await counter.go('Outbox')
    await expect(page.getByText('needs attention')).toHaveCount(0)
    const changes = (await station.knobs.requests()).filter(({ path }) => /add-items|tag-ids/.test(path))
    expect(changes).toEqual([])
  },
)

test(
  'taking items out asks once and says what it means; a refusal is dismissed with the difference',
  { tag: '@long' },
  async ({ counter, station }) => {
    const { page } = counter
    // The owner of the case can't be asked: only the service's answer shows it.
    await station.knobs.setFaults({ rules: [{ kind: 'status', code: 500, path: '/api/v1.5/brands' }] })
    await countOne(counter, codes.package, codes.caseToImport, codes.itemsToImport[0] ?? '')
    await finish(counter)
    await page.getByRole('checkbox', { name: /^Select all of: 23 items missing/ }).check()
    await counter.button('Remove 23 from the case').click()
    const dialog = page.getByRole('dialog', { name: 'Remove 23 items from the case?' })
    await expect(dialog).toContainText('Sent when the service answers.')
    await look(page, 'count-take-out')
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    expect((await station.knobs.requests()).filter(({ method }) => method === 'DELETE')).toEqual([])
    await counter.button('Remove 23 from the case').click()
    await counter.approval()
    await expect(page.getByRole('heading', { name: '23 reports were refused' })).toBeVisible()
    await expect(page.getByRole('heading', { name: '23 differences to settle' })).toBeVisible()
    await look(page, 'count-refused')
    await page.getByRole('checkbox', { name: 'Select all', exact: true }).check()
    await expect(counter.button(/from the case/)).toHaveCount(0)
    await counter.button('Ignore 23').click()
    await expect(page.getByRole('dialog')).toContainText('23 refused reports are dismissed for the same reason.')
    await page.getByRole('dialog').getByLabel('Reason', { exact: true }).fill('Recount tomorrow')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Every difference is settled' })).toBeVisible()
    await counter.go('Outbox')
    await expect(page.getByText('Recount tomorrow').first()).toBeVisible()
    await expect(page.getByText(/needs? attention/)).toHaveCount(0)
  },
)

test(
  'a count ends with its delivery: the next delivery does not begin in it',
  { tag: '@long' },
  async ({ counter }) => {
    const { page, strip } = counter
    await countOne(counter, own.package, own.case, own.item)
    await expect(page.getByRole('progressbar', { name: 'Items counted' })).toHaveAttribute('value', '1')
    await look(page, 'count-running')
    await counter.button('Finish delivery').click()
    const finishing = page.getByRole('region', { name: 'Finish this delivery?' })
    await expect(finishing).toContainText('The count isn’t finished (1 of 12). It ends with the delivery.')
    await counter.finishNow()
    await counter.button('Next delivery').click()
    await expect(page.getByRole('heading', { name: 'Scan a package or a case to begin' })).toBeVisible()

    await counter.scan(codes.package)
    await expect(page.getByRole('heading', { name: /^Delivery: 3 cases/ })).toBeVisible()
    await expect(counter.button('Count items')).toHaveAttribute('aria-pressed', 'false')
    await counter.scan(codes.itemsToImport[0] ?? '')
    await expect(strip).toContainText('This is a single item (TagID)')
    await expect(strip).not.toContainText('belongs to case')
    await expect(strip).not.toContainText('1 of')
    await page.reload()
    await expect(page.getByRole('heading', { name: /^Delivery: 3 cases/ })).toBeVisible()
    await expect(page.getByRole('progressbar', { name: 'Items counted' })).toHaveCount(0)
  },
)

test('after a count is finished, the banner offers no undo that would fail', { tag: '@long' }, async ({ counter }) => {
  const { page, strip } = counter
  await countOne(counter, own.package, own.case, own.item)
  await expect(strip.getByRole('button', { name: /Undo/ })).toBeVisible()
  await finish(counter)
  await expect(strip.getByRole('button', { name: /Undo/ })).toHaveCount(0)
  await page.keyboard.press('Control+z')
  // What is scanned next is answered after the undo would have been.
  await counter.scan('no code of ours')
  await expect(strip).toContainText('Unrecognized code')
  await expect(page.getByText('This count is no longer open.')).toHaveCount(0)
  await expect(page.getByRole('heading', { name: '11 differences to settle' })).toBeVisible()
})

test(
  'a count is reopened the same day, also after a restart, and goes on where it was',
  { tag: '@long' },
  async ({ counter, station }) => {
    const { page, strip } = counter
    await countOne(counter, own.package, own.case, own.item)
    await finish(counter)
    await station.kill()
    await page.goto(await station.start())
    await counter.button('Count items').click()
    await counter.button(/^Show the count/).click()
    await counter.button('Reopen count').click()
    await expect(page.getByText('1 of 12', { exact: true })).toBeVisible()
    await counter.scan('https://tag.example/U8X6p6Zd9mMiCqHBT6viep')
    await expect(strip).toContainText('2 of 12')
    await finish(counter)
    await expect(page.getByRole('heading', { name: '10 differences to settle' })).toBeVisible()

    const downloading = page.waitForEvent('download')
    await counter.button('Download CSV').click()
    const text = await readFile(await (await downloading).path(), 'utf8')
    expect(text.split('\r\n')[0]).toContain('Case,Case ID,Product,TagID,Result,Scanned at')
    expect(text).toMatch(/Counted,\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,/)
  },
)

test('"No items yet" goes as soon as there is one', { tag: '@long' }, async ({ counter }) => {
  const { page } = counter
  await counter.go('Checkout')
  await counter.field('Order number').fill('8801')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('No items yet.').first()).toBeVisible()
  await counter.scan(codes.itemsHere[0] ?? '')
  await expect(counter.button(/^Complete 1 item/)).toBeVisible()
  await expect(page.getByText('No items yet.')).toHaveCount(0)
})
