import type { Step } from '../e2e/hour-script'
import { scanAll } from '../e2e/hour-scanner'
import type { Counter } from '../e2e/station'
import type { CountDay } from './compare'
import { type Shelf, itemsOf } from './shelf'
import type { StationProcess } from './station-process'
import { tagCode } from './store'

/** What is counted: all of a product, or as many products as the station picks. */
export type CountOf = { productName: string } | { sample: number }

interface ShelfCountParts {
  counter: Counter
  process: Pick<StationProcess, 'shelfCount'>
  shelf: Shelf
  /** The hour in which it is counted. */
  steps: readonly Step[]
  of: CountOf
}

/**
 * Before which steps of the hour a person goes to the shelf. The power has failed once between the first two, and the network is
 * gone at the second.
 */
const sittings = { start: 3, goOn: 28, end: 40 }

/**
 * A count of the shelf in the middle of an hour's sales. One item was stolen, one is overlooked until the differences are counted
 * again, and one that was sold lies on the shelf: a customer left it behind.
 */
export function createShelfCount({ counter, process, shelf, steps, of }: ShelfCountParts) {
  const { page } = counter
  const scanned = new Set<string>()
  const strange: string[] = []
  let names: string[] = []
  let overlooked: string | undefined

  const figure = (count: number) =>
    page.locator('.figure').getByText(count.toLocaleString('en'), { exact: true }).waitFor()
  const scan = async (items: readonly string[]) => {
    await scanAll(page, items.map(tagCode))
    for (const item of items) scanned.add(item)
    await figure(scanned.size)
  }
  // Clicked, not by key: while a step is being answered, its screen takes no other one.
  const finish = async () => {
    await counter.button('Finish count').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Finish count' }).press('Enter')
    await counter.button('Recount differences').waitFor()
  }
  const usedFrom = (step: number) => new Set(steps.slice(step).flatMap(itemsOf))

  const start = async () => {
    await counter.go('Stock')
    if ('productName' in of) {
      await page.getByText('A product', { exact: true }).click()
      await counter.field('Search by name').fill(of.productName)
      await page.getByRole('list', { name: 'What to count' }).getByText(of.productName, { exact: true }).first().click()
    } else {
      await page.getByText('Random sample', { exact: true }).click()
      await page.getByLabel(/Products in the sample/).selectOption(String(of.sample))
    }
    await counter.button('Start count').click()
    await page.getByText('Scan the items on the shelf').waitFor()
    names = (await process.shelfCount()).names
    // What the hour's script doesn't touch any more.
    const used = usedFrom(sittings.start)
    const [stolen, missed] = shelf.here(names).filter((item) => !used.has(item))
    if (stolen === undefined) throw new Error(`nothing of ${names.join()} stays on the shelf`)
    shelf.lose(stolen)
    overlooked = missed
    await scan(shelf.here(names).filter((item, n) => n % 2 === 0 && item !== overlooked))
  }

  const goOn = async () => {
    await open()
    const used = usedFrom(sittings.goOn)
    strange.push(
      ...shelf
        .sold(names)
        .filter((item) => !used.has(item) && !scanned.has(item))
        .slice(-1),
    )
    const left = shelf.here(names).filter((item) => item !== overlooked && !scanned.has(item))
    await scan([...left, ...strange])
  }

  const end = async () => {
    await open()
    // What came back since: the last look at the shelf.
    await scan(shelf.here(names).filter((item) => item !== overlooked && !scanned.has(item)))
    await finish()
    if (overlooked !== undefined) {
      await counter.button('Recount differences').click()
      await page.getByText('Scan the items that were missing').waitFor()
      await scan([overlooked])
      await finish()
    }
    await page.getByRole('checkbox', { name: /^Choose (it|all [\d,]+)$/ }).check()
    await counter.button(/^Give [\d,]+ a reason$/).click()
    const dialog = page.getByRole('dialog')
    // A reason that every kind of difference has.
    for (const one of await dialog.getByText('Label wrong or unreadable', { exact: true }).all()) await one.click()
    await dialog.getByRole('button', { name: 'Save reason' }).press('Enter')
    await counter.button('Sign count').click()
    await dialog.getByLabel('Your name').fill('Robin Reyes')
    await dialog.getByRole('button', { name: 'Sign' }).press('Enter')
    await page
      .getByText(/Signed /)
      .first()
      .waitFor()
    await counter.button('All counts').click()
  }

  /** After a power cut the screen begins anew. */
  const open = async () => {
    await counter.go('Stock')
    const goesOn = counter.button(/^Open /)
    await counter.button('Finish count').or(goesOn).first().waitFor()
    if (await goesOn.isVisible()) await goesOn.press('Enter')
    await figure(scanned.size)
  }

  return {
    /** Does what the person does at the shelf before a step; returns to the counter. Returns whether there was anything. */
    async before(step: number): Promise<boolean> {
      const go = { [sittings.start]: start, [sittings.goOn]: goOn, [sittings.end]: end }[step]
      if (!go) return false
      await go()
      await counter.go('Checkout')
      return true
    },
    /** The result beside the truth. `name`: of the station. */
    async result(name: string): Promise<CountDay> {
      return {
        name,
        seen: await process.shelfCount(),
        truth: {
          found: [...scanned].filter((item) => !strange.includes(item)),
          missing: shelf.lost(names),
          unexpected: strange,
        },
      }
    },
  }
}
