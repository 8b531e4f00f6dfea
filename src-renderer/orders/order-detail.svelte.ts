import type { OperationId, OrderId } from '../../src-shared/ids'
import type { OrderView } from '../../src-shared/ipc/contract/checkout'
import type { Client } from '../../src-shared/ipc/client'
import type { OperationView } from '../../src-shared/ipc/contract/outbox'
import { isLeft } from '../ui/gate.svelte'
import { Ask } from '../ui/ask.svelte'
import { Saving } from '../ui/form.svelte'
import { type Throttled, throttle } from '../ui/throttle'
import { Histories } from '../outbox/history.svelte'

/** One order, as long as a person has it open: its items, its reports, and voiding it. */
export class OrderDetail {
  readonly #ask = new Ask<OrderView>()
  /** A person is asked whether the order is to be voided. */
  isAsking = $state(false)
  readonly voiding = new Saving()
  /** Open histories of its reports. */
  readonly histories: Histories

  items = $derived.by(() => this.view?.items ?? [])
  returnedCount = $derived(this.items.filter(({ state }) => state === 'returned').length)
  soldCount = $derived(this.items.filter(({ state }) => state === 'sold').length)
  refused = $derived.by(
    () => this.view?.operations.find(({ state, note }) => state === 'rejected' || note === 'taken-back') ?? null,
  )
  canReturn = $derived.by(() => this.view?.canReturn ?? false)

  readonly orderId: OrderId
  readonly #client: Client
  readonly #reload: Throttled

  constructor(client: Client, orderId: OrderId, now?: () => number) {
    this.#client = client
    this.orderId = orderId
    this.histories = new Histories(client)
    this.#reload = throttle(() => void this.load(), now)
  }

  get view(): OrderView | null {
    return this.#ask.value
  }

  get error() {
    return this.#ask.error
  }

  async load(): Promise<void> {
    this.#reload.reset()
    await Promise.all([
      this.#ask.ask(() => this.#client.call('checkout.order', { orderId: this.orderId })),
      this.histories.reload(),
    ])
  }

  operationChanged({ id, orderId }: OperationView): void {
    if (orderId !== this.orderId) return
    this.histories.outdate(id)
    this.#reload()
  }

  /** Voids the order, with a note from the counter. The report then appears among the others. */
  async void(note: string): Promise<void> {
    if (this.voiding.isSaving) return
    this.isAsking = false
    await this.voiding.run(async () => {
      const { orderId } = this
      const answer = await this.#client.call('checkout.void', { orderId, ...(note !== '' && { note }) })
      return answer.ok || isLeft(answer.error) ? null : answer.error
    })
    await this.load()
  }

  noteOf(id: OperationId): string[] {
    return (this.view?.notes ?? []).flatMap(({ operationId, text }) => (operationId === id ? [text] : []))
  }
}
