import type { AppError } from '../../src-shared/errors'
import type { CaseId, TagId } from '../../src-shared/ids'
import type { Client } from '../../src-shared/ipc/client'
import { type CartView, CheckoutSettings, type HeldOrder } from '../../src-shared/ipc/checkout-view'
import type { OperationView } from '../../src-shared/ipc/operation-view'
import type { Result } from '../../src-shared/result'
import type { Sound } from '../scan/sounds'
import type { Outcome, ScanStrip } from '../scan/strip.svelte'
import { type CartScans, createCartScans } from './cart-scans'
import { Cart } from './cart.svelte'
import { HeldOrders } from './held-orders.svelte'
import { ResultBanner } from './result-banner.svelte'
import { VoidOrder } from './void-order.svelte'

export const checkoutTabs = ['sale', 'return', 'void'] as const
export type CheckoutTab = (typeof checkoutTabs)[number]

export interface CheckoutParts {
  client: Client
  strip: ScanStrip
  play: (sound: Sound) => void
  /** Called when a scan comes to do something else: another tab, remove mode. */
  modeChanged: () => void
  isInFront: () => boolean
  /** Opens a case in Receiving, to be imported. */
  openCase: (caseId: CaseId) => void
}

/** Checkout: the cart that sells, those on hold, the cart that takes back, and the voiding of an order. */
export class Checkout {
  tab = $state<CheckoutTab>('sale')
  settings = $state.raw<CheckoutSettings>(CheckoutSettings.parse({}))
  isPickingBudtender = $state(false)
  /** Takes a scanned badge while somebody enters who serves. */
  badgeField: ((badge: string) => Outcome) | null = null
  readonly sale: Cart
  readonly return: Cart
  readonly held: HeldOrders
  readonly voiding: VoidOrder
  readonly banner: ResultBanner
  readonly #client: Client
  readonly #strip: ScanStrip
  readonly #modeChanged: () => void
  readonly #scans: CartScans
  readonly openCase: (caseId: CaseId) => void

  /** The cart of the tab in front; null while voiding. */
  cart = $derived.by(() => this.#cartOf(this.tab))

  constructor({ client, strip, play, modeChanged, isInFront, openCase }: CheckoutParts) {
    this.#client = client
    this.#strip = strip
    this.#modeChanged = modeChanged
    this.openCase = openCase
    const closed = () => strip.retire()
    this.sale = new Cart('sale', client, closed, modeChanged)
    this.return = new Cart('return', client, closed, modeChanged)
    this.held = new HeldOrders(client)
    this.voiding = new VoidOrder(client)
    this.banner = new ResultBanner(play)
    this.#scans = createCartScans({
      isInFront: (cart) => isInFront() && this.cart === cart,
      openCase,
      whereElse: (error) => this.#whereElse(error, isInFront),
    })
  }

  #cartOf(tab: CheckoutTab): Cart | null {
    return tab === 'void' ? null : this[tab]
  }

  async refresh(): Promise<void> {
    await Promise.all([this.sale.load(), this.return.load(), this.held.load(), this.loadSettings()])
  }

  async loadSettings(): Promise<void> {
    const answer = await this.#client.call('checkout.settings', undefined)
    if (answer.ok) this.settings = answer.value
  }

  /** What main says by itself of a cart; what it says of an item that was scanned belongs in the notice of that scan. */
  cartChanged(view: CartView): void {
    const cart = this[view.mode]
    for (const news of cart.take(view)) {
      this.#strip.late(news.item.tagId, news.item.scannedAt, this.#scans.lateOutcome(cart, news))
    }
  }

  operationChanged(operation: OperationView): void {
    this.banner.update(operation)
    const { view } = this.voiding
    if (view && view.orderId === operation.orderId && !this.voiding.isLooking) void this.voiding.look()
  }

  openTab(tab: CheckoutTab): void {
    this.banner.close()
    if (tab === this.tab) return
    this.tab = tab
    this.#strip.recount()
    this.#modeChanged()
  }

  scanItem(cart: Cart, tagId: TagId): Promise<Outcome> {
    return this.#scans.scan(cart, tagId)
  }

  /** A question that is open is answered by its own code; any other scan means that the person goes on. */
  dropQuestions(): void {
    if (this.cart) {
      this.cart.isAskingToClear = false
      this.cart.isAskingToFinish = false
    }
    this.voiding.isAsking = false
    this.held.dropping = null
  }

  /** Who serves, for the orders to come: the sale, and what is brought back while that is not begun. */
  async setBudtender(budtenderId: string | null): Promise<Result<CartView, AppError>> {
    const cart = this.cart ?? this.sale
    const answer = await cart.setBudtender(budtenderId)
    this.isPickingBudtender = false
    if (answer.ok) await (cart === this.sale ? this.return : this.sale).load()
    return answer
  }

  /** Puts the sale aside. */
  hold(): Promise<Result<CartView, AppError>> {
    return this.sale.hold()
  }

  async resume({ id }: HeldOrder): Promise<Result<CartView, AppError>> {
    this.openTab('sale')
    const answer = await this.sale.resume(id)
    if (answer.ok) this.held.isOpen = false
    else await this.held.load()
    return answer
  }

  #whereElse({ tagId, orderId }: { tagId: string; orderId: string | null }, isInFront: () => boolean) {
    const other = this.cart === this.sale ? this.return : this.sale
    if (other.lines.some(({ items }) => items.some((item) => item.tagId === tagId))) {
      const { mode } = other
      const run = () => this.openTab(mode)
      return {
        what: { key: `checkout.scan.in-tab.${mode}` },
        go: { label: { key: `checkout.open-tab.${mode}` }, run, isOffered: isInFront },
      } as const
    }
    const held = this.held.find(orderId)
    if (!held || orderId === null) return null
    return {
      what: { key: 'checkout.scan.in-held', values: { orderId } },
      go: {
        label: { key: 'checkout.resume-order', values: { orderId } },
        run: () => void this.resume(held),
        isOffered: () => isInFront() && this.held.find(orderId) !== undefined,
      },
    } as const
  }

  /** The one thing that Ctrl+Enter does here. */
  async primary(): Promise<void> {
    if (this.banner.operation) this.banner.close()
    else if (this.cart) await this.finish()
    else if (this.voiding.view) this.voiding.ask()
    else await this.voiding.look()
  }

  /** Reports the cart in front and shows the result; null when it could not even be saved, and the cart says why. */
  async finish(isMeant = false): Promise<OperationView | null> {
    const operation = (await this.cart?.finish(isMeant)) ?? null
    if (operation) this.banner.show(operation)
    return operation
  }

  async confirmVoid(): Promise<OperationView | null> {
    const operation = await this.voiding.confirm()
    if (operation) this.banner.show(operation)
    return operation
  }
}
