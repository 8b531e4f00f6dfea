import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { isTextField, rememberField } from '../../../src-renderer/scan/focused-field'

/** The part of an input that is read: Node has no DOM, and the browser's own is exercised end to end. */
class FakeInput extends EventTarget {
  type = 'text'
  value = ''
  isConnected = true
  selectionStart: number | null = 0
  selectionEnd: number | null = 0
  setSelectionRange(start: number | null, end: number | null) {
    this.selectionStart = start
    this.selectionEnd = end
  }
}
class FakeTextArea extends FakeInput {}

declare const HTMLInputElement: new () => FakeInput & Element

describe('a remembered field', () => {
  beforeEach(() => {
    vi.stubGlobal('HTMLInputElement', FakeInput)
    vi.stubGlobal('HTMLTextAreaElement', FakeTextArea)
  })
  afterEach(() => {
    vi.unstubAllGlobals()
  })

  it('gets its text and its selection back, and says so to whoever is bound to it', () => {
    const field = new HTMLInputElement()
    Object.assign(field, { value: 'P-10', selectionStart: 1, selectionEnd: 3 })
    const heard: string[] = []
    field.addEventListener('input', () => heard.push(field.value))
    const memory = rememberField(field)
    Object.assign(field, { value: 'Phttps0', selectionStart: 6, selectionEnd: 6 })
    memory?.restore()
    expect([field.value, field.selectionStart, field.selectionEnd]).toEqual(['P-10', 1, 3])
    expect(heard).toEqual(['P-10'])
  })

  it('is left alone when the burst did not reach it', () => {
    const field = new HTMLInputElement()
    field.value = 'P-10'
    const heard: string[] = []
    field.addEventListener('input', () => heard.push(field.value))
    rememberField(field)?.restore()
    expect(heard).toEqual([])
  })

  it('is only one that takes typed text', () => {
    const radio = new HTMLInputElement()
    radio.type = 'radio'
    expect(isTextField(radio)).toBe(false)
    expect(rememberField(radio)).toBeUndefined()
    expect(rememberField(null)).toBeUndefined()
  })
})
