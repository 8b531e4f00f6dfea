import type { Page } from '@playwright/test'
import { steadily } from '../fakes/key-traces/play'
import { expectFitting, violations } from './axe'
import { doctorWire } from './doctored'
import { RealKeyboard } from './real-keyboard'
import { codes, expect, openSection, test } from './station'

const at = '2026-11-12T14:02:11Z'
const scanner = { source: 'hid', state: 'ready', problem: null, lastScanAt: at, scans: 1_204 }
const devices = [
  { ...scanner, id: 'a', name: 'Honeywell 1950g' },
  { ...scanner, id: 'b', name: 'Zebra DS2208', state: 'failed', problem: 'scanner/no-permission', lastScanAt: null },
  { ...scanner, id: 'c', name: 'Newland HR22', problem: 'scanner/unreadable', scans: 0 },
]

/** The protocol that types real keys has no Caps Lock: these events are dispatched by the page. */
const scanWithCapsLock = (page: Page, text: string) =>
  page.evaluate(
    (all) => {
      for (const { type, key, code, shift, capsLock } of all) {
        const init = { key, code, shiftKey: shift, modifierCapsLock: capsLock, bubbles: true, cancelable: true }
        document.body.dispatchEvent(new KeyboardEvent(type, init))
      }
    },
    steadily(`${text}\n`, { gap: 4, capsLock: true }),
  )

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Test a scanner' })

test('lists the scanners, each with its problem and what to do', { tag: '@long' }, async ({ page, station }) => {
  await doctorWire(page, (name, said) =>
    name === 'scanner.scanners' || name === 'scanner.changed'
      ? { library: 'no-usb', problem: 'scanner/no-usb', devices }
      : said,
  )
  await page.goto(station.url)
  await page.keyboard.press('F6')
  await openSection(page, 'Scanners')
  const card = page.getByRole('region', { name: 'Connected scanners', exact: true })
  await expect(card.getByRole('listitem')).toHaveCount(3)
  await expect(card.getByRole('listitem').nth(0)).toContainText('1,204 scans')
  await expect(card.getByRole('listitem').nth(1)).toContainText('Not working')
  await expect(card.getByRole('listitem').nth(1)).toContainText('70-countertag-scanners.rules')
  await expect(card.getByRole('region', { name: 'The rule' })).toContainText('ATTRS{idVendor}=="0c2e"')
  await expect(card.getByRole('listitem').nth(2)).toContainText('USB HID POS')
  await expect(card).toContainText('Countertag looks for scanners every few seconds')
  expect(await violations(page)).toEqual([])
  await openSection(page, 'This station')
  await page.getByText('Español').click()
  await page.getByRole('button', { name: 'Escáneres' }).click()
  const spanish = page.getByRole('region', { name: 'Escáneres conectados', exact: true })
  await expect(spanish.getByRole('listitem').nth(1)).toContainText('No funciona')
})

test(
  'says that keyboard-mode scanners need no setup where no other is found, and looks again',
  { tag: '@long' },
  async ({ counter }) => {
    await counter.settings('Scanners')
    const card = counter.page.getByRole('region', { name: 'Connected scanners', exact: true })
    await expect(card).toContainText('No USB HID scanner found')
    await card.getByRole('button', { name: 'Refresh' }).click()
    await expect(card.getByRole('status')).toHaveText('')
    await expect(card).toContainText('No USB HID scanner found')
  },
)

