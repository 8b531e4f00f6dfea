import type { Page } from '@playwright/test'
import { expect, test as base } from './station'
import { RealKeyboard, listenForScans } from './real-keyboard'

export { expect }
/** A code to scan when its content doesn't matter. */
export const url = 'https://tag.example/VaVSFGDiox2pHf8GmQmTfG'

/** A station with a keyboard that types real keys, and a field of every kind. */
interface Till {
  page: Page
  keys: RealKeyboard
  /** Texts submitted as scans, oldest first. */
  scans: string[]
}

export const test = base.extend<{ till: Till }>({
  till: async ({ page, station }, use) => {
    const scans = listenForScans(page)
    await page.goto(station.url)
    await expect(page.getByText('Ready to scan')).toBeVisible()
    // Fields of every kind, inside the app itself and covered by its key listener.
    await page.evaluate(() => {
      const box = document.createElement('div')
      box.style.cssText = 'position: fixed; inset: 0; z-index: 9; background: white'
      box.innerHTML = `
        <input id="text"><textarea id="lines"></textarea><input id="number" type="number"><input id="mail" type="email">
        <input id="check" type="checkbox"><button id="button">Press</button>
        <div id="edit" contenteditable>one <b>two</b></div>
        <select id="list"><option>apples</option><option>hemp</option><option>tags</option></select>
        <output id="heard"></output>`
      document.body.append(box)
      const heard = box.querySelector('#heard')
      box.querySelector('#button')?.addEventListener('click', () => heard?.append('pressed'))
    })
    await use({ page, keys: await RealKeyboard.plugIn(page), scans })
  },
})
