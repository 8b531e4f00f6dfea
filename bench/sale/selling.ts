import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright'
import type { Clock } from '../scan/screen'
import { type SaleStation, orderPrefix } from './station'
import { itemOf } from './store'

export const itemsPerSale = 6

/** One observed sale. */
export interface Sold {
  /** From the report of the complete barcode to the frame that shows that it is saved, in ms. */
  took: number
  /** To the frame that shows that the service has it. Only if that was waited for. */
  reportedAfter?: number
  /** Scans that main announced to the page, from the empty cart to the result. */
  scans: number
  /** Keys, clicks and touches in the same period. */
  touches: number
}

/** Longer than two frames: samples begin at any point within a frame. Before it, what came before has come to rest. */
const longestWait = 40
const shortestWait = 10
const patience = 30_000

/** From now on counts manual input to the page. */
export function countTouches(page: Page): Promise<void> {
  return page.evaluate(() => {
    const { dataset } = document.documentElement
    dataset['touches'] = '0'
    for (const kind of ['keydown', 'pointerdown', 'click', 'wheel']) {
      const count = () => (dataset['touches'] = String(Number(dataset['touches']) + 1))
      window.addEventListener(kind, count, { capture: true })
    }
  })
}

/**
 * Sells by scanner alone: the order number, six items, and, when the screen counts six, the complete barcode. `first` is
 * the number of the first item; `says` is what the screen must say first, and at the end if it is waited for (`then`), and
 * nothing else on the screen does.
 */
export async function sell(
  { read }: SaleStation,
  page: Page,
  clock: Clock,
  { orderId, first, says, then }: { orderId: string; first: number; says: string; then?: string },
): Promise<Sold> {
  await page.evaluate(() => {
    window.scanBench.messages.length = 0
    document.documentElement.dataset['touches'] = '0'
  })
  read(`${orderPrefix}${orderId}`)
  for (let n = 0; n < itemsPerSale; n++) read(`https://tag.example/${itemOf(first + n)}`)
  await page.getByRole('button', { name: new RegExp(`^Complete ${itemsPerSale} items`) }).waitFor()
  // Asked before the scan: the question is work for this process, for the page and for the browser between them.
  const shown = page.evaluate(
    (texts) => Promise.all(texts.map((text) => window.scanBench.watch(text))),
    [says, ...(then === undefined ? [] : [then])],
  )
  await sleep(shortestWait + Math.random() * longestWait)
  const start = read('CT:COMPLETE')
  const [seen, last] = await Promise.race([shown, giveUp(`“${says}”`)])
  if (!seen) throw new Error('the page watched for nothing')
  const after = ({ painted }: { painted: number }) => clock.toOurs(painted) - start
  const counted = await page.evaluate(() => ({
    scans: window.scanBench.messages.filter(({ data }) => data.startsWith('{"event":"scanner.scanned"')).length,
    touches: Number(document.documentElement.dataset['touches']),
  }))
  return { took: after(seen), ...(last && { reportedAfter: after(last) }), ...counted }
}

async function giveUp(what: string): Promise<never> {
  await sleep(patience, undefined, { ref: false })
  throw new Error(`the screen never said ${what}`)
}
