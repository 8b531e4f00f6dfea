import { freePort } from '../hub/server'
import { expectAccessible, expectFitting } from './axe'
import { expect } from './station'
import { card, dialog, joinSecond, test } from './two-stations'

test(
  'a computer keeps the store, and a second station joins it with its join code',
  { tag: '@long' },
  async ({ counter, second, station }) => {
    test.skip(station.host !== 'browser', 'two stations in one browser')
    const { page } = counter
    await counter.settings('Store')
    const keep = page.getByRole('region', { name: 'This computer keeps the store' })
    await keep.getByRole('button', { name: 'Keep the store on this computer' }).click()
    const form = dialog(page)
    await expect(form).toContainText(/PostgreSQL \d+\S* found/)
    await expectAccessible(page, 'keeping the store')
    await expectFitting(page, 'keeping the store')
    await form.getByLabel('Port').fill(String(await freePort()))
    await form.getByRole('button', { name: 'Start', exact: true }).click()
    await expect(form).toBeHidden({ timeout: 30_000 })
    await expect(keep).toContainText('Running')
    await expect(card(page)).toContainText('Connected')
    await expect(card(page).getByRole('button', { name: 'Leave the store' })).toBeHidden()
    await expectAccessible(page, 'a kept store')
    const folder = process.env['COUNTERTAG_LOOKS']
    if (folder) await page.screenshot({ path: `${folder}/store-kept.png` })
    await joinSecond(counter, second)
    await keep.getByRole('button', { name: 'Stop keeping the store' }).click()
    await expect(dialog(page)).toContainText('One other station uses it and will have no store hub: Station 2.')
    await dialog(page).getByRole('button', { name: 'Stop keeping the store' }).click()
    await expect(card(page)).toContainText('This station works alone.')
    await expect(keep).toContainText('For a store without its own server')
  },
)
