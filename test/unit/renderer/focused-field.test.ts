import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { isTextField, rememberField } from '../../../src-renderer/scan/focused-field'

/** The part of an input that is read: Node has no DOM, and the browser's own is exercised end to end. */
class FakeElement extends EventTarget {
  isConnected = true
  isContentEditable = false
  scrollTo() {
    return undefined
  }
}
class FakeInput extends FakeElement {
  type = 'text'
  value = ''
  checked = false
  selectionStart: number | null = 0
  selectionEnd: number | null = 0
  selectionDirection: string | null = 'none'
  validity = { badInput: false }
  setSelectionRange(start: number | null, end: number | null) {
    this.selectionStart = start
    this.selectionEnd = end
  }
}
class FakeTextArea extends FakeInput {}
class FakeSelect extends FakeElement {
  options = ['a', 'b', 'c'].map((value, index) => ({ value, selected: index === 0 }))
}

declare const HTMLInputElement: new () => FakeInput & Element
declare const HTMLSelectElement: new () => FakeSelect & Element

describe('a remembered field', () => {
  beforeEach(() => {
    vi.stubGlobal('HTMLElement', FakeElement)
    vi.stubGlobal('HTMLInputElement', FakeInput)
    vi.stubGlobal('HTMLTextAreaElement', FakeTextArea)
    vi.stubGlobal('HTMLSelectElement', FakeSelect)
  })
  afterEach(() => {
    vi.unstubAllGlobals()
  })

  it('gets its text and selection back, and sends an input event', () => {
    const field = new HTMLInputElement()
    Object.assign(field, { value: 'P-10', selectionStart: 1, selectionEnd: 3 })
    const heard: string[] = []
    field.addEventListener('input', () => heard.push(field.value))
    const memory = rememberField(field, false)
    Object.assign(field, { value: 'Phttps0', selectionStart: 6, selectionEnd: 6 })
    memory?.restore()
    expect([field.value, field.selectionStart, field.selectionEnd]).toEqual(['P-10', 1, 3])
    expect(heard).toEqual(['P-10'])
  })

  it('restores a checkbox with its events, and leaves an unchanged one alone', () => {
    const box = new HTMLInputElement()
    Object.assign(box, { type: 'checkbox', checked: true })
    const heard: string[] = []
    for (const type of ['input', 'change']) box.addEventListener(type, () => heard.push(`${type} ${box.checked}`))
    rememberField(box)?.restore()
    expect(heard).toEqual([])
    const memory = rememberField(box)
    expect([isTextField(box), memory?.isPressed]).toEqual([false, true])
    box.checked = false
    memory?.restore()
    expect(heard).toEqual(['input true', 'change true'])
  })

  it('is left alone if the scan did not reach it, or it was removed', () => {
    const field = new HTMLInputElement()
    field.value = 'P-10'
    const heard: string[] = []
    field.addEventListener('input', () => heard.push(field.value))
    rememberField(field)?.restore()
    const memory = rememberField(field)
    Object.assign(field, { isConnected: false, value: 'P-10h' })
    memory?.restore()
    expect([field.value, heard]).toEqual(['P-10h', []])
  })

  it('clears a number field that shows an invalid number', () => {
    const field = new HTMLInputElement()
    Object.assign(field, { type: 'number', selectionStart: null })
    const memory = rememberField(field)
    field.validity.badInput = true
    const heard: string[] = []
    field.addEventListener('input', () => heard.push('input'))
    memory?.restore()
    expect(heard).toEqual(['input'])
  })

  it('restores the choice of a list', () => {
    const list = new HTMLSelectElement()
    const heard: string[] = []
    for (const type of ['input', 'change']) list.addEventListener(type, () => heard.push(type))
    const memory = rememberField(list)
    memory?.restore()
    expect(heard).toEqual([])
    for (const [index, option] of list.options.entries()) option.selected = index === 2
    memory?.restore()
    expect(list.options.map(({ selected }) => selected)).toEqual([true, false, false])
    expect(heard).toEqual(['input', 'change'])
  })

  it('is remembered only if keys can change it', () => {
    for (const type of ['radio', 'button', 'range']) {
      const input = new HTMLInputElement()
      input.type = type
      expect([isTextField(input), rememberField(input)]).toEqual([false, undefined])
    }
    const number = new HTMLInputElement()
    number.type = 'number'
    expect(isTextField(number)).toBe(true)
    expect(isTextField(new HTMLSelectElement())).toBe(false)
    expect(rememberField(null)).toBeUndefined()
  })
})
