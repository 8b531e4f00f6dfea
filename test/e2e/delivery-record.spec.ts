import type { Page } from '@playwright/test'
import { expectFitting } from './axe'
import { type Counter, codes, expect, test } from './station'

/** A photo as a camera takes it, with something to compress. */
async function photo(page: Page, width: number, height: number, type: 'image/jpeg' | 'image/png'): Promise<Buffer> {
  const base64 = await page.evaluate(
    async (look) => {
      const canvas = new OffscreenCanvas(look.width, look.height)
      const context = canvas.getContext('2d')
      if (!context) throw new Error('no canvas')
      for (let at = 0; at < 600; at++) {
        context.fillStyle = `hsl(${(at * 47) % 360} 60% ${30 + (at % 40)}%)`
        context.fillRect((at * 131) % look.width, (at * 89) % look.height, 300, 200)
      }
      const blob = await canvas.convertToBlob({ type: look.type, quality: 0.9 })
      const bytes = new Uint8Array(await blob.arrayBuffer())
      return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    },
    { width, height, type },
  )
  return Buffer.from(base64, 'base64')
}

const file = (name: string, buffer: Buffer, mimeType = 'image/jpeg') => ({ name, mimeType, buffer })

async function openMenu(counter: Counter, entry: string) {
  await counter.button(/^More$/).click()
  await counter.button(entry).click()
}

const pagesOf = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0

