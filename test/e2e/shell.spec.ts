import { tooSmall } from './axe'
import { codes, expect, test } from './station'

const screens = ['Receiving', 'Checkout', 'Orders', 'Find', 'Outbox', 'Settings'] as const

test('makes everything that is pressed at least 44 px in both directions', async ({ counter }) => {
  const { page } = counter
  const look = async (where: string) => expect(await tooSmall(page), where).toEqual([])
  for (const screen of screens) {
    await counter.go(screen)
    await expect(page.locator(`nav [aria-current=page]`)).toContainText(screen)
    await look(screen)
  }
  await counter.go('Receiving')
  await counter.scan(codes.package)
  await expect(counter.field('POS product ID')).toBeVisible()
  await look('a delivery')
  await counter.go('Checkout')
  await counter.sell('1', codes.itemsHere.slice(0, 1))
  await counter.go('Orders')
  await page.getByRole('button', { name: /^1\b/ }).first().click()
  await look('an order')
  await counter.go('Find')
  await counter.scan(codes.itemsHere[1] ?? '')
  await expect(page.getByRole('region', { name: 'What is known of it' })).toBeVisible()
  await look('a found item')
  const practice = counter.button('Practice codes and training switch')
  await expect(practice).toHaveAccessibleDescription('Practice store. Nothing you do here is reported.')
  await practice.click()
  await look('the practice drawer')
})

test('shows the focus by a ring of two pixels around a control, never around a heading', async ({ counter }) => {
  const { page } = counter
  const ring = () =>
    page.evaluate(() => {
      const focused = document.activeElement ?? document.body
      const { outlineStyle, outlineWidth } = getComputedStyle(focused)
      return `${focused.tagName} ${outlineStyle === 'none' ? 'none' : outlineWidth}`
    })
  await counter.settings('Connection')
  await counter.button('Guided first delivery and sale').focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'First delivery' })).toBeFocused()
  expect(await ring()).toBe('H2 none')
  await page.keyboard.press('Tab')
  expect(await ring()).toBe('BUTTON 2px')
  await counter.go('Checkout')
  await page.keyboard.press('Alt+N')
  await expect(counter.field('Order number')).toBeFocused()
  expect(await ring()).toBe('INPUT 2px')
})

