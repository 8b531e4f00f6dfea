import { type Browser, type Page, chromium } from 'playwright'
import { browserLaunch } from '../../test/e2e/browser'
import { tsxNames } from '../../test/e2e/tsx-names'
import { installPageBench } from './page-script'

/** The built renderer in a real Chromium, on the receiving screen. */
export interface Screen {
  browser: Browser
  page: Page
  seen: (selector: string, text: string) => Promise<void>
  /** JS heap in bytes, after a garbage collection. */
  heap: () => Promise<number>
}

const viewport = { width: 1024, height: 768 }

export async function openReceiving(url: string): Promise<Screen> {
  const browser = await chromium.launch(await browserLaunch())
  const page = await openPage(browser, url)
  await page.getByText('Ready to scan').waitFor()
  const devtools = await page.context().newCDPSession(page)
  return {
    browser,
    page,
    seen: (selector, text) =>
      page.evaluate(([where, what]) => window.deliveryBench.seen(where, what), [selector, text] as const),
    async heap() {
      await devtools.send('HeapProfiler.enable')
      for (let pass = 0; pass < 3; pass++) await devtools.send('HeapProfiler.collectGarbage')
      await devtools.send('HeapProfiler.disable')
      return (await devtools.send('Runtime.getHeapUsage')).usedSize
    },
  }
}

export async function openPage(browser: Browser, url: string): Promise<Page> {
  const page = await browser.newPage({ viewport })
  page.on('pageerror', (error) => console.error(error))
  await page.addInitScript(tsxNames)
  await page.addInitScript(installPageBench)
  await page.goto(url)
  return page
}

export interface LongTasks {
  count: number
  /** In ms; 0 if there was none. */
  longest: number
}

/** The page's observations since the last reset. */
export async function watched(
  page: Page,
): Promise<LongTasks & { mostRows: number; progress: number[]; largest: number }> {
  const { longTasks, mostRows, progress, largest } = await page.evaluate(() => ({
    longTasks: window.deliveryBench.longTasks,
    mostRows: window.deliveryBench.mostRows,
    progress: window.deliveryBench.progress,
    largest: window.deliveryBench.largest,
  }))
  return { count: longTasks.length, longest: Math.max(0, ...longTasks), mostRows, progress, largest }
}

export const reset = (page: Page) => page.evaluate(() => window.deliveryBench.reset())
