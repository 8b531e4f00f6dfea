import type { AppError } from '../../../src-shared/errors'
import type { Client } from '../../../src-shared/ipc/client'
import type { OrderId } from '../../../src-shared/ids'
import {
  type PosDayView,
  type PosDifference,
  type PosFilter,
  type PosPage,
} from '../../../src-shared/ipc/contract/pos-day'
import { type Result, ok } from '../../../src-shared/result'
import { Command } from '../../ui/command.svelte'
import { type Page, PagedList } from '../../ui/paged-list.svelte'
import { type Throttled, throttle } from '../../ui/throttle'

/** The comparison for paper. `page`: the first page of all that is left, of the same moment as the view; null: not known yet. */
export interface PosPaper {
  view: PosDayView
  page: PosPage | null
}

/** So often the list is read again if the comparison has changed meanwhile. */
const mostReads = 3

/** The comparison of the day in front with the POS. Main decides and pushes it; the page reads the list in pages. */
export class PosDay {
  view = $state.raw<PosDayView | null>(null)
  filter = $state.raw<PosFilter>('open')
  /** What is left, by the filter. */
  readonly list = new PagedList<PosDifference>((from) => this.#page(from ?? 0), { idOf: ({ orderId }) => orderId })
  readonly steps = new Command()
  #viewError = $state.raw<AppError | null>(null)
  error = $derived(this.steps.error ?? this.#viewError ?? this.list.error)

  readonly #client: Client
  readonly #listSoon: Throttled
  readonly #askSoon: Throttled
  #day = ''

  constructor(client: Client, now?: () => number) {
    this.#client = client
    this.#listSoon = throttle(() => void this.#reload(), now)
    this.#askSoon = throttle(() => void this.show(this.#day), now)
  }

  /** Shows a day, YYYY-MM-DD. */
  async show(day: string): Promise<void> {
    if (day !== this.#day) {
      this.view = null
      this.list.clear()
    }
    this.#day = day
    const answer = await this.#client.call('posDay.view', { day })
    if (day !== this.#day) return
    this.#viewError = answer.ok ? null : answer.error
    if (answer.ok) this.changed(answer.value)
  }

  /** Main says how the comparison stands now; that of another day is ignored, and what is older than what is shown. */
  changed(view: PosDayView): void {
    if (view.day !== this.#day) return
    const isNewer =
      !this.view || view.revision >= this.view.revision || view.file?.loadedAt !== this.view.file?.loadedAt
    if (!isNewer) return
    this.view = view
    if (view.state === 'compared') this.#listSoon()
    else if (view.state !== 'comparing') this.list.clear()
  }

  /** Another station has reported something, or the store hub answers again: main asks the stations about the day. */
  storeChanged(): void {
    if (this.view?.file && this.view.store) this.#askSoon()
  }

  choose(filter: PosFilter): void {
    this.filter = filter
    this.list.clear()
    void this.#reload()
  }

  /** What a person may print; null without a file. */
  async paper(): Promise<PosPaper | null> {
    const day = this.#day
    // Another one after each answer.
    const shown = () => this.view
    for (let reads = 0; reads < mostReads && shown()?.state === 'compared'; reads++) {
      const answer = await this.#client.call('posDay.list', { day, filter: 'all', from: 0 })
      if (day !== this.#day || !answer.ok) break
      const view = shown()
      if (view?.state === 'compared' && view.revision === answer.value.revision) return { view, page: answer.value }
    }
    const view = shown()
    return view?.file && day === this.#day ? { view, page: null } : null
  }

  /** True if it was saved. */
  async setReason({ orderId, mark }: PosDifference, reason: string | null): Promise<boolean> {
    return this.steps.does(() => this.#client.call('posDay.setReason', { day: this.#day, orderId, mark, reason }))
  }

  async setTracked(productId: number, isTracked: boolean | null): Promise<void> {
    await this.steps.run(() => this.#client.call('posDay.setTracked', { day: this.#day, productId, isTracked }))
  }

  async forget(): Promise<boolean> {
    return this.steps.does(() => this.#client.call('posDay.forget', { day: this.#day }))
  }

  /** The number under which missing items can be sold; null if it could not be told. */
  async saleNumber({ orderId }: PosDifference): Promise<OrderId | null> {
    const answer = await this.steps.run(() => this.#client.call('posDay.saleNumber', { day: this.#day, orderId }))
    return answer?.ok ? answer.value.orderId : null
  }

  async #reload(): Promise<void> {
    this.#listSoon.reset()
    await this.list.reload()
  }

  async #page(from: number): Promise<Result<Page<PosDifference, number, null>, AppError>> {
    const answer = await this.#client.call('posDay.list', { day: this.#day, filter: this.filter, from })
    if (!answer.ok) return answer
    const { differences: rows, total } = answer.value
    return ok({ rows, total, next: from + rows.length, head: null })
  }
}
