import type { Page } from '@playwright/test'

/**
 * A keyboard-mode scanner, faster than any real one: several codes in a row, without waiting for the screen. All key
 * events are created before the first is dispatched, because a key's time is its creation time: the page's work on one
 * key, on a busy machine, must not look like a pause of the scanner. If something (garbage collection, say) stops the
 * page while the events are created, they are created again.
 */
export async function scanAll(page: Page, texts: string[]): Promise<void> {
  await page.evaluate((codes) => {
    /** Far less than a scanner's shortest pause, in ms. */
    const atOnce = 10
    const symbols: Record<string, string> = { ':': 'Semicolon', '/': 'Slash', '.': 'Period', '-': 'Minus' }
    const made = (key: string, code: string, shiftKey: boolean) =>
      new KeyboardEvent('keydown', { key, code, shiftKey, bubbles: true, cancelable: true, composed: true })
    const keyOf = (key: string) => {
      if (/\d/.test(key)) return made(key, `Digit${key}`, false)
      if (/[a-z]/i.test(key)) return made(key, `Key${key.toUpperCase()}`, key !== key.toLowerCase())
      return made(key, symbols[key] ?? 'Space', key === ':')
    }
    const keysOf = (code: string): KeyboardEvent[] => {
      const keys = [...Array.from(code, keyOf), made('Enter', 'Enter', false)]
      const times = keys.map(({ timeStamp }) => timeStamp)
      return Math.max(...times) - Math.min(...times) <= atOnce ? keys : keysOf(code)
    }
    for (const code of codes) {
      for (const key of keysOf(code)) (document.activeElement ?? document.body).dispatchEvent(key)
    }
  }, texts)
}
