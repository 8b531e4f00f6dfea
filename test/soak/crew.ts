import { writeHour, reportsOf, type Step } from '../e2e/hour-script'
import { scanAll } from '../e2e/hour-scanner'
import { Till, orderPrefix } from '../e2e/hour-till'
import { Counter } from '../e2e/station'
import type { DayExport } from '../../src-shared/ipc/contract/checkout'
import { type CountDay, sumsOf, type StationDay, type Taken } from './compare'
import type { Outages } from './outages'
import type { Screen } from './screen'
import { createShelf } from './shelf'
import { type CountOf, createShelfCount } from './shelf-count'
import type { StationProcess } from './station-process'
import { type DayGoods, caseCode, tagCode } from './store'

/** The people at one station, day after day: they use its page with scanner and keyboard. */
export interface Crew {
  name: string
  /** On the first page of the soak: sets the order number prefix. */
  moveIn(): Promise<void>
  /** The delivery arrives, and is imported and finished. */
  receive(goods: DayGoods): Promise<void>
  /** Returns the hour's reports. With `of` the shelf is counted meanwhile. */
  workHour(steps: Step[], uncased: DayGoods['hours'][number]['uncased'], of?: CountOf): Promise<Taken[]>
  /** The counts of the shelf since it was asked last. */
  counts(): CountDay[]
  /**
   * Waits until everything is sent, and reads the closing report; fails if the page differs from the totals of `done`.
   */
  close(day: string, done: Taken[]): Promise<StationDay>
  /** The current activity: it shows where a failed soak stopped. */
  doing(): string
  restarts(): number
}

interface CrewParts {
  name: string
  process: StationProcess
  screen: Screen
  outages: Outages
  /** The station shares a store hub with others. */
  hasHub: boolean
}

export function createCrew({ name, process, screen, outages, hasHub }: CrewParts): Crew {
  const { page } = screen
  const counter = new Counter(page)
  /** The product of the items that aren't imported yet. */
  const products = new Map<string, string>()
  const shelf = createShelf()
  let counts: CountDay[] = []
  let restarts = 0
  let doing = 'nothing yet'
  const till = new Till(
    counter,
    {
      kill: () => process.kill(),
      start() {
        restarts++
        return process.start()
      },
      knobs: { setFaults: (faults) => outages.setFaults(faults) },
    },
    (tagId) => products.get(tagId) ?? '',
  )

  /** The contents of the last case read, item by item. */
  const count = async (items: string[]) => {
    await counter.button('Count items').press('Enter')
    await counter.button('Only this case').press('Enter')
    await page.getByText(`0 of ${items.length}`, { exact: true }).first().waitFor()
    await scanAll(page, items.map(tagCode))
    await page.getByText(`${items.length} of ${items.length}`, { exact: true }).first().waitFor()
    await counter.button('Finish count').press('Enter')
    await counter.button('Close').press('Enter')
    await counter.button('Count items').press('Enter')
  }

  return {
    name,
    doing: () => doing,
    restarts: () => restarts,
    async moveIn() {
      doing = 'the first look'
      await page.goto(await process.start())
      await till.says('Ready to scan')
      await counter.settings('Scanners')
      await counter.field('Order numbers begin with').fill(orderPrefix)
      await counter.button('Save prefixes').press('Enter')
      await till.says('Saved')
    },

    async receive({ packageUid, hours }) {
      doing = `delivery ${packageUid}`
      const cases = hours.flatMap((hour) => hour.cases)
      for (const { uncased } of hours) for (const item of uncased.items) products.set(item, uncased.productName)
      await counter.go('Receiving')
      await counter.scan(packageUid)
      await page.getByRole('heading', { name: packageUid }).waitFor()
      for (const { uuid, productName } of cases) {
        await scanAll(page, [caseCode(uuid)])
        await page.getByRole('heading', { name: productName }).waitFor()
      }
      await counter.button(`Import ${cases.length} cases`).waitFor()
      await page.keyboard.press('Control+Enter')
      await till.says(`${cases.length} cases imported`)
      for (const one of cases) shelf.arrive(one)
      await count(cases.at(-1)?.items ?? [])
      // Nothing is left to import: now the same key finishes the delivery.
      await counter.button('Finish delivery').last().waitFor()
      await page.keyboard.press('Control+Enter')
      await till.says('Finish this delivery?')
      await page.keyboard.press('Control+Enter')
      await counter.button('Next delivery').click()
      await till.says('Scan a package or a case to begin')
    },

    async workHour(steps, uncased, of) {
      await counter.go('Checkout')
      const counting = of && createShelfCount({ counter, process, shelf, steps, of })
      for (const [n, step] of steps.entries()) {
        doing = `a count of the shelf before step ${n}`
        await counting?.before(n)
        doing = 'orderId' in step ? `${step.do}: order ${step.orderId}` : step.do
        await till.take(step)
        shelf.take(step, uncased)
      }
      if (counting) counts.push(await counting.result(name))
      return reportsOf(steps)
    },

    counts() {
      const those = counts
      counts = []
      return those
    },

    async close(day, done) {
      doing = 'closing'
      await till.says('Nothing to send')
      await counter.go('Orders')
      await page.getByRole('radio', { name: `All ${sumsOf(done, 'complete').orders}`, exact: true }).waitFor()
      await page.keyboard.press('Control+Enter')
      // It opens with the figures of the whole store.
      if (hasHub) await page.getByRole('radio', { name: 'This station' }).check()
      await till.says(
        `Everything is with the service. It has taken ${done.length.toLocaleString('en')} sales, returns and voids of this day.`,
      )
      for (const [row, kind] of [
        ['Completed', 'complete'],
        ['Returned', 'return'],
        ['Voided', 'void'],
      ] as const) {
        const { orders, items } = sumsOf(done, kind)
        await page.getByRole('row', { name: `${row} ${orders} ${items}`, exact: true }).waitFor()
      }
      const { report, file } = await process.closing(day)
      // Back to the list, so that the next evening starts in the same place.
      await page.keyboard.press('Escape')
      return { name, done, report, filed: linesOf(file) }
    },
  }
}

/** The lines of a closing report's file. */
export const linesOf = ({ lines }: DayExport): StationDay['filed'] =>
  lines.map(({ kind, orderId, items, state }) => ({ kind, orderId, items: items.map(({ tagId }) => tagId), state }))

/** The steps of a station's hour. A station that is never restarted has sales in place of power cuts, so that growth shows. */
export function hourOf(
  seed: number,
  goods: DayGoods['hours'][number],
  { firstOrder, isRestarted }: { firstOrder: number; isRestarted: boolean },
): Step[] {
  const stock = goods.cases.flatMap(({ items }) => items)
  const steps = writeHour(seed, { stock, uncased: [...goods.uncased.items], firstOrder })
  if (isRestarted) return steps
  return steps.map((step) => (step.do === 'sell through a restart' ? { ...step, do: 'sell' } : step))
}
