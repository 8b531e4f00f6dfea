import { mergeTests } from '@playwright/test'
import pg from 'pg'
import { freePort } from '../hub/server'
import { readQrCode } from '../e2e/read-codes'
import { card, dialog, joinFirst, test as withStore } from '../e2e/two-stations'
import { expect, test as withLook } from './look'

const test = mergeTests(withStore, withLook)

test('a store and its stations', async ({ counter, second, hub, look }) => {
  const { page } = counter
  const { host, port, database, user, password } = await joinFirst(second, hub)
  await card(second.page).getByRole('button', { name: 'Show join code' }).click()
  const code = await readQrCode(await dialog(second.page).getByAltText('Join code').screenshot())

  await counter.settings('Store')
  await counter.button('Join a store').click()
  await look('join')
  const form = dialog(page)
  await form.getByText('With the address, for the first station of a store').click()
  await form.getByLabel('Address of the store hub').fill(`postgres://${user}:wrong@${host}:${port}/${database}`)
  await form.getByRole('button', { name: 'Try it' }).click()
  await expect(form).toContainText('The server refuses user or password.')
  await look('join refused')
  await form.getByLabel('Password').fill(password)
  await form.getByRole('button', { name: 'Try it' }).click()
  // The name that it had is taken; the free one is filled in.
  await expect(form).toContainText('Another station has this name.')
  await form.getByRole('button', { name: 'Try it' }).click()
  await expect(form).toContainText('Use a join code')
  await look('join tried')
  await page.keyboard.press('Escape')
  await counter.scan(code)
  await expect(form).toContainText('Join code read')
  await look('join code read')
  await form.getByRole('button', { name: 'Join', exact: true }).click()
  await expect(card(page)).toContainText('Connected')
  await look('store joined')
  await card(page).getByRole('button', { name: 'Show join code' }).click()
  await expect(form.getByAltText('Join code')).toBeVisible()
  await look('join code')
  await page.keyboard.press('Escape')
  await card(page).getByRole('button', { name: 'Leave the store' }).click()
  await expect(form.getByText('Looking for')).toBeHidden()
  await look('leaving the store')
  await page.keyboard.press('Escape')

  // A station with every trouble that it can say of itself.
  const client = new pg.Client({ host, port, database, user, password })
  await client.connect()
  const own = { unsent: 3, attention: 2, clockOffset: 400_000, hasScannerTrouble: true, untold: 4, scansUntold: 4 }
  await client.query(
    `INSERT INTO countertag.station (id, name, version, says) VALUES (gen_random_uuid(), 'Back office', '0', $1)`,
    [{ ...own, isOff: false }],
  )
  await client.end()
  await page.keyboard.press('F7')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByRole('heading', { name: 'Back office' })).toBeVisible()
  await look('store stations')
  await hub.stop('immediate')
  await expect(page.getByRole('main').getByText('The store hub doesn’t answer')).toBeVisible({ timeout: 60_000 })
  await look('store without its hub')
})

test('a hosted store', async ({ counter, look }) => {
  const { page } = counter
  await counter.settings('Store')
  const keep = page.getByRole('region', { name: 'This computer keeps the store' })
  await keep.getByRole('button', { name: 'Keep the store on this computer' }).click()
  const form = dialog(page)
  await expect(form).toContainText(/PostgreSQL \d+\S* found/)
  await look('hosting')
  await form.getByLabel('Port').fill(String(await freePort()))
  await form.getByRole('button', { name: 'Start', exact: true }).click()
  await expect(keep).toContainText('Running', { timeout: 60_000 })
  await expect(card(page)).toContainText('Connected')
  await look('store hosted', 1_200)
  await keep.getByRole('button', { name: 'Change address' }).click()
  await look('hosting at another address')
  await page.keyboard.press('Escape')
  await keep.getByRole('button', { name: 'Stop keeping the store' }).click()
  await expect(form).toContainText('No other station uses it')
  await look('hosting ends')
  await form.getByRole('button', { name: 'Stop keeping the store' }).click()
  await expect(card(page)).toContainText('This station works alone.')
})
