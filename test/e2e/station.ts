import { type Page, expect } from '@playwright/test'
import { host } from './hosts'

export const test = host.extend<{ counter: Counter }>({
  counter: async ({ page, station }, use) => {
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('console', (message) => {
      // Some tests are about connections that are refused while the app is down.
      if (message.type() === 'error' && !/ERR_CONNECTION|WebSocket/.test(message.text())) problems.push(message.text())
    })
    await page.goto(station.url)
    await expect(page.getByText('Ready to scan')).toBeVisible()
    await use(new Counter(page))
    expect(problems).toEqual([])
  },
})
export { expect }

const keys = {
  ...{ Receiving: 'F1', Checkout: 'F2', Orders: 'F3', Find: 'F4', Outbox: 'F5', Settings: 'F6', Stock: 'F8' },
} as const
type Screen = keyof typeof keys

export const settingsSections = [
  ...(['This station', 'Connection', 'Store', 'People', 'Scanners', 'Rules', 'Security', 'Data and help'] as const),
] as const
type SettingsSection = (typeof settingsSections)[number]

/** Opens a section, with Settings in front. */
export const openSection = (page: Page, section: SettingsSection) =>
  page
    .getByRole('navigation', { name: 'Sections of Settings' })
    .getByRole('button', { name: section, exact: true })
    .click()

/** What a person at the counter does, in plain words. */
export class Counter {
  constructor(readonly page: Page) {}

  /**
   * A keyboard-mode scanner: all keys are dispatched at once, so that a busy machine can't split a scan. The events
   * match a real keyboard's; only the leak test needs keys that really type, and makes them itself.
   */
  async scan(text: string): Promise<void> {
    await this.page.evaluate((code) => {
      const symbols: Record<string, string> = {
        ':': 'Semicolon',
        '/': 'Slash',
        '.': 'Period',
        '-': 'Minus',
        '%': 'Digit5',
      }
      const now = performance.now()
      const press = (key: string, physical: string, shiftKey = false) => {
        const event = new KeyboardEvent('keydown', {
          key,
          code: physical,
          shiftKey,
          bubbles: true,
          cancelable: true,
          composed: true,
        })
        Object.defineProperty(event, 'timeStamp', { value: now })
        ;(document.activeElement ?? document.body).dispatchEvent(event)
      }
      for (const key of code) {
        if (/\d/.test(key)) press(key, `Digit${key}`)
        else if (/[a-z]/i.test(key)) press(key, `Key${key.toUpperCase()}`, key !== key.toLowerCase())
        else press(key, symbols[key] ?? 'Space', key === ':' || key === '%')
      }
      press('Enter', 'Enter')
    }, text)
  }

  /** Types a code as a person does from a damaged label: the same code again at once is intended. */
  async typeCode(text: string): Promise<void> {
    await this.button('Type a code').click()
    await this.field('Code from a damaged label').fill(text)
    await this.page.keyboard.press('Enter')
  }

  /** Goes to a screen by its keyboard shortcut. */
  async go(screen: Screen): Promise<void> {
    await this.page.keyboard.press(keys[screen])
  }

  /** Opens a section of Settings. */
  async settings(section: SettingsSection): Promise<void> {
    await this.go('Settings')
    await openSection(this.page, section)
  }

  tab(name: 'Sell' | 'Return' | 'Void') {
    return this.page.getByRole('tab', { name })
  }

  get strip() {
    return this.page.getByRole('region', { name: 'Last scan' })
  }

  button(name: string | RegExp) {
    return this.page.getByRole('button', { name })
  }

  field(name: string) {
    return this.page.getByLabel(name, { exact: true })
  }

  /** Requests that waiting reports be sent now, unless they were sent automatically meanwhile. */
  async sendNow(): Promise<void> {
    const send = this.button('Send now')
    await expect(async () => {
      // Nothing left to send: the button is shown, but disabled.
      if ((await send.isVisible()) && (await send.isEnabled({ timeout: 2_000 }))) await send.click({ timeout: 2_000 })
    }).toPass()
  }

