import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from 'playwright'
import { caseCount } from './data'
import { type LongTasks, openPage, reset, watched } from './screen'

/** Long tasks during one pass through the whole list. */
interface Scrolled {
  wheel: LongTasks
  keys: LongTasks
  mostRows: number
}

const notch = 120
const rowHeight = 104
const rows = caseCount + 5

/** From top to bottom by wheel, back in large steps, and down again row by row by keyboard. */
export async function scrollAll(page: Page, list: string): Promise<Scrolled> {
  const scroller = page.locator(list)
  const box = await scroller.boundingBox()
  if (!box) throw new Error(`there is no ${list} to scroll`)
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await reset(page)
  for (let turned = 0; turned < rows * rowHeight; turned += notch) await page.mouse.wheel(0, notch)
  if ((await scroller.evaluate((one) => one.scrollTop)) === 0) throw new Error('the wheel moved nothing')
  for (let turned = 0; turned < rows * rowHeight; turned += 10 * notch) await page.mouse.wheel(0, -10 * notch)
  await sleep(300)
  const wheel = await watched(page)

  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
  await reset(page)
  for (let row = 0; row < rows; row++) await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Home')
  await page.keyboard.press('End')
  await sleep(300)
  const keys = await watched(page)
  return { wheel, keys, mostRows: Math.max(wheel.mostRows, keys.mostRows) }
}

/** The same pass through a page with the same number of plain divs: the cost of browser and machine. */
export async function scrollBare(browser: Browser): Promise<Scrolled> {
  const divs = Array.from({ length: rows }, (_, n) => `<div style="height:${rowHeight}px">Row ${n}</div>`).join('')
  const html = `<!doctype html><div class="bare" tabindex="0" style="height:90vh;overflow-y:auto">${divs}</div>`
  const page = await openPage(browser, `data:text/html,${encodeURIComponent(html)}`)
  const scrolled = await scrollAll(page, '.bare')
  await page.close()
  return scrolled
}
