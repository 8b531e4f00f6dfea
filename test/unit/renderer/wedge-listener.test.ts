import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { nothingKnown } from '../../../src-shared/scan/known'
import { defaultSettings } from '../../../src-shared/scan/timing'
import { type KeyPress, WedgeListener } from '../../../src-renderer/scan/wedge-listener'

/** A text field that behaves as in a browser: keys that are not prevented are typed into it. */
function createField(value = '') {
  return { value }
}

function createKeyboard(value = '', { hasField = true } = {}) {
  const field = createField(value)
  const scans: string[] = []
  const pauses: boolean[] = []
  let now = 1_000
  const listener = new WedgeListener({
    remember: (isPause) => {
      pauses.push(isPause)
      const before = field.value
      return hasField ? { restore: () => (field.value = before) } : undefined
    },
    onScan: ({ text }) => scans.push(text),
    now: () => now,
  })

  function press(
    code: string,
    key: string,
    options: { after?: number; shift?: boolean; ctrl?: boolean; isComposing?: boolean; held?: number } = {},
  ) {
    now += options.after ?? 5
    const outcome = { isTaken: false }
    const event: KeyPress = {
      code,
      key,
      ctrlKey: options.ctrl ?? false,
      altKey: false,
      metaKey: false,
      repeat: false,
      isComposing: options.isComposing ?? false,
      timeStamp: now,
      getModifierState: (name) => name === 'Shift' && (options.shift ?? false),
      preventDefault: () => (outcome.isTaken = true),
      stopImmediatePropagation: () => undefined,
    }
    listener.press(event)
    listener.release({ code, timeStamp: now + (options.held ?? 1) })
    if (!outcome.isTaken && key.length === 1 && !options.ctrl) field.value += key
    return outcome.isTaken
  }

  return {
    field,
    scans,
    pauses,
    use: (...how: Parameters<typeof listener.use>) => listener.use(...how),
    press,
    /** A finger holds a key for about 85 ms, a scanner almost not at all. */
    type(text: string, after: number, { before = 500, held = after > 50 ? 85 : 1 } = {}) {
      for (const [index, character] of Array.from(text).entries()) {
        const isDigit = /\d/.test(character)
        const code = isDigit ? `Digit${character}` : `Key${character.toUpperCase()}`
        press(code, character, {
          after: index === 0 ? before : after,
          held,
          shift: !isDigit && character !== character.toLowerCase(),
        })
      }
    },
    pass(ms: number) {
      now += ms
      vi.advanceTimersByTime(ms)
    },
  }
}