  /** Answers the question before a regulated change, with a reason and the PIN where they are wanted. */
  async approval(reason = 'Agreed with the manager', pin?: string): Promise<void> {
    const dialog = this.page.getByRole('dialog')
    await expect(dialog).toContainText(/sent when the service answers/i)
    const field = dialog.getByLabel('Reason', { exact: true })
    if (await field.isVisible()) await field.fill(reason)
    if (pin !== undefined) await dialog.getByLabel('PIN').fill(pin)
    // Typed at once, it would be taken for a scan.
    await dialog.getByRole('button').last().click()
    await expect(dialog).toBeHidden()
  }

  /** Imports the selected case. */
  async importCase(): Promise<void> {
    await this.field('POS product ID').fill('POS-1')
    await this.field('POS inventory ID').fill('INV-1')
    await this.button(/^Import (only this case|.*, \d+ items?)$/).click()
  }

  /** Finishes the delivery; ends on the page that says what it held. */
  async finishDelivery(): Promise<void> {
    await this.button('Finish delivery').first().click()
    await this.finishNow()
  }

  /** The same from the page that asks who received it. */
  async finishNow(): Promise<void> {
    const page = this.page.getByRole('region', { name: 'Finish this delivery?' })
    await page.getByRole('button', { name: 'Finish delivery' }).click()
    await expect(this.page.getByRole('heading', { name: 'Delivery finished' })).toBeVisible()
  }

  /** Sells items in one order; leaves the result on the screen. */
  async sell(orderId: string, codes: string[]): Promise<void> {
    await this.field('Order number').fill(orderId)
    for (const [index, code] of codes.entries()) {
      await this.scan(code)
      await expect(this.button(new RegExp(`^Complete ${index + 1} item`))).toBeVisible()
    }
    await this.button(/^Complete/).click()
  }

  /** Sells what the service will refuse: the app asks first. */
  async sellAnyway(orderId: string, codes: string[]): Promise<void> {
    await this.sell(orderId, codes)
    await this.button('Complete anyway').click()
  }

  /** Dismisses the report of an order in the Outbox. */
  async dismiss(orderId: string, reason: string): Promise<void> {
    await this.button(new RegExp(`^Dismiss: .*order ${orderId}$`, 'i')).click()
    const dialog = this.page.getByRole('dialog')
    await dialog.getByLabel('Reason', { exact: true }).fill(reason)
    await dialog.getByRole('button', { name: 'Dismiss it' }).click()
  }
}

/** Codes of the practice store, by purpose. */
export const codes = {
  package: '1A40E0300000B2F000000001',
  /** A case in that package: 24 items, to import. */
  caseToImport: 'https://tag.example/case/a6YvvLF5tXSydNkLnHDXG5',
  twoProducts: 'https://tag.example/case/Rt38U7hi9srjpn4Aaf92qA',
  byCompany: 'https://tag.example/case/ikY9x9TussdC4qGNQTQRKQ',
  byStranger: 'https://tag.example/case/CEx2Fc4mGQjfiQsttW5rZA',
  short: 'https://tag.example/case/7tbjHnMPGLQSwUpdQpuCbG',
  oddIdentifier: 'https://tag.example/case/HF%202026%2F0417',
  /** Items of the case to import. */
  itemsToImport: [
    '7YgFz5pKeTzG9pjtAoo4DS',
    'LCvUPEtMFAZZM5NTZtG8at',
    'Sjz8LEpJWQGKSCZzKpnbkt',
    'fhzWbqnAzue7T88zbjgvLe',
  ].map((id) => `https://tag.example/${id}`),
  /** Items of the case that is imported from the start. */
  itemsHere: [
    'fNumgzqqiApBuoTRFhfm7C',
    'nMqAx3W9PVPh23ndvzBh95',
    '5bw7Hvcdg8UfmctQJtV7bk',
    'JxunBUwfNjCnpt7hMuFkfC',
  ].map((id) => `https://tag.example/${id}`),
  unknownItem: 'https://tag.example/nq45eyR6Sqq9NzTY3pcL72',
}

export const idIn = (text: string) => text.split('/').at(-1) ?? ''
