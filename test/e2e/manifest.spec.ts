import { readFile } from 'node:fs/promises'
import { violations } from './axe'
import { expect, test } from './station'

const [first, second, third, fourth] = ['1', '2', '3', '4'].map((number) => `1A40E0300000B2F00000000${number}`)

const csvFile = (name: string, content: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(content) })

/** Package 1 holds 24, 20 and 12 items of its products, package 4 is expected and never comes. */
const order = [
  'Etiqueta Metrc;Producto;Cantidad',
  `${first};"Blue Dune, 3.5 g";10`,
  `${first};"blue dune, 3.5 g";16,0`,
  `${first};"Pre-rolls of the garden";20`,
  `${first};"M00001234: Hudson Ground, 7 g";12`,
  `${fourth};"House Flower, 3.5 g";12`,
  'PKG-77;"Something else";5',
].join('\r\n')

test(
  'a manifest ticks itself off while packages are scanned; missing, extra and short are in the report',
  { tag: '@long' },
  async ({ counter }) => {
    const { page } = counter
    await counter.button('Load manifest').click()
    const dialog = page.getByRole('dialog')
    const choose = dialog.locator('input[type=file]')
    await choose.setInputFiles(csvFile('order.pdf', '%PDF-1.4\n\0\0'))
    await expect(dialog.getByRole('alert')).toContainText('order.pdf is not a text file')
    await choose.setInputFiles(csvFile('order.csv', order))
    await expect(dialog.getByText('Not a package tag: PKG-77')).toBeVisible()
    await expect(dialog.getByText('Line 7 is left out')).toBeVisible()
    await expect(dialog.getByText('First 4 of 6 lines')).toBeVisible()
    await expect(
      dialog.getByText('1 line is added to an earlier line about the same package and product'),
    ).toBeVisible()
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Load 4 package lines' }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByText('0 of 2 packages, 2 not here yet')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByText('2 packages in order.csv. Scan the first one to begin.')).toBeVisible()

    await test.step('removing it can be undone', async () => {
      await counter.button('Remove manifest').click()
      await expect(page.getByText('Manifest order.csv removed')).toBeVisible()
      await counter.button('Undo').click()
      await expect(page.getByText('2 packages in order.csv')).toBeVisible()
    })

    const bar = page.getByRole('region', { name: 'Manifest', exact: true }).getByRole('status')
    await test.step('a package ticks itself off; another one is extra', async () => {
      await counter.scan(first ?? '')
      await expect(bar).toHaveText('Manifest: 1 of 2 packages, 1 not here yet, 1 with another product')
      await expect(page.getByText('Manifest: Product differs')).toBeVisible()
      await counter.scan(second ?? '')
      await expect(bar).toHaveText('Manifest: 1 of 2 packages, 1 not here yet, 1 with another product, 1 package extra')
      await expect(page.getByText('Not on the manifest').first()).toBeVisible()
    })

    await test.step('a name behind a regulator’s number is proposed, and confirmed by one key', async () => {
      const proposal = page.getByRole('region', { name: 'Product to confirm' })
      await expect(proposal).toContainText(
        '“M00001234: Hudson Ground, 7 g” on the manifest, “Hudson Ground, 7 g” in the package',
      )
      expect(await violations(page)).toEqual([])
      await page.keyboard.press('Alt+Y')
      await expect(proposal).toBeHidden()
    })

    await test.step('a person says which product a line means', async () => {
      await counter.button('Show manifest').click()
      await expect(page.getByText('2 items short')).toBeVisible()
      await expect(page.getByText('24 of 26')).toBeVisible()
      await page.getByRole('checkbox', { name: 'Only what differs' }).check()
      await expect(page.getByText('Hudson Ground, 7 g')).toHaveCount(1)
      expect(await violations(page)).toEqual([])
      await counter.button(/^Same product: Pre-rolls of the garden is Garden Statement/).click()
      await expect(bar).toHaveText('Manifest: 1 of 2 packages, 1 not here yet, 1 short, 1 package extra')
      await page.getByRole('checkbox', { name: 'Only what differs' }).uncheck()
      await expect(page.getByText(/^Received as Garden Statement.*as you said$/)).toBeVisible()
    })

    await test.step('the differences are a file', async () => {
      const downloading = page.waitForEvent('download')
      await counter.button('Download CSV').click()
      const text = await readFile(await (await downloading).path(), 'utf8')
      expect(text.trim().split('\r\n')).toHaveLength(4)
      expect(text).toContain(`${second ?? ''},`)
    })

    await test.step('the delivery is finished after one question, and its report says what is missing', async () => {
      await page.keyboard.press('Escape')
      await counter.scan(third ?? '')
      await expect(bar).toContainText('2 packages extra')
      await counter.button(`Take package ${third ?? ''} off the list`).click()
      await expect(bar).toContainText('1 package extra')
      await counter.button('Finish delivery').first().click()
      const finishing = page.getByRole('region', { name: 'Finish this delivery?' })
      await expect(finishing).toContainText('Not as the manifest says: 1 missing and 1 short. Finish anyway?')
      await expect(finishing).toContainText('Not on the manifest: 1 package.')
      await counter.finishNow()
      await counter.button('Next delivery').click()
      await expect(page.getByText('Scan a package or a case to begin')).toBeVisible()
      await counter.button('History').click()
      await page.getByRole('tab', { name: 'Deliveries' }).click()
      await counter.button(/^Record of the delivery/).click()
      await expect(dialog.getByRole('heading', { name: 'Manifest: order.csv' })).toBeVisible()
      await expect(dialog.getByText('1 of 2 packages, 1 missing, 1 short, 1 package extra')).toBeVisible()
      await expect(dialog.getByRole('row', { name: /House Flower, 3.5 g.*Missing/ })).toBeVisible()
      await expect(dialog.getByRole('row', { name: /Blue Dune, 3.5 g.*24 of 26.*2 items short/ })).toBeVisible()
      await expect(dialog.getByRole('row', { name: /Extra package/ })).toBeVisible()
      expect(await violations(page)).toEqual([])
    })
  },
)