test(
  'shows recent scans, how long ago and as read, but not the content of a badge',
  { tag: '@long' },
  async ({ counter, station }) => {
    const { page } = counter
    await counter.settings('Scanners')
    const card = page.getByRole('region', { name: 'Connected scanners', exact: true })
    await card.getByRole('button', { name: 'Recent scans' }).click()
    const dialog = page.getByRole('dialog', { name: 'Recent scans' })
    await expect(dialog).toContainText('Nothing was scanned yet.')
    await page.keyboard.press('Escape')
    await counter.field('Badges begin with').fill('EMP-')
    await counter.button('Save prefixes').click()
    await expect(page.getByRole('region', { name: 'Your own barcodes' }).getByRole('status')).toHaveText('Saved')
    await counter.scan('EMP-90210')
    await expect(counter.strip).toContainText('Badge read')
    await card.getByRole('button', { name: 'Recent scans' }).click()
    const scans = dialog.getByRole('listitem')
    await expect(scans).toHaveCount(1)
    await counter.scan(codes.package)
    // A power cut loses the last second of scans, but a scan that was shown has been written.
    await expect(scans).toHaveCount(2)
    await station.kill()
    await page.clock.install()
    await page.goto(await station.start())
    await expect(page.getByText('Ready to scan')).toBeVisible()
    await counter.typeCode(`x${'y'.repeat(400)}`)
    await counter.settings('Scanners')
    await card.getByRole('button', { name: 'Recent scans' }).click()
    await expect(scans).toHaveCount(3)
    await expect(scans.nth(0)).toContainText('just now · typed by hand')
    await expect(scans.nth(1)).toContainText(`Package ${codes.package}`)
    await expect(scans.nth(1).getByText(codes.package, { exact: true })).toBeVisible()
    await expect(scans.nth(2)).toContainText('Badge')
    await expect(dialog).not.toContainText('90210')
    expect(await violations(page)).toEqual([])
    await page.clock.fastForward('02:05')
    await expect(scans.nth(0)).toContainText('2 min ago')
    await expect(counter.strip).toContainText('2 min ago')
  },
)

test(
  'shows in the test panel what a slow scanner sends, adapts the station to it, and saves that',
  { tag: '@long' },
  async ({ counter, station }) => {
    const { page } = counter
    const keys = await RealKeyboard.plugIn(page)
    const badge = () => steadily('10482-77\n', { gap: 110, held: 60 })
    await counter.settings('Scanners')
    await counter.button('Test a scanner').click()
    const panel = dialogOf(page)
    await expect(panel).toContainText('Scan any code')
    await keys.type(badge())
    await expect(panel).toContainText('10482-77')
    await expect(panel).toContainText('110 ms per key, slowest 110 ms, 8 keys')
    await expect(panel).toContainText('Unrecognized code')
    expect(await violations(page)).toEqual([])
    await panel.getByRole('button', { name: 'Set to this scanner' }).click()
    await expect(panel).toContainText('Saved. Scans from this scanner')
    await keys.type(steadily(`]C1010950600013435210AB\u001d21XY\n`, { gap: 110, held: 60 }))
    await expect(panel).toContainText('10ABGS21XY')
    await expect(panel).toContainText(']C1')
    await expect(panel).toContainText('Product barcode, number 09506000134352, batch AB, serial XY')
    await page.keyboard.press('Escape')
    await expect(panel).toBeHidden()
    await expect(counter.strip).toContainText('Ready to scan')

    await station.kill()
    await page.goto(await station.start())
    await expect(page.getByText('Ready to scan')).toBeVisible()
    await counter.settings('Scanners')
    await counter.button('Test a scanner').click()
    await (await RealKeyboard.plugIn(page)).type(badge())
    await expect(dialogOf(page)).toContainText('The settings fit this scanner.')
    await page.keyboard.press('Escape')
    const card = page.getByRole('region', { name: 'Keyboard-mode scanners' })
    await card.getByRole('button', { name: 'Reset timing' }).click()
    await expect(card).toContainText('Timing reset')
    await expect(card.getByRole('button', { name: 'Reset timing' })).toBeHidden()
  },
)

test(
  'removes the configured scanner prefix from each code, and says which prefixes are not allowed',
  { tag: '@long' },
  async ({ counter }) => {
    const { page, strip } = counter
    await counter.settings('Scanners')
    const card = page.getByRole('region', { name: 'Keyboard-mode scanners' })
    const field = card.getByLabel('Scanner prefix')
    await field.fill('https')
    await card.getByRole('button', { name: 'Save scanner prefix' }).click()
    await expect(card).toContainText('Codes themselves begin like this')
    await expect(field).toBeFocused()
    expect(await violations(page)).toEqual([])
    await field.fill('~~')
    await card.getByRole('button', { name: 'Save scanner prefix' }).click()
    await expect(card).toContainText('Saved')
    await counter.go('Checkout')
    await (await RealKeyboard.plugIn(page)).type(steadily(`~~${codes.itemsHere[0] ?? ''}\n`, { gap: 8, held: 3 }))
    await expect(strip).toContainText('Palisades Pre-Roll, 1 g added')
  },
)

