import { deviceNames, scan as typeScan } from '../fakes/key-traces/devices'
import { createKeyboard, plain } from '../fakes/key-traces/keyboard'
import { pressFor } from '../fakes/key-traces/layouts'
import { payload, payloadNames } from '../fakes/key-traces/payloads'
import { steadily } from '../fakes/key-traces/play'
import { createRandom } from '../fakes/key-traces/random'
import { typing, typingNames } from '../fakes/key-traces/typists'
import { expect, test, url } from './till'

test(
  'reads every device and every kind of code exactly, while the focused field keeps its content',
  { tag: '@long' },
  async ({ till }) => {
    const { page, keys, scans } = till
    const random = createRandom(41)
    const field = page.locator('#text')
    await field.fill('10 4')
    await page.keyboard.press('End')
    const expected: string[] = []
    for (const [index, name] of payloadNames.entries()) {
      for (const [at, device] of deviceNames.entries()) {
        const text = payload(name, random)
        // Short, unprefixed and slow codes: they need the test panel's tuning first.
        const isHard = device === 'cable, 80 ms' && text.length < 16
        if (isHard || (index + at) % 2 === 0) continue
        const keyboard = createKeyboard(random.pick(['us', 'uk', 'german', 'spanish'] as const), false)
        const suffix = random.pick(['enter', 'tab', 'cr-lf', 'enter-enter'] as const)
        const separator = random.pick(['ctrl', 'alt-0029'] as const)
        typeScan(keyboard, text, { device, layout: 'us', suffix, separator, isInAltMode: false }, 0, random)
        await keys.type(keyboard.finish())
        expected.push(text)
      }
    }
    await expect.poll(() => scans).toEqual(expected)
    expect(expected.length).toBeGreaterThan(40)
    await expect(field).toHaveValue('10 4')
    // One of the codes is a printed action with a confirmation, which holds the focus until answered.
    await page.keyboard.press('Escape')
    await expect(field).toBeFocused()
  },
)

test('keeps what people type, to the last letter', { tag: '@long' }, async ({ till }) => {
  const { page, keys, scans } = till
  const field = page.locator('#lines')
  for (const [index, name] of typingNames.filter((each) => each !== 'paste').entries()) {
    for (const seed of [1, 2, 3, 4]) {
      const events = typing(name, 'us', false, createRandom(index * 10 + seed))
      await field.fill('')
      await keys.type(events)
      let text = ''
      for (const { type, key, code } of events) {
        if (type === 'keyup' || code === 'ArrowLeft') continue
        if (code === 'Enter') text += '\n'
        else if (code === 'Backspace') text = text.slice(0, -1)
        else if (key.length === 1) text += key
      }
      // An arrow key moves the caret, so the next word goes elsewhere: here only the letters count.
      const isMoved = name === 'with corrections'
      const shown = await field.inputValue()
      expect([name, isMoved ? shown.length : shown]).toEqual([name, isMoved ? text.length : text])
    }
  }
  await keys.type(steadily('x', { held: 95 }))
  expect(scans).toEqual([])
})

test('typing into a page that hangs is not taken for a scan when the page resumes', async ({ till }) => {
  const { page, keys, scans } = till
  await page.locator('#text').click()
  const hang = page.evaluate(() => {
    const end = performance.now() + 1_500
    while (performance.now() < end);
  })
  await keys.typeNow(steadily('10482-77\n', { gap: 130, held: 80 }))
  await hang
  await expect(page.locator('#text')).toHaveValue('10482-77')
  await page.waitForTimeout(500)
  expect(scans).toEqual([])
})

test('a scan into a page that hangs is still read as a scan', { tag: '@long' }, async ({ till }) => {
  const { page, keys, scans } = till
  await page.locator('#text').click()
  const hang = page.evaluate(() => {
    // The hang is long enough to cover the last key and the timer behind it.
    const end = performance.now() + 3_000
    while (performance.now() < end);
  })
  // Without a suffix, only the timer can end the scan.
  await keys.typeNow(steadily(url, { gap: 15, held: 5 }))
  await hang
  await expect.poll(() => scans).toEqual([url])
  await expect(page.locator('#text')).toHaveValue('')
})

test('Caps Lock does not reverse a code', async ({ till }) => {
  // The protocol that types real keys has no Caps Lock: these events are dispatched by the page.
  const events = steadily(`${url}\n`, { gap: 4, capsLock: true })
  await till.page.evaluate((all) => {
    for (const { type, key, code, shift, capsLock } of all) {
      const init = { key, code, shiftKey: shift, modifierCapsLock: capsLock, bubbles: true, cancelable: true }
      document.body.dispatchEvent(new KeyboardEvent(type, init))
    }
  }, events)
  await expect.poll(() => till.scans).toEqual([url])
})

test('leaves a pasted code and a held key in the field', async ({ till }) => {
  const { page, keys, scans } = till
  await page.locator('#text').click()
  await page.keyboard.insertText(url)
  const keyboard = createKeyboard('us', false)
  keyboard.hold(pressFor('x', 'us'), 0, 900)
  keyboard.press(plain('Enter'), 1_000, 80)
  await keys.type(keyboard.finish())
  await expect(page.locator('#text')).toHaveValue(/^https.*x{5,}$/)
  expect(scans).toEqual([])
})
