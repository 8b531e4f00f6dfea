import type { App } from '../app.svelte'
import { isTextField } from '../scan/focused-field'
import { screenNames, screens } from './screens'

/** Handles the keys that work on every screen. In a dialog, keys belong to the dialog. */
export function handleShortcut(app: App, event: KeyboardEvent): void {
  const run = actionOf(app, event)
  if (!run) return
  event.preventDefault()
  run()
}

function actionOf(app: App, event: KeyboardEvent): (() => void) | undefined {
  if (event.defaultPrevented || event.isComposing || document.querySelector('dialog[open]')) return undefined
  const isTyping = isTextField(document.activeElement)
  const isPlain = !event.ctrlKey && !event.altKey && !event.metaKey
  const screen = screenNames.find((name) => screens[name].key === event.key)
  if (screen && isPlain) return () => app.go(screen)
  if (event.key === 'Escape') return () => back(app)
  if (event.key === '?' && isPlain && !isTyping) return () => (app.isHelpOpen = true)
  if (isPlain || event.altKey || event.shiftKey) return undefined
  if (event.key === 'Enter') return () => primary(app)
  if (event.key === 'z' && !(isTyping && app.hasTypedSinceScan)) return () => void app.strip.undo()
  return undefined
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
  else if (app.screen === 'orders' && app.orders.isClosing) app.orders.isClosing = false
  else if (app.screen === 'find' && app.find.stepBack()) return
  else app.goBack()
}

/** Ctrl+Enter: the primary action of the screen in front. */
function primary(app: App): void {
  if (app.screen === 'receiving') void app.receiving.primary()
  if (app.screen === 'checkout') void app.checkout.primary()
  if (app.screen === 'orders') app.orders.isClosing = true
  if (app.screen === 'find') void app.find.primary()
  if (app.screen === 'outbox') void app.outbox.sendNow()
  if (app.screen === 'settings') void app.limits.save()
}
