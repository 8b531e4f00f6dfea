import type { AppError } from '../../src-shared/errors'
import type { TagId } from '../../src-shared/ids'
import type { Client } from '../../src-shared/ipc/client'
import type { OrderView } from '../../src-shared/ipc/contract/checkout'
import type { OperationView } from '../../src-shared/ipc/contract/outbox'
import { type Result, err } from '../../src-shared/result'
import { isLeft } from '../ui/gate.svelte'
import { Ask } from '../ui/ask.svelte'

/** Voiding: an order number, what this station knows of the order, and the report after a confirmation. */
export class VoidOrder {
  orderText = $state('')
  /** Why it is voided. Stored locally, never sent. */
  note = $state('')
  isAsking = $state(false)
  isBusy = $state(false)
  readonly #order = new Ask<OrderView>()
  /** The last look-up of an item's order. */
  #finding: Promise<unknown> = Promise.resolve()
  readonly #client: Client

  isEmpty = $derived.by(() => this.orderText === '' && this.note === '' && this.view === null)

  constructor(client: Client) {
    this.#client = client
  }

  get view(): OrderView | null {
    return this.#order.value
  }

  get error(): AppError | null {
    return this.#order.error
  }

  get isLooking(): boolean {
    return this.#order.isBusy
  }

  /** Another number is being typed: the order that is shown would mislead. */
  orderTyped(): void {
    this.#order.clear()
    this.isAsking = false
  }

  useOrder(orderId: string): Promise<Result<OrderView, AppError>> {
    if (orderId !== this.orderText) this.note = ''
    this.orderText = orderId
    this.orderTyped()
    return this.look()
  }

  /** Shows the order in which this station last sold an item. If it never did, the order that is shown stays. */
  async useItem(tagId: TagId): Promise<Result<OrderView, AppError>> {
    const { view, error } = this
    const finding = this.#order.ask(
      () => this.#client.call('checkout.orderOfItem', { tagId }),
      ({ orderId }) => {
        if (orderId !== view?.orderId) this.note = ''
        this.orderText = orderId
      },
    )
    this.#finding = finding
    const answer = await finding
    // The notice of the scan says why.
    if (!answer.ok && this.error === answer.error) this.#order.error = error
    return answer
  }

  look(): Promise<Result<OrderView, AppError>> {
    const orderId = this.orderText.trim()
    return this.#order.ask(() =>
      orderId === ''
        ? Promise.resolve(err({ code: 'checkout/order-id-missing' }))
        : this.#client.call('checkout.order', { orderId }),
    )
  }

  ask(): void {
    this.isAsking = this.view?.canVoid === true
  }

  clear(): void {
    this.orderText = ''
    this.note = ''
    this.orderTyped()
  }

  /**
   * Voids the order that is shown. Returns the saved report or why it could not be saved; null if nothing was asked of
   * main. Another order may be shown by then: it stays, and `error` is not about it.
   */
  async confirm(): Promise<Result<OperationView, AppError> | null> {
    const orderId = this.view?.orderId
    if (orderId === undefined || this.isBusy) return null
    this.isAsking = false
    this.isBusy = true
    const note = this.note.trim()
    const answer = await this.#client.call('checkout.void', { orderId, ...(note && { note }) })
    // Clearing would discard the order that a scan is about to show.
    await this.#finding
    this.isBusy = false
    if (this.view?.orderId !== orderId) return answer
    if (answer.ok) this.clear()
    else if (!isLeft(answer.error)) this.#order.error = answer.error
    return answer
  }
}
