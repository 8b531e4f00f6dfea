import type { Locator } from '@playwright/test'
import { expectAccessible } from './axe'
import { type Counter, codes, expect, idIn, test } from './station'

const pin = '2468'
const [sold = '', other = ''] = codes.itemsHere

/** Sets the manager's PIN and locks. */
async function setPin(counter: Counter) {
  const { page } = counter
  await counter.settings('Security')
  const card = page.getByRole('region', { name: 'Manager’s PIN' })
  await card.getByLabel('PIN', { exact: true }).fill(pin)
  await card.getByLabel('The same PIN again').fill(pin)
  await card.getByRole('button', { name: 'Set the PIN' }).click()
  await card.getByRole('button', { name: 'Lock now' }).click()
}

async function imported(counter: Counter) {
  await counter.go('Receiving')
  await counter.scan(codes.package)
  await counter.scan(codes.caseToImport)
  await counter.importCase()
  await expect(counter.page.getByText(/Imported here at/).first()).toBeVisible()
}

const undoArrow = (counter: Counter): Locator => counter.button(/^Undo the import of Blue Dune/).first()

test('undoes an import only with PIN and reason; the reason is in its history and on the printed report', async ({
  counter,
  station,
}) => {
  const { page } = counter
  await setPin(counter)
  await imported(counter)
  await undoArrow(counter).click()
  const dialog = page.getByRole('dialog', { name: 'Undo the import?' })
  await expect(dialog).toContainText('out of your inventory. Sent when the service answers.')
  await expectAccessible(page, 'a gate with PIN and reason')

  await test.step('nothing happens without them, and with a wrong PIN', async () => {
    await page.keyboard.press('Enter')
    await expect(dialog).toContainText('Enter a reason.')
    await expect(dialog).toContainText('Enter the PIN.')
    await dialog.getByLabel('Reason', { exact: true }).fill('Delivered to the wrong store')
    await dialog.getByLabel('PIN').fill('1357')
    await page.keyboard.press('Enter')
    await expect(dialog).toContainText('That is not the PIN.')
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    expect((await station.knobs.imports()).map(({ caseId }) => caseId)).toContain(idIn(codes.caseToImport))
  })

  await undoArrow(counter).click()
  await dialog.getByLabel('Reason', { exact: true }).fill('Delivered to the wrong store')
  // Right after a wrong PIN, the next try has to wait for a moment, and is refused until then. A try that is not refused
  // may take long: what comes of each is waited for before the next.
  const refused = dialog.getByText('That is not the PIN.')
  const undone = page.getByText('Undone', { exact: true })
  await expect(async () => {
    await dialog.getByLabel('PIN').fill(pin)
    await page.keyboard.press('Enter')
    await expect(refused.or(undone)).toBeVisible()
    await expect(refused).toBeHidden({ timeout: 1 })
  }).toPass()
  await expect(dialog).toBeHidden()
  expect((await station.knobs.imports()).map(({ caseId }) => caseId)).not.toContain(idIn(codes.caseToImport))

  await counter.button(/^More$/).click()
  await counter.button('Report').click()
  await expect(page.getByRole('dialog')).toContainText(
    'Import removal: Blue Dune, 3.5 g · Delivered to the wrong store',
  )
})

test('takes no scan behind the question, and says so', { tag: '@long' }, async ({ counter }) => {
  const { page } = counter
  await counter.go('Checkout')
  await counter.sell('7100', [sold])
  await expect(page.getByText('Order 7100 reported, 1 item')).toBeVisible()
  await counter.tab('Void').click()
  await counter.field('Order number').fill('7100')
  await page.keyboard.press('Enter')
  await counter.button('Void order 7100').click()
  const dialog = page.getByRole('dialog', { name: 'Void order 7100?' })
  await expect(dialog).toBeVisible()
  await counter.scan(other)
  await expect(dialog).toContainText('This scan didn’t count.')
  await expect(dialog.getByLabel('Reason', { exact: true })).toHaveValue('')
  await expect(counter.strip).not.toContainText(idIn(other))
  await dialog.getByLabel('Reason', { exact: true }).fill('Wrong customer')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Order 7100 voided')).toBeVisible()
  await counter.go('Orders')
  await page.getByRole('button', { name: /7100/ }).first().click()
  await expect(page.getByText('Wrong customer').first()).toBeVisible()
})

test('offers Undo for a moment while nothing was sent', async ({ counter, station }) => {
  const { page } = counter
  await imported(counter)
  await station.knobs.setFaults({ offline: true })
  await undoArrow(counter).click()
  await counter.approval('Wrong package')
  const offer = page.getByRole('region', { name: 'Saved, not sent yet' })
  await expect(offer).toBeVisible()
  await offer.getByRole('button', { name: 'Undo' }).click()
  await expect(offer).toBeHidden()
  await expect(page.getByText(/Imported here at/).first()).toBeVisible()
  await station.knobs.setFaults({})
  await expect(page.getByText('Nothing to send')).toBeVisible({ timeout: 30_000 })
  expect((await station.knobs.imports()).map(({ caseId }) => caseId)).toContain(idIn(codes.caseToImport))
})

test('Settings says what each change asks for, and guards it with the PIN', { tag: '@long' }, async ({ counter }) => {
  const { page } = counter
  await counter.settings('Rules')
  await counter.button('Customize').click()
  const card = page.getByRole('region', { name: 'Confirmations' })
  await expect(card).toContainText('No PIN is set')
  await expect(card.getByLabel('Undo an import')).toHaveValue('pin')
  await setPin(counter)
  await counter.settings('Rules')
  await expect(card).not.toContainText('No PIN is set')
  await card.getByLabel('Void an order').selectOption('ask')
  const unlock = page.getByRole('dialog')
  await unlock.getByLabel('PIN').fill(pin)
  await page.keyboard.press('Enter')
  await expect(card.getByLabel('Void an order')).toHaveValue('ask')
  await expectAccessible(page, 'settings of the gates')
  await counter.go('Checkout')
  await counter.tab('Void').click()
  await counter.field('Order number').fill('7200')
  await page.keyboard.press('Enter')
  await counter.button('Void order 7200').click()
  const dialog = page.getByRole('dialog', { name: 'Void order 7200?' })
  await expect(dialog.getByLabel('Reason', { exact: true })).toHaveCount(0)
  await expect(dialog.getByRole('button', { name: 'Void order 7200' })).toBeFocused()
})

test(
  'Ctrl+Enter in Settings saves the card that a person is in, and no other',
  { tag: '@long' },
  async ({ counter }) => {
    const { page } = counter
    await counter.settings('Rules')
    const limits = page.getByRole('region', { name: 'Unsent reports' })
    await limits.getByLabel('Warn at this many').fill('7')
    await page.getByRole('radio', { name: /^Usual/ }).focus()
    await page.keyboard.press('Control+Enter')
    await limits.getByLabel('Warn at this many').click()
    await expect(limits.getByText('Saved', { exact: true })).toBeHidden()
    await page.keyboard.press('Control+Enter')
    await expect(limits.getByText('Saved', { exact: true })).toBeVisible()
  },
)
