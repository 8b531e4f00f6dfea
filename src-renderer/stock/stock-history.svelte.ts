import type { Client } from '../../src-shared/ipc/client'
import type { ShelfCount, ShelfPast } from '../../src-shared/ipc/contract/stock'
import { Ask } from '../ui/ask.svelte'

/** Finished and signed counts, newest first. */
export class StockHistory {
  counts = $state.raw<ShelfPast[] | null>(null)
  isWhole = $state(false)
  readonly #ask = new Ask<{ counts: ShelfPast[]; next: number | null }>()
  readonly #client: Client
  #next: number | null = null

  error = $derived(this.#ask.error)
  isBusy = $derived(this.#ask.isBusy)
  /** Signed counts with an accuracy, oldest first: what the plot shows. */
  plotted = $derived((this.counts ?? []).filter(({ state }) => state === 'signed').toReversed())

  constructor(client: Client) {
    this.#client = client
  }

  /** Reads the newest page. */
  async load(): Promise<void> {
    await this.#read(null)
  }

  /** A count was finished, signed, or has other figures. */
  changed({ id, state, results, signedAt }: ShelfCount): void {
    const known = this.counts?.find((one) => one.id === id)
    if (known?.state === state)
      this.counts = (this.counts ?? []).map((one) => (one.id === id ? { ...one, results, signedAt } : one))
    else if (known || state === 'finished') void this.load()
  }

  /** Reads the next page, if there is one. */
  async more(): Promise<void> {
    if (this.#next !== null && !this.isBusy) await this.#read(this.#next)
  }

  async #read(before: number | null): Promise<void> {
    await this.#ask.ask(
      () => this.#client.call('stock.history', { before }),
      ({ counts, next }) => {
        this.counts = before === null ? counts : [...(this.counts ?? []), ...counts]
        this.#next = next
        this.isWhole = next === null
      },
    )
  }
}
