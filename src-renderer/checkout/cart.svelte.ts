import type { AppError } from '../../src-shared/errors'
import type { TagId } from '../../src-shared/ids'
import type { Client } from '../../src-shared/ipc/client'
import type { CartLine, CartMode, CartView, ItemFlag } from '../../src-shared/ipc/checkout-view'
import type { OperationView } from '../../src-shared/ipc/operation-view'
import { type Result, err } from '../../src-shared/result'
import type { Text } from '../messages/text.svelte'
import { type Outcome, refusal } from '../scan/strip.svelte'

/** How long a person may pause in an order number before it is saved. */
const typingPause = 400

/** The failures that are about the order number, and so stand beside its field. */
const aboutOrder = new Set<AppError['code']>([
  'checkout/order-id-missing',
  'checkout/order-id-used',
  'checkout/order-voided',
  'checkout/order-unknown',
])

/** One cart: what is being sold, or what is being brought back. Main keeps it; this shows it and asks for changes. */
export class Cart {
  view = $state.raw<CartView | null>(null)
  orderText = $state('')
  error = $state.raw<AppError | null>(null)
  isRemoving = $state(false)
  isBusy = $state(false)
  /** Whether to clear the order is being asked. */
  isAskingToClear = $state(false)
  /** Grows when a report was asked for without an order number: its field then takes the focus. */
  refusals = $state(0)

  orderError = $derived(this.error && aboutOrder.has(this.error.code) ? this.error : null)
  otherError = $derived(this.error && !this.orderError ? this.error : null)
  lines = $derived(this.view?.lines ?? [])
  itemCount = $derived(this.view?.itemCount ?? 0)

  readonly mode: CartMode
  readonly #client: Client
  readonly #closed: () => void
  #calls = 0
  #saving: ReturnType<typeof setTimeout> | undefined
  #isOrderDirty = false

  /** `closed` is called when the order is reported or cleared: what was scanned into it is then settled. */
  constructor(mode: CartMode, client: Client, closed: () => void) {
    this.mode = mode
    this.#client = client
    this.#closed = closed
  }

  /** Takes what main says the cart holds; an order number that is being typed stays as it is. */
  show(view: CartView): void {
    this.view = view
    if (!this.#isOrderDirty) this.orderText = view.orderId ?? ''
  }

  /** Shows the answer to a call unless a newer one is under way: that one's answer will hold both. */
  async #ask<Value>(call: Promise<Result<Value, AppError>>, cartOf: (value: Value) => CartView) {
    const asked = ++this.#calls
    const answer = await call
    if (answer.ok && asked === this.#calls) this.show(cartOf(answer.value))
    return answer
  }

  async load(): Promise<void> {
    const answer = await this.#ask(this.#client.call('checkout.cart', { mode: this.mode }), (cart) => cart)
    this.error = answer.ok ? null : answer.error
  }

  /** Adds a scanned item, or takes it out in remove mode, and says what became of it. */
  async scan(tagId: TagId): Promise<Outcome> {
    return this.isRemoving ? this.#scanOut(tagId) : this.add(tagId)
  }

  async add(tagId: TagId): Promise<Outcome> {
    const answer = await this.#ask(
      this.#client.call('checkout.addItem', { mode: this.mode, tagId }),
      ({ cart }) => cart,
    )
    if (!answer.ok) return refusal(answer.error)
    const { line, flag, cart } = answer.value
    return {
      tone: flag === null || flag === 'looking' ? 'good' : 'attention',
      what: { key: 'checkout.scan.added', values: nameOf(line, tagId) },
      detail: flag ? flagText(flag) : { key: 'checkout.scan.count', values: { count: cart.itemCount } },
      undo: () => this.#takeBack(tagId, line),
    }
  }

