import { setTimeout as sleep } from 'node:timers/promises'
import { type Page, chromium } from 'playwright'
import { browserLaunch } from '../../test/e2e/browser'
import { tsxNames } from '../../test/e2e/tsx-names'
import { installPageBench } from './page-script'

/** The built renderer in a real Chromium, on the checkout screen. */
export interface Screen {
  page: Page
  /** A time of the page's clock converted to this process's clock, with the possible error, in ms. */
  clock: Clock
  close(): Promise<void>
}

export interface Clock {
  toOurs: (pageTime: number) => number
  error: number
}

export async function openCheckout(url: string): Promise<Screen> {
  const browser = await chromium.launch(await browserLaunch())
  const page = await browser.newPage({ viewport: { width: 1024, height: 768 } })
  page.on('pageerror', (error) => console.error(error))
  await page.addInitScript(tsxNames)
  await page.addInitScript(installPageBench)
  await page.goto(url)
  await page.getByText('Ready to scan').waitFor()
  await page.keyboard.press('F2')
  await page.getByRole('tab', { name: 'Sell' }).waitFor()
  return { page, clock: await compareClocks(page), close: () => browser.close() }
}

/**
 * Both clocks run at the same speed from different starting points. The page is asked for its time many times: the time
 * was read between question and answer, so the fastest answer is the most precise.
 */
export async function compareClocks(page: Page): Promise<Clock> {
  let offset = 0
  let error = Number.POSITIVE_INFINITY
  for (let question = 0; question < 200; question++) {
    const asked = performance.now()
    const theirs = await page.evaluate(() => window.scanBench.now())
    const answered = performance.now()
    if ((answered - asked) / 2 < error) {
      error = (answered - asked) / 2
      offset = (asked + answered) / 2 - theirs
    }
    if (question % 20 === 0) await sleep(5)
  }
  return { error, toOurs: (pageTime) => pageTime + offset }
}
