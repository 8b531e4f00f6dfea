import type { AppError } from '../../src-shared/errors'
import type { TagId } from '../../src-shared/ids'
import type { Client } from '../../src-shared/ipc/client'
import type { CartMode, CartView, HeldOrder, ItemAdded } from '../../src-shared/ipc/checkout-view'
import type { OperationView } from '../../src-shared/ipc/operation-view'
import { type Result, err, ok } from '../../src-shared/result'
import { doubtsIn } from './doubts'
import { ExpectedCounts } from './expected-counts.svelte'
import { InFlight, tagIdsIn } from './in-flight'
import { type LateNews, Told } from './late-news'

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
  customerText = $state('')
  /** Why something is brought back: kept on this computer. */
  note = $state('')
  error = $state.raw<AppError | null>(null)
  isBusy = $state(false)
  /** Whether to clear the order is being asked. */
  isAskingToClear = $state(false)
  /** Whether to report it is being asked, though a line does not hold what it should or an item will be refused. */
  isAskingToFinish = $state(false)
  /** Grows when a report was asked for that could not be made: what is missing then takes the focus. */
  refusals = $state(0)

  orderError = $derived(this.error && aboutOrder.has(this.error.code) ? this.error : null)
  isBudtenderMissing = $derived(this.error?.code === 'checkout/budtender-missing')
  otherError = $derived(this.error && !this.orderError && !this.isBudtenderMissing ? this.error : null)
  lines = $derived(this.view?.lines ?? [])
  itemCount = $derived(this.view?.itemCount ?? 0)
  budtender = $derived(this.view?.budtender ?? null)
  customerId = $derived(this.view?.customerId ?? null)
  doubts = $derived(doubtsIn(this.lines))
  /** Nothing was begun. */
  isEmpty = $derived(this.lines.length === 0 && this.orderText === '' && this.customerText === '')

  readonly mode: CartMode
  readonly expected = new ExpectedCounts({
    lines: () => this.lines,
    keep: (key, expected) => this.#keepExpected(key, expected),
  })
  readonly #client: Client
  readonly #closed: () => void
  readonly #modeChanged: () => void
  #isRemoving = $state(false)
  #saving: ReturnType<typeof setTimeout> | undefined
  #isOrderDirty = false
  #isCustomerDirty = false
  #reporting: Promise<unknown> | undefined
  readonly #told = new Told()
  readonly #inFlight = new InFlight()

  /**
   * `closed` is called when the order is reported, held or cleared: what was scanned into it is then settled;
   * `modeChanged` when a scan comes to do something else.
   */
  constructor(mode: CartMode, client: Client, closed: () => void, modeChanged: () => void) {
    this.mode = mode
    this.#client = client
    this.#closed = closed
    this.#modeChanged = modeChanged
  }

  /** Scanned items are taken out, not added. */
  get isRemoving(): boolean {
    return this.#isRemoving
  }

  set isRemoving(isRemoving) {
    if (isRemoving === this.#isRemoving) return
    this.#isRemoving = isRemoving
    this.#modeChanged()
  }

  /** Takes what main says the cart holds; what is being typed stays as it is. */
  show(view: CartView): void {
    this.view = view
    if (!this.#isOrderDirty) this.orderText = view.orderId ?? ''
    if (!this.#isCustomerDirty) this.customerText = view.customerId ?? ''
  }

  /**
   * The same, of what main says by itself: gives back the items of which it says something new. What it says of one that is
   * being added is said by that scan.
   */
  take(view: CartView): LateNews[] {
    const news = this.#told.newsIn(view).filter(({ item }) => !this.#inFlight.has(item.tagId))
    this.#told.seen(view)
    this.show(view)
    return news
  }

  /** Main answers with the cart as it is by then, and answers come in that order: the last to arrive is the truth. */
  #ask<Value>(call: Promise<Result<Value, AppError>>, cartOf: (value: Value) => CartView, tagId?: TagId) {
    const shown = call.then((answer) => {
      if (answer.ok) this.show(cartOf(answer.value))
      return answer
    })
    return this.#inFlight.track(shown, tagId)
  }

  #change(call: Promise<Result<CartView, AppError>>, tagId?: TagId): Promise<Result<CartView, AppError>> {
    return this.#ask(call, (cart) => cart, tagId)
  }

  /** Of what the person sees: main compares it. */
  get #revision(): number {
    return this.view?.revision ?? 0
  }

  async load(): Promise<void> {
    const answer = await this.#change(this.#client.call('checkout.cart', { mode: this.mode }))
    this.error = answer.ok ? null : answer.error
    if (answer.ok) this.#told.seen(answer.value)
  }

  async add(tagId: TagId): Promise<Result<ItemAdded, AppError>> {
    const { mode } = this
    const answer = await this.#ask(this.#client.call('checkout.addItem', { mode, tagId }), ({ cart }) => cart, tagId)
    if (answer.ok) this.#told.said(tagId, answer.value.flag)
    return answer
  }

  remove(tagId: TagId): Promise<Result<CartView, AppError>> {
    return this.#change(this.#client.call('checkout.removeItem', { mode: this.mode, tagId }), tagId)
  }

  /** Takes out what the service will refuse. */
  async removeDoubts(): Promise<void> {
    this.isAskingToFinish = false
    for (const { item } of this.doubts) {
      const answer = await this.remove(item.tagId)
      this.error = answer.ok ? null : answer.error
      if (!answer.ok) return
    }
  }

  async setBudtender(budtenderId: string | null): Promise<Result<CartView, AppError>> {
    const answer = await this.#change(this.#client.call('checkout.setBudtender', { mode: this.mode, budtenderId }))
    this.error = answer.ok ? null : answer.error
    return answer
  }

  customerTyped(): void {
    this.#isCustomerDirty = true
  }

  /** Saves the customer as it stands in the field: nothing takes it off the order. */
  async saveCustomer(): Promise<Result<null, AppError>> {
    if (!this.#isCustomerDirty) return ok(null)
    const typed = this.customerText
    const customerId = typed.trim() === '' ? null : typed.trim()
    if (customerId !== this.customerId) {
      const answer = await this.#change(this.#client.call('checkout.setCustomer', { mode: this.mode, customerId }))
      this.error = answer.ok ? null : answer.error
      if (!answer.ok) return answer
    }
    if (this.customerText === typed) {
      this.#isCustomerDirty = false
      this.customerText = this.customerId ?? ''
    }
    return ok(null)
  }

  async #keepExpected(key: string, expected: number | null): Promise<Result<CartView, AppError>> {
    const answer = await this.#change(this.#client.call('checkout.setExpected', { mode: this.mode, key, expected }))
    // The line is called something else by now: its product became known.
    if (!answer.ok && answer.error.code === 'checkout/cart-changed') await this.load()
    else this.error = answer.ok ? null : answer.error
    return answer
  }

  async clear(): Promise<void> {
    this.#forgetTyping()
    await this.#inFlight.answered()
    const { mode } = this
    const answer = await this.#change(this.#client.call('checkout.clear', { mode, revision: this.#revision }))
    await this.#closedBy(answer)
  }

  /** Puts the sale aside. */
  async hold(): Promise<Result<CartView, AppError>> {
    await this.#inFlight.answered()
    const saved = await this.#saveTyped()
    if (!saved.ok) return saved
    const answer = await this.#change(this.#client.call('checkout.hold', { revision: this.#revision }))
    await this.#closedBy(answer)
    return answer
  }

  /** Goes on with a sale that was put aside; the one in front is put aside in its stead. */
  async resume(heldId: HeldOrder['id']): Promise<Result<CartView, AppError>> {
    const saved = await this.#saveTyped()
    if (!saved.ok) return saved
    const answer = await this.#change(this.#client.call('checkout.resume', { heldId }))
    this.error = answer.ok ? null : answer.error
    if (answer.ok) {
      this.#told.seen(answer.value)
      this.#close()
    }
    return answer
  }

  /** The order number is being typed: it is saved at the next pause. */
  orderTyped(): void {
    this.#isOrderDirty = true
    if (this.orderError) this.error = null
    clearTimeout(this.#saving)
    this.#saving = setTimeout(() => void this.saveOrder(), typingPause)
  }

  useOrder(orderId: string): Promise<Result<null, AppError>> {
    this.orderText = orderId
    this.#isOrderDirty = true
    return this.saveOrder()
  }

  /** Saves the order number as it stands in the field, when it was changed. */
  async saveOrder(): Promise<Result<null, AppError>> {
    clearTimeout(this.#saving)
    if (!this.#isOrderDirty) return ok(null)
    const typed = this.orderText
    const orderId = typed.trim() === '' ? null : typed.trim()
    const answer = await this.#change(this.#client.call('checkout.setOrder', { mode: this.mode, orderId }))
    if (!answer.ok) {
      this.error = answer.error
      return answer
    }
    if (this.orderText === typed) this.#isOrderDirty = false
    if (this.orderError) this.error = null
    return ok(null)
  }

  async #saveTyped(): Promise<Result<null, AppError>> {
    for (const save of [() => this.saveOrder(), () => this.saveCustomer(), () => this.expected.saveAll()]) {
      const saved = await save()
      if (!saved.ok) return saved
    }
    return ok(null)
  }

  /**
   * Reports the order. Gives back the saved report; null when it could not even be saved, and then says why, or when a
   * line does not hold what it should or an item will be refused, and then asks. `isMeant` is the answer.
   */
  async finish(isMeant = false): Promise<OperationView | null> {
    if (this.isBusy) return null
    this.isBusy = true
    this.isAskingToFinish = false
    this.error = null
    const reporting = this.#report(isMeant)
    this.#reporting = reporting
    const answer = await reporting
    this.isBusy = false
    if (answer.ok) return answer.value
    this.error = answer.error
    this.refusals++
    return null
  }

  /** Waits for the report that is being saved, if there is one. */
  async finished(): Promise<void> {
    await this.#reporting
  }

  async #report(isMeant: boolean): Promise<Result<OperationView | null, AppError>> {
    // What the person saw or scanned when they said so: what comes in now must not be reported unseen.
    const seen = tagIdsIn(this.lines)
    const scanned = await this.#inFlight.answered()
    // Twice, for somebody may type on while it is saved: what is reported is what stands in the field.
    for (let times = 0; times < 2; times++) {
      const saved = await this.#saveTyped()
      if (!saved.ok) return saved
    }
    const now = tagIdsIn(this.lines)
    const isUnseen = (tagId: TagId) => !scanned.has(tagId) && seen.has(tagId) !== now.has(tagId)
    if ([...seen, ...now].some(isUnseen)) return err({ code: 'checkout/cart-changed' })
    // It stands beside its field.
    if (this.expected.fault) {
      this.refusals++
      return ok(null)
    }
    const { mode, itemCount } = this
    const orderId = this.orderText.trim()
    if (orderId === '') return err({ code: 'checkout/order-id-missing' })
    if (itemCount === 0) return err({ code: 'checkout/empty-cart' })
    if (this.expected.differences.length + this.doubts.length > 0 && !isMeant) {
      this.isAskingToFinish = true
      return ok(null)
    }
    const note = this.note.trim()
    const answer = await this.#client.call('checkout.finish', {
      ...{ mode, orderId, itemCount, revision: this.#revision },
      ...(isMeant && { isMeant }),
      ...(note && { note }),
    })
    if (!answer.ok) {
      const { code } = answer.error
      // It is saved: the order is gone from the counter, whatever could not be shown.
      if (code === 'app/saved-unseen') this.#close()
      if (code === 'checkout/cart-changed' || code === 'app/saved-unseen') await this.load()
      return answer
    }
    // What is being typed by now is the next order's number: it stays.
    this.#close()
    await this.load()
    return answer
  }

  /** What the person meant to close may not be what is there. */
  async #closedBy(answer: Result<CartView, AppError>): Promise<void> {
    if (!answer.ok && answer.error.code === 'checkout/cart-changed') await this.load()
    this.error = answer.ok ? null : answer.error
    if (answer.ok) this.#close()
  }

  #close(): void {
    this.isRemoving = false
    this.note = ''
    this.#forgetAbout()
    this.#closed()
  }

  /** Of this order and of no other: who buys, and how much. */
  #forgetAbout(): void {
    this.expected.forget()
    this.#isCustomerDirty = false
    this.customerText = this.customerId ?? ''
  }

  #forgetTyping(): void {
    clearTimeout(this.#saving)
    this.#isOrderDirty = false
    this.#forgetAbout()
    this.error = null
  }
}
