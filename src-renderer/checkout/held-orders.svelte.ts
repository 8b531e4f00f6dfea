import type { AppError } from '../../src-shared/errors'
import type { Client } from '../../src-shared/ipc/client'
import type { HeldOrder } from '../../src-shared/ipc/checkout-view'

/** The orders that were put aside. */
export class HeldOrders {
  list = $state.raw<HeldOrder[]>([])
  error = $state.raw<AppError | null>(null)
  isOpen = $state(false)
  /** The one of which is asked whether to drop it. */
  dropping = $state.raw<HeldOrder | null>(null)
  readonly #client: Client

  constructor(client: Client) {
    this.#client = client
  }

  async load(): Promise<void> {
    const answer = await this.#client.call('checkout.held', undefined)
    this.error = answer.ok ? null : answer.error
    if (answer.ok) this.show(answer.value)
  }

  show(list: HeldOrder[]): void {
    this.list = list
    if (list.length === 0) this.isOpen = false
    if (this.dropping && !list.some(({ id }) => id === this.dropping?.id)) this.dropping = null
  }

  /** By the number as a person writes or scans it. */
  find(orderId: string | null): HeldOrder | undefined {
    return orderId === null ? undefined : this.list.find((one) => one.orderId === orderId)
  }

  /** Throws the order away of which was asked. */
  async drop(): Promise<void> {
    const held = this.dropping
    this.dropping = null
    if (!held) return
    const answer = await this.#client.call('checkout.dropHeld', { heldId: held.id })
    this.error = answer.ok ? null : answer.error
    if (answer.ok) this.show(answer.value)
    else await this.#lookAgain(answer.error)
  }

  /** Says why something failed, beside the list as it is now. */
  async #lookAgain(error: AppError): Promise<void> {
    await this.load()
    this.error = error
  }
}
