import { violations } from './axe'
import { codes, expect, test } from './station'

const [a = '', b = ''] = codes.itemsHere
const [foreign = ''] = codes.itemsToImport

test('explains each code that does not belong in checkout, and says where it belongs', async ({ counter }) => {
  const { strip, page } = counter
  await counter.go('Checkout')
  await counter.scan(codes.caseToImport)
  await expect(strip).toContainText('This is a case (CaseID)')
  await counter.scan(codes.package)
  await expect(strip).toContainText('This is a package')
  await counter.scan('nonsense, really')
  await expect(strip).toContainText('Unrecognized code')
  await counter.scan(codes.unknownItem)
  await expect(strip).toContainText('The service does not know')
  await counter.scan(a)
  await expect(strip).toContainText('Palisades Pre-Roll, 1 g added')
  // Waits first: the same code at once would count as one long scan. Entered again by hand, it is intended.
  await counter.typeCode(a)
  await expect(strip).toContainText('Already in this order')
  await expect(counter.button('Complete 1 item')).toBeVisible()
  await counter.scan(codes.caseToImport)
  await page.getByRole('button', { name: 'Open in Receiving' }).click()
  await expect(page.getByRole('heading', { name: 'Blue Dune, 3.5 g' })).toBeVisible()
})

test(
  'says of an item in receiving that it belongs in checkout, and adds an unknown package only if a person says so',
  { tag: '@long' },
  async ({ counter }) => {
    await counter.scan(a)
    await expect(counter.strip).toContainText('This is a single item (TagID)')
    await counter.scan('1A4UNKNOWNTAGNUMBER99999')
    await expect(counter.strip).toContainText('Unknown package: 1A4UNKNOWNTAGNUMBER99999')
    await expect(counter.page.getByText('No cases in this package')).toBeHidden()
    await expect(counter.strip).toContainText('If it belongs to this delivery, add it anyway.')
    await expect(counter.page.getByText('Unknown package: 1A4UNKNOWNTAGNUMBER99999')).toHaveCount(1)
    await expect(counter.page.getByRole('button', { name: 'Add anyway' })).toHaveCount(1)
    await counter.strip.getByRole('button', { name: 'Add anyway' }).click()
    await expect(counter.page.getByText('No cases in this package').first()).toBeVisible()
  },
)

test(
  'refuses to complete an order without items or without an order number, and says why',
  { tag: '@long' },
  async ({ counter }) => {
    await counter.go('Checkout')
    await expect(counter.button('Complete order')).toBeDisabled()
    await counter.scan(a)
    await counter.button('Complete 1 item').click()
    await expect(counter.page.getByText('The order number is missing.').first()).toBeVisible()
    await expect(counter.button('Complete 1 item')).toBeVisible()
  },
)

test('reports unusual order numbers exactly as typed', { tag: '@long' }, async ({ counter, station }) => {
  const { page } = counter
  const odd = ['A B/C 7', 'Nº 🌿 42', `${'9'.repeat(99)}1`]
  await counter.go('Checkout')
  for (const [index, orderId] of odd.entries()) {
    await test.step(orderId.slice(0, 12), async () => {
      await counter.sell(orderId, [codes.itemsHere[index] ?? ''])
      await expect(page.getByText(`Order ${orderId} reported, 1 item`).first()).toBeVisible()
      expect((await station.knobs.transactions()).map((one) => one.orderId)).toEqual(odd.slice(0, index + 1))
    })
  }
})

