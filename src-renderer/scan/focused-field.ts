/** The element that had the focus when a burst of keys began, with a way to restore it. */
export interface FieldMemory {
  restore(): void
  /** Whether Space or Enter presses it, as no text field is pressed. */
  isPressed?: boolean
}

/** Input types that take no typed text. */
const untyped = new Set(['button', 'checkbox', 'color', 'file', 'hidden', 'image', 'radio', 'range', 'reset', 'submit'])

/** Whether an element takes typed text, so that single-key shortcuts must leave the key to it. */
export function isTextField(element: Element | null): boolean {
  if (element instanceof HTMLInputElement) return !untyped.has(element.type)
  return element instanceof HTMLTextAreaElement || isEditable(element)
}

/**
 * Remembers what the focused element holds; undefined if keys change nothing there. `isPause`: nothing was typed just
 * before; the keys that follow then become an undo step of their own, so that undoing them leaves the person's steps.
 */
export function rememberField(focused: Element | null, isPause = true): FieldMemory | undefined {
  if (focused instanceof HTMLSelectElement) return rememberChoice(focused)
  if (isEditable(focused)) return rememberEditable(focused, isPause)
  if (focused instanceof HTMLInputElement && focused.type === 'checkbox') return rememberTick(focused)
  const isField = focused instanceof HTMLInputElement || focused instanceof HTMLTextAreaElement
  return isField && isTextField(focused) ? rememberText(focused, isPause) : undefined
}

const isEditable = (element: Element | null): element is HTMLElement =>
  element instanceof HTMLElement && element.isContentEditable

function rememberText(field: HTMLInputElement | HTMLTextAreaElement, isPause: boolean): FieldMemory {
  const { value, selectionStart, selectionEnd, selectionDirection, scrollLeft, scrollTop } = field
  // Fields for numbers, dates and e-mail addresses do not tell where the caret is.
  const select = () => {
    if (selectionStart !== null) field.setSelectionRange(selectionStart, selectionEnd, selectionDirection ?? 'none')
  }
  if (isPause) select()
  return {
    restore() {
      if (!field.isConnected || isUnchanged(field, value)) return
      if (isPause && selectionStart !== null && isFocused(field)) undoUntil(() => field.value === value)
      if (!isUnchanged(field, value)) {
        field.value = value
        announce(field, 'input')
      }
      select()
      field.scrollTo(scrollLeft, scrollTop)
    },
  }
}

/** A number field that shows "12e" reports an empty value: then an equal value proves nothing. */
const isUnchanged = (field: HTMLInputElement | HTMLTextAreaElement, value: string) =>
  field.value === value && !field.validity.badInput

function rememberEditable(element: HTMLElement, isPause: boolean): FieldMemory {
  const { innerHTML } = element
  const selection = element.ownerDocument.getSelection()
  const caret = selection?.rangeCount ? offsetsIn(element, selection.getRangeAt(0)) : undefined
  if (isPause && caret) select(element, caret)
  return {
    restore() {
      if (!element.isConnected || element.innerHTML === innerHTML) return
      if (isPause && isFocused(element)) undoUntil(() => element.innerHTML === innerHTML)
      if (element.innerHTML !== innerHTML) {
        element.innerHTML = innerHTML
        announce(element, 'input')
      }
      if (caret) select(element, caret)
    },
  }
}

/** Letters pick an entry of a list. */
function rememberChoice(list: HTMLSelectElement): FieldMemory {
  const chosen = Array.from(list.options, (option) => option.selected)
  return {
    restore() {
      const options = Array.from(list.options)
      if (!list.isConnected || options.every((option, index) => option.selected === chosen[index])) return
      for (const [index, option] of options.entries()) option.selected = chosen[index] ?? false
      announce(list, 'input')
      announce(list, 'change')
    },
  }
}

/** A space ticks a box, and the first keys of a slow scan can't be told from a person's. */
function rememberTick(box: HTMLInputElement): FieldMemory {
  const { checked } = box
  return {
    isPressed: true,
    restore() {
      if (!box.isConnected || box.checked === checked) return
      box.checked = checked
      announce(box, 'input')
      announce(box, 'change')
    },
  }
}

const isFocused = (element: Element) => element.ownerDocument.activeElement === element

/**
 * The browser's own undo puts text, selection and history back as nothing else can. A few steps at most: a field that
 * changes what is typed into it may have made more than one.
 */
function undoUntil(isDone: () => boolean): void {
  for (let step = 0; step < 3 && !isDone(); step++) {
    // Deprecated, and without a successor: nothing else reaches the undo history.
    // oxlint-disable-next-line typescript/no-deprecated
    if (!document.execCommand('undo')) return
  }
}

/** Tells listeners and bindings of the field that its value has changed back. */
const announce = (element: Element, type: 'input' | 'change') =>
  element.dispatchEvent(new Event(type, { bubbles: true }))

/** A selection as distances from the start of the text, which outlive the nodes. */
function offsetsIn(element: HTMLElement, range: Range): [number, number] {
  const before = range.cloneRange()
  before.selectNodeContents(element)
  before.setEnd(range.startContainer, range.startOffset)
  const start = before.toString().length
  return [start, start + range.toString().length]
}

function select(element: HTMLElement, [start, end]: [number, number]): void {
  const range = document.createRange()
  range.selectNodeContents(element)
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  let passed = 0
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const length = node.nodeValue?.length ?? 0
    if (start >= passed && start <= passed + length) range.setStart(node, start - passed)
    if (end >= passed && end <= passed + length) range.setEnd(node, end - passed)
    passed += length
  }
  const selection = element.ownerDocument.getSelection()
  selection?.removeAllRanges()
  selection?.addRange(range)
}
