import { readFileSync } from 'node:fs'
import { expectAccessible } from './axe'
import { addPerson, ana, lee, mia } from './people'
import { type Counter, codes, expect, test } from './station'

const [first = '', second = ''] = codes.itemsHere

const signedIn = ({ page }: Counter) => page.getByRole('button', { name: /^Signed in:/ })

async function addAll(counter: Counter) {
  await counter.settings('People')
  for (const person of [ana, lee, mia]) await addPerson(counter, person)
}

test('adds people, says what is wrong beside the field, prints a badge once, and undoes a removal', async ({
  counter,
}) => {
  const { page } = counter
  const card = page.getByRole('region', { name: 'People', exact: true })
  await expect(counter.button('Sign in')).toBeHidden()
  await counter.settings('People')
  await expect(card).toContainText('each report, count and approval is noted with a name')
  await addPerson(counter, ana)
  await addPerson(counter, lee)
  await expect(card.getByRole('row', { name: /^Ana Ruiz AN Counter Badge, PIN/ })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expectAccessible(page, 'people')

  await card.getByRole('button', { name: 'Change Lee Wong' }).click()
  const dialog = page.getByRole('dialog', { name: 'Lee Wong' })
  await test.step('a short name of another person', async () => {
    await dialog.getByLabel('Short name').fill('an')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toContainText('Another person has this short name.')
    await expect(dialog.getByLabel('Short name')).toBeFocused()
    await dialog.getByLabel('Short name').fill('LW')
  })
  await test.step('a badge of another person, and the code of an item', async () => {
    const scan = dialog.getByRole('button', { name: 'Use a code of theirs' })
    await scan.click()
    await counter.scan('STAFF-4401')
    await expect(dialog).toContainText('This badge was given to another person.')
    await scan.click()
    await counter.scan(first)
    await expect(dialog).toContainText('This code means something else in the store.')
    await expectAccessible(page, 'a person')
  })
  await test.step('a badge to print', async () => {
    await dialog.getByRole('button', { name: 'Print badge' }).click()
    const sheet = page.getByRole('dialog', { name: 'Badge' })
    await expect(sheet.getByRole('img', { name: 'Badge' })).toBeVisible()
    await expect(sheet.getByRole('heading', { name: 'Lee Wong' })).toBeVisible()
    await sheet.getByRole('button', { name: 'Close' }).last().click()
    await expect(dialog).toContainText('Has a badge')
  })

  await dialog.getByRole('button', { name: 'Remove Lee Wong' }).click()
  await expect(card).toContainText('Lee Wong was removed.')
  await expect(card.getByRole('row', { name: /^Lee Wong/ })).toBeHidden()
  await card.getByRole('button', { name: 'Undo' }).click()
  await expect(card.getByRole('row', { name: /^Lee Wong/ })).toBeVisible()
})

test('signs in by a badge on any screen, with an order open and with a dialog open, and by short name and PIN', async ({
  counter,
}) => {
  const { page } = counter
  await addAll(counter)
  await counter.go('Checkout')
  await counter.field('Order number').fill('8101')
  await counter.scan(first)
  await expect(counter.button(/^Complete 1 item/)).toBeVisible()
  await counter.field('Order number').focus()

  await test.step('the open order stays open; the focus stays', async () => {
    await counter.scan('staff-4401')
    await expect(counter.strip).toContainText('Signed in: Ana Ruiz')
    await expect(signedIn(counter)).toContainText('Ana Ruiz')
    await expect(counter.button(/^Complete 1 item/)).toBeVisible()
    await expect(counter.field('Order number')).toBeFocused()
    await expect(counter.field('Order number')).toHaveValue('8101')
    await expect(page.getByText('Ana Ruiz').nth(1)).toBeVisible()
  })

  await test.step('with the dialog open', async () => {
    await signedIn(counter).click()
    const dialog = page.getByRole('dialog', { name: 'Who is working here?' })
    await expect(dialog).toContainText('Signed in now: Ana Ruiz')
    await expectAccessible(page, 'signing in')
    await counter.scan('STAFF-4402')
    await expect(dialog).toBeHidden()
    await expect(signedIn(counter)).toContainText('Lee Wong')
  })

  await test.step('by keyboard, and out', async () => {
    await signedIn(counter).click()
    await page.keyboard.type('an', { delay: 120 })
    await page.keyboard.press('Tab')
    await page.keyboard.type('9999', { delay: 120 })
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Who is working here?' })
    await expect(dialog).toContainText('The name and the PIN don’t match.')
    await expect(dialog.getByLabel('PIN')).toBeFocused()
    await expect(async () => {
      await dialog.getByLabel('PIN').fill('1111')
      await page.keyboard.press('Enter')
      await expect(dialog).toBeHidden({ timeout: 3_000 })
    }).toPass()
    await expect(signedIn(counter)).toContainText('Ana Ruiz')
    await signedIn(counter).click()
    await counter.button('Sign out').click()
    // While it closes, the dialog offers signing in too.
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(counter.button('Sign in')).toBeVisible()
  })
})

test('a lead approves by badge or by PIN in place of the manager, and the clerk stays signed in', async ({
  counter,
}) => {
  const { page } = counter
  await addAll(counter)
  await counter.scan('STAFF-4401')
  await counter.go('Receiving')
  await counter.scan(codes.package)
  await counter.scan(codes.caseToImport)
  await counter.importCase()
  await expect(page.getByText(/Imported here at/).first()).toBeVisible()
  const undo = counter.button(/^Undo the import of Blue Dune/).first()
  const dialog = page.getByRole('dialog', { name: 'Undo the import?' })
  await undo.click()
  await expect(dialog).toContainText('Ana Ruiz stays signed in.')
  await expectAccessible(page, 'a lead’s approval')

  await test.step('a clerk can’t approve', async () => {
    await dialog.getByLabel('Reason', { exact: true }).fill('Wrong store')
    await counter.scan('STAFF-4401')
    await expect(dialog).toContainText('This needs a lead’s approval.')
  })
  await test.step('a wrong PIN', async () => {
    await dialog.getByLabel('Short name of the lead').fill('lw')
    await dialog.getByLabel('PIN').fill('9876')
    await page.keyboard.press('Enter')
    await expect(dialog).toContainText('The name and the PIN don’t match.')
  })
  await test.step('a badge before the reason', async () => {
    await dialog.getByLabel('Reason', { exact: true }).fill('')
    // The same code sooner counts as read once.
    await page.waitForTimeout(1_500)
    await counter.scan('STAFF-4402')
    await expect(dialog).toContainText('Lee Wong approves')
    await expect(dialog).toContainText('Enter a reason.')
    await dialog.getByLabel('Reason', { exact: true }).fill('Delivered to the wrong store')
    await page.keyboard.press('Enter')
    await expect(dialog).toBeHidden()
  })
  await expect(page.getByText('Undone', { exact: true })).toBeVisible()
  await expect(signedIn(counter)).toContainText('Ana Ruiz')
})

test('where names are required, completing asks once who it is; scans go on', async ({ counter }) => {
  const { page } = counter
  await counter.settings('People')
  await addPerson(counter, ana)
  await addPerson(counter, lee)
  await page.getByRole('radio', { name: 'Required' }).check()
  await addPerson(counter, mia)
  await counter.go('Checkout')
  await counter.sell('8102', [first, second])
  const dialog = page.getByRole('dialog', { name: 'Sign in to finish this' })
  await expect(dialog).toBeVisible()
  await counter.scan('STAFF-4401')
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Order 8102 reported, 2 items')).toBeVisible()
  await expect(signedIn(counter)).toContainText('Ana Ruiz')
})

test('a manager opens what is locked by badge or PIN; a clerk doesn’t', async ({ counter }) => {
  const { page } = counter
  await addAll(counter)
  const card = page.getByRole('region', { name: 'People', exact: true })
  await card.getByRole('button', { name: 'Change Ana Ruiz' }).click()
  await page.getByRole('dialog', { name: 'Ana Ruiz' }).getByRole('button', { name: 'Remove badge' }).click()
  const dialog = page.getByRole('dialog', { name: 'A manager is needed' })
  await expect(dialog).toBeVisible()
  // The same code sooner counts as read once.
  await page.waitForTimeout(1_500)
  await counter.scan('STAFF-4402')
  await expect(dialog).toContainText('This needs a manager.')
  await dialog.getByLabel('Short name').fill('ms')
  await dialog.getByLabel('PIN').fill('3333')
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('dialog', { name: 'Ana Ruiz' })).toContainText('No badge')
  await expect(signedIn(counter)).toContainText('Mia Stone')
})

