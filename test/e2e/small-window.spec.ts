import type { Locator } from '@playwright/test'
import { codes, expect, test } from './station'

const [foreign = ''] = codes.itemsToImport
const [a = '', b = ''] = codes.itemsHere

/** On how many lines the words of a button stand. */
const linesOf = (button: Locator) =>
  button.locator('span').evaluate((words) => {
    const range = document.createRange()
    range.selectNodeContents(words)
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
  })

const boxOf = async (locator: Locator) => {
  const box = await locator.boundingBox()
  if (!box) throw new Error('nothing is drawn there')
  return { ...box, bottom: box.y + box.height }
}

test('keeps each button of the scan strip on one line at 1024 px', { tag: '@long' }, async ({ counter }) => {
  await counter.go('Checkout')
  await counter.scan(foreign)
  const { strip } = counter
  const buttons = ['Import its case', 'Undo', 'Type a code'].map((name) => strip.getByRole('button', { name }))
  for (const button of buttons) {
    await expect(button).toBeVisible()
    expect(await linesOf(button)).toBe(1)
  }
})

test('keeps each button of an order on one line at 1024 px, and the primary one names its object', async ({
  counter,
}) => {
  const { page } = counter
  await counter.go('Checkout')
  for (const name of ['Hold', 'Remove mode', 'Clear']) expect(await linesOf(counter.button(name))).toBe(1)
  await counter.sell('601', [a, b])
  await expect(page.getByText('Order 601 reported, 2 items')).toBeVisible()
  await counter.tab('Void').click()
  await counter.field('Order number').fill('601')
  await page.keyboard.press('Enter')
  await expect(counter.button('Void order 601, 2 items')).toBeEnabled()
  await counter.tab('Return').click()
  await counter.scan(a)
  await expect(counter.button('Return 1 item of order 601')).toBeEnabled()
  for (const name of ['Remove mode', 'Clear']) expect(await linesOf(counter.button(name))).toBe(1)
})

test('lists the screens in the order of their keys', async ({ counter }) => {
  const keys = counter.page.getByRole('navigation').locator('button kbd')
  await expect(keys).toHaveText(['F1', 'F2', 'F3', 'F4', 'F5', 'F6', 'F8'])
})

test(
  'keeps the import fields uncovered at 1024 px, whatever the bar below shows',
  { tag: '@long' },
  async ({ counter }) => {
    const { page } = counter
    for (const number of [1, 2, 3]) {
      const uid = `1A40E0300000B2F00000000${number}`
      await counter.scan(uid)
      await expect(page.getByRole('heading', { name: uid })).toBeVisible()
    }
    await counter.scan(codes.caseToImport)
    await expect(page.getByRole('heading', { name: 'Blue Dune, 3.5 g' })).toBeVisible()
    await counter.field('POS product ID').fill('POS-1')
    await counter.field('POS inventory ID').fill('INV-1')
    const told = page.getByText(/^2 left out/)
    await expect(told).toBeVisible()
    await expect(page.getByText('2 more need POS IDs')).toBeVisible()
    const bar = await boxOf(page.locator('footer').filter({ has: told }))
    expect((await boxOf(counter.field('Package UID'))).bottom).toBeLessThanOrEqual(bar.y)
  },
)

test('says once, not in each line, which case items are missing', async ({ counter }) => {
  const { page } = counter
  await counter.scan(codes.package)
  await counter.scan(codes.caseToImport)
  await counter.button('Count items').click()
  await counter.button('Only this case').click()
  await expect(page.getByText('0 of 24', { exact: true })).toBeVisible()
  await counter.scan(foreign)
  await expect(counter.strip).toContainText('1 of 24')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Finish count' }).click()
  await expect(page.getByRole('heading', { name: '23 differences to settle' })).toBeVisible()
  await expect(page.getByText('Missing', { exact: true }).first()).toBeVisible()
  // In the heading of the group.
  await expect(page.getByText(/missing from case/)).toHaveCount(1)
  await expect(page.getByRole('checkbox', { name: /missing from case/ }).first()).toBeVisible()
})