  async #takeBack(tagId: TagId, line: CartLine): Promise<Outcome> {
    const answer = await this.remove(tagId)
    if (!answer.ok) return refusal(answer.error)
    return { tone: 'attention', what: { key: 'checkout.scan.undone', values: nameOf(line, tagId) } }
  }

  async #scanOut(tagId: TagId): Promise<Outcome> {
    const line = this.lines.find(({ items }) => items.some((item) => item.tagId === tagId))
    if (!line)
      return { tone: 'bad', what: { key: 'checkout.scan.not-in-order' }, detail: { key: 'checkout.scan.remove-hint' } }
    const answer = await this.remove(tagId)
    if (!answer.ok) return refusal(answer.error)
    return {
      tone: 'attention',
      what: { key: 'checkout.scan.removed', values: nameOf(line, tagId) },
      detail: { key: 'checkout.scan.count', values: { count: answer.value.itemCount } },
      undo: () => this.add(tagId),
    }
  }

  async remove(tagId: TagId): Promise<Result<CartView, AppError>> {
    return this.#ask(this.#client.call('checkout.removeItem', { mode: this.mode, tagId }), (cart) => cart)
  }

  async clear(): Promise<void> {
    this.#forgetTyping()
    const answer = await this.#ask(this.#client.call('checkout.clear', { mode: this.mode }), (cart) => cart)
    this.error = answer.ok ? null : answer.error
    if (!answer.ok) return
    this.isRemoving = false
    this.#closed()
  }

  /** The order number is being typed: it is saved at the next pause. */
  orderTyped(): void {
    this.#isOrderDirty = true
    if (this.orderError) this.error = null
    clearTimeout(this.#saving)
    this.#saving = setTimeout(() => void this.saveOrder(), typingPause)
  }

  async useOrder(orderId: string): Promise<void> {
    this.orderText = orderId
    this.#isOrderDirty = true
    await this.saveOrder()
  }

  /** Saves the order number as it stands in the field, when it was changed. False when it was refused, and says why. */
  async saveOrder(): Promise<boolean> {
    clearTimeout(this.#saving)
    if (!this.#isOrderDirty) return true
    const typed = this.orderText
    const orderId = typed.trim() === '' ? null : typed.trim()
    const answer = await this.#ask(this.#client.call('checkout.setOrder', { mode: this.mode, orderId }), (cart) => cart)
    if (!answer.ok) {
      this.error = answer.error
      return false
    }
    if (this.orderText === typed) this.#isOrderDirty = false
    if (this.orderError) this.error = null
    return true
  }

  /** Reports the order. Gives back the saved report; null when it could not even be saved, and then says why. */
  async finish(): Promise<OperationView | null> {
    if (this.isBusy) return null
    this.isBusy = true
    this.error = null
    const answer = await this.#report()
    this.isBusy = false
    if (answer.ok) return answer.value
    this.error = answer.error
    this.refusals++
    return null
  }

  async #report(): Promise<Result<OperationView, AppError>> {
    // What the person saw when they said so: a scan that comes in now must not be reported unseen.
    const { itemCount } = this
    // Twice, for somebody may type on while it is saved: what is reported is what stands in the field.
    if (!(await this.saveOrder()) || !(await this.saveOrder())) {
      return err(this.error ?? { code: 'checkout/order-id-missing' })
    }
    if (this.orderText.trim() === '') return err({ code: 'checkout/order-id-missing' })
    if (itemCount === 0) return err({ code: 'checkout/empty-cart' })
    const orderId = this.orderText.trim()
    const answer = await this.#client.call('checkout.finish', { mode: this.mode, orderId, itemCount })
    if (!answer.ok) {
      if (answer.error.code === 'checkout/cart-changed') await this.load()
      return answer
    }
    // What is being typed by now is the next order's number: it stays.
    this.isRemoving = false
    this.#closed()
    await this.load()
    return answer
  }

  #forgetTyping(): void {
    clearTimeout(this.#saving)
    this.#isOrderDirty = false
    this.error = null
  }
}

/** What an item is called: by its product, and while that is not known by the end of its code. */
function nameOf(line: CartLine, tagId: TagId) {
  return { name: line.productName ?? `…${tagId.slice(-6)}` }
}

export const flagText = (flag: ItemFlag): Text => ({ key: `checkout.flag.${flag}` })
