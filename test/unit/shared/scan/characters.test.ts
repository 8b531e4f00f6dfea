import { describe, expect, it } from 'vitest'
import { type Key, charactersOf, AltCodes, lost } from '../../../../src-shared/scan/characters'

const press = (code: string, key: string, modifiers: Partial<Key> = {}): Key => ({
  code,
  key,
  shift: false,
  capsLock: false,
  ctrl: false,
  alt: false,
  meta: false,
  altGraph: false,
  repeat: false,
  at: 0,
  ...modifiers,
})

describe('the characters of a key', () => {
  it.each([
    [press('KeyA', 'A', { capsLock: true }), 'a', 'a', 'A'],
    [press('KeyA', 'a', { capsLock: true, shift: true }), 'A', 'A', 'a'],
    [press('KeyQ', 'a', { capsLock: true, shift: true }), 'Q', 'A', 'a'],
    [press('Digit5', '5', { shift: true }), '%', '5', '5'],
    [press('Slash', '-'), '/', '-', '-'],
    [press('Digit7', '{', { ctrl: true, alt: true, altGraph: true }), '{', '{', '{'],
    [press('BracketLeft', 'Dead'), '[', lost, lost],
    [press('Backquote', 'Dead', { shift: true }), '~', lost, lost],
    [press('IntlBackslash', '<'), '\\', '<', '<'],
    [press('Numpad7', '7'), '7', '7', '7'],
    [press('NumpadDecimal', ','), '.', ',', ','],
    [press('', 'x'), 'x', 'x', 'x'],
    [press('', '€'), '€', '€', '€'],
    [press('BracketRight', ']', { ctrl: true }), '\u001d', '\u001d', '\u001d'],
    [press('Digit9', ']', { ctrl: true }), '\u001d', '\u001d', '\u001d'],
    [press('Digit6', '6', { ctrl: true }), '\u001e', '\u001e', '\u001e'],
  ])('are known for %j', (key, us, system, typed) => {
    expect(charactersOf(key)).toEqual({ us, system, typed, isUnidentified: false })
  })

  it.each([
    ['KeyA', 'Process', 'a'],
    ['Digit1', 'Unidentified', '1'],
    ['Numpad4', 'Process', '4'],
    ['', 'Unidentified', lost],
    ['F5', 'Unidentified', lost],
  ])('at %j are %j in an input method, and %j by key position', (code, key, us) => {
    expect(charactersOf(press(code, key))).toEqual({ us, system: lost, typed: lost, isUnidentified: true })
  })

  it.each([
    press('F5', 'F5'),
    press('ArrowLeft', 'ArrowLeft'),
    press('Numpad4', 'ArrowLeft'),
    press('Backspace', 'Backspace'),
    press('KeyC', 'c', { ctrl: true }),
    press('KeyC', 'c', { meta: true }),
    press('KeyF', 'f', { alt: true }),
    press('KeyA', 'a', { repeat: true }),
    press('', ''),
  ])('are none for %j', (key) => {
    expect(charactersOf(key)).toBeUndefined()
  })
})

describe('Alt with a number', () => {
  const typed = (digits: string) => {
    const codes = new AltCodes()
    const taken = Array.from(digits, (digit) => codes.press(press(`Numpad${digit}`, 'End', { alt: true })))
    expect(taken.every(Boolean)).toBe(true)
    return codes.finish()?.characters.us
  }

  it.each([
    ['029', '\u001d'],
    ['0029', '\u001d'],
    ['29', '\u001d'],
    ['65', 'A'],
    ['0065', 'A'],
    ['0233', 'é'],
    ['233', lost],
    ['0128', lost],
    ['0', lost],
    ['99999999999999999999', lost],
  ])('of %s types %j', (digits, character) => {
    expect(typed(digits)).toBe(character)
  })

  it.each([
    press('Numpad4', '4'),
    press('Digit4', '4', { alt: true }),
    press('Numpad4', '4', { alt: true, ctrl: true }),
    press('Numpad4', '4', { alt: true, repeat: true }),
    press('KeyA', 'a', { alt: true }),
  ])('is not started by %j', (key) => {
    const codes = new AltCodes()
    expect(codes.press(key)).toBe(false)
    expect(codes.finish()).toBeUndefined()
  })
})
