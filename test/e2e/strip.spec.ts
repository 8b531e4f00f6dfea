import { type Counter, codes, expect, test } from './station'

const [a = '', b = ''] = codes.itemsHere
const low = 48
const high = 104

const heightOf = async ({ strip }: Counter) => Math.round((await strip.boundingBox())?.height ?? 0)
const expectHeight = (counter: Counter, height: number, timeout = 5_000) =>
  expect.poll(() => heightOf(counter), { timeout }).toBe(height)

test('the strip is low while nothing was scanned, high with a result, and low again when that is old', async ({
  counter,
}) => {
  const { page, strip } = counter
  await counter.go('Checkout')
  expect(await heightOf(counter)).toBe(low)
  await counter.scan(a)
  await expect(strip).toContainText('Palisades Pre-Roll, 1 g added')
  expect(await heightOf(counter)).toBe(high)
  // A hand is at a button: it doesn't move away from under it, but does from a mouse that was left there.
  let x = 5
  await expect(async () => {
    await counter.button('Choose').hover({ position: { x: x++, y: 5 } })
    expect(await strip.textContent()).toContain('Ready to scan')
  }).toPass({ intervals: [500], timeout: 40_000 })
  expect(await heightOf(counter)).toBe(high)
  await expectHeight(counter, low, 10_000)
  // What is old can still be undone.
  await page.keyboard.press('Control+z')
  await expect(strip).toContainText('Undone: Palisades Pre-Roll, 1 g taken out')
})

test('a refusal stays until it was read, and names the product; another screen ends what was said before', async ({
  counter,
}) => {
  const { page, strip } = counter
  await counter.go('Checkout')
  await counter.scan(a)
  await expect(strip).toContainText('added')
  await counter.go('Find')
  await expect(strip).toContainText('Ready to scan')
  await counter.go('Checkout')
  await counter.typeCode(a)
  await expect(strip).toContainText('Palisades Pre-Roll, 1 g: Already in this order')
  await page.keyboard.press('F4')
  await expect(strip).toContainText('Already in this order')
  await strip.getByRole('button', { name: 'Got it' }).click()
  await expect(strip).toContainText('Ready to scan')
  await page.mouse.move(0, 0)
  await expectHeight(counter, low)
})

test('an earlier refusal stays until it was read, and the later scan stays', async ({ counter }) => {
  const { strip } = counter
  await counter.go('Checkout')
  await counter.scan(a)
  await counter.typeCode(a)
  await expect(strip).toContainText('Already in this order')
  await counter.scan(b)
  await expect(strip).toContainText(/Before:.*Already in this order/)
  await strip.getByRole('button', { name: 'Got it' }).click()
  await expect(strip).not.toContainText('Already in this order')
  await expect(strip).toContainText('added')
  await expect(strip.getByRole('button', { name: 'Got it' })).toBeHidden()
})

test('the strip asks whether a short number without a prefix is an order', async ({ counter }) => {
  const { page, strip } = counter
  await counter.go('Checkout')
  await counter.scan('10482')
  await expect(strip).toContainText('Maybe an order number: 10482')
  await expect(strip).toContainText('Settings > Scanners')
  await strip.getByRole('button', { name: 'Use “10482” as the order number' }).click()
  await expect(strip).toContainText('Order number 10482')
  await expect(counter.field('Order number')).toHaveValue('10482')
  // In a field, it is what a person types.
  await counter.field('Order number').fill('')
  await page.keyboard.type('7', { delay: 120 })
  await expect(counter.field('Order number')).toHaveValue('7')
})

test('the strip confirms in one line what a button did', async ({ counter }) => {
  const { strip } = counter
  await counter.go('Checkout')
  await counter.scan(b)
  await counter.field('Order number').fill('811')
  await counter.button('Hold').click()
  await expect(strip.getByRole('status')).toContainText('Order 811 is on hold')
  await expect(strip).toContainText('Ready to scan')
  await counter.page.mouse.move(0, 0)
  await expectHeight(counter, low)
})

test('a return and a void look unlike a sale, by words too, and end with it', async ({ counter }) => {
  const { page } = counter
  await counter.go('Checkout')
  await counter.sell('812', [a])
  await expect(page.getByText('Order 812 reported, 1 item')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Return', exact: true })).toHaveCount(0)

  await counter.tab('Return').click()
  await expect(page.getByRole('heading', { name: 'Return', exact: true })).toBeVisible()
  await expect(page.getByText('Nothing is sold.')).toBeVisible()
  await page.waitForTimeout(1_500)
  await counter.scan(a)
  await expect(counter.strip).toContainText('Palisades Pre-Roll, 1 g added to the return')
  // A return with items waits on its tab, which counts them.
  await counter.go('Find')
  await counter.go('Checkout')
  await expect(counter.tab('Return')).toHaveAttribute('aria-selected', 'true')
  await expect(counter.tab('Return')).toContainText('1')
  await counter.button('Return 1 item of order 812').click()
  await expect(page.getByText('Return for order 812 reported, 1 item')).toBeVisible()
  await expect(counter.tab('Sell')).toHaveAttribute('aria-selected', 'true')

  await counter.tab('Void').click()
  await expect(page.getByRole('heading', { name: 'Void', exact: true })).toBeVisible()
  await expect(page.getByText('A void covers the whole order.')).toBeVisible()
  await counter.go('Find')
  await counter.go('Checkout')
  await expect(counter.tab('Sell')).toHaveAttribute('aria-selected', 'true')
})

test('a wide window shows the last item large, and the last orders beside the lines', async ({ counter }) => {
  const { page } = counter
  await page.setViewportSize({ width: 1440, height: 900 })
  await counter.go('Checkout')
  await counter.sell('813', [b])
  const orders = page.getByRole('region', { name: 'Last orders' })
  await expect(orders).toContainText('Order 813 reported, 1 item')
  await counter.scan(a)
  const last = page.getByRole('region', { name: 'Last item' })
  for (const text of [
    'Palisades Pre-Roll, 1 g',
    'Hudson Fields',
    'Sellable',
    'Passed, some not tested',
    a.split('/').at(-1) ?? '',
  ])
    await expect(last).toContainText(text)
  await expect(last).toContainText(/Certificate valid until \w+ \d+, \d{4}/)
  await counter.scan(codes.itemsToImport[0] ?? '')
  await expect(last).toContainText('Blue Dune, 3.5 g')
  await expect(last).toContainText('Its case is not imported here')
  const [lines, beside] = await Promise.all([
    page.getByRole('region', { name: 'Items' }).boundingBox(),
    orders.boundingBox(),
  ])
  expect(beside?.x).toBeGreaterThan((lines?.x ?? Infinity) + (lines?.width ?? Infinity) - 2)
  // A smaller window has them below the lines.
  await page.setViewportSize({ width: 1366, height: 768 })
  await expect(last).toHaveCount(0)
  await expect.poll(async () => (await orders.boundingBox())?.x).toBe(lines?.x)
})
