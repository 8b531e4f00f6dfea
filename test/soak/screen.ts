import type { Browser, CDPSession, Page } from '@playwright/test'
import { tsxNames } from '../e2e/tsx-names'

/** A station's page, with the clock of the soak and a look at its memory. */
export interface Screen {
  page: Page
  /** From now on the page's clock is ahead of the computer's by so much, in ms. */
  setAhead(ahead: number): Promise<void>
  /** JS heap in bytes; `isTidied`: after its garbage was collected. */
  heap(isTidied: boolean): Promise<number>
  /** What went wrong in it so far. */
  problems: string[]
}

/** Only new dates are of another day: timers and performance.now() stay the browser's. */
const movedClock = `(() => {
  const Real = Date
  const now = () => Real.now() + (globalThis.soakAhead ?? 0)
  globalThis.Date = class extends Real {
    constructor(...given) {
      if (given.length === 0) super(now())
      else super(...given)
    }
    static now() {
      return now()
    }
  }
})()`

export async function openScreen(browser: Browser): Promise<Screen> {
  // A context of its own: cookies don't know ports.
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  await page.addInitScript({ content: movedClock })
  await page.addInitScript(tsxNames)
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    // That a station is gone for a moment is meant.
    if (message.type() === 'error' && !/ERR_CONNECTION|WebSocket/.test(message.text())) problems.push(message.text())
  })
  const devtools = await context.newCDPSession(page)
  await devtools.send('Performance.enable')
  return {
    page,
    problems,
    async setAhead(ahead) {
      const content = `globalThis.soakAhead = ${ahead}`
      await page.addInitScript({ content })
      await page.evaluate(content)
    },
    async heap(isTidied) {
      if (isTidied) await tidy(devtools)
      const { metrics } = await devtools.send('Performance.getMetrics')
      const used = metrics.find(({ name }) => name === 'JSHeapUsedSize')
      if (!used) throw new Error('the browser does not tell its heap')
      return used.value
    },
  }
}

async function tidy(devtools: CDPSession) {
  await devtools.send('HeapProfiler.enable')
  for (let pass = 0; pass < 3; pass++) await devtools.send('HeapProfiler.collectGarbage')
  await devtools.send('HeapProfiler.disable')
}
