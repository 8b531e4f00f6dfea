import type { Client } from '../../src-shared/ipc/client'
import type { CartView } from '../../src-shared/ipc/checkout-view'
import type { OperationView } from '../../src-shared/ipc/operation-view'
import type { Sound } from '../scan/sounds'
import type { ScanStrip } from '../scan/strip.svelte'
import { Cart } from './cart.svelte'
import { ResultBanner } from './result-banner.svelte'
import { VoidOrder } from './void-order.svelte'

export const checkoutTabs = ['sale', 'return', 'void'] as const
export type CheckoutTab = (typeof checkoutTabs)[number]

/** Checkout: the cart that sells, the cart that takes back, and the voiding of an order. */
export class Checkout {
  tab = $state<CheckoutTab>('sale')
  readonly sale: Cart
  readonly return: Cart
  readonly voiding: VoidOrder
  readonly banner: ResultBanner
  readonly #strip: ScanStrip

  /** The cart of the tab in front; null while voiding. */
  cart = $derived.by(() => this.#cartOf(this.tab))

  constructor(client: Client, strip: ScanStrip, play: (sound: Sound) => void) {
    this.#strip = strip
    const closed = () => strip.retire()
    this.sale = new Cart('sale', client, closed)
    this.return = new Cart('return', client, closed)
    this.voiding = new VoidOrder(client)
    this.banner = new ResultBanner(play)
  }

  #cartOf(tab: CheckoutTab): Cart | null {
    return tab === 'void' ? null : this[tab]
  }

  async refresh(): Promise<void> {
    await Promise.all([this.sale.load(), this.return.load()])
  }

  cartChanged(view: CartView): void {
    this[view.mode].show(view)
  }

  operationChanged(operation: OperationView): void {
    this.banner.update(operation)
    const { view } = this.voiding
    if (view && view.orderId === operation.orderId && !this.voiding.isLooking) void this.voiding.look()
  }

  openTab(tab: CheckoutTab): void {
    this.banner.close()
    if (tab !== this.tab) this.#strip.recount()
    this.tab = tab
  }

  /** The one thing that Ctrl+Enter does here. */
  async primary(): Promise<void> {
    if (this.banner.operation) this.banner.close()
    else if (this.cart) await this.finish()
    else if (this.voiding.view) this.voiding.ask()
    else await this.voiding.look()
  }

  /** Reports the cart in front and shows the result; null when it could not even be saved, and the cart says why. */
  async finish(): Promise<OperationView | null> {
    const operation = (await this.cart?.finish()) ?? null
    if (operation) this.banner.show(operation)
    return operation
  }

  async confirmVoid(): Promise<void> {
    const operation = await this.voiding.confirm()
    if (operation) this.banner.show(operation)
  }
}