test(
  'a space in a slow code presses no button in the test panel, and a single key is not a scan',
  { tag: '@long' },
  async ({ counter }) => {
    const { page } = counter
    const keys = await RealKeyboard.plugIn(page)
    await counter.settings('Scanners')
    await counter.button('Test a scanner').click()
    await keys.type(steadily('AB 12 CD 34\n', { gap: 150, held: 70 }))
    await expect(dialogOf(page)).toContainText('AB 12 CD 34')
    await page.keyboard.press('Escape')
    await expect(dialogOf(page)).toBeHidden()
    await counter.button('Test a scanner').click()
    await keys.type(steadily('x\n', { gap: 150, held: 70 }))
    await keys.type(steadily('yz\n', { gap: 150, held: 70 }))
    await expect(dialogOf(page)).toContainText('Scan any code')
  },
)

test('shows in the strip that Caps Lock is on, and still reads the code', { tag: '@long' }, async ({ counter }) => {
  const { page, strip } = counter
  await counter.go('Checkout')
  const [item = ''] = codes.itemsHere
  await scanWithCapsLock(page, item)
  await expect(strip).toContainText('Palisades Pre-Roll, 1 g added')
  await expect(strip).toContainText('Caps Lock is on: the scanner’s letters came reversed.')
  expect(await violations(page)).toEqual([])
})

test(
  'a prefix for order numbers makes a scan the order number, also after a restart',
  { tag: '@long' },
  async ({ counter, station }) => {
    const { page, strip } = counter
    await counter.settings('Scanners')
    await counter.field('Order numbers begin with').fill('ORD-')
    await counter.field('Badges begin with').fill('EMP-')
    await counter.button('Save prefixes').click()
    await expect(page.getByRole('region', { name: 'Your own barcodes' }).getByRole('status')).toHaveText('Saved')
    await station.kill()
    await page.goto(await station.start())
    await expect(page.getByText('Ready to scan')).toBeVisible()
    await counter.go('Checkout')
    await counter.scan('ORD-4711')
    await expect(counter.field('Order number')).toHaveValue('4711')
    await counter.scan('ORD-4712')
    await expect(strip).toContainText('Order 4711 is open')
    await expect(counter.field('Order number')).toHaveValue('4711')
    await counter.scan('EMP-90')
    await expect(strip).toContainText('Budtender: 90')
    await expect(strip).toContainText('3 scans here')
  },
)

const bad = [
  ['CT:', 'marks Countertag’s own actions'],
  ['ct:undo', 'marks Countertag’s own actions'],
  ['https://tag.example/', 'An address can’t be a prefix'],
  ['x'.repeat(21), 'Use 20 characters at most'],
] as const
test(
  `says why a prefix can't be used: ${bad.map(([input]) => input.slice(0, 9)).join(', ')}, twice the same`,
  { tag: '@long' },
  async ({ counter }) => {
    const { page } = counter
    await counter.settings('Scanners')
    const field = counter.field('Order numbers begin with')
    for (const [input, why] of bad) {
      await field.fill(input)
      await counter.button('Save prefixes').click()
      await expect(page.getByText(why)).toBeVisible()
      await expect(field).toBeFocused()
    }
    await field.fill('a-')
    await counter.field('Badges begin with').fill(' A- ')
    await counter.button('Save prefixes').click()
    await expect(page.getByText('need different prefixes')).toBeVisible()
    expect(await violations(page)).toEqual([])
  },
)

