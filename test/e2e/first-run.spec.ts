import { expectFitting } from './axe'
import { type Counter, codes, expect, test } from './station'

/** The guide of the first start, and its first steps: practice is chosen, a case is imported. */
async function receiveWithGuide(counter: Counter) {
  const { page } = counter
  const guide = page.getByRole('complementary', { name: 'Guide' })
  const next = guide.getByRole('status')
  const done = (count: number) => expect(guide.getByText(`${count} of 11`)).toBeVisible()

  await test.step('chooses practice by keyboard', async () => {
    await expect(page.getByRole('heading', { name: 'Welcome to Countertag' })).toBeVisible()
    await expectFitting(page, 'welcome')
    await counter.button('Try it in the practice store').press('Enter')
    await expect(page.getByRole('heading', { name: 'Welcome to Countertag' })).toBeHidden()
    await expect(guide.getByRole('heading', { name: 'First delivery' })).toBeFocused()
    await expectFitting(page, 'guide')
  })

  await test.step('a delivery: each step is checked off when it happens', async () => {
    await done(0)
    await expect(next).toContainText(codes.package)
    await guide.getByRole('button', { name: 'Print practice codes' }).click()
    await expect(page.getByRole('dialog').getByText('Practice only')).toBeVisible()
    await page.keyboard.press('Escape')
    await guide.getByRole('button', { name: 'Scan this package' }).click()
    await expect(next).toContainText('Fill in the POS IDs')
    await guide.getByRole('button', { name: 'Scan Blue Dune, 3.5 g' }).click()
    await counter.field('POS product ID').fill('POS-1')
    await done(2)
    await counter.field('POS inventory ID').fill('INV-1')
    await expect(next).toContainText('Import the case')
    await counter.button(/^Import (only this case|.*, \d+ items?)$/).click()
    await done(4)
  })
  return { guide, next, done }
}

test(
  'asks on the first start what this station is for, guides through a delivery, and saves the progress',
  { tag: '@long' },
  async ({ counter }) => {
    const { guide } = await receiveWithGuide(counter)
    // The page shows a change before main has saved it; a reloaded page shows what is saved.
    await expect(async () => {
      await counter.page.reload()
      await expect(guide.getByText('4 of 11')).toBeVisible({ timeout: 5_000 })
    }).toPass()
  },
)

test('guides through practice to its end, also after a power cut', { tag: '@long' }, async ({ counter, station }) => {
  const { page } = counter
  const { guide, next, done } = await receiveWithGuide(counter)

  await test.step('a sale, and its void', async () => {
    await guide.getByRole('button', { name: 'Go to Checkout' }).click()
    await guide.getByRole('button', { name: /^Scan Palisades/ }).click()
    await expect(next).toContainText('Complete the order')
    await expectFitting(page, 'guide over an order')
    await counter.field('Order number').fill('1')
    await page.keyboard.press('Control+Enter')
    await expect(next).toContainText('Void the order')
    await guide.getByRole('button', { name: 'Go to Checkout, Void' }).click()
    await guide.getByRole('button', { name: /^Scan Palisades/ }).click()
    await counter.button('Void order').click()
    await counter.approval()
    await done(8)
  })

  await test.step('hidden, reopened and after a restart, the guide keeps its place', async () => {
    await guide.getByRole('button', { name: 'Hide guide' }).click()
    await expect(guide).toBeHidden()
    await counter.button('Practice codes and training switch').click()
    await counter.button('Guided first delivery and sale').click()
    await done(8)
    // The page shows a change before main has saved it; a reloaded page shows what is saved.
    await expect(async () => {
      await page.reload()
      await expect(guide.getByText('8 of 11')).toBeVisible({ timeout: 5_000 })
    }).toPass()
    await station.kill()
    await page.goto(await station.start())
    await done(8)
    await expect(page.getByRole('heading', { name: 'Welcome to Countertag' })).toBeHidden()
  })

  await test.step('a sale while offline is saved, and sent automatically', async () => {
    await guide.getByRole('button', { name: 'Turn the network off' }).click()
    await expect(next).toContainText('Sell anyway')
    await guide.getByRole('button', { name: 'Go to Checkout' }).click()
    await guide.getByRole('button', { name: /^Scan Palisades/ }).click()
    // A person sees the item in the order before completing it.
    await expect(next).not.toContainText('Scan Palisades')
    await counter.field('Order number').fill('2')
    await page.keyboard.press('Control+Enter')
    await expect(next).toContainText('Turn the network back on')
    await done(10)
    await guide.getByRole('button', { name: 'Turn the network back on' }).click()
    await expect(next).toContainText('All done', { timeout: 30_000 })
    await guide.getByRole('button', { name: 'Show all steps' }).click()
    await expectFitting(page, 'all steps')
    expect((await station.knobs.transactions()).map(({ kind, orderId }) => [kind, orderId])).toEqual([
      ['complete', '1'],
      ['void', '1'],
      ['complete', '2'],
    ])
    await guide.getByRole('button', { name: 'Connect to your store' }).click()
    await expect(page.getByRole('dialog', { name: 'New connection: step 1 of 3' })).toBeVisible()
  })
})

