import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type KeyPress, createWedgeListener } from '../../../src-renderer/scan/wedge-listener'

/** A text field as the browser would fill it: keys that are not kept from it are typed. */
function createField(value = '') {
  return { value }
}

function createKeyboard(value = '') {
  const field = createField(value)
  const scans: string[] = []
  let now = 1_000
  const listener = createWedgeListener({
    remember: () => {
      const before = field.value
      return { restore: () => (field.value = before) }
    },
    onScan: (text) => scans.push(text),
    now: () => now,
  })

  function press(code: string, key: string, options: { after?: number; shift?: boolean; ctrl?: boolean } = {}) {
    now += options.after ?? 5
    const outcome = { isTaken: false }
    const event: KeyPress = {
      code,
      key,
      ctrlKey: options.ctrl ?? false,
      altKey: false,
      metaKey: false,
      repeat: false,
      isComposing: false,
      timeStamp: now,
      getModifierState: (name) => name === 'Shift' && (options.shift ?? false),
      preventDefault: () => (outcome.isTaken = true),
      stopImmediatePropagation: () => undefined,
    }
    listener.press(event)
    if (!outcome.isTaken && key.length === 1 && !options.ctrl) field.value += key
    return outcome.isTaken
  }

  return {
    field,
    scans,
    press,
    type(text: string, after: number) {
      for (const [index, character] of Array.from(text).entries()) {
        const isDigit = /\d/.test(character)
        const code = isDigit ? `Digit${character}` : `Key${character.toUpperCase()}`
        press(code, character, {
          after: index === 0 ? 500 : after,
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

  it('takes a scan that ends with Enter out of the focused field, and leaves what was typed before', () => {
    const keyboard = createKeyboard('10')
    keyboard.type('ABC123XYZ', 5)
    expect(keyboard.press('Enter', 'Enter')).toBe(true)
    expect(keyboard.scans).toEqual(['ABC123XYZ'])
    expect(keyboard.field.value).toBe('10')
  })

  it('takes a scan without Enter as well, once nothing follows', () => {
    const keyboard = createKeyboard('10')
    keyboard.type('ABC123XYZ', 5)
    expect(keyboard.scans).toEqual([])
    keyboard.pass(200)
    expect(keyboard.scans).toEqual(['ABC123XYZ'])
    expect(keyboard.field.value).toBe('10')
  })

  it('hands over a scan without Enter when the next one follows before the timer had its turn', () => {
    const keyboard = createKeyboard()
    keyboard.type('ABC123XYZ', 5)
    keyboard.type('DEF456XYZ', 5)
    keyboard.press('Enter', 'Enter')
    expect(keyboard.scans).toEqual(['ABC123XYZ', 'DEF456XYZ'])
    expect(keyboard.field.value).toBe('')
  })

  it('leaves to the field what a person types, and their Enter', () => {
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

  it('does not touch commands', () => {
    const keyboard = createKeyboard()
    expect(keyboard.press('KeyZ', 'z', { ctrl: true })).toBe(false)
    expect(keyboard.press('Enter', 'Enter', { ctrl: true })).toBe(false)
  })
})
