import type { Page } from '@playwright/test'
import { expect, test } from './station'

const laterFile = /\/later-[^/]*\.js$/
const alert = (page: Page) => page.getByText('This screen could not be loaded.')
const again = (page: Page) => page.getByRole('button', { name: 'Try again' })

test('says that the keys are still loading, and closes at Esc', async ({ counter }) => {
  const { page } = counter
  let fetchOn: () => void = () => undefined
  const held = new Promise<void>((resolve) => (fetchOn = resolve))
  await page.route(laterFile, async (route) => {
    await held
    await route.fallback()
  })
  await page.reload()
  await expect(counter.strip).toContainText('Ready to scan')
  const dialog = page.getByRole('dialog')
  await page.keyboard.press('?')
  await expect(dialog).toContainText('Loading')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await page.keyboard.press('?')
  await expect(dialog).toContainText('Loading')
  fetchOn()
  await expect(dialog).toContainText('Ctrl')
})

test('says wherever a part of the page is missing, and tries again', async ({ counter }) => {
  const { page } = counter
  let isGone = true
  await page.route(laterFile, (route) => (isGone ? route.abort('connectionrefused') : route.fallback()))
  await page.reload()
  await expect(counter.strip).toContainText('Ready to scan')
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toContainText('This screen could not be loaded.')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await counter.button('Practice codes and training switch').click()
  await expect(alert(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(alert(page)).toBeHidden()
  await counter.go('Checkout')
  await expect(alert(page)).toBeVisible()
  isGone = false
  await again(page).click()
  await expect(counter.field('Order number')).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await expect(alert(page)).toBeHidden()
})
