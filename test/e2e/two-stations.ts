import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { type TestServer, startTestServer } from '../hub/server'
import { expectAccessible, expectFitting } from './axe'
import { readQrCode } from './read-codes'
import { Counter, expect, openSection, test as base } from './station'
import { type Stations, createStations } from './stations'

/** A PostgreSQL for the store, and a second station with its own data. */
export const test = base.extend<{ hub: TestServer; second: Counter }, { others: Stations }>({
  hub: async ({ browserName: _anyBrowser }, use) => {
    const server = await startTestServer()
    await use(server)
    await server.close()
  },
  others: [
    async ({ browserName: _anyBrowser }, use) => {
      const stations = createStations()
      await use(stations)
      await stations.end()
    },
    { scope: 'worker' },
  ],
  second: async ({ context, others }, use) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'countertag-e2e-'))
    const { url } = await others.open(dataDir)
    const page = await context.newPage()
    await page.goto(url)
    await expect(page.getByText('Ready to scan')).toBeVisible()
    await use(new Counter(page))
    await page.close()
    others.closeLater(dataDir)
  },
})

/** Settings > Store. */
export const card = (page: Page) => page.getByRole('region', { name: 'Store hub', exact: true })
export const dialog = (page: Page) => page.getByRole('dialog')

/** Joins by the form, as the first station of a store. Returns the store's address. */
export async function joinFirst({ page }: Counter, hub: TestServer) {
  const address = await hub.store()
  const { host, port, database, user, password } = address
  await page.keyboard.press('F6')
  await openSection(page, 'Store')
  await card(page).getByRole('button', { name: 'Join a store' }).click()
  const form = dialog(page)
  // The code comes first; the address is folded.
  await form.getByText('With the address, for the first station of a store').click()
  await form.getByLabel('Address of the store hub').fill(`postgres://${user}:wrong@${host}:${port}/${database}`)
  await form.getByRole('button', { name: 'Try it' }).click()
  await expect(form).toContainText('The server refuses user or password.')
  await expectAccessible(page, 'a refused password')
  await expect(form.getByLabel('Port')).toHaveValue(String(port))
  await form.getByLabel('Password').fill(password)
  await form.getByRole('button', { name: 'Try it' }).click()
  await expect(form).toContainText('It works. This is the first station of the store.')
  await expectFitting(page, 'the form of the store hub')
  await form.getByRole('button', { name: 'Join', exact: true }).click()
  await expect(form).toBeHidden()
  await expect(card(page)).toContainText('Connected')
  return address
}

/** Joins with the text of a join code that the first station shows. */
export async function joinSecond(first: Counter, second: Counter) {
  await card(first.page).getByRole('button', { name: 'Show join code' }).click()
  const picture = dialog(first.page).getByAltText('Join code')
  await expect(picture).toBeVisible()
  const code = await readQrCode(await picture.screenshot())
  await dialog(first.page).getByRole('button', { name: 'Close', exact: true }).last().click()
  await second.go('Settings')
  await second.scan(code)
  const form = dialog(second.page)
  await expect(form).toContainText('Join code read')
  await form.getByRole('button', { name: 'Join', exact: true }).click()
  await expect(card(second.page)).toContainText('Connected')
}
