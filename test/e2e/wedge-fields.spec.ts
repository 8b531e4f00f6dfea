import { steadily } from '../fakes/key-traces/play'
import { expect, test, url } from './till'

const fast = steadily(`${url}\n`, { gap: 4 })
const slow = steadily(`${url}\n`, { gap: 90, held: 12 })
const shapes = [
  ['fast', fast],
  ['slow', slow],
] as const
const byHand = (text: string) => steadily(text, { gap: 140, held: 95 })

for (const [pace, scan] of shapes) {
  // One page for all fields: each field starts when the scans into the previous one are forgotten.
  test(
    `a ${pace} scan leaves no trace in any field, changes no selection, presses no button and ticks no box`,
    { tag: '@long' },
    async ({ till }) => {
      const { page, keys, scans } = till
      const typed = (text: string) => steadily(text, scan === fast ? { gap: 4 } : { gap: 90, held: 12 })

      for (const id of ['text', 'lines']) {
        await test.step(`#${id}: text, selection, direction and undo history remain the person's`, async () => {
          scans.length = 0
          const field = page.locator(`#${id}`)
          await field.click()
          await keys.type(byHand('ab cd'))
          await field.evaluate((element: HTMLInputElement) => element.setSelectionRange(1, 3, 'backward'))
          await keys.type(scan)
          await expect.poll(() => scans).toEqual([url])
          await expect(field).toHaveValue('ab cd')
          await expect(field).toBeFocused()
          const selection = await field.evaluate((element: HTMLInputElement) => [
            element.selectionStart,
            element.selectionEnd,
            element.selectionDirection,
          ])
          expect(selection).toEqual([1, 3, 'backward'])
          // Ctrl+Z belongs to the scan until something is typed, so the test calls the field's own undo directly.
          await page.evaluate("document.execCommand('undo')")
          await expect(field).toHaveValue('')
        })
      }

      await test.step("fields that don't report the caret position", async () => {
        scans.length = 0
        for (const [id, value] of [
          ['number', '12'],
          ['mail', 'a@b.example'],
        ] as const) {
          const field = page.locator(`#${id}`)
          await field.fill(value)
          await field.focus()
          await page.keyboard.press('End')
          await keys.type(scan)
          await expect(field).toHaveValue(value)
          await expect(field).toBeFocused()
        }
        await page.locator('#number').fill('')
        await keys.type(typed(`e1e-${url}\n`))
        expect(await page.locator('#number').evaluate((element: HTMLInputElement) => element.validity.badInput)).toBe(
          false,
        )
        await expect.poll(() => scans).toEqual([url, url, `e1e-${url}`])
      })

      await test.step('an editable text with tags in it', async () => {
        scans.length = 0
        const field = page.locator('#edit')
        await field.click()
        await page.keyboard.press('Control+End')
        await keys.type(byHand(' xy'))
        const before = await field.innerHTML()
        await keys.type(scan)
        await expect.poll(() => scans).toEqual([url])
        expect(await field.innerHTML()).toBe(before)
        await keys.type(byHand('z'))
        await expect(field).toHaveText('one two xyz')
      })

      await test.step('a list, a button, a box', async () => {
        scans.length = 0
        await page.locator('#list').focus()
        await keys.type(scan)
        await expect(page.locator('#list')).toHaveValue('apples')
        await page.locator('#button').focus()
        await keys.type(scan)
        await page.locator('#check').focus()
        await keys.type(typed('AB 12 34 CD 56\n'))
        await expect.poll(() => scans).toEqual([url, url, 'AB 12 34 CD 56'])
        await expect(page.locator('#heard')).toHaveText('')
        await expect(page.locator('#check')).toBeFocused()
        await expect(page.locator('#check')).not.toBeChecked()
      })
    },
  )
}

test('a short code leaves no trace either: its Enter presses no button', async ({ till }) => {
  await till.page.locator('#button').focus()
  await till.keys.type(steadily('1234\n', { gap: 8 }))
  await expect(till.page.locator('#heard')).toHaveText('')
  await till.keys.type(byHand('\n'))
  await expect(till.page.locator('#heard')).toHaveText('pressed')
})
