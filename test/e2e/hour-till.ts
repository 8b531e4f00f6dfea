import type { RunningStation } from './hosts'
import { type Counter, expect } from './station'
import { scanAll } from './hour-scanner'
import type { Step } from './hour-script'

const urlOf = (id: string) => `https://tag.example/${id}`
export const orderPrefix = 'ORD-'
const numberOf = (orderId: string) => `${orderPrefix}${orderId}`

const items = (count: number) => `${count} ${count === 1 ? 'item' : 'items'}`

/** The parts of a station that its user operates. */
interface TillStation extends Pick<RunningStation, 'kill' | 'start'> {
  knobs: Pick<RunningStation['knobs'], 'setFaults'>
}

/**
 * A person at the counter who follows the hour's script with scanner and keyboard, and continues as soon as the screen
 * shows the expected text. Each wait is a check: a text that doesn't appear in time fails the test.
 */
export class Till {
  #isOffline = false

  constructor(
    readonly counter: Counter,
    readonly station: TillStation,
    /** The product of the case that isn't imported. */
    readonly productOf: (tagId: string) => string = () => 'House Flower, 3.5 g',
  ) {}

  async take(step: Step): Promise<void> {
    switch (step.do) {
      case 'sell':
        await this.#open(step)
        return this.#complete(step.orderId, step.items.length)
      case 'hold':
        return this.#hold(step)
      case 'resume':
        await this.#scan(numberOf(step.orderId))
        await this.#isInCart(step.held.length)
        await this.#scan(...step.items.map(urlOf))
        await this.#isInCart(step.held.length + step.items.length)
        return this.#complete(step.orderId, step.held.length + step.items.length)
      case 'sell through a restart':
        return this.#sellThroughRestart(step)
      case 'sell what is not imported':
        return this.#sellNotImported(step)
      case 'return':
        return this.#return(step)
      case 'void':
        return this.#void(step)
      case 'network goes':
        this.#isOffline = true
        return this.station.knobs.setFaults({ offline: true })
      case 'network comes back':
        return this.#comesBack(() => Promise.resolve())
      case 'network comes back, then send now':
        return this.#comesBack(() => this.counter.page.keyboard.press('Control+Enter'))
    }
  }

  /**
   * Waits for a text that may appear in more than one place. The wait runs in the page, so that a brief text isn't
   * missed.
   */
  async says(text: string): Promise<void> {
    await this.counter.page.getByText(text, { exact: true }).first().waitFor()
  }

  #scan(...texts: string[]): Promise<void> {
    return scanAll(this.counter.page, texts)
  }

  async #isInCart(count: number): Promise<void> {
    await this.counter.button(new RegExp(`^Complete ${items(count)}\\b`)).waitFor()
  }

  async #open({ orderId, items: ids }: { orderId: string; items: string[] }): Promise<void> {
    await this.#scan(numberOf(orderId), ...ids.map(urlOf))
    await this.#isInCart(ids.length)
  }

  async #complete(orderId: string, count: number): Promise<void> {
    await this.#scan('CT:COMPLETE')
    await this.#ends(`Order ${orderId}, ${items(count)}`, `Order ${orderId} reported, ${items(count)}`)
  }

  /** How the screen says that a report is saved while offline, and that the service has it. */
  #ends(saved: string, reported: string): Promise<void> {
    return this.says(this.#isOffline ? saved : reported)
  }

  async #hold({ orderId, items: ids }: { orderId: string; items: string[] }): Promise<void> {
    await this.#open({ orderId, items: ids })
    await this.#scan('CT:HOLD')
    await this.counter.strip.getByText(`Order ${orderId} is on hold`).waitFor()
  }

  async #return({ orderId, items: ids }: { orderId: string; items: string[] }): Promise<void> {
    await this.counter.tab('Sell').press('ArrowRight')
    await this.#scan(...ids.map(urlOf))
    await this.counter.button(new RegExp(`^Return ${items(ids.length)}\\b`)).waitFor()
    // The order wasn't named: the app knows it from the items.
    await expect(this.counter.field('Order number')).toHaveValue(orderId)
    await this.#scan('CT:COMPLETE')
    const what = `Return for order ${orderId}`
    await this.#ends(`${what}, ${items(ids.length)}`, `${what} reported, ${items(ids.length)}`)
  }

  async #void({ orderId }: { orderId: string }): Promise<void> {
    const { counter } = this
    await counter.tab('Sell').press('ArrowLeft')
    await this.#scan(numberOf(orderId))
    await counter.button(`Void order ${orderId}`).waitFor()
    await counter.page.keyboard.press('Control+Enter')
    await counter.page.getByRole('dialog', { name: `Void order ${orderId}?` }).waitFor()
    await counter.approval()
    await this.#ends(`Void of order ${orderId}`, `Order ${orderId} voided`)
  }

  async #comesBack(helps: () => Promise<void>): Promise<void> {
    await this.says('No connection')
    await this.counter.go('Outbox')
    await this.station.knobs.setFaults({})
    this.#isOffline = false
    await helps()
    await this.counter.page.getByText('Nothing to send', { exact: true }).first().waitFor({ timeout: 30_000 })
    await this.counter.go('Checkout')
  }

  /** The power fails before the last item: the scanned items are restored, and the sale continues. */
  async #sellThroughRestart({ orderId, items: ids }: { orderId: string; items: string[] }): Promise<void> {
    const [scanned, last] = [ids.slice(0, -1), ids.slice(-1)]
    await this.#open({ orderId, items: scanned })
    await this.station.kill()
    await this.counter.page.goto(await this.station.start())
    await this.says('Ready to scan')
    await this.counter.go('Checkout')
    await this.#isInCart(scanned.length)
    await expect(this.counter.field('Order number')).toHaveValue(orderId)
    await this.#scan(...last.map(urlOf))
    await this.#isInCart(ids.length)
    await this.#complete(orderId, ids.length)
  }

  /** The sale is refused; its case is imported from checkout, and the sale is sent again. */
  async #sellNotImported(step: { orderId: string; items: string[] }): Promise<void> {
    const { counter } = this
    await this.#open(step)
    await this.#scan('CT:COMPLETE')
    // The screen warned that the item isn't imported, and the person sells it anyway.
    await counter.button('Complete anyway').press('Enter')
    await this.says('1 needs attention')
    await counter.go('Outbox')
    await counter.button('Import its case').press('Enter')
    await this.importOpenCase(this.productOf(step.items.at(-1) ?? ''))
    await counter.go('Outbox')
    await counter.button(`Try again: Sale: order ${step.orderId}`).press('Enter')
    await this.says('Nothing to send')
    await counter.page.getByText('1 needs attention').first().waitFor({ state: 'hidden' })
    await counter.go('Checkout')
  }

  /** Imports the case that is open in Receiving; `name` is its product. */
  async importOpenCase(name: string): Promise<void> {
    const { counter } = this
    await counter.page.getByRole('heading', { name }).waitFor()
    await counter.field('POS product ID').fill(`POS ${name}`)
    await counter.field('POS inventory ID').fill(`INV ${name}`)
    await counter.button(/^Import (only this case|.*, \d+ items?)$/).press('Enter')
    await counter.button(`Undo the import of ${name}`).first().waitFor()
  }
}
