import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { violations } from './axe'
import { a, b, c, d, pane, row, sold } from './orders'
import { type Counter, expect, test } from './station'

/** Folder for screenshots to review; usually unset. */
const pictures = process.env.COUNTERTAG_PICTURES

async function look(page: Page, name: string) {
  const card = page.getByRole('region', { name: 'Compare with the POS' })
  if (await card.isVisible()) await card.evaluate((heading) => heading.scrollIntoView())
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

const today = () => new Date().toLocaleDateString('sv-SE')
const header = 'Receipt Number,Date,Item,Quantity,Voided,Customer Name'
const line = (orderId: string, item: string, quantity: number, voided = 'No', day = today()) =>
  `${orderId},${day} 11:30,"${item}",${quantity.toFixed(2)},${voided},Jane Roe`

/** Drops a file on the page as a person does from the desktop. */
async function drop(page: Page, name: string, text: string) {
  const transfer = await page.evaluateHandle(
    ([fileName, content]) => {
      const data = new DataTransfer()
      data.items.add(new File([content ?? ''], fileName ?? '', { type: 'text/csv' }))
      return data
    },
    [name, text],
  )
  await page.getByText('Choose the POS’s sales file').dispatchEvent('drop', { dataTransfer: transfer })
}

async function closeOfDay(counter: Counter) {
  await counter.go('Orders')
  await counter.button('Close the day').click()
  await counter.button('Compare with the POS').click()
}

test(
  'compares the day with the POS: what is missing is scanned, what stays has a reason and is on the report',
  { tag: '@long' },
  async ({ counter }) => {
    const { page } = counter
    await sold(counter, '701', [a, b])
    await sold(counter, '702', [c])
    await counter.go('Orders')
    await row(page, '701').click()
    const item = pane(page, '701').locator('.item > span').first()
    await expect(item).toBeVisible()
    const product = (await item.evaluate((node) => node.firstChild?.textContent ?? '')).trim()
    await counter.button('Close the day').click()
    await counter.button('Load the POS’s sales').click()
    await expect(page.getByText('Choose the POS’s sales file')).toBeVisible()
    await look(page, 'pos-day-start')

    const file = [
      header,
      line('#701', product, 2),
      line('703', product, 1, 'Yes'),
      line('704', product, 1),
      line('705', 'Lighter', 1),
      line('600', product, 1, 'No', '2026-01-02'),
    ].join('\n')
    const dialog = page.getByRole('dialog', { name: 'Load the POS’s sales' })
    await drop(page, 'doubled.csv', [`${header},Quantity`, `${line('701', product, 2)},2`].join('\n'))
    const doubled = dialog.getByText('More than one column is named “Quantity”')
    await expect(doubled).toBeVisible()
    await expect(dialog.getByLabel(/^Quantity/)).toHaveValue('')
    await look(page, 'pos-day-doubled')
    await dialog.getByLabel(/^Quantity/).selectOption('Quantity (column 4)')
    await expect(doubled).toBeHidden()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await drop(page, 'sales.csv', file)
    await expect(dialog.getByLabel('Order number *')).toHaveValue('0')
    await expect(dialog).toContainText('1 line of another day is left out')
    await look(page, 'pos-day-mapping')
    await dialog.getByRole('button', { name: 'Compare 4 lines' }).click()
    await expect(dialog).toBeHidden()

    const result = page.getByRole('region', { name: 'Compare with the POS' })
    await expect(result).toContainText('sales.csv')
    await expect(result).toContainText('2 differences')
    const rowOf = (orderId: string) => page.getByRole('listitem').filter({ hasText: `Order ${orderId}` })
    await expect(rowOf('702')).toContainText(`${product}: 0 in the POS, 1 here`)
    await expect(rowOf('704')).toContainText('Only in the POS')
    await look(page, 'pos-day-differences')

    await counter.button('Not tracked: Lighter').click()
    await expect(page.getByText('Products you decided about (1)')).toBeVisible()
    await counter.button('Open order: order 702').click()
    await expect(pane(page, '702')).toBeVisible()

    await closeOfDay(counter)
    // One key a line: the arrows go from one proposal to the next.
    await counter.button('Give a reason: order 702').focus()
    await page.keyboard.press('ArrowDown')
    await expect(counter.button('Scan missing items: order 704')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(counter.field('Order number')).toHaveValue('704')
    await counter.scan(d)
    await counter.button('Complete 1 item').click()
    await expect(page.getByText(/Order 704 reported/)).toBeVisible()
    await counter.go('Orders')
    await expect(result).toContainText('1 difference')
    await expect(rowOf('704')).toBeHidden()

    await counter.button('Give a reason: order 702').click()
    const why = page.getByRole('dialog', { name: 'Why does order 702 differ?' })
    await why.getByRole('button', { name: 'Save reason' }).click()
    await expect(why).toContainText('Enter a reason.')
    await why.getByText('Rung up twice').click()
    await expect(why.getByRole('textbox', { name: 'Reason' })).toHaveValue('Rung up twice')
    await why.getByRole('textbox', { name: 'Reason' }).fill('Sold to staff, entered tomorrow')
    await look(page, 'pos-day-reason')
    await why.getByRole('button', { name: 'Save reason' }).click()
    await expect(result).toContainText('1 difference is left, with its reason')

    // It is kept, and on the report.
    await page.reload()
    await closeOfDay(counter)
    await expect(result).toContainText('1 difference is left, with its reason')
    await page.getByRole('radio', { name: /^With a reason/ }).check()
    await expect(rowOf('702')).toContainText('Reason: Sold to staff, entered tomorrow')
    await counter.button('Other choices: order 702').press('Enter')
    await expect(counter.button('Open order: order 702')).toBeFocused()
    await expect(counter.button('Remove reason: order 702')).toBeVisible()
    const saving = page.waitForEvent('download')
    await counter.button('Download CSV').click()
    const csv = readFileSync(await (await saving).path(), 'utf8')
    expect(csv).toContain('Difference with a reason')
    expect(csv).toContain('Sold to staff, entered tomorrow')
    expect(csv).not.toContain('Jane')
    await counter.button(/^Print$/).click()
    const sheet = page.getByRole('dialog', { name: 'Close of day' })
    await expect(sheet).toContainText('Compared with the POS (sales.csv): 1 difference is left, with its reason')
    await expect(sheet).toContainText('Sold to staff, entered tomorrow')
    await page.emulateMedia({ media: 'print' })
    const pdf = (await page.pdf({ format: 'Letter' })).toString('latin1')
    expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
  },
)

test(
  'asks what a file leaves open, refuses what is no file of sales, and says that everything matches',
  { tag: '@long' },
  async ({ counter }) => {
    const { page } = counter
    await sold(counter, '801', [a])
    await closeOfDay(counter)
    const choose = page.locator('section', { hasText: 'Compare with the POS' }).locator('input[type=file]')
    const csv = (name: string, content: string | Uint8Array) => ({
      ...{ name, mimeType: 'text/csv' },
      buffer: Buffer.from(content),
    })
    const dialog = page.getByRole('dialog', { name: 'Load the POS’s sales' })
    await choose.setInputFiles(csv('sales.xlsx', new Uint8Array([0x50, 0x4b, 3, 4, 1, 2])))
    await expect(dialog.getByRole('alert')).toContainText('sales.xlsx is a spreadsheet workbook, not CSV')
    await look(page, 'pos-day-refused')
    await dialog.locator('input[type=file]').setInputFiles(csv('long.csv', `Order\n${'1\n'.repeat(300_000)}`))
    await expect(dialog.getByRole('alert')).toContainText('long.csv has more than 250,000 lines')
    const [year = '', month = '', date = ''] = today().split('-')
    const slashed = `${month}/${date}/${year}`
    const open = ['Number;When;Units;Status', `801;${slashed};1,00;Parked`, `802;${slashed};1,00;Deleted`].join('\r\n')
    await dialog.locator('input[type=file]').setInputFiles(csv('open.csv', open))
    await expect(dialog).toContainText('No column for the order number')
    // The first of what is missing.
    await expect(dialog.getByLabel('Parked (1 line)')).toBeFocused()
    // What was recognized is said, and a person's choice is followed by the preview and by what is asked.
    const separator = dialog.getByLabel('Separator')
    await expect(separator.locator('option:checked')).toHaveText('Semicolon (recognized)')
    await separator.focus()
    await separator.selectOption('Comma')
    await expect(dialog.getByRole('columnheader')).toHaveText([/^Number;When;Units;Status/])
    await separator.selectOption('Semicolon (recognized)')
    await expect(dialog.getByRole('columnheader', { name: /^Number\b/ })).toBeVisible()
    await expect(dialog.getByRole('columnheader')).toHaveCount(4)
    await expect(separator).toBeFocused()
    await dialog.getByLabel('Order number *').selectOption('Number')
    await dialog.getByLabel('Date').selectOption('When')
    // Only a day up to the 12th can be read both ways, and one as 5/5 is the same either way.
    if (Number(date) <= 12 && date !== month) await dialog.getByText('Month first:').click()
    await expect(dialog).toContainText('Some words in the status are not known')
    await dialog.getByLabel('Parked (1 line)').selectOption('Sold')
    await dialog.getByLabel('Deleted (1 line)').selectOption('Leave out')
    await look(page, 'pos-day-questions')
    await dialog.getByRole('button', { name: 'Compare 1 line' }).click()
    const result = page.getByRole('region', { name: 'Compare with the POS' })
    await expect(result).toContainText('Everything matches')
    await expect(result).toContainText('1 order is the same in the POS and here.')
    await look(page, 'pos-day-matches')
  },
)
