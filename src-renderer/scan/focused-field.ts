/** What a text field held when a burst began, and how to put it back. */
export interface FieldMemory {
  restore(): void
}

const textTypes = new Set(['text', 'search', 'tel', 'url', 'password'])

/** Remembers the field that has the focus, `undefined` when keys are not typed into one. */
export function rememberField(focused: Element | null): FieldMemory | undefined {
  if (!isTextField(focused)) return undefined
  const { value, selectionStart, selectionEnd } = focused
  return {
    restore() {
      if (!focused.isConnected || focused.value === value) return
      focused.value = value
      focused.setSelectionRange(selectionStart, selectionEnd)
      // Whoever binds the field believes what it last heard: tell it that the burst is gone.
      focused.dispatchEvent(new Event('input', { bubbles: true }))
    },
  }
}

/** Whether an element takes typed text, so that single-key shortcuts must leave the key to it. */
export function isTextField(element: Element | null): element is HTMLInputElement | HTMLTextAreaElement {
  if (element instanceof HTMLTextAreaElement) return true
  return element instanceof HTMLInputElement && textTypes.has(element.type)
}
