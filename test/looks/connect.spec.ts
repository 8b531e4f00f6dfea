import { expect, test } from './look'

test('connecting', async ({ counter, look }) => {
  const { page } = counter
  const dialog = page.getByRole('dialog')
  await counter.button('Connect to your store').click()
  await expect(dialog).toContainText('step 1 of 3')
  await look('connection')
  await counter.button('Save connection').click()
  await expect(counter.field('Address of the service')).toHaveAttribute('aria-invalid', 'true')
  await look('connection, incomplete')
  // No service answers there.
  const nowhere = 'http://127.0.0.1:9'
  await dialog.getByLabel('Name', { exact: true }).fill('Corner Shop')
  await counter.field('Address of the service').fill(nowhere)
  for (const account of ['Retail', 'Sourcing']) await counter.field(`${account} sign-in URL`).fill(nowhere)
  await counter.button('Save connection').click()
  await look('connection without an ID')
  await counter.button('Save without the ID').click()
  for (const account of ['Retail', 'Sourcing']) {
    await expect(dialog.getByRole('radio', { name: `${account} account` })).toBeChecked()
    if (account === 'Retail') await look('sign-in')
    await counter.field('Client ID').fill(`corner-${account}`)
    await counter.field('Client secret').fill('0123456789')
    await dialog.getByRole('button', { name: /^(Save sign-in|Yes)/ }).click()
  }
  await expect(dialog).toContainText('step 3 of 3')
  await expect(counter.button('Test again')).toBeEnabled()
  await look('connection test')
  await page.keyboard.press('Escape')
  await look('connections', 1_400)
  await counter.button('Use Corner Shop').click()
  await look('leaving practice')
})

test('an update', async ({ counter, wire, look }) => {
  const { page } = counter
  const waits = (isAgreed: boolean) =>
    wire.toPage?.send(JSON.stringify({ event: 'update.changed', payload: { version: '0.3.0', isAgreed } }))
  waits(false)
  await counter.button('Update ready').click()
  await expect(page.getByRole('dialog')).toContainText('0.3.0')
  await look('update')
  waits(true)
  await expect(counter.button('Restart now')).toBeDisabled()
  await look('update agreed')
})
