import { steadily } from '../fakes/key-traces/play'
import { violations } from './axe'
import { doctorWire } from './doctored'
import { RealKeyboard } from './real-keyboard'
import { Counter, codes, expect, test } from './station'

const [a = '', b = ''] = codes.itemsHere

test(
  'an update asks in the bar, ignores scans, and says what it waits for',
  { tag: '@long' },
  async ({ page, station }) => {
    const isAgreed = { 'update.view': false, 'update.restart': true }
    await doctorWire(page, (name, said) =>
      name === 'update.view' || name === 'update.restart' ? { version: '0.2.0', isAgreed: isAgreed[name] } : said,
    )
    await page.goto(station.url)
    const counter = new Counter(page)
    await expect(page.getByText('Ready to scan')).toBeVisible()
    await counter.go('Checkout')
    const keys = await RealKeyboard.plugIn(page)
    const chip = counter.button('Update ready')
    await expect(chip).toBeVisible()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toBeHidden()
    await keys.type(steadily(`${a}\n`, { gap: 4 }))
    await expect(page.getByText('1 item', { exact: false }).first()).toBeVisible()
    await expect(dialog).toBeHidden()

    await chip.click()
    await expect(dialog).toContainText('Countertag 0.2.0 is ready')
    expect(await violations(page)).toEqual([])
    // A keyboard-mode scanner, Enter included, doesn't press the focused button.
    await keys.type(steadily(`${b}\n`, { gap: 4 }))
    await expect(page.getByText('2 items', { exact: false }).first()).toBeVisible()
    await expect(dialog).toContainText('Countertag 0.2.0 is ready')
    await expect(dialog).not.toContainText('restarts as soon as')
    await dialog.getByRole('button', { name: 'Restart now' }).click()
    await expect(dialog).toContainText('Countertag restarts as soon as nothing is on its way to the service.')
    await expect(dialog.getByRole('button', { name: 'Restart now' })).toBeDisabled()
  },
)
