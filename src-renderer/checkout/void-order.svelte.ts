import type { AppError } from '../../src-shared/errors'
import type { Client } from '../../src-shared/ipc/client'
import type { OrderView } from '../../src-shared/ipc/checkout-view'
import type { OperationView } from '../../src-shared/ipc/operation-view'

/** Voiding: an order number, what this station knows of the order, and the report after a confirmation. */
export class VoidOrder {
  orderText = $state('')
  view = $state.raw<OrderView | null>(null)
  error = $state.raw<AppError | null>(null)
  isLooking = $state(false)
  isAsking = $state(false)
  isBusy = $state(false)

  readonly #client: Client
  #lookUps = 0

  constructor(client: Client) {
    this.#client = client
  }

  /** Another number is being typed: what is shown of the last one would mislead. */
  orderTyped(): void {
    this.#lookUps++
    this.view = null
    this.error = null
    this.isLooking = false
  }

  useOrder(orderId: string): Promise<void> {
    this.orderText = orderId
    this.orderTyped()
    return this.look()
  }

  async look(): Promise<void> {
    const orderId = this.orderText.trim()
    if (orderId === '') {
      this.error = { code: 'checkout/order-id-missing' }
      return
    }
    const lookUp = ++this.#lookUps
    this.isLooking = true
    const answer = await this.#client.call('checkout.order', { orderId })
    if (lookUp !== this.#lookUps) return
    this.isLooking = false
    this.view = answer.ok ? answer.value : null
    this.error = answer.ok ? null : answer.error
  }

  ask(): void {
    this.isAsking = this.view?.canVoid === true
  }

  /** Voids the order that is shown. Gives back the saved report; null when it could not be saved, and then says why. */
  async confirm(): Promise<OperationView | null> {
    const orderId = this.view?.orderId
    if (orderId === undefined || this.isBusy) return null
    this.isAsking = false
    this.isBusy = true
    const answer = await this.#client.call('checkout.void', { orderId })
    this.isBusy = false
    if (!answer.ok) {
      this.error = answer.error
      return null
    }
    this.orderText = ''
    this.orderTyped()
    return answer.value
  }
}
