import type { ClaimedBy } from '../../src-shared/claim'
import type { AppError } from '../../src-shared/errors'
import type { CaseId, OperationId, TagId } from '../../src-shared/ids'
import type { Client } from '../../src-shared/ipc/client'
import {
  type CartChange,
  type CartStep,
  type CartView,
  CheckoutSettings,
  type FlagChange,
  type HeldOrder,
} from '../../src-shared/ipc/contract/checkout'
import type { OperationView } from '../../src-shared/ipc/contract/outbox'
import { type Result, ok } from '../../src-shared/result'
import type { Verdict } from '../../src-shared/verdict'
import type { Sound } from '../scan/sounds'
import { type Gate, isLeft } from '../ui/gate.svelte'
import { type ScanOutcome, type ScanStrip, refusal } from '../scan/strip.svelte'
import { claimText, itemName } from '../store/claim-text'
import { CartScans, type NamedItem } from './cart-scans'
import { Cart } from './cart.svelte'
import { Reports } from './reports.svelte'
import { verdictText, verdictTone } from './verdict-text'
import { VoidOrder } from './void-order.svelte'

export const checkoutTabs = ['sale', 'return', 'void'] as const
export type CheckoutTab = (typeof checkoutTabs)[number]

export interface CheckoutParts {
  client: Client
  gate: Gate
  strip: ScanStrip
  play: (sound: Sound) => void
  /** Called when scans get another meaning: another tab, remove mode. */
  modeChanged: () => void
  isInFront: () => boolean
  openBudtenders: () => void
  /** Shows a refused report in the Outbox. */
  openReport: (id: OperationId) => void
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
  readonly reports: Reports
  readonly client: Client
  readonly #gate: Gate
  readonly #strip: ScanStrip
  readonly #play: CheckoutParts['play']
  readonly #modeChanged: () => void
  readonly #scans: CartScans
  readonly openCase: (caseId: CaseId) => void
  readonly #openBudtenders: CheckoutParts['openBudtenders']
  readonly #openReport: CheckoutParts['openReport']

