import type { App } from '../app.svelte'
import { isTextField } from '../scan/focused-field'
import { screenNames, screens } from './screens'

/** The keys that work on every screen. A key in a dialog belongs to the dialog. */
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
  if (event.key === 'Escape') return () => app.back()
  if (event.key === '?' && isPlain && !isTyping) return () => (app.isHelpOpen = true)
  if (isPlain || event.altKey || event.shiftKey) return undefined
  if (event.key === 'Enter') return () => app.primary()
  if (event.key === 'z' && !(isTyping && app.hasTypedSinceScan)) return () => void app.strip.undo()
  return undefined
}