test('shows why the service refused a sale, and resends the sale once its case is imported', async ({
  counter,
  station,
}) => {
  const { page } = counter
  await counter.go('Checkout')
  await counter.scan(foreign)
  await expect(page.getByText('Its case is not imported here').first()).toBeVisible()
  await counter.field('Order number').fill('5')
  await counter.button('Complete 1 item').click()
  await counter.button('Complete anyway').click()
  await expect(page.getByText('1 item is not in our inventory.').first()).toBeVisible()
  await expect(page.getByRole('button', { name: '1 needs attention' })).toBeVisible()

  await counter.go('Receiving')
  await counter.scan(codes.caseToImport)
  await counter.importCase()
  await expect(page.getByText(/Imported here at/).first()).toBeVisible()

  await counter.go('Outbox')
  await counter.button(/^Try again: .*order 5$/i).click()
  await expect(page.getByRole('button', { name: /needs attention/ })).toBeHidden()
  await expect.poll(async () => (await station.knobs.transactions()).map((one) => one.orderId)).toEqual(['5'])
})

test(
  'puts the items and the number of a refused sale back into the cart for changes',
  { tag: '@long' },
  async ({ counter, station }) => {
    const { page } = counter
    await counter.go('Checkout')
    await counter.sellAnyway('5', [a, foreign])
    await expect(page.getByRole('button', { name: '1 needs attention' })).toBeVisible()
    await counter.go('Outbox')
    await counter.button(/^Change: .*order 5$/i).click()
    await expect(counter.field('Order number')).toHaveValue('5')
    await counter.button('Remove mode').click()
    await counter.scan(foreign)
    await expect(counter.button('Complete 1 item')).toBeVisible()
    await counter.button('Complete 1 item').click()
    await expect(page.getByText('Order 5 reported, 1 item')).toBeVisible()
    expect((await station.knobs.transactions()).map((one) => one.orderId)).toEqual(['5'])

    // The item that was left out needs a reason.
    await page.getByRole('button', { name: '1 needs attention' }).click()
    await expect(page.getByText('1 of 2 items was not sent again')).toBeVisible()
    await counter.dismiss('5', 'stayed in the store')
    await expect(page.getByRole('button', { name: /needs attention/ })).toBeHidden()
  },
)

test(
  'a refused sale that is put back into the cart and cleared needs attention, and the day names it',
  { tag: '@long' },
  async ({ counter }) => {
    const { page } = counter
    await counter.go('Checkout')
    await counter.sellAnyway('5', [foreign])
    await expect(page.getByRole('button', { name: '1 needs attention' })).toBeVisible()
    await counter.go('Outbox')
    await counter.button(/^Change: .*order 5$/i).click()
    await expect(counter.field('Order number')).toHaveValue('5')
    await counter.button('Clear').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Clear the order' }).click()
    await expect(counter.field('Order number')).toHaveValue('')

    await counter.go('Orders')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByText('1 report needs review')).toBeVisible()
    await expect(page.getByText(/Sale: order 5/).first()).toBeVisible()
    await expect(page.getByText(/^Everything is with the service/)).toBeHidden()
    expect(await violations(page)).toEqual([])

    await page.getByRole('button', { name: '1 needs attention' }).click()
    await expect(page.getByText('put back into the cart and not sent again')).toBeVisible()
    expect(await violations(page)).toEqual([])
    await counter.dismiss('5', 'customer gave it back')
    await expect(page.getByRole('button', { name: /needs attention/ })).toBeHidden()
    await expect(page.getByText('Dismissed: customer gave it back')).toBeVisible()
  },
)

test('withdraws an unsent sale only after a confirmation, and reports nothing of it', async ({ counter, station }) => {
  const { page } = counter
  await counter.go('Checkout')
  await station.knobs.setFaults({ offline: true })
  await counter.sell('6', [a])
  await expect(page.getByText('1 to send')).toBeVisible()
  await counter.go('Outbox')
  await counter.button(/^Undo: .*order 6$/i).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Keep it' }).click()
  await expect(page.getByText('1 to send')).toBeVisible()
  await counter.button(/^Undo: .*order 6$/i).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel report' }).click()
  await expect(page.getByText('Nothing to send')).toBeVisible()
  await station.knobs.setFaults({})
  await expect(page.getByText('Connected')).toBeVisible({ timeout: 20_000 })
  expect(await station.knobs.transactions()).toEqual([])
})

