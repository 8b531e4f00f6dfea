import { describe, expect, it } from 'vitest'
import { WedgeSettings } from '../../../../src-shared/scan/timing'
import { Wedge } from '../../../../src-shared/scan/wedge'
import { scan as typeScan } from '../../../fakes/key-traces/devices'
import { type KeyEvent, createKeyboard } from '../../../fakes/key-traces/keyboard'
import { type SteadyTyping, play, steadily } from '../../../fakes/key-traces/play'
import { createRandom } from '../../../fakes/key-traces/random'

const id = 'VaVSFGDiox2pHf8GmQmTfG'
const url = `https://tag.example/${id}`

const readEvents = (events: KeyEvent[], reading: WedgeSettings['reading'] = 'auto') => {
  const [scan] = play(new Wedge(WedgeSettings.parse({ reading })), events).scans
  return scan && { text: scan.text, reading: scan.reading, troubles: scan.troubles }
}
const read = (text: string, how: SteadyTyping, reading?: WedgeSettings['reading']) =>
  readEvents(steadily(`${text}\n`, how), reading)

describe('the keys of a scan', () => {
  it('are read as typed if the layout and Caps Lock are as the scanner expects', () => {
    expect(read(url, {})).toEqual({ text: url, reading: 'us', troubles: [] })
  })

  it.each(['uk', 'german', 'spanish'] as const)(
    'from a US scanner are read by key position on a %s layout',
    (layout) => {
      const text = `${url}?a=b&c="d"'#@\\|~zy-_`
      expect(read(text, { layout, scannerLayout: 'us' })).toEqual({ text, reading: 'us', troubles: ['layout'] })
    },
  )

  it("from a scanner set to the computer's German layout are read as typed, without problems", () => {
    const text = `]Q1${url}?zy=ZY`
    expect(read(text, { layout: 'german' })).toEqual({ text, reading: 'system', troubles: [] })
  })

  it("say nothing about the layout if the code is a bare id; then the station's knowledge of its scanner decides", () => {
    const bare = id.replace('i', 'z').replace('p', 'y')
    const swapped = id.replace('i', 'y').replace('p', 'z')
    expect(read(bare, { layout: 'german' })).toEqual({ text: swapped, reading: 'us', troubles: ['layout'] })
    expect(read(bare, { layout: 'german' }, 'system')).toEqual({ text: bare, reading: 'system', troubles: [] })
  })

  it.each([url, id, `https://tag.example/case/${id}`, 'ABC-abc'])(
    'of %s under Caps Lock are corrected, with a notice',
    (text) => {
      const how = { capsLock: true }
      expect(read(text, how)).toEqual({ text, reading: 'us', troubles: ['caps-lock'] })
      expect(read(text, { ...how, layout: 'uk', scannerLayout: 'us' })).toMatchObject({ text, troubles: ['caps-lock'] })
    },
  )

  it.each(['auto', 'us', 'system'] as const)(
    'of a GS1 code under Caps Lock are a product, never a package, read first as %s',
    (reading) => {
      for (const text of [']C10100012345600012', ']C1010001234560001210ABC123', ']d2010001234560001210abc123']) {
        expect(read(text, { capsLock: true }, reading)).toMatchObject({ text, troubles: ['caps-lock'] })
      }
    },
  )

  it('of a bare id that Caps Lock may have changed into another id are refused, whichever scanner typed them', () => {
    const [one, other] = ['2LmP9kdRstUvWxYzabcdef', '2lMp9KDrSTuVwXyZABCDEF'].map((text) =>
      text.replaceAll(/[Ll]/g, 'h'),
    )
    const inDoubt = { text: '2\ufffd\ufffd\ufffd9'.padEnd(22, '\ufffd'), reading: 'us', troubles: ['caps-lock-doubt'] }
    for (const text of [one ?? '', other ?? '']) {
      expect(read(text, { capsLock: true })).toEqual(inDoubt)
      expect(read(text, {})).toEqual({ text, reading: 'us', troubles: [] })
      expect(read(`https://tag.example/${text}`, { capsLock: true })).toMatchObject({ troubles: ['caps-lock'] })
    }
    const long = '9af49740-96f5-40ee-9e25-02420ae59635'
    expect(read(long, { capsLock: true })).toEqual({ text: long, reading: 'us', troubles: ['caps-lock'] })
  })

  it('under Caps Lock cause no problem for digits', () => {
    expect(read('8832345600001234', { capsLock: true })).toMatchObject({ troubles: [] })
  })

  it('under Caps Lock are read as typed if the scanner has already reversed them', () => {
    const reversed = Array.from(url, (one) => (one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase())).join(
      '',
    )
    expect(read(reversed, { capsLock: true })).toEqual({ text: url, reading: 'typed', troubles: [] })
  })

  it.each(['alt-029', 'alt-0029', 'ctrl'] as const)('contain a GS that is typed as %s', (separator) => {
    const keyboard = createKeyboard('german', false)
    const text = '0109506000134352' + '10AB\u001d2177'
    const settings = { device: 'cable, 10 ms', layout: 'us', suffix: 'enter', separator, isInAltMode: false } as const
    typeScan(keyboard, text, settings, 0, createRandom(1))
    expect(readEvents(keyboard.finish())).toEqual({ text, reading: 'us', troubles: [] })
  })

  it('are put together from Alt and numbers, on any layout, with a notice', () => {
    const keyboard = createKeyboard('spanish', true)
    const settings = {
      device: 'cable, 6-19 ms',
      layout: 'us',
      suffix: 'none',
      separator: 'ctrl',
      isInAltMode: true,
    } as const
    typeScan(keyboard, `${url}\r`, settings, 0, createRandom(2))
    const wedge = new Wedge()
    play(wedge, keyboard.finish())
    expect(wedge.settle(60_000)).toMatchObject({ text: url, troubles: ['alt-codes'] })
  })

  it('in an input method are read by key position, with a notice', () => {
    const taken = steadily(`${url}\n`).map((event) => (event.key.length === 1 ? { ...event, key: 'Process' } : event))
    expect(readEvents(taken)).toEqual({ text: url, reading: 'us', troubles: ['unidentified-keys'] })
  })

  it('without a position and a name become gaps that no code contains', () => {
    const events = steadily(`${id}\n`)
    const swallowed = events.map((event) =>
      event.code === 'KeyD' ? { ...event, code: '', key: 'Unidentified' } : event,
    )
    expect(readEvents(swallowed)).toEqual({
      text: id.replace('D', '\ufffd'),
      reading: 'us',
      troubles: ['unidentified-keys'],
    })
  })

  it('without a position are read as typed, since programs that send keys omit it', () => {
    const injected = steadily(`${url}\n`).map((event) => (event.key.length === 1 ? { ...event, code: '' } : event))
    expect(readEvents(injected)).toMatchObject({ text: url, troubles: [] })
  })
})
