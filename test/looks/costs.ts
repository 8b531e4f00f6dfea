import type { Locator, Page } from '@playwright/test'
import { type Counter, expect } from '../e2e/station'

/** What a task costs a trained person; a chord such as Ctrl+Enter is one key. */
export interface Cost {
  scans: number
  keys: number
  clicks: number
}

/** A person at the counter whose scans, keys and clicks are counted. */
export class Hands {
  readonly cost: Cost = { scans: 0, keys: 0, clicks: 0 }
  readonly page: Page

  constructor(readonly counter: Counter) {
    this.page = counter.page
  }

  async scan(code: string): Promise<void> {
    this.cost.scans++
    await this.counter.scan(code)
    await expect(this.counter.strip).not.toContainText('Ready to scan')
    // A hand needs a moment between the scanner and the keyboard.
    await this.page.waitForTimeout(300)
  }

  async key(name: string): Promise<void> {
    this.cost.keys++
    await this.page.keyboard.press(name)
  }

  /** Pauses: a person is slower than a scanner. */
  async type(text: string): Promise<void> {
    this.cost.keys += text.length
    await this.page.keyboard.type(text, { delay: 120 })
  }

  async click(target: Locator): Promise<void> {
    this.cost.clicks++
    await target.click()
  }

  /** Presses Tab, or Shift+Tab where that is shorter, until a control has the focus. */
  async tabTo(target: Locator): Promise<void> {
    await expect(target).toBeVisible()
    await this.page.evaluate(() => Reflect.set(window, 'tabStart', document.activeElement))
    const isThere = () => target.evaluate((one) => one === document.activeElement)
    const isBack = () =>
      this.page.evaluate(
        () => document.activeElement === document.body || document.activeElement === Reflect.get(window, 'tabStart'),
      )
    if (await isThere()) return
    let forward = 0
    for (; !(await isThere()); forward++) {
      if (forward > 80) throw new Error('cannot be reached by Tab')
      await this.page.keyboard.press('Tab')
    }
    let backward = 0
    do {
      backward++
      await this.page.keyboard.press('Tab')
    } while (backward < forward && !(await isBack()))
    for (let step = 0; step < backward; step++) await this.page.keyboard.press('Shift+Tab')
    await expect(target).toBeFocused()
    this.cost.keys += Math.min(forward, backward)
  }
}
