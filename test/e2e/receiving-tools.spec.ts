import { readFile } from 'node:fs/promises'
import type { Download, Page } from '@playwright/test'
import { violations } from './axe'
import { type Counter, codes, expect, idIn, test } from './station'

/** A package of our own company: its case contents may be changed. */
const own = {
  package: '1A40E0300000B2F000000004',
  case: 'https://tag.example/case/XUE3ZUVASCi3bUKjbNTXd7',
}

const ownTags = [
  'Cs8EamxhuTPLSy7PLJKpmp',
  'U8X6p6Zd9mMiCqHBT6viep',
  'T8jA4W9ikuT7fZsLECE5xg',
  '4jwN4YTd4A6jMCzyUbZhoo',
  'AXWNtBB8prfSFFSXf9naz8',
  'L3kw8urUS26bjDiCfBpNMo',
  'eLwnnoJ39iSwphkDPaxSzD',
  '6e872eQJ8VFQ7WToz2mzwp',
  'UgTDdg5xrCAN3h9arReT54',
  'XQP6z4eAjiNAkvkjqmhZUy',
  '4HysA286qdHW9ndt3h2pbL',
  '6Hn89Mgrjyeu24NgH6mjwe',
]

const catalogue = [
  'Exported from the POS on Nov 12;;;',
  'Metrc Tag;Item Name;Product ID;Inventory ID',
  `${own.package};"House Flower, 3.5 g";=HYPERLINK("x");INV-0`,
  `${codes.package};"Blue Dune, 3.5 g";POS-771;INV-902`,
  ';"Hudson Ground, 7 g";;INV-903',
  ...Array.from({ length: 700 }, (_, at) => `;"Other product ${at}";POS-${at};INV-${at}`),
].join('\r\n')

const csvFile = (name: string, content: string | Uint8Array) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(content),
})

/** Folder for screenshots to review; usually unset. */
const pictures = process.env.COUNTERTAG_PICTURES

async function look(page: Page, name: string) {
  // A chip's color transition may still be running.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  expect(await violations(page), name).toEqual([])
  if (pictures === undefined) return
  for (const [colorScheme, width, height] of [
    ['dark', 1920, 1080],
    ['light', 1024, 768],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height })
    await page.waitForTimeout(400)
    await page.screenshot({ path: `${pictures}/${name}-${width}-${colorScheme}.png`, animations: 'disabled' })
  }
}

async function textOf(download: Download): Promise<string> {
  return readFile(await download.path(), 'utf8')
}

/** A person's pause: keys without a pause count as a scan. */
const pause = (page: Page) => page.waitForTimeout(400)

const openMenu = async (counter: Counter, entry: string) => {
  await counter.button('More').click()
  await counter.page.getByRole('button', { name: entry, exact: true }).click()
}

test(
  'loads a catalog from a file, lists the unusable lines, and fills in its IDs, marked',
  { tag: '@long' },
  async ({ counter }) => {
    const { page } = counter
    await counter.scan(codes.package)
    await expect(counter.strip).toContainText('cases')
    await counter.scan(codes.caseToImport)
    await expect(counter.strip).toContainText('Case: Blue Dune, 3.5 g')
    await expect(page.getByRole('heading', { name: 'Blue Dune, 3.5 g' })).toBeVisible()
    await expect(counter.field('POS product ID')).toHaveValue('')
    await openMenu(counter, 'POS catalog')
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByText('No catalog is loaded.')).toBeVisible()
    await look(page, 'catalogue-start')

    const choose = dialog.locator('input[type=file]')
    await choose.setInputFiles(csvFile('menu.xlsx', new Uint8Array([0x50, 0x4b, 3, 4, 1, 2])))
    await expect(dialog.getByRole('alert')).toContainText('CSV UTF-8')
    await choose.setInputFiles(csvFile('empty.csv', ''))
    await expect(dialog.getByRole('alert')).toContainText('empty.csv is empty')
    await look(page, 'catalogue-bad-file')

    await choose.setInputFiles(csvFile('menu.csv', catalogue))
    await expect(dialog.getByLabel('POS inventory ID')).toHaveValue('3')
    await expect(dialog.getByText('1 line of 703 can’t be used')).toBeVisible()
    // The next thing to do has the focus, and what came of the file is said once.
    await expect(dialog.getByRole('button', { name: 'Load 702 lines' })).toBeFocused()
    await expect(dialog.getByRole('status')).toHaveText('703 lines read, 1 can’t be used')
    await dialog.getByRole('button', { name: 'Another file' }).press('Enter')
    await expect(choose).toBeFocused()
    await choose.setInputFiles(csvFile('menu.csv', catalogue))
    await expect(dialog.getByRole('button', { name: 'Load 702 lines' })).toBeFocused()
    await expect(dialog.getByText('POS product ID is empty')).toBeVisible()
    await dialog.getByLabel('POS product ID *').selectOption('')
    await expect(dialog.getByText('No column for the POS product ID')).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Load' })).toBeDisabled()
    await dialog.getByLabel('POS product ID *').selectOption('Product ID')
    await look(page, 'catalogue-mapping')
    await dialog.getByRole('button', { name: 'Load 702 lines' }).click()
    await expect(dialog.getByText('702 lines loaded')).toBeVisible()
    await expect(dialog.getByRole('status')).toHaveText('The catalog has 702 lines now')
    await expect(dialog.getByRole('button', { name: 'Close' }).last()).toBeFocused()
    await look(page, 'catalogue-loaded')
    await page.keyboard.press('Escape')

    await expect(counter.field('POS product ID')).toHaveValue('POS-771')
    await expect(counter.field('POS inventory ID')).toHaveValue('INV-902')
    await expect(page.getByText(/POS catalog of .*, line 4/).first()).toBeVisible()

    await openMenu(counter, 'POS catalog')
    await dialog.getByRole('button', { name: 'Remove catalog' }).click()
    await dialog.getByRole('button', { name: 'Remove catalog' }).click()
    await expect(dialog.getByText('No catalog is loaded.')).toBeVisible()
  },
)

