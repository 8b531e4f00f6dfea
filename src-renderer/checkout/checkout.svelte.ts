import type { AppError } from '../../src-shared/errors'
import type { CaseId, TagId } from '../../src-shared/ids'
import type { Client } from '../../src-shared/ipc/client'
import {
  type CartChange,
  type CartView,
  CheckoutSettings,
  type FlagChange,
  type HeldOrder,
} from '../../src-shared/ipc/contract/checkout'
import type { OperationView } from '../../src-shared/ipc/contract/outbox'
import type { Result } from '../../src-shared/result'
import type { Sound } from '../scan/sounds'
import { type ScanOutcome, type ScanStrip, refusal } from '../scan/strip.svelte'
import { type CartScans, createCartScans } from './cart-scans'
import { Cart } from './cart.svelte'
import { ResultBanner } from './result.svelte'
import { VoidOrder } from './void-order.svelte'

export const checkoutTabs = ['sale', 'return', 'void'] as const
export type CheckoutTab = (typeof checkoutTabs)[number]

export interface CheckoutParts {
  client: Client
  strip: ScanStrip
  play: (sound: Sound) => void
  /** Called when scans get another meaning: another tab, remove mode. */
  modeChanged: () => void
  isInFront: () => boolean
  go: (screen: 'settings' | 'outbox') => void
  /** Opens a case in Receiving, to be imported. */
  openCase: (caseId: CaseId) => void
}

/** Checkout: the current sale, the sales on hold, the current return, and voiding. */
export class Checkout {
  tab = $state<CheckoutTab>('sale')
  settings = $state.raw<CheckoutSettings>(CheckoutSettings.parse({}))
  isPickingBudtender = $state(false)
  /** Takes a scanned badge while budtenders are being edited. */
  badgeField: ((badge: string) => ScanOutcome) | null = null
  readonly sale: Cart
  readonly return: Cart
  readonly held: HeldOrders
  readonly voiding: VoidOrder
  readonly banner: ResultBanner
  readonly client: Client
  readonly #strip: ScanStrip
  readonly #modeChanged: () => void
  readonly #scans: CartScans
  readonly openCase: (caseId: CaseId) => void
  readonly #go: CheckoutParts['go']

  /** The cart of the tab in front; null while voiding. */
  cart = $derived.by(() => this.#cartOf(this.tab))

  constructor({ client, strip, play, modeChanged, isInFront, go, openCase }: CheckoutParts) {
    this.client = client
    this.#strip = strip
    this.#modeChanged = modeChanged
    this.openCase = openCase
    this.#go = go
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
    const answer = await this.client.call('checkout.settings', undefined)
    if (answer.ok) this.settings = answer.value
  }

  cartChanged(view: CartView): void {
    this[view.mode].show(view)
  }

  /** Updates the notices of scans whose items the service answered about late. */
  flagsChanged(changes: FlagChange[]): void {
    for (const change of changes) {
      this.#strip.late(change.tagId, change.scannedAt, this.#scans.lateOutcome(this[change.mode], change))
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

  scanItem(cart: Cart, tagId: TagId): Promise<ScanOutcome> {
    return this.#scans.scan(cart, tagId)
  }

  /** Closes open questions: a scan other than their answer means that the person continues. */
  dropQuestions(): void {
    if (this.cart) {
      this.cart.isAskingToClear = false
      this.cart.isAskingToFinish = false
    }
    this.voiding.isAsking = false
    this.held.dropping = null
  }

  /** Sets the budtender of the cart in front, or of the sale while voiding. */
  async setBudtender(budtenderId: string | null): Promise<Result<CartChange, AppError>> {
    const answer = await (this.cart ?? this.sale).setBudtender(budtenderId)
    this.isPickingBudtender = false
    return answer
  }

  openBudtenderSettings(): void {
    this.isPickingBudtender = false
    this.#go('settings')
  }

  openOutbox(): void {
    this.banner.close()
    this.#go('outbox')
  }

  /** Puts the sale on hold. */
  hold(): Promise<Result<CartChange, AppError>> {
    return this.sale.hold()
  }

  async resume({ id }: HeldOrder): Promise<Result<CartChange, AppError>> {
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

  /** Ctrl+Enter. */
  async primary(): Promise<void> {
    if (this.banner.operation) this.banner.close()
    else if (this.cart) await this.finish()
    else if (this.voiding.view) this.voiding.ask()
    else await this.voiding.look()
  }

  /** Reports the cart in front and shows the result; null if nothing was saved (see `Cart.finish`). */
  async finish(isMeant = false): Promise<OperationView | null> {
    const operation = (await this.cart?.finish(isMeant)) ?? null
    if (operation) this.banner.show(operation)
    return operation
  }

  async confirmVoid(): Promise<Result<OperationView, AppError> | null> {
    const answer = await this.voiding.confirm()
    if (answer?.ok) this.banner.show(answer.value)
    return answer
  }

  /** As the button does it: a refusal is shown in the strip if another order is shown by then. */
  async confirmVoidByButton(): Promise<void> {
    const answer = await this.confirmVoid()
    if (answer?.ok === false && answer.error !== this.voiding.error) this.#strip.tell(refusal(answer.error))
  }
}

/** The sales on hold. */
class HeldOrders {
  list = $state.raw<HeldOrder[]>([])
  error = $state.raw<AppError | null>(null)
  isOpen = $state(false)
  /** The order that the person is asked about before it is dropped. */
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

  /** By the number as a person types or scans it. */
  find(orderId: string | null): HeldOrder | undefined {
    return orderId === null ? undefined : this.list.find((one) => one.orderId === orderId)
  }

  /** Drops the order that was asked about. */
  async drop(): Promise<void> {
    const held = this.dropping
    this.dropping = null
    if (!held) return
    const answer = await this.#client.call('checkout.dropHeld', { heldId: held.id })
    // The list may be out of date.
    if (!answer.ok) await this.load()
    this.error = answer.ok ? null : answer.error
  }
}
