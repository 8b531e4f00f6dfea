import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { codesOf } from '../../src-practice/practice-codes'
import { parseDataFile } from '../../src-practice/data-file'
import type { PracticeCode } from '../../src-shared/ipc/contract/app'
import { expectAccessible, isScrollable } from './axe'
import { type Counter, codes, expect, test } from './station'

const parsed = parseDataFile(readFileSync(join(import.meta.dirname, '../../resources/practice/store.json'), 'utf8'))
if (!parsed.ok) throw new Error(parsed.error)
const here = parsed.value.dispensaries.find(({ name }) => name === 'Green Door, Newark')?.uuid ?? ''
const all = codesOf(parsed.value, here)
const itemOf = (about: PracticeCode['about']) =>
  all.find((code) => code.kind === 'tag' && code.about === about)?.text ?? ''

/** Every kind of item, and the words for it. Those that the counter takes are `taken`. */
const kinds: { about: PracticeCode['about']; words: string; isTaken: boolean }[] = [
  { about: 'imported-by-company', words: 'In the inventory of Green Door, Hoboken', isTaken: false },
  { about: 'imported-by-stranger', words: 'In an inventory that the service doesn’t name', isTaken: false },
  { about: 'certificate-expired', words: 'Certificate expired on Feb 1, 2026', isTaken: false },
  { about: 'certificate-failed', words: 'Certificate: test failed', isTaken: false },
  { about: 'past-use-by', words: 'Past its use-by date: Mar 1, 2026', isTaken: false },
  { about: 'unpublished', words: 'Product is not published', isTaken: true },
  { about: 'case-not-imported', words: 'Its case is not imported here', isTaken: true },
]

const lines = (page: Page) => page.getByRole('region', { name: 'Items', exact: true })
const pane = (page: Page) => page.getByRole('region', { name: 'What is known of it' })

async function expectSame(counter: Counter, suffix: RegExp | null) {
  for (const { about, words, isTaken } of kinds) {
    await counter.go('Checkout')
    await counter.scan(itemOf(about))
    await expect(counter.strip, `${about} at the scan`).toContainText(words)
    if (suffix) await expect(counter.strip).toContainText(suffix)
    if (isTaken) await expect(lines(counter.page)).toContainText(words)
    else await expect(counter.button('Complete order')).toBeVisible()
    await counter.go('Find')
    await counter.scan(itemOf(about))
    await expect(pane(counter.page), `${about} in Find`).toContainText(isTaken ? /still open/ : words)
    await counter.go('Checkout')
    if (!isTaken) continue
    await counter.button('Clear').click()
    await counter.button('Clear the order').click()
    await expect(counter.button('Complete order')).toBeVisible()
    await counter.go('Find')
    await counter.scan(itemOf(about))
    await expect(pane(counter.page), `${about} in Find`).toContainText(words)
  }
}

test(
  'says one and the same of each item at the scan, in the cart and in Find, online and offline',
  { tag: '@long' },
  async ({ counter, station }) => {
    test.slow()
    await counter.go('Checkout')
    await expectSame(counter, null)
    await expectAccessible(counter.page, 'an item with a verdict in Find')
    await station.knobs.setFaults({ offline: true })
    await counter.go('Find')
    await counter.scan(itemOf('past-use-by'))
    await expect(pane(counter.page)).toContainText('as of')
    await expectSame(counter, /as of \d/)
  },
)

test(
  'sells an item past its use-by date with a reason, which stays with the order',
  { tag: '@long' },
  async ({ counter }) => {
    const { page } = counter
    await counter.go('Checkout')
    await counter.field('Order number').fill('7001')
    await counter.scan(itemOf('past-use-by'))
    await expect(counter.strip).toContainText('A manager can permit it')
    await counter.button('Sell anyway…').click()
    const dialog = page.getByRole('dialog', { name: /^Sell .+ anyway\?$/ })
    await expect(dialog).toContainText('Past its use-by date')
    await expectAccessible(page, 'approval')
    await page.keyboard.press('Enter')
    await expect(dialog).toContainText('Enter a reason.')
    // Typed at once, it would be taken for a scan.
    await dialog.getByLabel('Reason', { exact: true }).fill('Label misprinted')
    await page.keyboard.press('Enter')
    await expect(dialog).toBeHidden()
    await counter.button('Complete 1 item').click()
    await expect(page.getByText('Order 7001 reported, 1 item')).toBeVisible()
    await counter.go('Orders')
    await page.getByRole('button', { name: /7001/ }).first().click()
    await expect(page.getByText(/Label misprinted/)).toBeVisible()
  },
)

test(
  'says in Find that a sold item was sold, and after its return that it can be sold again',
  { tag: '@long' },
  async ({ counter }) => {
    const { page } = counter
    const [item = ''] = codes.itemsHere
    await counter.go('Checkout')
    await counter.sell('2001', [item])
    await expect(page.getByText('Order 2001 reported, 1 item')).toBeVisible()
    await counter.go('Find')
    await counter.scan(item)
    await expect(pane(page)).toContainText('Sold in order 2001')
    await counter.go('Checkout')
    await counter.scan(item)
    await expect(counter.strip).toContainText('Sold in order 2001')
    await counter.tab('Return').click()
    await counter.scan(item)
    await counter.button('Return 1 item').click()
    await expect(page.getByText('Return for order 2001 reported, 1 item')).toBeVisible()
    await counter.go('Find')
    await counter.scan(item)
    await expect(pane(page)).toContainText('Returned, sellable')
    await expect(pane(page)).toContainText('Sold in order 2001 before, and returned.')
    await expect(pane(page)).not.toContainText('No known sale')
  },
)

test('Settings has a level for each reason, which the next scan goes by', { tag: '@long' }, async ({ counter }) => {
  const { page } = counter
  await counter.settings('Rules')
  await counter.button('Customize').click()
  const level = page.getByLabel('Past its use-by date')
  await expect(level).toHaveValue('pin')
  await level.selectOption('warn')
  await expectAccessible(page, 'settings')
  expect(await isScrollable(page)).toBe(false)
  await counter.go('Checkout')
  await counter.scan(itemOf('past-use-by'))
  await expect(lines(page)).toContainText('Past its use-by date')
  await expect(counter.button('Complete 1 item')).toBeVisible()
})
