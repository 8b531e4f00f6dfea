import type { AppError } from '../../src-shared/errors'
import type { TagId } from '../../src-shared/ids'
import type { Client } from '../../src-shared/ipc/client'
import type { OrderView } from '../../src-shared/ipc/checkout-view'
import type { OperationView } from '../../src-shared/ipc/operation-view'
import { type Result, err } from '../../src-shared/result'

/** Voiding: an order number, what this station knows of the order, and the report after a confirmation. */
export class VoidOrder {
  orderText = $state('')
  /** Why: kept on this computer. */
  note = $state('')
  view = $state.raw<OrderView | null>(null)
  error = $state.raw<AppError | null>(null)
  isLooking = $state(false)
  isAsking = $state(false)
  isBusy = $state(false)
  isEmpty = $derived(this.orderText === '' && this.note === '' && this.view === null)

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
    this.isAsking = false
  }

  useOrder(orderId: string): Promise<Result<OrderView, AppError>> {
    if (orderId !== this.orderText) this.note = ''
    this.orderText = orderId
    this.orderTyped()
    return this.look()
  }

  /** The order in which this station last sold an item; what is shown stays when it never did. */
  async useItem(tagId: TagId): Promise<Result<OrderView, AppError>> {
    const lookUp = ++this.#lookUps
    this.isLooking = true
    const answer = await this.#client.call('checkout.orderOfItem', { tagId })
    if (lookUp !== this.#lookUps) return answer
    this.isLooking = false
    if (!answer.ok) return answer
    if (answer.value.orderId !== this.view?.orderId) this.note = ''
    this.orderText = answer.value.orderId
    this.view = answer.value
    this.error = null
    return answer
  }

  look(): Promise<Result<OrderView, AppError>> {
    const orderId = this.orderText.trim()
    if (orderId === '') {
      this.error = { code: 'checkout/order-id-missing' }
      return Promise.resolve(err(this.error))
    }
    return this.#look(orderId)
  }

  async #look(orderId: string): Promise<Result<OrderView, AppError>> {
    const lookUp = ++this.#lookUps
    this.isLooking = true
    const answer = await this.#client.call('checkout.order', { orderId })
    if (lookUp !== this.#lookUps) return answer
    this.isLooking = false
    this.view = answer.ok ? answer.value : null
    this.error = answer.ok ? null : answer.error
    return answer
  }

  ask(): void {
    this.isAsking = this.view?.canVoid === true
  }

  /** Nothing is to be voided after all. */
  clear(): void {
    this.orderText = ''
    this.note = ''
    this.orderTyped()
  }

  /** Voids the order that is shown. Gives back the saved report; null when it could not be saved, and then says why. */
  async confirm(): Promise<OperationView | null> {
    const orderId = this.view?.orderId
    if (orderId === undefined || this.isBusy) return null
    this.isAsking = false
    this.isBusy = true
    const note = this.note.trim()
    const answer = await this.#client.call('checkout.void', { orderId, ...(note && { note }) })
    this.isBusy = false
    if (!answer.ok) {
      this.error = answer.error
      return null
    }
    this.clear()
    return answer.value
  }
}