test(
  'dismisses a refused sale with a reason, and frees its items for another sale',
  { tag: '@long' },
  async ({ counter }) => {
    const { page } = counter
    await counter.go('Checkout')
    await counter.sellAnyway('5', [foreign])
    await expect(page.getByRole('button', { name: '1 needs attention' })).toBeVisible()
    await counter.go('Outbox')
    await counter.button(/^Dismiss: .*order 5$/i).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Dismiss it' }).click()
    await expect(dialog.getByText('Please say why')).toBeVisible()
    await dialog.getByLabel('Reason', { exact: true }).fill('rung up on the wrong till')
    await dialog.getByRole('button', { name: 'Dismiss it' }).click()
    await expect(page.getByText('Dismissed: rung up on the wrong till')).toBeVisible()
    await counter.go('Checkout')
    await counter.scan(foreign)
    await expect(counter.button('Complete 1 item')).toBeVisible()
  },
)

test('shows a refused import at its case and keeps what was typed', { tag: '@long' }, async ({ counter, station }) => {
  const { page } = counter
  await counter.scan(codes.caseToImport)
  await station.knobs.setFaults({ rules: [{ kind: 'garbage', answer: 'html', path: '/api/v1.2/caseids' }] })
  await counter.importCase()
  await expect(page.getByText('Not confirmed yet').first()).toBeVisible()
  await station.knobs.setFaults({})
  await expect(page.getByText('Nothing to send')).toBeVisible({ timeout: 30_000 })

  await counter.go('Receiving')
  await counter.scan(codes.byStranger)
  await expect(page.getByText(/dispensary not named/).first()).toBeVisible()
  await counter.scan(codes.byCompany)
  await expect(page.getByText(/Imported by Green Door, Hoboken/).first()).toBeVisible()
  await counter.scan(codes.short)
  await expect(page.getByText('18 of 20 required, 2 short').first()).toBeVisible()
  await counter.scan(codes.oddIdentifier)
  await expect(page.getByRole('heading', { name: 'Hudson Ground, 7 g' })).toBeVisible()
})

test('shows that the service is having problems, and resumes when the service recovers', async ({
  counter,
  station,
}) => {
  const { page } = counter
  await station.knobs.setFaults({ rules: [{ kind: 'status', code: 500 }] })
  await counter.scan(codes.package)
  await expect(page.getByText('The service is having problems.').first()).toBeVisible()
  await station.knobs.setFaults({})
  await counter.button('Refresh').first().click()
  await expect(page.getByRole('main').getByText('3 cases, 3 to import', { exact: true })).toBeVisible()
})

test('sells in Spanish', async ({ counter, station }) => {
  const { page } = counter
  await counter.settings('This station')
  await page.getByText('Español').click()
  await expect(
    page.getByRole('heading', { name: 'Ajustes' }).or(page.getByRole('heading', { name: 'Configuración' })),
  ).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'es')
  await counter.go('Checkout')
  await counter.scan(b)
  await expect(page.getByRole('main').getByText('Palisades Pre-Roll, 1 g')).toBeVisible()
  await page.getByRole('textbox').first().fill('88')
  await page.keyboard.press('Control+Enter')
  await expect.poll(async () => (await station.knobs.transactions()).map((one) => one.orderId)).toEqual(['88'])

  // A page that is opened again is Spanish from its first word.
  await page.addInitScript(() => {
    new MutationObserver(() => {
      const { dataset, lang } = document.documentElement
      if (document.querySelector('body > *')) dataset['first'] ??= lang
    }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['lang'] })
  })
  const first = () => page.locator('html').getAttribute('data-first')
  await page.reload()
  await expect(page.getByText('Listo para escanear')).toBeVisible()
  expect(await first()).toBe('es')
  // One that has never been here asks the station first, and is Spanish then.
  await page.evaluate(() => localStorage.clear())
  await page.reload()
  await expect(page.getByText('Listo para escanear')).toBeVisible()
})
