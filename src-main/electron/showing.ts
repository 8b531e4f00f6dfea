import type { BrowserWindow } from 'electron'

/** A page that was loaded has drawn by then, in ms, whatever `ready-to-show` says. */
const drawn = 1_500
/** The window is shown after this time in any case, in ms. */
const limit = 10_000

/**
 * Shows a hidden window as soon as there is something to see, once. Electron's `ready-to-show` may never come (Wayland,
 * broken graphics on Windows): then a page that was loaded, one that could not be, or time will do.
 */
export function showOnceThere(window: BrowserWindow, show: () => void): void {
  let timer: NodeJS.Timeout | undefined = setTimeout(reveal, limit)
  let isShown = false

  function reveal(): void {
    clearTimeout(timer)
    timer = undefined
    if (isShown || window.isDestroyed()) return
    isShown = true
    show()
  }
  window.once('ready-to-show', reveal)
  window.webContents.once('did-finish-load', () => {
    if (isShown || timer === undefined) return
    clearTimeout(timer)
    timer = setTimeout(reveal, drawn)
  })
  window.webContents.on('did-fail-load', (_event, code, _text, _url, isMainFrame) => {
    // Given up for another load, it is no failure yet.
    if (isMainFrame && code !== -3) reveal()
  })
  window.on('closed', () => {
    clearTimeout(timer)
  })
}