test('reaches the common steps by keys, which the buttons show while Alt or ? is held', async ({ counter }) => {
  const { page } = counter
  await counter.go('Checkout')
  await page.keyboard.press('Alt+R')
  await expect(counter.tab('Return')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Alt+V')
  await expect(counter.tab('Void')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Alt+N')
  await expect(counter.field('Order number')).toBeFocused()
  await counter.field('Order number').fill('9')
  await page.keyboard.press('Alt+K')
  await expect(counter.field('Order number')).toHaveValue('')
  await page.keyboard.press('Alt+S')
  await page.keyboard.press('Alt+N')
  await expect(counter.field('Order number')).toBeFocused()
  await counter.field('Order number').fill('10482')
  await counter.scan(codes.itemsHere[0] ?? '')
  await expect(counter.button('Complete 1 item')).toBeVisible()
  await page.keyboard.press('Alt+H')
  await expect(counter.button('Complete 1 item')).toBeHidden()
  // It appears with the order on hold.
  await expect(page.locator('[aria-keyshortcuts="Alt+L"]')).toBeVisible()
  await page.keyboard.press('Alt+L')
  await expect(page.getByRole('dialog', { name: 'Orders on hold' })).toBeVisible()
  await page.keyboard.press('Escape')

  const hint = () => counter.tab('Return').evaluate((tab) => getComputedStyle(tab, '::after').content)
  expect(await hint()).toBe('none')
  await page.keyboard.down('Alt')
  expect(await hint()).toBe('"Alt+R"')
  await page.keyboard.up('Alt')
  expect(await hint()).toBe('none')
  await counter.tab('Sell').focus()
  await page.keyboard.down('?')
  await page.keyboard.down('?')
  expect(await hint()).toBe('"Alt+R"')
  await page.keyboard.up('?')
  expect(await hint()).toBe('none')
  await expect(page.getByRole('dialog')).toBeHidden()
})

test('goes to another screen from the help sheet, which lists every key', { tag: '@long' }, async ({ counter }) => {
  const { page } = counter
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keys' })
  for (const key of ['F2', 'R', 'N', 'Esc']) await expect(help.locator('kbd', { hasText: key }).first()).toBeVisible()
  await page.keyboard.press('F2')
  await expect(help).toBeHidden()
  await expect(counter.tab('Sell')).toBeVisible()
})

test(
  'never loses the focus to the page on the way through the screens by keyboard',
  { tag: '@long' },
  async ({ counter }) => {
    const { page } = counter
    const focused = () => page.evaluate(() => document.activeElement?.tagName)
    const keeps = async (step: string) => {
      await expect.poll(focused, { message: step }).not.toBe('BODY')
    }
    for (const screen of screens) {
      await counter.go(screen)
      await keeps(`to ${screen}`)
      await page.keyboard.press('Tab')
      await keeps(`Tab on ${screen}`)
    }
    await counter.go('Checkout')
    await page.keyboard.press('Alt+N')
    await counter.field('Order number').fill('7')
    await counter.scan(codes.itemsHere[0] ?? '')
    await expect(counter.button('Complete 1 item')).toBeVisible()
    await page.keyboard.press('Alt+H')
    await expect(counter.button('Complete 1 item')).toBeHidden()
    await page.keyboard.press('Alt+T')
    await keeps('in the code field')
    await page.keyboard.press('Escape')
    await keeps('after the code field')
  },
)

test('keeps the focus after the buttons that can not be pressed again', { tag: '@long' }, async ({ counter }) => {
  const { page } = counter
  const keeps = async (step: string) => {
    // A disabled element loses it when the page is drawn.
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName), { message: step }).not.toBe('BODY')
  }
  const hold = counter.button(/^Hold$/)
  const begin = async (orderId: string, code: string | undefined) => {
    await counter.field('Order number').fill(orderId)
    await counter.scan(code ?? '')
    await expect(counter.button('Complete 1 item')).toBeVisible()
  }
  await counter.go('Checkout')
  await begin('1', codes.itemsHere[0])
  await counter.button('Complete 1 item').click()
  await expect(counter.button('Complete order')).toBeDisabled()
  await keeps('Complete by click')

  await begin('2', codes.itemsHere[1])
  await counter.button('Complete 1 item').focus()
  await page.keyboard.press('Enter')
  await expect(counter.button('Complete order')).toBeDisabled()
  await keeps('Complete by Enter')

  await begin('3', codes.itemsHere[2])
  await hold.focus()
  await page.keyboard.press('Enter')
  await expect(hold).toBeDisabled()
  await keeps('Hold by Enter')

  await begin('4', codes.itemsHere[3])
  await hold.focus()
  await page.keyboard.press('Alt+H')
  await expect(hold).toBeDisabled()
  await keeps('Hold by Alt+H')

  await counter.field('Order number').fill('5')
  await counter.button(/^Clear$/).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button').last().press('Enter')
  await expect(dialog).toBeHidden()
  await expect(counter.button(/^Clear$/)).toBeDisabled()
  await keeps('Clear by Enter')

  await begin('6', codes.itemsToImport[0])
  const removing = counter.button(/^Remove mode$/)
  await removing.press('Enter')
  await counter.scan(codes.itemsToImport[0] ?? '')
  await expect(counter.button('Complete order')).toBeDisabled()
  await removing.focus()
  await page.keyboard.press('Escape')
  await expect(removing).toBeDisabled()
  await keeps('Esc out of remove mode')
})

test('shows a chosen theme at once and from the start, and backs up when asked', async ({ counter }) => {
  const { page } = counter
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await ground()
  await counter.settings('This station')
  await page.getByRole('radio', { name: 'Dark' }).check()
  const dark = await ground()
  expect(dark).not.toBe(light)
  await page.reload()
  await expect(page.getByRole('radio', { name: 'Dark' })).toBeChecked()
  expect(await ground()).toBe(dark)
  // The station remembers it, also for a page that has never been here.
  await page.evaluate(() => localStorage.clear())
  await page.reload()
  await expect.poll(ground).toBe(dark)
  await page.getByRole('radio', { name: 'Same as this computer' }).check()
  expect(await ground()).toBe(light)

  await counter.settings('Data and help')
  await counter.button('Back up now').click()
  await expect(page.getByText(/^(Backup made and checked|Nothing changed since)/)).toBeVisible()
  await counter.button('Back up now').click()
  await expect(page.getByText('Nothing changed since the last backup.')).toBeVisible()
})

test(
  'says within seconds that the line dropped while nothing is sent',
  { tag: '@long' },
  async ({ counter, station }) => {
    test.setTimeout(60_000)
    await expect(counter.page.getByText('Connected', { exact: true })).toBeVisible()
    await station.knobs.setFaults({ offline: true })
    await expect(counter.page.getByText('No connection').first()).toBeVisible({ timeout: 20_000 })
  },
)
