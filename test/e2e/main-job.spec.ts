import { codes, expect, idIn, test } from './station'

test('receives a case, sells from it, returns one item, voids an order, sells through an outage; the service holds exactly that', async ({
  counter,
  station,
}) => {
  const { page, strip } = counter
  const [a = '', b = '', c = '', d = ''] = codes.itemsToImport

  await test.step('receive a case', async () => {
    await counter.scan(codes.package)
    await expect(strip).toContainText('3 cases')
    await counter.scan(codes.caseToImport)
    await expect(page.getByRole('heading', { name: 'Blue Dune, 3.5 g' })).toBeVisible()
    await expect(page.getByText('24 of 24 required').first()).toBeVisible()
    await counter.importCase()
    await expect(page.getByText(/Imported here at/).first()).toBeVisible()
  })

  await test.step('sell two of its items', async () => {
    await counter.go('Checkout')
    await counter.sell('10482', [a, b])
    await expect(page.getByText('Order 10482 reported, 2 items')).toBeVisible()
  })

  await test.step('return one: the order is known from the item', async () => {
    await counter.tab('Return').click()
    await counter.scan(a)
    await expect(counter.field('Order number')).toHaveValue('10482')
    await counter.button('Return 1 item').click()
    await expect(page.getByText('Return for order 10482 reported, 1 item')).toBeVisible()
  })

  await test.step('void another order', async () => {
    await counter.tab('Sell').click()
    await counter.sell('10483', [c])
    await expect(page.getByText('Order 10483 reported, 1 item')).toBeVisible()
    await counter.tab('Void').click()
    await counter.field('Order number').fill('10483')
    await counter.button('Look up').click()
    await counter.button('Void order').click()
    await counter.approval()
    await expect(page.getByText('Order 10483 voided')).toBeVisible()
  })

  await test.step('the connection is lost; sell anyway', async () => {
    await station.knobs.setFaults({ offline: true })
    await counter.tab('Sell').click()
    await counter.sell('10484', [d, a])
    await expect(page.getByText('Will be sent when the connection is back.')).toBeVisible()
    await expect(page.getByText('1 to send')).toBeVisible()
    await expect(page.getByText('No connection').first()).toBeVisible()
  })

  await test.step('the connection returns, and everything is sent automatically', async () => {
    await station.knobs.setFaults({})
    await expect(page.getByText('Nothing to send')).toBeVisible({ timeout: 30_000 })
    await expect(page.getByText('Connected')).toBeVisible()
  })

  const held = (await station.knobs.transactions()).map(({ kind, orderId, tagIds }) => ({ kind, orderId, tagIds }))
  expect(held).toEqual([
    { kind: 'complete', orderId: '10482', tagIds: [idIn(a), idIn(b)] },
    { kind: 'return', orderId: '10482', tagIds: [idIn(a)] },
    { kind: 'complete', orderId: '10483', tagIds: [idIn(c)] },
    { kind: 'void', orderId: '10483', tagIds: expect.any(Array) },
    { kind: 'complete', orderId: '10484', tagIds: [idIn(d), idIn(a)] },
  ])
  expect(await station.knobs.imports()).toContainEqual(
    expect.objectContaining({ caseId: idIn(codes.caseToImport), packageUid: codes.package }),
  )
})

test('undoes an import in the row where it was made', async ({ counter, station }) => {
  await counter.scan(codes.package)
  await counter.scan(codes.caseToImport)
  await counter.importCase()
  await expect(counter.page.getByText(/Imported here at/).first()).toBeVisible()
  await counter
    .button(/^Undo the import of Blue Dune/)
    .first()
    .click()
  await counter.approval()
  // It isn't imported again by the next press.
  await expect(counter.page.getByText('Undone', { exact: true })).toBeVisible()
  await expect(counter.button(/^Import .*, \d+ items?$/)).toBeHidden()
  await counter.page
    .getByRole('checkbox', { name: /^Select Blue Dune/ })
    .first()
    .check()
  await expect(counter.button(/^Import .*, \d+ items?$/)).toBeVisible()
  expect((await station.knobs.imports()).map((one) => one.caseId)).not.toContain(idIn(codes.caseToImport))
})

test('restores the cart and the unsent sale after a power cut', async ({ counter, station }) => {
  const [a = '', b = ''] = codes.itemsHere
  await counter.go('Checkout')
  await station.knobs.setFaults({ offline: true })
  await counter.sell('1', [a])
  await expect(counter.page.getByText('1 to send')).toBeVisible()
  await counter.field('Order number').fill('2')
  await counter.field('Order number').blur()
  // Calls are answered in order: once the item is in, the number is saved.
  await counter.scan(b)
  await expect(counter.button('Complete 1 item')).toBeVisible()
  await station.kill()
  if (station.host === 'browser') {
    await expect(counter.page.getByRole('alert').first()).toContainText('Countertag isn’t responding')
  }

  await counter.page.goto(await station.start())
  await expect(counter.page.getByText('Nothing to send')).toBeVisible({ timeout: 30_000 })
  await counter.go('Checkout')
  await expect(counter.field('Order number')).toHaveValue('2')
  await expect(counter.button('Complete 1 item')).toBeVisible()
  expect((await station.knobs.transactions()).map((one) => one.orderId)).toEqual(['1'])
})

test('works by scanner and keyboard alone', async ({ counter, station }) => {
  const [a = ''] = codes.itemsHere
  const { page } = counter
  await counter.go('Checkout')
  await counter.scan(a)
  await expect(counter.button('Complete 1 item')).toBeVisible()
  await counter.scan('order-77')
  await page.getByRole('button', { name: 'Use “order-77” as the order number' }).press('Enter')
  await expect(counter.field('Order number')).toHaveValue('order-77')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Order order-77 reported, 1 item')).toBeVisible()
  expect((await station.knobs.transactions()).map((one) => one.orderId)).toEqual(['order-77'])
})

test('keeps a scan out of the focused field, and leaves what a person typed', async ({ counter }) => {
  const { page } = counter
  await counter.go('Checkout')
  const field = counter.field('Order number')
  await expect(async () => {
    await field.fill('')
    await field.click()
    await page.keyboard.type('10 4', { delay: 90 })
    await page.waitForTimeout(150)
    // Real keys, as fast as they go. A machine too busy for a scanner's rhythm may tear one apart: then once more.
    await page.keyboard.type(`${codes.package.toLowerCase()}\n`)
    await expect(counter.strip).toContainText('This is a package', { timeout: 2_000 })
    await expect(field).toHaveValue('10 4', { timeout: 100 })
  }).toPass()
  await expect(field).toBeFocused()
  await page.keyboard.type('82', { delay: 90 })
  await expect(field).toHaveValue('10 482')
})