test(
  'a delivery with photos of damage leaves a record that is printed, reopened and corrected',
  { tag: '@long' },
  async ({ counter }) => {
    const { page } = counter
    await counter.scan(codes.package)
    await expect(page.getByRole('heading', { name: /^Delivery: 3 cases/ })).toBeVisible()
    const dialog = page.getByRole('dialog')

    await test.step('photos are added, described, removed and brought back; other files say why not', async () => {
      await openMenu(counter, 'Photos of damage')
      await expect(dialog).toContainText('No photos yet')
      await expectFitting(page, 'photos, none yet')
      const large = await photo(page, 4_000, 3_000, 'image/jpeg')
      await dialog
        .locator('input[type=file]')
        .setInputFiles([
          file('torn.jpg', large),
          file('letter.jpg', Buffer.from('a text, renamed')),
          file('scan.pdf', Buffer.from('%PDF-1.7'), 'application/pdf'),
          file('cut.jpg', large.subarray(0, large.length / 2)),
          file('wet.png', await photo(page, 800, 1_200, 'image/png'), 'image/png'),
        ])
      await expect(dialog.getByText('letter.jpg: This file isn’t a photo that can be used.')).toBeVisible()
      await expect(dialog.getByText('scan.pdf: This file isn’t a photo that can be used.')).toBeVisible()
      await expect(dialog.getByText('cut.jpg: This photo is incomplete or damaged.')).toBeVisible()
      await expect(dialog).toContainText('2 of 24 photos')
      const pictures = dialog.getByRole('img', { name: 'Photo' })
      await expect(pictures).toHaveCount(2)
      const size = await pictures
        .first()
        .evaluate((image) => (image instanceof HTMLImageElement ? [image.naturalWidth, image.naturalHeight] : []))
      expect(size).toEqual([1_600, 1_200])
      await dialog.getByLabel('What it shows').first().fill('Torn seal')
      await dialog
        .getByLabel('Belongs to')
        .first()
        .selectOption({ label: `Package ${codes.package}` })
      await expect(dialog.getByRole('img', { name: 'Torn seal' })).toBeVisible()
      await dialog.getByRole('button', { name: 'Remove: Photo' }).click()
      await expect(dialog).toContainText('1 of 24 photos')
      await dialog.getByRole('button', { name: 'Undo removing: Photo' }).click()
      await expect(dialog).toContainText('2 of 24 photos')
      await expectFitting(page, 'photos')
      await dialog.getByRole('button', { name: 'Done' }).click()
    })

    await test.step('finishing asks who received it', async () => {
      await counter.button('Finish delivery').first().click()
      await expectFitting(page, 'finishing')
      await counter.field('Received by').fill('Maya Ortiz')
      await counter.field('Driver (optional)').fill('D. Cole')
      await counter.field('Manifest number (optional)').fill('M-77')
      await counter.finishNow()
    })

    await test.step('the end says what the delivery holds, and prints its record at once', async () => {
      const end = page.getByRole('region', { name: 'Delivery finished' })
      await expect(end).toContainText(/Cases imported\s*0 of 3/)
      await expect(end).toContainText(/Cases not imported here\s*3/)
      await expect(end).toContainText(/Photos\s*2/)
      await expect(end.getByRole('listitem').filter({ hasText: 'Hudson Ground' })).toContainText('Certificate expired')
      await expectFitting(page, 'delivery finished')
      await page.evaluate(() => {
        window.print = () => {
          const photos = [...document.querySelectorAll('.paper img')]
          document.body.dataset.printed = `${photos.length} ${document.querySelector('.paper')?.textContent ?? ''}`
        }
      })
      await page.keyboard.press('Control+Enter')
      const printed = page.locator('body[data-printed]')
      await expect(printed).toHaveAttribute('data-printed', /^2 .*Maya Ortiz/s)
      await page.keyboard.press('Escape')
      await end.getByRole('button', { name: 'Open record' }).click()
      await expect(dialog).toContainText('Unchanged since it was saved')
      await page.keyboard.press('Escape')
      await end.getByRole('button', { name: 'Next delivery' }).click()
      await expect(page.getByText('Scan a package or a case to begin')).toBeVisible()
    })

    const openRecord = async () => {
      await counter.button('History').click()
      await page.getByRole('tab', { name: 'Deliveries' }).click()
      await counter.button(/^Record of the delivery/).click()
      await expect(dialog).toContainText('Unchanged since it was saved')
    }

    await test.step('the record says it, with the photos, and fits Letter pages', async () => {
      await openRecord()
      for (const text of ['Maya Ortiz', 'D. Cole', 'M-77', 'Torn seal', `Package ${codes.package}`, '2 photos'])
        await expect(dialog.locator('.paper')).toContainText(text)
      await expect(dialog.getByRole('img')).toHaveCount(2)
      await expectFitting(page, 'record')
      await page.emulateMedia({ media: 'print' })
      await expect(dialog.getByRole('button', { name: 'Print' })).toBeHidden()
      await expect(dialog.getByLabel('Show')).toBeHidden()
      const paper = await dialog.locator('.paper').boundingBox()
      const images = await dialog.getByRole('img').all()
      for (const image of images) {
        const box = await image.boundingBox()
        expect(box && paper && box.x >= paper.x && box.x + box.width <= paper.x + paper.width + 1).toBe(true)
      }
      const pdf = await page.pdf({ format: 'Letter' })
      expect([pagesOf(pdf) >= 1, pagesOf(pdf) <= 3]).toEqual([true, true])
      // Chromium embeds a JPEG as it is.
      expect(pdf.toString('latin1').match(/\/Subtype\s*\/Image/g)?.length).toBeGreaterThanOrEqual(2)
      await page.emulateMedia({ media: 'screen' })
    })

    await test.step('a correction is added and can’t be empty', async () => {
      await dialog.getByRole('button', { name: 'Add correction' }).click()
      await dialog.getByRole('button', { name: 'Add correction' }).click()
      await expect(dialog).toContainText('Enter your name.')
      await expectFitting(page, 'correction')
      await counter.field('Your name').fill('Ana Reyes')
      await counter.field('What needs correcting').fill('The driver was E. Park.')
      await dialog.getByRole('button', { name: 'Add correction' }).click()
      await expect(dialog.locator('.paper')).toContainText('The driver was E. Park.')
      await expect(dialog.locator('.correction')).toContainText(/Checksum: [0-9a-f]{4}( [0-9a-f]{4}){3}/)
      await expect(dialog.locator('.paper')).toContainText('D. Cole')
      await dialog.getByRole('button', { name: 'Close' }).first().click()
      await expect(page.getByText('Corrected once')).toBeVisible()
    })

    await test.step('reopened and finished again, it is version 2, and version 1 stays readable', async () => {
      await counter.button(/^Reopen the delivery/).click()
      await expect(page.getByRole('heading', { name: /^Delivery: 3 cases/ })).toBeVisible()
      await counter.button('Finish delivery').first().click()
      await expect(counter.field('Driver (optional)')).toHaveValue('D. Cole')
      await counter.field('Driver (optional)').fill('E. Park')
      await counter.finishNow()
      await counter.button('Next delivery').click()
      await openRecord()
      await expect(dialog.locator('.paper')).toContainText('E. Park')
      await expect(dialog.locator('.paper')).toContainText('Version 2')
      await dialog.getByLabel('Show').selectOption('1')
      await expect(dialog.locator('.paper')).toContainText('Version 1 (replaced)')
      await expect(dialog.locator('.paper')).toContainText('D. Cole')
      await dialog.getByLabel('Show').selectOption('now')
      await expect(dialog).toContainText('As known now, not as recorded')
    })
  },
)
