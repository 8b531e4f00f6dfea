import type { Page } from '@playwright/test'
import { type Counter, expect, test } from './station'

const laterFile = /\/later-[^/]*\.js$/
const alert = (page: Page) => page.getByText('This screen could not be loaded.')
const again = (page: Page) => page.getByRole('button', { name: 'Try again' })

/** Loads the page again without its later part, which comes when the returned function is called. */
async function withoutLater({ page, strip }: Counter): Promise<() => void> {
  let fetchOn: () => void = () => undefined
  const held = new Promise<void>((resolve) => (fetchOn = resolve))
  await page.route(laterFile, async (route) => {
    await held
    await route.fallback()
  })
  await page.reload()
  await expect(strip).toContainText('Ready to scan')
  return () => {
    fetchOn()
  }
}

test('says that the keys are still loading, and closes at Esc', { tag: '@long' }, async ({ counter }) => {
  const { page } = counter
  const fetchOn = await withoutLater(counter)
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

test('opens a list or a dialog of Receiving once it is there', { tag: '@long' }, async ({ counter }) => {
  const { page } = counter
  const fetchOn = await withoutLater(counter)
  const dialog = page.getByRole('dialog')
  await counter.button('POS catalog').click()
  await expect(dialog).toContainText('Loading')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await counter.button('History').click()
  await expect(page.getByText('Loading')).toBeVisible()
  fetchOn()
  await expect(page.getByRole('tab', { name: 'Deliveries' })).toBeVisible()
  await expect(dialog).toBeHidden()
})

test('says wherever a part of the page is missing, and tries again', { tag: '@long' }, async ({ counter }) => {
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

test(
  'lets keys wait for the screen that they are meant for: in order, once, and none that was given up',
  { tag: '@long' },
  async ({ counter }) => {
    const { page } = counter
    const fetchOn = await withoutLater(counter)
    const shown = page.locator('nav [aria-current=page]')
    const clicked = await page.evaluateHandle(() => {
      const names: string[] = []
      document.addEventListener('click', ({ target }) => {
        if (target instanceof Element && target.role === 'tab') names.push(target.textContent.trim())
      })
      return names
    })
    // Given up, or meant for a screen that was left.
    await counter.go('Checkout')
    await page.keyboard.press('Alt+V')
    await page.keyboard.press('Escape')
    await expect(shown).toContainText('Receiving')
    await counter.go('Checkout')
    await page.keyboard.press('Alt+V')
    await page.locator('nav').getByRole('button', { name: 'Find' }).click()

    await counter.go('Checkout')
    await page.keyboard.press('Alt+V')
    await page.keyboard.press('Alt+R')
    await counter.go('Orders')
    await page.keyboard.press('Control+Enter')
    await expect(shown).toContainText('Checkout')
    fetchOn()
    await expect(page.getByRole('heading', { name: 'Close of day' })).toBeVisible()
    expect(await clicked.jsonValue()).toEqual(['Void', 'Return'])
    // The screen was left: it sells again.
    await counter.go('Checkout')
    await expect(counter.tab('Sell')).toHaveAttribute('aria-selected', 'true')
  },
)

test(
  'puts the focus into a field whose key was pressed before the screen was there',
  { tag: '@long' },
  async ({ counter }) => {
    const fetchOn = await withoutLater(counter)
    await counter.go('Checkout')
    await counter.page.keyboard.press('Alt+N')
    fetchOn()
    await expect(counter.field('Order number')).toBeFocused()
  },
)
