import { type Counter, expect } from './station'

interface NewPerson {
  name: string
  shortName: string
  role: 'Clerk' | 'Counter' | 'Lead' | 'Manager'
  pin?: string
  /** A code of their own. */
  badge?: string
}

/** Someone of each role, who sells by badge, approves by badge, and opens the settings by PIN. */
export const ana: NewPerson = { name: 'Ana Ruiz', shortName: 'AN', role: 'Counter', badge: 'STAFF-4401', pin: '1111' }
export const lee: NewPerson = { name: 'Lee Wong', shortName: 'LW', role: 'Lead', badge: 'STAFF-4402', pin: '2222' }
export const mia: NewPerson = { name: 'Mia Stone', shortName: 'MS', role: 'Manager', pin: '3333' }

/** Adds a person in Settings, with badge and PIN. A manager with a PIN locks the settings: add them last. */
export async function addPerson(counter: Counter, { name, shortName, role, pin, badge }: NewPerson): Promise<void> {
  const { page } = counter
  await page.getByRole('region', { name: 'People' }).getByRole('button', { name: 'Add person' }).click()
  const adding = page.getByRole('dialog', { name: 'Add person' })
  await adding.getByLabel('Name', { exact: true }).fill(name)
  await adding.getByLabel('Short name').fill(shortName)
  await adding.getByLabel('Role').selectOption({ value: role.toLowerCase() })
  await adding.getByRole('button', { name: 'Add person' }).click()
  const dialog = page.getByRole('dialog', { name })
  await expect(dialog).toContainText('No badge')
  if (badge !== undefined) {
    await dialog.getByRole('button', { name: 'Use a code of theirs' }).click()
    await counter.scan(badge)
    await expect(dialog).toContainText('Has a badge')
  }
  if (pin !== undefined) {
    await dialog.getByLabel('New PIN').fill(pin)
    await dialog.getByLabel('The same PIN again').fill(pin)
    await dialog.getByRole('button', { name: 'Set the PIN' }).click()
    await expect(dialog).toContainText('Has a PIN')
  }
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(dialog).toBeHidden()
}