test(
  'counts a case by scanner and keyboard, and settles missing and unexpected items',
  { tag: '@long' },
  async ({ counter, station }) => {
    const { page, strip } = counter
    const tags = ownTags.map((id) => `https://tag.example/${id}`)
    const [stranger = ''] = codes.itemsToImport

    await counter.scan(own.package)
    await expect(strip).toContainText('3 cases')
    await counter.scan(own.case)
    await expect(strip).toContainText('House Flower')
    await counter.button('Count items').press('Enter')
    await look(page, 'count-start')
    await counter.button('Only this case').press('Enter')
    await expect(page.getByText('0 of 12', { exact: true })).toBeVisible()

    for (const [at, tag] of tags.slice(0, 10).entries()) {
      await counter.scan(tag)
      await expect(strip).toContainText(`House Flower, 3.5 g: ${at + 1} of 12`)
    }
    await counter.scan(tags[0] ?? '')
    await expect(strip).toContainText('Already counted: House Flower, 3.5 g')
    await counter.scan(tags[10] ?? '')
    await expect(strip).toContainText('11 of 12')
    await page.keyboard.press('Control+z')
    await expect(strip).toContainText('10 of 12 counted')
    await counter.scan(stranger)
    await expect(strip).toContainText(`belongs to case ${idIn(codes.caseToImport)}, not to this one`)
    await look(page, 'count-running')

    // After a power cut, the count continues where it was.
    await station.kill()
    await page.goto(await station.start())
    await expect(page.getByText('10 of 12', { exact: true })).toBeVisible()
    await expect(page.getByText('1 item does not belong here')).toBeVisible()

    await page.keyboard.press('Control+Enter')
    await expect(page.getByRole('dialog', { name: '2 items are not scanned. Finish?' })).toBeVisible()
    await look(page, 'count-ask')
    await page.getByRole('dialog').getByRole('button', { name: 'Finish count' }).press('Enter')
    await expect(page.getByRole('heading', { name: '3 differences to settle' })).toBeFocused()
    await look(page, 'differences')

    await page
      .getByRole('checkbox', { name: /^Select: .*missing from case/ })
      .first()
      .press(' ')
    await pause(page)
    await counter.button('Remove 1 from the case').press('Enter')
    await counter.approval()
    await expect(page.getByText('Report: Reported').first()).toBeVisible()
    await expect(page.getByRole('heading', { name: '2 differences to settle' })).toBeVisible()
    await pause(page)
    await page.getByRole('checkbox', { name: 'Select all', exact: true }).press(' ')
    await pause(page)
    await counter.button('Add 1 to the case').press('Enter')
    await counter.approval()
    await expect(page.getByText('Report: Reported')).toHaveCount(2)
    await pause(page)
    await counter.button('Ignore 1').press('Enter')
    await pause(page)
    await page.getByRole('dialog').getByLabel('Reason', { exact: true }).fill('Sold as a sample')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Every difference is settled' })).toBeVisible()
    await look(page, 'differences-settled')

    const changes = (await station.knobs.requests()).filter(({ path }) => /add-items|tag-ids/.test(path))
    expect(changes.map(({ method, status }) => [method, status !== null && status < 300])).toEqual([
      ['DELETE', true],
      ['POST', true],
    ])

    // Undone: the item is missing again.
    await counter
      .button(/^Undo: House Flower, 3.5 g, missing/)
      .first()
      .press('Enter')
    await counter.approval()
    await expect(page.getByRole('heading', { name: '1 difference to settle' })).toBeVisible()

    const downloading = page.waitForEvent('download')
    await counter.button('Download CSV').click()
    const lines = (await textOf(await downloading)).trim().split('\r\n')
    expect(lines).toHaveLength(14)
    await counter.button('Print').click()
    await expect(page.getByRole('dialog')).toContainText('Counted by')
    await look(page, 'count-sheet')
    await page.keyboard.press('Escape')
    await counter.button('Close').click()
    await expect(page.getByText('Counted before')).toBeVisible()
  },
)