test('mutes with one press, says so, and stays muted', { tag: '@long' }, async ({ counter }) => {
  const { page, strip } = counter
  await strip.getByRole('button', { name: 'Mute sounds' }).click()
  await expect(strip.getByRole('button', { name: 'Mute sounds' })).toHaveAttribute('aria-pressed', 'true')
  await counter.settings('Scanners')
  const card = page.getByRole('region', { name: 'Sounds' })
  await expect(card).toContainText('Sounds are off.')
  await card.getByLabel('Volume').fill('35')
  await expect(card.getByRole('status')).toHaveText('Saved')
  await expect(card).toContainText('35%')
  await page.reload()
  await expect(page.getByText('Ready to scan')).toBeVisible()
  await expect(strip.getByRole('button', { name: 'Mute sounds' })).toHaveAttribute('aria-pressed', 'true')
  await strip.getByRole('button', { name: 'Mute sounds' }).click()
  await expect(strip.getByRole('button', { name: 'Mute sounds' })).toHaveAttribute('aria-pressed', 'false')
})

test(
  'the printed actions work: undo, remove mode, clear after a confirmation, complete',
  { tag: '@long' },
  async ({ counter, station }) => {
    const { page, strip } = counter
    const [a = '', b = ''] = codes.itemsHere
    await counter.scan('CT:COMPLETE')
    await expect(strip).toContainText('There is nothing to import now')
    await counter.settings('Scanners')
    await counter.scan('CT:HOLD')
    await expect(strip).toContainText('It isn’t available here.')
    await counter.go('Checkout')
    await counter.scan(a)
    await expect(counter.button('Complete 1 item')).toBeVisible()
    await counter.scan('CT:UNDO')
    await expect(strip).toContainText('Undone: Palisades Pre-Roll, 1 g taken out')
    await counter.scan(b)
    await expect(counter.button('Complete 1 item')).toBeVisible()
    await counter.scan('CT:REMOVE')
    await expect(counter.button(/^Remove mode/)).toHaveAttribute('aria-pressed', 'true')
    await counter.scan(b)
    await expect(strip).toContainText('taken out')
    await counter.scan('CT:REMOVE')
    await expect(counter.button(/^Remove mode/)).toHaveAttribute('aria-pressed', 'false')
    await counter.scan(b)
    await expect(counter.button('Complete 1 item')).toBeVisible()
    await counter.scan('CT:CANCEL')
    await expect(page.getByRole('dialog', { name: 'Clear this order?' })).toBeVisible()
    // Any sooner would count as the same scan.
    await page.waitForTimeout(1_300)
    await counter.scan('CT:CANCEL')
    await expect(strip).toContainText('Order cleared')
    await counter.scan(a)
    await expect(counter.button('Complete 1 item')).toBeVisible()
    await counter.field('Order number').fill('78')
    await counter.scan('CT:COMPLETE')
    await expect(page.getByText('Order 78 reported, 1 item').first()).toBeVisible()
    await counter.scan('CT:HOLD')
    await expect(strip).toContainText('The order is empty')
    await counter.scan(b)
    await expect(counter.button('Complete 1 item')).toBeVisible()
    await page.waitForTimeout(1_300)
    await counter.scan('CT:HOLD')
    await expect(page.getByText('1 on hold').first()).toBeVisible()
    expect((await station.knobs.transactions()).map((one) => one.orderId)).toEqual(['78'])
  },
)

test('shows the printed action sheet', { tag: '@long' }, async ({ counter }) => {
  await counter.settings('Scanners')
  await counter.button('Print action barcodes').click()
  const picture = counter.page.getByRole('img', { name: 'Action barcodes' })
  await expect(picture).toBeVisible()
  expect(
    await picture.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
  ).toBeGreaterThan(0)
  expect(await violations(counter.page)).toEqual([])
})

test(
  'fits a small and a large window, light and dark, without an accessibility violation',
  { tag: '@long' },
  async ({ counter }) => {
    const { page } = counter
    await counter.settings('Scanners')
    await expect(counter.button('Test a scanner')).toBeVisible()
    await expectFitting(page, 'settings')
    await counter.button('Test a scanner').click()
    await (await RealKeyboard.plugIn(page)).type(steadily('https://tag.example/nq45\n', { gap: 60, held: 40 }))
    await expect(dialogOf(page)).toContainText('https://tag.example/nq45')
    await expectFitting(page, 'panel')
    await page.keyboard.press('Escape')
    await counter.go('Checkout')
    await scanWithCapsLock(page, codes.itemsHere[0] ?? '')
    await expect(counter.strip).toContainText('Caps Lock is on')
    await expectFitting(page, 'trouble')
  },
)
