import type { App } from '../app.svelte'
import { isTextField } from '../scan/focused-field'
import { isControlMissing, pressControl } from './keys'
import { screens } from './screens'

/** Does what a key means on every screen; false if it means nothing. In a dialog, keys belong to the dialog. */
export function runShortcut(app: App, event: KeyboardEvent): boolean {
  const run = actionOf(app, event)
  run?.()
  return run !== undefined
}

/** Keys that act on what the screen in front shows. */
export const needsScreen = (event: KeyboardEvent) => isControlMissing(event) || (isCtrl(event) && event.key === 'Enter')

/** Keys that don't overtake one that waits for its screen. */
export const keepsOrder = (app: App, event: KeyboardEvent) =>
  needsScreen(event) || screenOf(app, event) !== undefined || (isCtrl(event) && event.key === 'z')

const isPlain = ({ ctrlKey, altKey, metaKey }: KeyboardEvent) => !ctrlKey && !altKey && !metaKey
const isCtrl = (event: KeyboardEvent) => !isPlain(event) && !event.altKey && !event.shiftKey
const screenOf = (app: App, event: KeyboardEvent) =>
  isPlain(event) ? app.screenNames.find((name) => screens[name].key === event.key) : undefined

function actionOf(app: App, event: KeyboardEvent): (() => void) | undefined {
  if (app.isHelpOpen) return overHelp(app, event)
  if (document.querySelector('dialog[open]')) return undefined
  const isTyping = isTextField(document.activeElement)
  const screen = screenOf(app, event)
  if (screen) return () => app.go(screen)
  if (event.key === 'Escape') return () => back(app)
  // Held, it shows the keys on the buttons; let go at once, it opens the list.
  if (event.key === '?' && isPlain(event) && !isTyping) return () => (app.hasKeyHints = event.repeat)
  if (pressControl(event)) return () => undefined
  if (!isCtrl(event)) return undefined
  if (event.key === 'Enter') return () => primary(app)
  if (event.key === 'z' && !(isTyping && app.hasTypedSinceScan)) return () => void app.strip.undo()
  return undefined
}

/** The keys of the screens go on working over the help sheet, which lists them. */
function overHelp(app: App, event: KeyboardEvent): (() => void) | undefined {
  const screen = screenOf(app, event)
  if (!screen) return undefined
  return () => {
    app.isHelpOpen = false
    app.go(screen)
  }
}

/** Alt or ? goes down or up: the buttons show their keys while one of them is held. */
export function noteHeldKey(app: App, event: KeyboardEvent): void {
  const isDown = event.type === 'keydown'
  if (event.key === 'Alt') app.hasKeyHints = isDown && !event.ctrlKey
  if (isDown && event.key === '?') app.heldForHelp = isTextField(document.activeElement) ? null : event.code
  // By its place on the keyboard: Shift may be let go first.
  if (isDown || event.code !== app.heldForHelp) return
  if (!app.hasKeyHints && !document.querySelector('dialog[open]')) app.isHelpOpen = true
  app.hasKeyHints = false
  app.heldForHelp = null
}

/** Esc: closes what is on top, leaves a mode, and otherwise shows the screen before. */
export function back(app: App): void {
  const { cart } = app.checkout
  if (app.isTyping) app.isTyping = false
  else if (app.warnings.isOpen) app.warnings.isOpen = false
  else if (app.screen === 'checkout' && cart?.isRemoving) cart.isRemoving = false
  else if (app.practice.isOpen) app.practice.isOpen = false
  else if (app.guide.isExpanded) app.guide.isExpanded = false
  else if (app.screen === 'receiving' && app.receiving.panes.back()) return
  else if (app.screen === 'orders' && app.orders.isClosing) app.orders.leaveDay()
  else if (app.screen === 'find' && app.find.stepBack()) return
  else if (app.screen === 'stock' && app.stock.back()) return
  else if (app.screen === 'settings' && app.pages.query !== '') app.pages.query = ''
  else app.goBack()
}

/** Ctrl+Enter: the primary action of the screen in front. */
function primary(app: App): void {
  if (app.screen === 'receiving') void app.receiving.act()
  if (app.screen === 'checkout') void app.checkout.primary()
  if (app.screen === 'orders' && app.orders.isClosing) pressPrimary()
  else if (app.screen === 'orders') app.orders.isClosing = true
  if (app.screen === 'find') void app.find.primary()
  if (app.screen === 'outbox') pressPrimary()
  if (app.screen === 'stock') void app.stock.primary()
  if (app.screen === 'settings') saveCard()
}

/** The Outbox and the close of day show the key at what is to be done next: sending while something waits, a card, a step. */
function pressPrimary(): void {
  const shown = [...document.querySelectorAll<HTMLButtonElement>('[data-keys="Ctrl+Enter"]')]
  const button = shown.find((one) => !one.disabled && one.checkVisibility())
  button?.focus()
  button?.click()
}

/** Settings has many forms: Ctrl+Enter saves the one that a person is in, never another that may be out of view. */
function saveCard(): void {
  document.activeElement?.closest('section')?.querySelector<HTMLButtonElement>('[data-saves] button')?.click()
}
