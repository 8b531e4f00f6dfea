import type { Locator } from '@playwright/test'
import { violations } from './axe'
import { type Counter, codes, expect, test } from './station'

const [first = '', second = ''] = ['1', '2'].map((number) => `1A40E0300000B2F00000000${number}`)
const preRolls = 'https://tag.example/case/Y45gxoSwLrmqnijFUfZsxa'

/** Scans a case and fills in its POS ids. */
async function fill(counter: Counter, code: string, name: string, number: number) {
  await counter.scan(code)
  await expect(counter.page.getByRole('heading', { name })).toBeVisible()
  await counter.field('POS product ID').fill(`POS-${number}`)
  await counter.field('POS inventory ID').fill(`INV-${number}`)
}

const blueDune = (counter: Counter) => fill(counter, codes.caseToImport, 'Blue Dune, 3.5 g', 1)
const gardenStatement = (counter: Counter) => fill(counter, preRolls, 'Garden Statement Pre-Rolls, 5 × 0.5 g', 2)

const rowOf = ({ page }: Counter, name: string) =>
  page.getByRole('listitem').filter({ has: page.locator('[aria-current]'), hasText: name })

test(
  'the result of an import ends with the next one; the progress of the delivery goes on',
  { tag: '@long' },
  async ({ counter }) => {
    const { page } = counter
    const result = page.getByText('2 cases imported', { exact: true })
    await counter.scan(codes.twoProducts)
    await counter.scan(first)
    await blueDune(counter)
    await gardenStatement(counter)
    await expect(page.getByText('0 of 4 cases imported')).toBeVisible()
    await counter.button('Import 2 cases').click()
    await expect(result).toBeVisible()
    await expect(page.getByRole('progressbar', { name: 'Cases of this delivery that are imported' })).toHaveAttribute(
      'value',
      '2',
    )
    await expect(page.getByText('2 of 4 cases imported')).toBeVisible()
    await counter.button('Undo the import of Blue Dune, 3.5 g').click()
    await counter.approval()
    await expect(page.getByText('1 case imported, 1 canceled')).toBeVisible()
    await expect(page.getByText('Nothing to send')).toBeVisible()
    await expect(page.getByText('1 of 4 cases imported')).toBeVisible()
    // What a person undid is imported again only if they select it.
    await expect(rowOf(counter, 'Blue Dune')).toContainText('Undone')
    await expect(counter.button(/^Import .*, \d+ items?$/)).toBeHidden()
    await page.getByRole('checkbox', { name: 'Select Blue Dune, 3.5 g' }).check()
    await rowOf(counter, 'Blue Dune')
      .getByRole('button', { name: /^Blue Dune/ })
      .click()
    await counter.button(/^Import .*, \d+ items?$/).click()
    await expect(page.getByText('2 of 4 cases imported')).toBeVisible()
    await expect(result).toBeHidden()
    await expect(page.getByText('1 case imported, 1 canceled')).toBeHidden()
  },
)

test(
  'a certificate has one word in the row of its case, in the choice of products and in Find',
  { tag: '@long' },
  async ({ counter }) => {
    const { page } = counter
    await counter.scan(codes.twoProducts)
    await expect(rowOf(counter, 'White Peach Gummies')).toContainText('Test failed: 1 of 2 products')
    await expect(page.getByRole('radio', { name: /^White Peach Gummies.*Passed, some not tested/ })).toBeVisible()
    await page.getByRole('radio', { name: /^Sea Salt Dark Chocolate.*Test failed/ }).check()
    await expect(
      page.getByRole('region', { name: 'This case' }).getByText('Test failed', { exact: true }),
    ).toBeVisible()
    await counter.go('Find')
    await counter.scan(codes.twoProducts)
    await expect(page.getByText('Test failed', { exact: true }).first()).toBeVisible()
  },
)

test(
  'cases that the import takes are ticked, counted on its button and listed before, and the next case follows',
  { tag: '@long' },
  async ({ counter, station }) => {
    const { page } = counter
    const tick = (name: string) => page.getByRole('checkbox', { name: `Select ${name}` })
    await counter.scan(first)
    await expect(tick('Blue Dune, 3.5 g')).toBeVisible()
    await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(0)
    await blueDune(counter)
    await gardenStatement(counter)
    await expect(tick('Blue Dune, 3.5 g')).toBeChecked()
    await expect(tick('Garden Statement Pre-Rolls, 5 × 0.5 g')).toBeChecked()
    await expect(tick('Hudson Ground, 7 g')).not.toBeChecked()
    await expect(page.getByText(/^1 left out/)).toBeVisible()
    await expect(counter.button('Import 2 cases')).toBeVisible()
    const rows = page.getByRole('listitem').filter({ has: page.locator('[aria-current]') })
    await expect(rows).toHaveCount(3)
    for (const row of await rows.all()) await expect(row.locator('.chip')).toHaveCount(1)

    // Which cases it takes, and which it leaves out and why: by button, and at the button that imports.
    const list = page.getByRole('region', { name: 'What is imported' })
    await counter.button(/^1 left out/).click()
    await expect(list.getByRole('heading')).toHaveText(['2 cases will be imported', '1 case is left out'])
    await expect(list.getByRole('listitem')).toHaveText([
      /^Blue Dune, 3.5 g\s*24 items\s*$/,
      /^Garden Statement Pre-Rolls, 5 × 0.5 g\s*\d+ items\s*$/,
      /^Hudson Ground, 7 g\s*\d+ items\s*Certificate expired\s*$/,
    ])
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect(list).toBeHidden()
    await counter.button('Import 2 cases').hover()
    await expect(list).toBeVisible()
    await page.mouse.move(0, 0)
    await expect(list).toBeHidden()

    await tick('Hudson Ground, 7 g').check()
    await expect(page.getByText(/^1 left out/)).toBeHidden()
    await expect(counter.button('Import 2 of 3 selected cases')).toBeVisible()
    await tick('Hudson Ground, 7 g').uncheck()
    await tick('Blue Dune, 3.5 g').uncheck()
    const before = await station.knobs.imports()
    await counter.button(/^Import .*, \d+ items?$/).click()
    await expect(rowOf(counter, 'Garden Statement')).toContainText('Imported here')
    await expect(page.locator('[aria-current="true"]')).toContainText('Hudson Ground')
    expect(await station.knobs.imports()).toHaveLength(before.length + 1)
  },
)

