import type { AppError } from '../../src-shared/errors'
import type { TagId } from '../../src-shared/ids'
import type { Client } from '../../src-shared/ipc/client'
import type { Meaning, Scan, WedgeTrouble } from '../../src-shared/scan/meaning'
import { assertNever } from '../../src-shared/result'
import type { Checkout } from '../checkout/checkout.svelte'
import { shortened } from '../text/errors'
import type { Text } from '../text/text.svelte'
import type { Find } from '../find/find.svelte'
import type { Orders } from '../orders/orders.svelte'
import type { Receiving } from '../receiving/receiving.svelte'
import type { Joining } from '../settings/store/joining.svelte'
import { type People, isPersonBadge } from '../people/people.svelte'
import type { Stock } from '../stock/stock.svelte'
import { CheckoutScans } from './checkout-scans'
import { DeliveryScans } from './delivery-scans'
import { type Screens, belongsInCheckout, belongsInSettings } from './elsewhere'
import { ScanActions } from './scan-actions'
import { readText } from './scan-text'
import { type ScanOutcome, type ScanNotice, type ScanStrip, type StripAction, refusal } from './strip.svelte'

/** Order numbers and package names have 1 to 100 characters. */
const canBeAName = (text: string) => text !== '' && text.length <= 100
const longestOnButton = 24
/** Receipts have numbers of a few characters, with a digit. */
const isLikeAnOrder = /^(?=.*\d)[\w#/.-]{1,20}$/
const asPackage = 'scan.use-as-package'

type SameAnywhere = Extract<Meaning, { kind: 'badge' | 'action' | 'join' }>

/** A badge, an action code or a join code means the same on every screen. */
const isSameAnywhere = (meaning: Meaning): meaning is SameAnywhere =>
  meaning.kind === 'badge' || meaning.kind === 'action' || meaning.kind === 'join'

/** How a text gets here; what main reads itself does not. */
export type SubmitSource = Exclude<Scan['source'], 'hid'>

interface ScanReaderParts extends Screens {
  client: Client
  strip: ScanStrip
  receiving: Receiving
  checkout: Checkout
  /** A scan on its screen looks for an order. */
  orders: Pick<Orders, 'scan'>
  find: Pick<Find, 'scan'>
  joining: Pick<Joining, 'scan'>
  /** A scan on its screen is counted. */
  stock: Pick<Stock, 'scan' | 'scanCase'>
  people: Pick<People, 'scan' | 'badgeField'>
}

/** Decides what a scan does on the screen in front, and shows its outcome in the strip. */
export class ScanReader {
  readonly #parts: ScanReaderParts
  readonly #actions: ScanActions
  readonly #delivery: DeliveryScans
  readonly #atCheckout: CheckoutScans

  constructor(parts: ScanReaderParts) {
    this.#parts = parts
    this.#actions = new ScanActions(parts)
    this.#delivery = new DeliveryScans(parts)
    this.#atCheckout = new CheckoutScans(parts)
  }

  async read(scan: Scan): Promise<void> {
    const { checkout, strip, people } = this.#parts
    const { meaning } = scan
    // A further scan means that the order is kept; a badge says nothing about it.
    const isAnswer = meaning.kind === 'action' && (meaning.action === 'cancel' || meaning.action === 'complete')
    if (!isAnswer && !isPersonBadge(meaning)) checkout.dropQuestions()
    const { undoLast } = strip
    strip.begin(scan, readText(meaning))
    const outcome = people.badgeField ? people.badgeField(scan) : this.#outcomeOf(meaning, undoLast)
    strip.settle(scan.seq, await outcome)
  }

  /**
   * Submits a text that a scanner typed or a person entered; main numbers it and sends it back as a scan. If main can't
   * be reached, the strip and the sound say so.
   */
  async submit(text: string, source: SubmitSource, troubles: WedgeTrouble[] = []): Promise<AppError | null> {
    const typed = { text, source, ...(troubles.length > 0 && { troubles }) }
    const answer = await this.#parts.client.call('scanner.submit', typed)
    if (answer.ok) return null
    this.announce(answer.error, { key: 'scan.not-taken' })
    return answer.error
  }

  /** Shows in the strip a failure that belongs to no scan. */
  announce(error: AppError, detail?: Text): void {
    const { strip } = this.#parts
    const unnumbered = { seq: 0, at: new Date().toISOString() }
    const outcome = refusal(error)
    strip.begin(unnumbered, outcome.what)
    strip.settle(unnumbered.seq, { ...outcome, ...(detail && { detail }) })
  }

  async #outcomeOf(meaning: Meaning, undoLast: ScanNotice['undo']): Promise<ScanOutcome> {
    const { find, go, joining, orders, screen, stock } = this.#parts
    // Which of the two was meant can't be known on any screen.
    if (meaning.kind === 'unknown' && meaning.reason === 'several') return refusal({ code: 'scan/several-codes' })
    if (screen() === 'find' && !isSameAnywhere(meaning)) return find.scan(meaning)
    switch (meaning.kind) {
      case 'join':
        if (screen() !== 'settings') return belongsInSettings(this.#parts)
        go('settings', 'store')
        return joining.scan()
      case 'package':
        return this.#delivery.scan({ kind: 'package', packageUid: meaning.packageUid })
      case 'case':
        if (screen() === 'stock') return stock.scanCase(meaning.identifier)
        return this.#delivery.scan({ kind: 'case', identifier: meaning.identifier })
      case 'tag':
        return this.#item(meaning.tagId)
      case 'order':
        return screen() === 'orders' ? orders.scan(meaning.orderId) : this.#atCheckout.order(meaning.orderId)
      case 'gs1':
        return this.#productCode(meaning.text)
      case 'badge':
        return isPersonBadge(meaning) ? this.#parts.people.scan(meaning) : this.#atCheckout.badge(meaning.badge)
      case 'action':
        return this.#actions.act(meaning.action, undoLast)
      case 'unknown':
        return screen() === 'orders' && canBeAName(meaning.text) ? orders.scan(meaning.text) : this.#unknown(meaning)
      default:
        return assertNever(meaning)
    }
  }

  async #item(tagId: TagId): Promise<ScanOutcome> {
    const { checkout, orders, receiving, screen, stock } = this.#parts
    switch (screen()) {
      case 'orders':
        return orders.scan(tagId)
      case 'stock':
        return stock.scan(tagId)
      case 'checkout':
        return checkout.cart ? checkout.scanItem(checkout.cart, tagId) : this.#atCheckout.orderOf(tagId)
      case 'receiving':
        if (receiving.counting.isOn) return receiving.counting.scan(tagId)
        // The count is open and not started: its first scan starts it.
        return receiving.isCountShown && !receiving.counting.count
          ? receiving.counting.scanFirst(tagId)
          : belongsInCheckout(this.#parts)
      case 'find':
      case 'outbox':
      case 'store':
      case 'settings':
        return belongsInCheckout(this.#parts)
    }
  }

  /** An unrecognized text may be an order number or a package name: a person decides. */
  #unknown({ text, reason }: Extract<Meaning, { kind: 'unknown' }>): ScanOutcome | Promise<ScanOutcome> {
    if (this.#atCheckout.isBadge(text)) return this.#atCheckout.badge(text)
    const isName = canBeAName(text) && reason !== 'damaged'
    if (!isName) return refusal({ code: 'scan/not-a-code', text })
    const uses = this.#usesOf(text)
    const isOrder = this.#parts.screen() === 'checkout' && this.#isNumberWanted() && isLikeAnOrder.test(text)
    return isOrder
      ? {
          tone: 'attention',
          what: { key: 'scan.like-order', values: { text } },
          detail: { key: 'scan.like-order.detail' },
          actions: uses,
        }
      : refusal({ code: 'scan/not-a-code', text }, uses)
  }

  /** The tab in front has no order number yet. */
  #isNumberWanted(): boolean {
    const { cart } = this.#parts.checkout
    return cart === null || cart.orderText.trim() === ''
  }

  /** A product's barcode; digits alone may also be an order number or a badge of this store. */
  async #productCode(text: string): Promise<ScanOutcome> {
    const { orders, screen } = this.#parts
    const outcome = { tone: 'attention', what: { key: 'scan.gs1' }, detail: { key: 'scan.gs1.detail' } } as const
    if (!/^\d+$/.test(text)) return outcome
    if (this.#atCheckout.isBadge(text)) return this.#atCheckout.badge(text)
    if (screen() !== 'orders')
      return { ...outcome, actions: this.#usesOf(text).filter(({ label }) => label.key !== asPackage) }
    const found = await orders.scan(text)
    return found.tone === 'good' ? found : outcome
  }

  #usesOf(text: string): StripAction[] {
    const { checkout, screen, strip } = this.#parts
    const values = { text: shortened(text, longestOnButton) }
    const toPackage: StripAction = {
      label: { key: asPackage, values },
      run: () => void strip.act(() => this.#delivery.add({ kind: 'package', packageUid: text })),
      isOffered: () => screen() === 'receiving',
    }
    const asOrder: StripAction = {
      label: { key: 'scan.use-as-order', values },
      run: () => void strip.act(() => this.#atCheckout.useOrder(text)),
      isOffered: () => screen() === 'checkout' && this.#isNumberWanted(),
    }
    const asBadge: StripAction = {
      label: { key: 'scan.use-as-badge', values },
      run: () => {
        const outcome = checkout.badgeField?.(text)
        if (outcome && strip.current) strip.settle(strip.current.seq, outcome)
      },
      isOffered: () => checkout.badgeField !== null,
    }
    return [toPackage, asOrder, asBadge]
  }
}
