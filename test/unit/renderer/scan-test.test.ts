import { describe, expect, it } from 'vitest'
import { App } from '../../../src-renderer/app.svelte'
import { say } from '../../../src-renderer/text/text.svelte'
import { meaningText } from '../../../src-renderer/scan/scan-text'
import { rawParts } from '../../../src-renderer/scan/scan-text'
import { OrderId } from '../../../src-shared/ids'
import { ScannerSettings } from '../../../src-shared/ipc/contract/scanner'
import { classify } from '../../../src-shared/scan/classify'
import type { WedgeScan } from '../../../src-shared/scan/wedge'
import { scan, tagId } from './examples'
import { createFakeWire, turn } from './fake-wire'

const typed = (text: string, slowestGap: number): WedgeScan => ({
  text,
  troubles: [],
  reading: 'us',
  timing: { characters: text.length, medianGap: slowestGap, slowestGap, medianTouch: 60, slowestTouch: 60 },
  mark: 0,
})

async function start() {
  const fake = createFakeWire()
  const app = new App({ wire: fake.wire, onReach: () => () => undefined }, () => undefined)
  app.start()
  void app.scanners.loadSettings()
  await fake.next('scanner.settings').answer(ScannerSettings.parse({}))
  return { app, fake }
}

const order = { kind: 'order', orderId: OrderId.parse('1') } as const

describe('the test panel', () => {
  it('keeps scans from the other screens while it is open, and only then', async () => {
    const { app, fake } = await start()
    fake.always('scanner.setPlace', null)
    app.go('checkout')
    app.scanTest.open()
    await fake.emit('scanner.scanned', scan(1, { kind: 'tag', tagId: tagId(1), certain: true }))
    expect([app.scanTest.scan?.seq, app.strip.current, fake.asked]).toEqual([1, null, []])
    app.scanTest.close()
    await fake.emit('scanner.scanned', scan(2, { kind: 'tag', tagId: tagId(1), certain: true }))
    expect(app.strip.current?.seq).toBe(2)
    expect(fake.next('checkout.addItem').input).toEqual({ mode: 'sale', tagId: tagId(1) })
    app.scanTest.open()
    expect(app.scanTest.scan).toBeNull()
  })

  it('submits a typed scan with its problems, measures it and learns nothing by itself', async () => {
    const { app, fake } = await start()
    app.scanTest.open()
    void app.wedgeScan({ ...typed('10482-77', 110), troubles: ['layout'] })
    const asked = fake.next('scanner.submit')
    expect(asked.input).toEqual({ text: '10482-77', source: 'wedge', troubles: ['layout'] })
    await asked.answer(null)
    expect(app.scanTest.typed?.timing.slowestGap).toBe(110)
    expect(app.scanners.wedge).toEqual(ScannerSettings.parse({}).wedge)
    expect(fake.asked).toEqual([])
  })

  it('sets the station to the scanner with one tap, once', async () => {
    const { app, fake } = await start()
    app.scanTest.open()
    void app.wedgeScan(typed('10482-77', 110))
    expect(app.scanTest.tuned?.longestGap).toBe(250)
    const tuning = app.scanTest.tune()
    await turn()
    expect(ScannerSettings.parse(fake.asked.at(-1)?.input).wedge.timing.longestGap).toBe(250)
    await fake.next('scanner.setSettings').answer(null)
    await tuning
    expect([app.scanTest.isTuned, app.scanTest.tuned, app.scanners.wedge.timing.longestGap]).toEqual([true, null, 250])
  })

  it('shows why the settings could not be saved, and can be tried again', async () => {
    const { app, fake } = await start()
    app.scanTest.open()
    void app.wedgeScan(typed('10482-77', 110))
    const tuning = app.scanTest.tune()
    await turn()
    await fake.next('scanner.setSettings').refuse({ code: 'store/not-saved' })
    await tuning
    expect([app.scanTest.isTuned, app.scanTest.error?.code]).toEqual([false, 'store/not-saved'])
    expect(app.scanTest.tuned).not.toBeNull()
  })

  it('does not treat one, two or three keys as a scan', async () => {
    const { app, fake } = await start()
    app.scanTest.open()
    for (const text of [' ', 'ab', 'abc']) await app.wedgeScan(typed(text, 110))
    expect([app.scanTest.typed, fake.asked]).toEqual([null, []])
  })

  it('says that main can’t be reached', async () => {
    const { app, fake } = await start()
    app.scanTest.open()
    void app.wedgeScan(typed('10482-77', 110))
    await fake.next('scanner.submit').disconnect()
    expect(app.scanTest.error?.code).toBe('ipc/disconnected')
  })

  it('offers nothing to set for a USB HID scanner', async () => {
    const { app, fake } = await start()
    app.scanTest.open()
    void app.wedgeScan(typed('10482-77', 110))
    await fake.emit('scanner.scanned', { ...scan(1, order), source: 'hid', device: 'Honeywell', symbology: ']Q1' })
    expect([app.scanTest.typed, app.scanTest.tuned]).toEqual([null, null])
  })

  it.each([
    ['https://tag.example/fNumgzqqiApBuoTRFhfm7C', 'Item, TagID fNumgzqqiApBuoTRFhfm7C'],
    ['1A40E0300000B2F000000001', 'Package 1A40E0300000B2F000000001'],
    ['CT:UNDO', 'Action: undo'],
    [']C10109506000134352', 'Product barcode, number 09506000134352, batch –, serial –'],
    ['https://elsewhere.example/', 'An address that holds no TagID or CaseID'],
    ['ab\ufffdcd', 'Nothing: characters were lost or damaged on the way'],
    ['', 'Nothing: the code is empty'],
    ['x'.repeat(600), 'Nothing: too long for a code'],
    ['hello', 'Unrecognized code'],
  ])('says in words what %j means', (text, words) => {
    expect(say(meaningText(classify(text, 'other')))).toBe(words)
  })

  it('shows every character, invisible ones by name', () => {
    const shown = (text: string) => rawParts(text).map((part) => (part.isUnseen ? `[${part.text}]` : part.text))
    expect(shown('01\u001d10\u0000\r\n\u007f é🌿')).toEqual([
      '01',
      '[GS]',
      '10',
      '[NUL]',
      '[CR]',
      '[LF]',
      '[DEL]',
      ' é🌿',
    ])
    const hostile = 'a\u202eb\u200b\u0085\u2028\ud83c\u{e0041}\ue000'
    expect(shown(hostile).join('')).toBe('a[U+202E]b[U+200B][U+0085][U+2028][U+D83C][U+E0041][U+E000]')
    expect(shown('')).toEqual([])
  })
})
