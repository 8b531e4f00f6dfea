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
  // The mouse rests on a button: it doesn't move away from under it.
  await counter.button('Choose').hover()
  await page.waitForTimeout(22_000)
  await expect(strip).toContainText('Ready to scan')
  expect(await heightOf(counter)).toBe(high)
  await page.mouse.move(0, 0)
  await expectHeight(counter, low)
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