test(
  'a delivery that was finished by mistake is reopened from its history, with everything in it',
  { tag: '@long' },
  async ({ counter }) => {
    const { page } = counter
    await counter.scan(first)
    await blueDune(counter)
    await counter.button(/^Import .*, \d+ items?$/).click()
    await expect(page.getByText('1 of 3 cases imported')).toBeVisible()
    await counter.finishDelivery()
    await counter.button('Next delivery').click()
    await counter.button('History').click()
    await page.getByRole('tab', { name: 'Deliveries' }).click()
    await counter.button(/^Reopen the delivery of/).click()
    await expect(page.getByText('1 of 3 cases imported')).toBeVisible()
    await expect(rowOf(counter, 'Blue Dune')).toContainText('Imported here')
    await gardenStatement(counter)
    await counter.button(/^Import .*, \d+ items?$/).click()
    await expect(page.getByText('2 of 3 cases imported')).toBeVisible()
    // The one under way can't be reopened.
    await counter.button(/^More$/).click()
    await counter.button('History').click()
    await page.getByRole('tab', { name: 'Deliveries' }).click()
    await expect(page.getByText('Under way')).toBeVisible()
    await expect(counter.button(/^Reopen/)).toBeHidden()
  },
)

test(
  'the printed report of a delivery names expired and failed certificates, with the day',
  { tag: '@long' },
  async ({ counter }) => {
    const { page } = counter
    await counter.scan(first)
    await counter.scan(second)
    await expect(page.getByRole('heading', { name: second })).toBeVisible()
    // The report is of what is known when it is opened.
    await expect(rowOf(counter, 'White Peach Gummies')).toContainText('Test failed: 1 of 2 products')
    await counter.button(/^More$/).click()
    await counter.button('Delivery report').click()
    const line = (name: string) => page.getByRole('dialog').getByRole('row').filter({ hasText: name })
    await expect(line('Hudson Ground')).toContainText('Certificate expired on Feb 1, 2026')
    await expect(line('Sea Salt')).toContainText('Test failed')
    await expect(line('Blue Dune')).not.toContainText(/Certificate|Test failed/)
  },
)

const boxOf = async (one: Locator) => {
  const box = await one.boundingBox()
  if (!box) throw new Error('it is not on the screen')
  return { ...box, right: box.x + box.width, bottom: box.y + box.height }
}

test('the import form fits a small window, above the bar with the button', { tag: '@long' }, async ({ counter }) => {
  const { page } = counter
  await page.setViewportSize({ width: 1024, height: 768 })
  const panel = page.getByRole('region', { name: 'This case' })
  const button = page.getByRole('button', { name: /^Import .*, \d+ items?$/ })
  await counter.scan(first)
  await blueDune(counter)
  for (const code of [codes.caseToImport, codes.twoProducts]) {
    await counter.scan(code)
    await expect(panel.getByText(code === codes.twoProducts ? 'Sunday Kitchen' : 'Hudson Fields')).toBeVisible()
    const [around, action] = [await boxOf(panel), await boxOf(button)]
    expect(action.bottom).toBeLessThanOrEqual(768)
    for (const name of ['POS product ID', 'POS inventory ID', 'Package UID', 'SKU (optional)']) {
      const field = await boxOf(counter.field(name))
      expect(field.bottom, name).toBeLessThanOrEqual(around.bottom)
      expect(field.right, name).toBeLessThanOrEqual(around.right)
      expect(field.bottom, name).toBeLessThanOrEqual(action.y)
    }
  }
})

for (const [width, height] of [
  [1024, 768],
  [1920, 1080],
] as const) {
  test(`the list of Find and its pane share a window of ${width} pixels`, { tag: '@long' }, async ({ counter }) => {
    const { page } = counter
    await page.setViewportSize({ width, height })
    await counter.go('Find')
    await counter.scan(codes.twoProducts)
    await expect(page.getByRole('heading', { name: 'Products inside' })).toBeVisible()
    const name = page.getByRole('heading', { name: /^Case of White Peach/ })
    const row = await boxOf(page.getByRole('listitem').filter({ hasText: 'Case of White Peach' }).first())
    const pane = await boxOf(page.getByRole('region', { name: 'What is known of it' }).filter({ has: name }))
    // The list holds a name in a few lines, and the pane gets the most.
    expect(row.width).toBeGreaterThanOrEqual(240)
    expect(row.height).toBeLessThanOrEqual(150)
    expect(pane.width).toBeGreaterThan(row.width * 2)
    expect(pane.right).toBeLessThanOrEqual(width)
    expect(row.right).toBeLessThanOrEqual(pane.x)
  })
}
