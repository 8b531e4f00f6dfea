import type { Browser, CDPSession, Page } from '@playwright/test'
import { tsxNames } from '../e2e/tsx-names'

/** A station's page, with the soak's clock and memory readings. */
export interface Screen {
  page: Page
  /** Sets the page's clock this far ahead of the computer's, in ms. */
  setAhead(ahead: number): Promise<void>
  /** JS heap in bytes; `isTidied`: after a garbage collection. */
  heap(isTidied: boolean): Promise<number>
  /** The page's errors so far. */
  problems: string[]
}

/** Changes only new dates: timers and performance.now() stay the browser's. */
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
  // A separate context, because cookies ignore ports.
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  await page.addInitScript({ content: movedClock })
  await page.addInitScript(tsxNames)
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    // A station is sometimes down on purpose.
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