test("says that another company's case can't be changed here", { tag: '@long' }, async ({ counter }) => {
  const { page, strip } = counter
  await counter.scan(codes.package)
  await expect(strip).toContainText('3 cases')
  await counter.scan(codes.caseToImport)
  await counter.button('Count items').click()
  await expect(counter.button('Count all 56 items')).toBeEnabled()
  // The action code alone undoes the whole delivery.
  await counter.scan('CT:COMPLETE')
  await expect(strip).toContainText('Counting: scan the items')
  await counter.scan(codes.itemsToImport[0] ?? '')
  await expect(strip).toContainText('Blue Dune, 3.5 g: 1 of 24')
  await look(page, 'count-delivery')
  await counter.scan('CT:COMPLETE')
  await expect(strip).toContainText('Scan the code again to finish')
  // The same code at once is one scan, read twice.
  await page.waitForTimeout(1_300)
  await counter.scan('CT:COMPLETE')
  await expect(page.getByRole('heading', { name: '55 differences to settle' })).toBeVisible()
  await page
    .getByRole('checkbox', { name: /Blue Dune.*missing/ })
    .first()
    .check()
  await expect(page.getByText('1 selected item can only be ignored.')).toBeVisible()
  await expect(counter.button(/from the case/)).toHaveCount(0)
  await look(page, 'differences-of-others')
})

test(
  'shows, filters, undoes and downloads the history, and prints the report of a delivery',
  { tag: '@long' },
  async ({ counter }) => {
    const { page } = counter
    await counter.scan(codes.package)
    await counter.scan(codes.caseToImport)
    await expect(page.getByRole('heading', { name: 'Blue Dune, 3.5 g' })).toBeVisible()
    await counter.field('POS product ID').fill('=POS-1')
    await counter.field('POS inventory ID').fill('INV-1')
    await counter.button(/^Import .*, \d+ items?$/).click()
    await expect(page.getByText(/Imported here at/).first()).toBeVisible()

    await openMenu(counter, 'History')
    await expect(page.getByRole('heading', { name: 'Receiving history' })).toBeFocused()
    await expect(page.getByText('1 report', { exact: true })).toBeVisible()
    await expect(page.getByText('POS product =POS-1')).toBeVisible()
    await look(page, 'history')
    await counter.field('Package, case, product or POS ID').fill('nothing like it')
    await expect(page.getByRole('heading', { name: 'No matches' })).toBeVisible()
    await look(page, 'history-nothing')
    await counter.field('Package, case, product or POS ID').fill('dune')
    await expect(page.getByText('1 report', { exact: true })).toBeVisible()
    await counter.field('To').fill('2020-01-01')
    await expect(page.getByRole('heading', { name: 'No matches' })).toBeVisible()
    await counter.button('Clear').click()

    const downloading = page.waitForEvent('download')
    await counter.button('Download 1 as CSV').click()
    const file = await downloading
    expect(file.suggestedFilename()).toMatch(/^receiving-.*\.csv$/)
    const text = await textOf(file)
    expect(text.trim().split('\r\n')).toHaveLength(2)
    expect(text).toContain("'=POS-1")

    await counter.button(/^Undo: Import: Blue Dune/).click()
    await counter.approval('Wrong package')
    await expect(page.getByText('2 reports', { exact: true })).toBeVisible()
    await expect(page.getByText('Import removal: Blue Dune, 3.5 g')).toBeVisible()

    await page.getByRole('tab', { name: 'Deliveries' }).click()
    await expect(page.getByText('Under way')).toBeVisible()
    await look(page, 'history-deliveries')
    await counter.button(/^Report of the delivery/).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('Blue Dune, 3.5 g')
    await expect(dialog).toContainText('Received by')
    await expect(dialog).toContainText('Import removal: Blue Dune, 3.5 g · Wrong package')
    await look(page, 'report')
    const saving = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Download CSV' }).click()
    expect((await textOf(await saving)).trim().split('\r\n')).toHaveLength(4)
    await page.emulateMedia({ media: 'print' })
    await expect(dialog.getByRole('button', { name: 'Print' })).toBeHidden()
    await expect(dialog.getByText('Received by')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Receiving history' })).toBeHidden()
    if (pictures !== undefined) await page.screenshot({ path: `${pictures}/report-printed.png`, fullPage: true })
    await page.emulateMedia({ media: 'screen' })
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('heading', { name: /^Delivery: 3 cases/ })).toBeVisible()
  },
)

test('does not offer to import a case whose IDs are missing', { tag: '@long' }, async ({ counter }) => {
  const { page } = counter
  await counter.scan(codes.package)
  await counter.scan(codes.caseToImport)
  await expect(counter.field('POS product ID')).toHaveValue('')
  await expect(page.getByRole('button', { name: /^Enter POS IDs: / })).toBeVisible()
  await expect(counter.button('Import only this case')).toBeHidden()
})