describe('the wedge listener', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('removes a scan that ends with Enter from the focused field, and leaves what was typed before', () => {
    const keyboard = createKeyboard('10')
    keyboard.type('ABC123XYZ', 5)
    expect(keyboard.press('Enter', 'Enter')).toBe(true)
    expect(keyboard.scans).toEqual(['ABC123XYZ'])
    expect(keyboard.field.value).toBe('10')
  })

  it('reads a scan without Enter once nothing follows', () => {
    const keyboard = createKeyboard('10')
    keyboard.type('ABC123XYZ', 5)
    expect(keyboard.scans).toEqual([])
    keyboard.pass(300)
    expect(keyboard.scans).toEqual(['ABC123XYZ'])
    expect(keyboard.field.value).toBe('10')
  })

  it('reads a scan without Enter when the next one follows before the timer fires', () => {
    const keyboard = createKeyboard()
    keyboard.type('ABC123XYZ', 5)
    keyboard.type('DEF456XYZ', 5)
    keyboard.press('Enter', 'Enter')
    expect(keyboard.scans).toEqual(['ABC123XYZ', 'DEF456XYZ'])
    expect(keyboard.field.value).toBe('')
  })

  it('still restores the field after a timer that found the scan unfinished', () => {
    const keyboard = createKeyboard('10')
    keyboard.type('ABC1', 5)
    // The clock of the keys stands still meanwhile.
    vi.advanceTimersByTime(1_000)
    keyboard.type('23XYZ', 5, { before: 5 })
    expect(keyboard.press('Enter', 'Enter')).toBe(true)
    expect([keyboard.scans, keyboard.field.value]).toEqual([['ABC123XYZ'], '10'])
  })

  it('leaves what a person types, and their Enter, to the field', () => {
    const keyboard = createKeyboard()
    keyboard.type('order10482', 120)
    expect(keyboard.press('Enter', 'Enter', { after: 120 })).toBe(false)
    expect(keyboard.scans).toEqual([])
    expect(keyboard.field.value).toBe('order10482')
  })

  it('leaves a fast short word to the field', () => {
    const keyboard = createKeyboard()
    keyboard.type('abcd', 10)
    keyboard.pass(300)
    expect(keyboard.scans).toEqual([])
    expect(keyboard.field.value).toBe('abcd')
  })

  it('keeps the Enter of a short code from a button, but not from a field', () => {
    const onField = createKeyboard()
    onField.type('1234', 10)
    expect(onField.press('Enter', 'Enter')).toBe(false)
    const onButton = createKeyboard('', { hasField: false })
    onButton.type('1234', 10)
    expect(onButton.press('Enter', 'Enter')).toBe(true)
    expect(onButton.press('Enter', 'Enter', { after: 500 })).toBe(false)
  })

  it('reads a short code as a scan where no field has the focus, and leaves it to a field', () => {
    const onField = createKeyboard()
    onField.type('10482', 10)
    onField.press('Enter', 'Enter')
    expect([onField.scans, onField.field.value]).toEqual([[], '10482'])
    const elsewhere = createKeyboard('', { hasField: false })
    elsewhere.type('10482', 10)
    elsewhere.press('Enter', 'Enter')
    elsewhere.type('10482', 90)
    elsewhere.press('Enter', 'Enter', { after: 90 })
    elsewhere.type('12', 10)
    elsewhere.press('Enter', 'Enter')
    expect(elsewhere.scans).toEqual(['10482'])
  })

  it('keeps a space within a scan from a button', () => {
    const onButton = createKeyboard('', { hasField: false })
    onButton.type('AB', 10)
    expect(onButton.press('Space', ' ', { after: 10 })).toBe(true)
    expect(onButton.press('Space', ' ', { after: 500 })).toBe(false)
  })

  it('restores the content from the start of the scan, not of the typing', () => {
    const keyboard = createKeyboard()
    keyboard.type('10', 120)
    keyboard.press('Digit4', '4', { after: 120, held: 85 })
    keyboard.type('ABC123XYZ', 5, { before: 150 })
    expect(keyboard.press('Enter', 'Enter')).toBe(true)
    expect(keyboard.scans).toEqual(['ABC123XYZ'])
    expect(keyboard.field.value).toBe('104')
  })

  it('does not touch the selection while a person types or uses an input method', () => {
    const keyboard = createKeyboard()
    keyboard.type('abc', 120)
    keyboard.press('KeyD', 'd', { after: 500, isComposing: true })
    expect(keyboard.pauses).toEqual([true, false, false, false])
  })

  it('uses other settings after a pause, not in the middle of a scan', () => {
    const keyboard = createKeyboard()
    const settings = { ...defaultSettings, prefix: 'QQ' }
    keyboard.type('QQABC1', 5)
    keyboard.use(settings, nothingKnown, false)
    keyboard.type('23XYZ', 5, { before: 5 })
    keyboard.press('Enter', 'Enter')
    // The LF after the CR still belongs to that scan.
    expect(keyboard.press('Enter', 'Enter', { after: 10 })).toBe(true)
    keyboard.type('QQABC123XYZ', 5)
    keyboard.press('Enter', 'Enter')
    expect(keyboard.scans).toEqual(['QQABC123XYZ', 'ABC123XYZ'])
    expect(keyboard.field.value).toBe('')
  })

  it('reads any burst of keys as a scan while a scanner is tested, and not afterwards', () => {
    const keyboard = createKeyboard()
    keyboard.use(defaultSettings, nothingKnown, true)
    keyboard.type('1048277', 110)
    keyboard.press('Enter', 'Enter', { after: 110 })
    keyboard.use(defaultSettings, nothingKnown, false)
    keyboard.type('1048277', 110)
    keyboard.press('Enter', 'Enter', { after: 110 })
    expect(keyboard.scans).toEqual(['1048277'])
    expect(keyboard.field.value).toBe('1048277')
  })

  it('ignores keyboard commands', () => {
    const keyboard = createKeyboard()
    expect(keyboard.press('KeyZ', 'z', { ctrl: true })).toBe(false)
    expect(keyboard.press('Enter', 'Enter', { ctrl: true })).toBe(false)
  })
})