test(
  'allows a scan right away, and asks in plain words before leaving practice',
  { tag: '@long' },
  async ({ counter, station }) => {
    const { page } = counter
    const welcome = page.getByRole('heading', { name: 'Welcome to Countertag' })
    await expect(welcome).toBeVisible()
    await counter.scan(codes.package)
    await expect(page.getByRole('heading', { name: codes.package })).toBeVisible()
    await station.knobs.setFaults({ offline: true })
    await counter.go('Checkout')
    await counter.sell('1', codes.itemsHere.slice(0, 1))
    await expect(page.getByText('1 to send')).toBeVisible()

    // No service answers at that address, but the address is enough to leave practice.
    const nowhere = 'http://127.0.0.1:9'
    await counter.settings('Connection')
    await counter.button('Add a connection').click()
    // What most stores leave as it is stays folded.
    await expect(counter.field('Certificate file')).toBeHidden()
    await expect(page.getByLabel('Send the SKU with imports')).toBeHidden()
    await page.getByText('Advanced', { exact: true }).click()
    await counter.field('Certificate file').fill('\\\\host\\share\\company.pem')
    await page.getByText('Advanced', { exact: true }).click()
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Corner Shop')
    await counter.field('Address of the service').fill(nowhere)
    await counter.field('Retail sign-in URL').fill(nowhere)
    await counter.button('Save connection').click()
    // Something wrong in it opens it.
    await expect(counter.field('Certificate file')).toBeFocused()
    await counter.field('Certificate file').fill('')
    await counter.button('Save connection').click()
    // Asked for once: what a store of several needs, a single one doesn't.
    await expect(counter.field('ID of our dispensary')).toBeFocused()
    await counter.button('Save without the ID').click()
    await expect(page.getByRole('dialog', { name: 'Sign-in for Corner Shop: step 2 of 3' })).toBeVisible()
    await page.keyboard.press('Escape')
    await counter.button('Use Corner Shop').click()
    const question = page.getByRole('dialog', { name: 'Use Corner Shop?' })
    await expect(question).toContainText('What you practiced stays in the practice store on this computer.')
    await expect(question).toContainText('1 practice report is not sent yet: it never goes to Corner Shop.')
    await expectFitting(page, 'leaving practice')
    await question.getByRole('button', { name: 'Stay here' }).click()
    await expect(page.getByText('1 to send')).toBeVisible()

    await counter.button('Use Corner Shop').click()
    await question.getByRole('button', { name: 'Use Corner Shop' }).click()
    await expect(page.getByRole('banner').getByText('Corner Shop')).toBeVisible()
    await expect(page.getByText('Nothing to send')).toBeVisible()
    await expect(counter.button('Practice codes and training switch')).toBeHidden()
    await counter.go('Receiving')
    await expect(counter.field('Package UID or case code')).toBeVisible()
    await expect(welcome).toBeHidden()
  },
)
