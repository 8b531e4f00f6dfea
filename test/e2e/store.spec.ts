import { readFileSync } from 'node:fs'
import { expectAccessible, expectFitting } from './axe'
import { readQrCode } from './read-codes'
import { expect } from './station'
import { card, dialog, joinFirst, test } from './two-stations'

test(
  'two stations join a store: the first by its address, the second with the code that it scans from the screen',
  { tag: '@long' },
  async ({ counter, hub, second, station }) => {
    test.skip(station.host !== 'browser', 'two stations in one browser')
    const { page } = counter
    await counter.settings('Store')
    await expect(card(page)).toContainText('This station works alone.')
    await joinFirst(counter, hub)
    await expectAccessible(page, 'a joined store')
    await card(page).getByRole('button', { name: 'Show join code' }).click()
    const picture = dialog(page).getByAltText('Join code')
    await expect(picture).toBeVisible()
    await expect(dialog(page)).toContainText(/Expires in (10:00|9:\d\d)/)
    await expectFitting(page, 'a join code')
    // What a scanner sees in the smallest window.
    const text = await readQrCode(await picture.screenshot())
    expect(text).toMatch(/^CTJOIN1[A-Z2-7]+$/)

    await second.go('Checkout')
    await second.scan(text)
    await expect(second.strip).toContainText('To join the store with it, open Settings > Store and scan it there.')
    await second.strip.getByRole('button', { name: 'Open Settings' }).click()
    // Scanned again at once, it would count as scanned once.
    await second.page.waitForTimeout(1_500)
    await second.scan(text)
    const form = dialog(second.page)
    await expect(form).toContainText('Join code read')
    await expect(form.getByLabel('Name of this station')).toHaveValue('Station 2')
    await expectAccessible(second.page, 'a scanned join code')
    await form.getByRole('button', { name: 'Join', exact: true }).click()
    await expect(card(second.page)).toContainText('Connected')
    await expect(card(second.page)).toContainText('Station 2')
    expect(await second.page.content()).not.toContain('CTJOIN1')

    await card(second.page).getByRole('button', { name: 'Leave the store' }).click()
    await expectAccessible(second.page, 'leaving a store')
    await form.getByRole('button', { name: 'Leave the store' }).click()
    await expect(card(second.page)).toContainText('This station left the store')
    await expect(card(second.page)).toContainText('This station works alone.')
    await expect(card(second.page)).toBeFocused()
  },
)

test(
  'a station without a scanner joins with the text of the code',
  { tag: '@long' },
  async ({ counter, hub, second, station }) => {
    test.skip(station.host !== 'browser', 'two stations in one browser')
    const { page } = counter
    await joinFirst(counter, hub)
    await card(page).getByRole('button', { name: 'Show join code' }).click()
    const downloading = page.waitForEvent('download')
    await dialog(page).getByRole('button', { name: 'Save code as file' }).click()
    const file = await downloading
    await expect(dialog(page)).toContainText('delete the file afterwards')
    await expectFitting(page, 'a join code that was saved')
    expect(file.suggestedFilename()).toBe('countertag-join-code.txt')
    const text = readFileSync(await file.path(), 'utf8')
    expect(text).toMatch(/^CTJOIN1[A-Z2-7]+$/)
    expect(await page.content()).not.toContain(text)

    await second.settings('Store')
    await card(second.page).getByRole('button', { name: 'Join a store' }).click()
    const form = dialog(second.page)
    await form.getByLabel('Or paste the text of a join code').fill(text)
    await form.getByRole('button', { name: 'Use this text' }).click()
    await expect(form).toContainText('Join code read')
    await form.getByRole('button', { name: 'Join', exact: true }).click()
    await expect(card(second.page)).toContainText('Connected')
  },
)

test('asks for the PIN before it shows a join code', { tag: '@long' }, async ({ counter, hub }) => {
  const { page } = counter
  await joinFirst(counter, hub)
  await counter.settings('Security')
  const pin = page.getByRole('region', { name: 'Manager’s PIN' })
  await pin.getByLabel('PIN', { exact: true }).fill('2468')
  await pin.getByLabel('The same PIN again').fill('2468')
  await pin.getByRole('button', { name: 'Set the PIN' }).click()
  await pin.getByRole('button', { name: 'Lock now' }).click()
  await counter.settings('Store')
  await card(page).getByRole('button', { name: 'Show join code' }).click()
  await expect(page.getByAltText('Join code')).toBeHidden()
  await dialog(page).getByLabel('PIN').fill('2468')
  await page.keyboard.press('Enter')
  await expect(page.getByAltText('Join code')).toBeVisible()
})
