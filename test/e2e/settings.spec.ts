import { expectFitting } from './axe'
import { type Counter, codes, expect, settingsSections, test } from './station'

const list = ({ page }: Counter) => page.getByRole('navigation', { name: 'Sections of Settings' })
const heading = ({ page }: Counter, name: string) => page.getByRole('heading', { level: 2, name, exact: true })

test('shows one section at a time, chosen by keyboard and remembered', { tag: '@long' }, async ({ counter }) => {
  const { page } = counter
  await counter.go('Settings')
  await expect(heading(counter, 'This station')).toBeVisible()
  await list(counter).getByRole('button', { name: 'This station' }).focus()
  for (const section of settingsSections.slice(1)) {
    await page.keyboard.press('ArrowDown')
    await expect(heading(counter, section)).toBeVisible()
    await expect(list(counter).getByRole('button', { name: section, exact: true })).toBeFocused()
    await expect(list(counter).locator('[aria-current]')).toHaveText(section)
    await expectFitting(page, section)
  }
  await page.keyboard.press('Home')
  await expect(heading(counter, 'This station')).toBeVisible()
  // One step of Tab from the list into the section.
  await page.keyboard.press('Tab')
  await expect(page.getByRole('radio', { name: 'English' })).toBeFocused()
  await counter.settings('People')
  await counter.go('Outbox')
  await counter.go('Settings')
  await expect(heading(counter, 'People')).toBeVisible()
  await page.reload()
  await expect(heading(counter, 'People')).toBeVisible()
})

test(
  'finds a setting by its label, hint or another word, and puts the focus on it',
  { tag: '@long' },
  async ({ counter }) => {
    const { page } = counter
    await counter.settings('This station')
    const field = page.getByRole('textbox', { name: 'Search settings' })
    const found = list(counter).getByRole('listitem')
    const type = async (text: string) => {
      await page.keyboard.press('Control+F')
      await expect(field).toBeFocused()
      await page.keyboard.type(text, { delay: 120 })
    }
    await test.step('a setting by its label', async () => {
      await type('warn at')
      await expect(found).toHaveText([/^Warn at this many\s*Rules$/])
      await page.keyboard.press('Enter')
      await expect(counter.field('Warn at this many')).toBeFocused()
      await expect(heading(counter, 'Rules')).toBeVisible()
    })
    await test.step('a card by another word; arrow keys lead into the results', async () => {
      await type('dark mode')
      await expect(found).toHaveText([/^Appearance\s*This station$/])
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await expect(page.getByRole('heading', { level: 3, name: 'Appearance' })).toBeFocused()
    })
    await test.step('says that nothing matches; Esc clears, then goes back', async () => {
      await type('zzz')
      await expect(list(counter)).toContainText('No setting matches “zzz”.')
      await expectFitting(page, 'nothing found')
      await page.keyboard.press('Escape')
      await expect(list(counter).getByRole('button', { name: 'This station' })).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(counter.field('Package UID or case code')).toBeVisible()
    })
    await test.step('a scan is read, and moves no focus', async () => {
      await counter.settings('This station')
      await page.keyboard.press('Control+F')
      await counter.scan(codes.itemsHere[0] ?? '')
      await expect(counter.strip).toContainText('Checkout')
      await expect(field).toBeFocused()
      await expect(field).toHaveValue('')
    })
    await test.step('in the language of the screen, without accents', async () => {
      await counter.settings('This station')
      await page.getByText('Español').click()
      await page.keyboard.press('Control+F')
      await page.keyboard.type('contrasena', { delay: 120 })
      const spanish = page.getByRole('navigation', { name: 'Secciones de Ajustes' }).getByRole('listitem')
      await expect(spanish).toHaveText([/PIN de gerencia\s*Seguridad/])
    })
  },
)

test('sets all rules by a preset, and says what differs from the usual ones', { tag: '@long' }, async ({ counter }) => {
  const { page } = counter
  const choice = (name: string) => page.getByRole('radio', { name: new RegExp(`^${name}`) })
  const expired = page.getByLabel('Certificate expired')
  await counter.settings('Rules')
  await expect(choice('Usual')).toBeChecked()
  await expect(choice('Custom')).toBeHidden()
  await expect(expired).toBeHidden()
  await choice('Strict').check()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await counter.button('Customize').click()
  await expect(expired).toHaveValue('refuse')
  await expect(page.getByLabel('Void an order')).toHaveValue('pin')
  await expect(page.getByLabel('Require a budtender for every sale')).toBeChecked()
  await choice('Usual').check()
  await expect(page.getByLabel('Void an order')).toHaveValue('reason')
  await expect(page.getByLabel('Require a budtender for every sale')).not.toBeChecked()
  await page.getByLabel('Void an order').selectOption('ask')
  await expect(choice('Custom')).toBeChecked()
  await expect(page.getByText('1 rule differs from Usual.')).toBeVisible()
  await expectFitting(page, 'custom rules')

  await choice('Relaxed').click()
  await counter.button('Keep custom rules').click()
  await expect(choice('Custom')).toBeChecked()
  await choice('Relaxed').click()
  await counter.button('Replace them').click()
  await expect(choice('Relaxed')).toBeChecked()
  await expect(expired).toHaveValue('warn')
  await expect(page.getByRole('region', { name: 'How strict the counter is' }).getByText('Saved')).toBeVisible()
  await page.reload()
  await expect(choice('Relaxed')).toBeChecked()
})

test('changes no rule by a preset while the PIN is not entered', { tag: '@long' }, async ({ counter }) => {
  const { page } = counter
  await counter.settings('Security')
  await page.getByLabel('PIN', { exact: true }).fill('2468')
  await page.getByLabel('The same PIN again').fill('2468')
  await counter.button('Set the PIN').click()
  await counter.button('Lock now').click()
  await counter.settings('Rules')
  await page.getByRole('radio', { name: /^Relaxed/ }).click()
  await counter.button('Leave it locked').click()
  await expect(page.getByRole('radio', { name: /^Usual/ })).toBeChecked()
  await page.getByRole('radio', { name: /^Relaxed/ }).click()
  await page.getByRole('dialog').getByLabel('PIN').fill('2468')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('radio', { name: /^Relaxed/ })).toBeChecked()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
})