  /** The cart of the tab in front; null while voiding. */
  cart = $derived.by(() => this.#cartOf(this.tab))

  constructor({
    client,
    gate,
    strip,
    play,
    modeChanged,
    isInFront,
    openBudtenders,
    openReport,
    openCase,
  }: CheckoutParts) {
    this.client = client
    this.#strip = strip
    this.#modeChanged = modeChanged
    this.openCase = openCase
    this.#openBudtenders = openBudtenders
    this.#openReport = openReport
    const listeners = {
      closed: () => strip.retire(),
      itemsGone: (tagIds: TagId[]) => strip.itemsGone(tagIds),
      modeChanged,
    }
    this.sale = new Cart('sale', client, listeners)
    this.return = new Cart('return', client, listeners)
    this.held = new HeldOrders(client)
    this.voiding = new VoidOrder(client)
    this.#gate = gate
    this.reports = new Reports({ client, strip, play })
    this.#play = play
    this.#scans = new CartScans({
      isInFront: (cart) => isInFront() && this.cart === cart,
      openCase,
      askApproval: (cart, item, verdict) => void this.approval(cart, item, verdict),
      askTakeOver: (cart, item, by) => void this.takeOver(cart, item, by),
      whereElse: (error) => this.#whereElse(error, isInFront),
    })
  }

  #cartOf(tab: CheckoutTab): Cart | null {
    return tab === 'void' ? null : this[tab]
  }

  async refresh(): Promise<void> {
    await Promise.all([
      this.sale.load(),
      this.return.load(),
      this.held.load(),
      this.reports.load(),
      this.loadSettings(),
    ])
  }

  async loadSettings(): Promise<void> {
    const answer = await this.client.call('checkout.settings', undefined)
    if (answer.ok) this.settings = answer.value
  }

  cartChanged(view: CartView): void {
    this[view.mode].show(view)
  }

  cartStepped(step: CartStep): Promise<void> {
    return this[step.mode].follow(step)
  }

  /** Updates the notices of scans whose items the service answered about late. */
  flagsChanged(changes: FlagChange[]): void {
    for (const change of changes) {
      this.#strip.late(change.tagId, change.scannedAt, this.#scans.lateOutcome(this[change.mode], change))
    }
  }

  operationChanged(operation: OperationView): void {
    const { view } = this.voiding
    if (view && view.orderId === operation.orderId && !this.voiding.isLooking) void this.voiding.look()
  }

  openTab(tab: CheckoutTab): void {
    if (tab === this.tab) return
    this.tab = tab
    this.#strip.leave()
    this.#modeChanged()
  }

  /**
   * The screen was left. Returns and voids are the exception: what is scanned first afterwards is to be sold, unless a return
   * has items.
   */
  left(): void {
    if (this.tab === 'void' || this.return.itemCount === 0) this.openTab('sale')
  }

  /** Asks for the reason and the manager's PIN, and takes an item from the station that holds it. */
  async takeOver(cart: Cart, item: NamedItem, by: ClaimedBy): Promise<void> {
    const { tagId } = item
    const needsPin = await this.#gate.needsPin()
    const passed = await this.#gate.ask(
      {
        title: { key: 'claim.take-over.title', values: { name: itemName(item) } },
        means: {
          key: 'claim.take-over.means',
          values: { station: by.station, needsPin: needsPin && !this.#gate.hasLeads ? 'yes' : 'no' },
        },
        about: { tone: 'bad', text: claimText({ kind: 'held', by, isRefused: true }), code: tagId },
        stay: { key: 'count.leave-there' },
        go: { key: 'claim.take-over' },
        reasonHint: { key: 'claim.take-over.hint', values: { station: by.station } },
        isDangerous: true,
        wants: needsPin ? 'pin' : 'reason',
      },
      (approval) => cart.takeOver(tagId, by, approval),
    )
    if (!passed) return
    this.#strip.clear()
    if (!passed.answer.ok) this.#strip.tell(refusal(passed.answer.error))
  }

  /** Asks for the reason and the manager's PIN, and takes an item against its verdict with them. */
  async approval(cart: Cart, item: NamedItem, verdict: Verdict): Promise<void> {
    const { tagId } = item
    const needsPin = await this.#gate.needsPin()
    const passed = await this.#gate.ask(
      {
        title: { key: `approval.title.${cart.mode}`, values: { name: itemName(item) } },
        means: { key: needsPin && !this.#gate.hasLeads ? 'approval.how.pin' : 'approval.how' },
        about: { tone: verdictTone(verdict), text: verdictText(verdict), code: tagId },
        stay: { key: `approval.cancel.${cart.mode}` },
        go: { key: `approval.confirm.${cart.mode}` },
        isDangerous: false,
        wants: needsPin ? 'pin' : 'reason',
      },
      (approval) => cart.add(tagId, approval, [verdict.kind, ...verdict.also.map(({ kind }) => kind)]),
    )
    if (!passed) return
    this.#strip.clear()
    if (!passed.answer.ok) this.#strip.tell(refusal(passed.answer.error))
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
    this.#openBudtenders()
  }

  /** Shows a refused report in the Outbox. */
  openReport(id: OperationId): void {
    this.#openReport(id)
  }

  /** Puts the sale on hold. */
  async hold(): Promise<Result<ScanOutcome, AppError>> {
    const { itemCount } = this.sale
    const orderId = this.sale.orderText.trim()
    const held = await this.sale.hold()
    if (!held.ok) return held
    return ok({
      tone: 'good',
      what: { key: 'scan.action.held', values: { orderId, isNumbered: orderId === '' ? 'no' : 'yes' } },
      detail: { key: 'scan.action.held.detail', values: { count: itemCount } },
    })
  }

  /** As the button does it: the strip confirms it. */
  async holdByButton(): Promise<void> {
    const held = await this.hold()
    if (held.ok) this.#strip.tell({ ...held.value, isSilent: true })
  }

  async resume({ id }: HeldOrder): Promise<Result<CartChange, AppError>> {
    this.openTab('sale')
    const answer = await this.sale.resume(id)
    // What is typed in front is behind the list of orders on hold.
    if (answer.ok || answer.error.code === 'checkout/order-begun') this.held.isOpen = false
    if (answer.ok) return answer
    await this.held.load()
    if (this.held.isOpen) this.held.error = answer.error
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
    // Pressed once more after an order was completed: nothing is to be reported, and nothing is wrong.
    if (this.cart?.isEmpty) return
    if (this.cart) await this.finish()
    else if (this.voiding.view) this.askToVoid()
    else await this.voiding.look()
  }

  /** Reports the cart in front; null if nothing was saved (see `Cart.finish`). */
  async finish(isMeant = false): Promise<OperationView | null> {
    const { cart } = this
    const operation = (await cart?.finish(isMeant)) ?? null
    if (!operation) return null
    this.#play(cart?.mode === 'return' ? 'back' : 'good')
    if (this.cart === cart && cart?.isEmpty) this.openTab('sale')
    return operation
  }

  /**
   * Asks before the order that is shown is voided: here if nothing of it was sent, otherwise in main's question. Returns
   * without waiting for the answer.
   */
  askToVoid(): void {
    if (this.voiding.view?.voidWill === 'withdraw') this.voiding.ask()
    else if (this.voiding.view?.canVoid) void this.confirmVoidByButton()
  }

  async confirmVoid(): Promise<Result<OperationView, AppError> | null> {
    const answer = await this.voiding.confirm()
    if (!answer?.ok) return answer
    this.#play('back')
    // Another order may be shown by then.
    if (this.tab === 'void' && this.voiding.orderText === '') this.openTab('sale')
    return answer
  }

  /** As the button does it: a refusal is shown in the strip if another order is shown by then. */
  async confirmVoidByButton(): Promise<void> {
    const answer = await this.confirmVoid()
    if (answer?.ok === false && !isLeft(answer.error) && answer.error !== this.voiding.error)
      this.#strip.tell(refusal(answer.error))
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