test('the journal says who did what, is filtered, verified and exported', async ({ counter }) => {
  const { page } = counter
  await counter.settings('People')
  await addPerson(counter, ana)
  await addPerson(counter, lee)
  await counter.scan('STAFF-4401')
  await counter.go('Checkout')
  await counter.sell('8103', [first])
  await expect(page.getByText('Order 8103 reported, 1 item')).toBeVisible()
  await counter.settings('Data and help')
  await counter.button('Open journal').click()
  const dialog = page.getByRole('dialog', { name: 'Journal' })
  const rows = dialog.getByRole('row')
  await expect(
    dialog.getByRole('row', { name: /Ana Ruiz Saved at this station, to be sent\. Sale 8103$/ }),
  ).toBeVisible()
  await expect(dialog.getByRole('row', { name: /Ana Ruiz Signed in\. Ana Ruiz$/ })).toBeVisible()
  await expect(dialog.getByRole('row', { name: /Badge given\. Lee Wong$/ })).toBeVisible()
  await expectAccessible(page, 'the journal')

  await test.step('filters', async () => {
    await dialog.getByLabel('Order number').fill('8103')
    await page.keyboard.press('Enter')
    await expect(rows.filter({ hasText: 'Badge given' })).toHaveCount(0)
    await expect(rows.filter({ hasText: 'Sale 8103' })).not.toHaveCount(0)
    await dialog.getByLabel('Order number').fill('')
    await dialog.getByLabel('TagID').fill(first)
    await page.keyboard.press('Enter')
    await expect(rows.filter({ hasText: 'Sale 8103' })).not.toHaveCount(0)
    await expect(rows.filter({ hasText: 'Badge given' })).toHaveCount(0)
    await dialog.getByLabel('TagID').fill('')
    await dialog.getByLabel('Person').selectOption('Lee Wong')
    await expect(dialog.getByRole('row', { name: /Badge given\. Lee Wong$/ })).toBeVisible()
    await expect(rows.filter({ hasText: 'Sale 8103' })).toHaveCount(0)
    await dialog.getByLabel('Person').selectOption('All')
    await dialog.getByLabel('Day').fill('2020-01-01')
    await expect(dialog).toContainText('No matches')
    await dialog.getByLabel('Day').fill('')
    await dialog.getByLabel('Kind').selectOption('Not about a report')
    await expect(rows.filter({ hasText: 'Sale 8103' })).toHaveCount(0)
    await dialog.getByLabel('Kind').selectOption('All')
  })

  await dialog.getByRole('button', { name: 'Verify' }).click()
  await expect(dialog).toContainText(/\d+ lines checked\. Nothing was changed or is missing\./)

  await test.step('files', async () => {
    for (const form of ['CSV', 'NDJSON']) {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        dialog.getByRole('button', { name: `Download ${form}` }).click(),
      ])
      expect(download.suggestedFilename()).toMatch(new RegExp(`^journal-\\d{4}-\\d\\d-\\d\\d\\.${form.toLowerCase()}$`))
      const text = readFileSync(await download.path(), 'utf8')
      expect(text).toContain('8103')
      expect(text).toContain('Ana Ruiz')
    }
    await dialog.getByLabel('Kind').selectOption('Not about a report')
    await expect(dialog.getByRole('row', { name: /Ana Ruiz Exported\.$/ }).first()).toBeVisible()
  })
})
