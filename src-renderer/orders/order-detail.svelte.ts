import { SvelteMap } from 'svelte/reactivity'
import type { AppError } from '../../src-shared/errors'
import type { OperationId, OrderId } from '../../src-shared/ids'
import type { OrderView } from '../../src-shared/ipc/checkout-view'
import type { Client } from '../../src-shared/ipc/client'
import type { OperationView } from '../../src-shared/ipc/operation-view'
import { History } from '../outbox/history.svelte'
import { createPace } from '../outbox/pace'

/** One order, as long as a person has it open: what it holds, what was reported of it, and voiding it. */
export class OrderDetail {
  view = $state.raw<OrderView | null>(null)
  error = $state.raw<AppError | null>(null)
  /** The void is being asked about. */
  isAsking = $state(false)
  isBusy = $state(false)
  voidError = $state.raw<AppError | null>(null)
  /** Steps of the reports that are opened. */
  readonly histories = new SvelteMap<OperationId, History>()

  items = $derived(this.view?.items ?? [])
  returnedCount = $derived(this.items.filter(({ state }) => state === 'returned').length)
  soldCount = $derived(this.items.filter(({ state }) => state === 'sold').length)
  refused = $derived(this.view?.operations.find(({ state }) => state === 'rejected') ?? null)
  /** Something of it can still be brought back. */
  canReturn = $derived(this.soldCount > 0 && this.refused === null)

  readonly orderId: OrderId
  readonly #client: Client
  readonly #pace: ReturnType<typeof createPace>
  #loads = 0

  constructor(client: Client, orderId: OrderId, now: () => number = () => performance.now()) {
    this.#client = client
    this.orderId = orderId
    this.#pace = createPace(() => void this.load(), now)
  }

  async load(): Promise<void> {
    const load = ++this.#loads
    this.#pace.done()
    const outdated = [...this.histories.values()].filter(({ isOutdated }) => isOutdated)
    const [answer] = await Promise.all([
      this.#client.call('checkout.order', { orderId: this.orderId }),
      ...outdated.map((history) => history.load()),
    ])
    if (load !== this.#loads) return
    this.error = answer.ok ? null : answer.error
    if (answer.ok) this.view = answer.value
  }

  operationChanged({ id, orderId }: OperationView): void {
    if (orderId !== this.orderId) return
    const history = this.histories.get(id)
    if (history) history.isOutdated = true
    this.#pace.changed()
  }

  /** Opens or closes the steps of a report. */
  async toggleHistory(id: OperationId): Promise<void> {
    if (this.histories.delete(id)) return
    const history = new History(this.#client, id)
    this.histories.set(id, history)
    await history.load()
  }

  /** Voids the order, with what the counter noted. What becomes of the report stands among the others. */
  async void(note: string): Promise<void> {
    if (this.isBusy) return
    this.isAsking = false
    this.isBusy = true
    const { orderId } = this
    const answer = await this.#client.call('checkout.void', { orderId, ...(note === '' ? {} : { note }) })
    this.isBusy = false
    this.voidError = answer.ok ? null : answer.error
    await this.load()
  }

  noteOf(id: OperationId): string[] {
    return (this.view?.notes ?? []).flatMap(({ operationId, text }) => (operationId === id ? [text] : []))
  }
}
