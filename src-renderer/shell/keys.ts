import type { MessageKey } from '../text/en'

/**
 * Keys of controls that have no key of a screen: a control shows its key and is found by it, so that a key never does what
 * the screen doesn't offer. Alt, because a scanner that types never holds it. D, E and F belong to the browser.
 */
export const controlKeys = {
  sell: 'Alt+S',
  return: 'Alt+R',
  void: 'Alt+V',
  number: 'Alt+N',
  hold: 'Alt+H',
  held: 'Alt+L',
  remove: 'Alt+M',
  clear: 'Alt+K',
  budtender: 'Alt+B',
  customer: 'Alt+U',
  type: 'Alt+T',
  same: 'Alt+Y',
} as const

export type ControlKey = keyof typeof controlKeys

/** What each of them does, as the help sheet lists it. */
export const controlTexts: Record<ControlKey, MessageKey> = {
  sell: 'checkout.tab.sale',
  return: 'checkout.tab.return',
  void: 'checkout.tab.void',
  number: 'help.number',
  hold: 'checkout.hold',
  held: 'checkout.held.title',
  remove: 'checkout.remove-mode',
  clear: 'checkout.clear',
  budtender: 'label.budtender',
  customer: 'label.customer-id',
  type: 'scan.type.open',
  same: 'manifest.same',
}

/** As `aria-keyshortcuts` names them. */
export const ariaKeys = (keys: string) => keys.replace('Ctrl', 'Control')

const allControlKeys: readonly string[] = Object.values(controlKeys)

/** The keys of the search field of a screen. */
export const searchKeys = 'Control+F'

/** The keys as a control names them. By the key's place on the keyboard: with Alt, a Mac types other characters. */
function keysOf({ code, key, altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent): string | undefined {
  if (key.toLowerCase() === 'f' && ctrlKey !== metaKey && !altKey && !shiftKey) return searchKeys
  const isAlt = altKey && !ctrlKey && !metaKey && !shiftKey
  return isAlt && code.startsWith('Key') ? `Alt+${code.slice(3)}` : undefined
}

/** The control in front whose keys these are. */
function controlOf(event: KeyboardEvent): HTMLElement | undefined {
  const keys = keysOf(event)
  if (keys === undefined) return undefined
  return [...document.querySelectorAll<HTMLElement>(`[aria-keyshortcuts="${keys}"]`)].find(
    (one) => !one.matches(':disabled') && one.checkVisibility(),
  )
}

/** Whether these are keys of a control, and none in front has them. */
export const isControlMissing = (event: KeyboardEvent) =>
  allControlKeys.includes(keysOf(event) ?? '') && controlOf(event) === undefined

/** Presses the control in front whose keys these are; false if there is none. */
export function pressControl(event: KeyboardEvent): boolean {
  const control = controlOf(event)
  if (!control) return false
  // A button has the focus after its key as after a click, so that Enter and the arrow keys go on from there.
  control.focus()
  if (control instanceof HTMLInputElement) control.select()
  else control.click()
  return true
}
