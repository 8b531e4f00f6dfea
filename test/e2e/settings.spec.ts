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
