import type { TagId } from '../../src-shared/ids'
import type { HeldOrder } from '../../src-shared/ipc/contract/checkout'
import type { Checkout } from '../checkout/checkout.svelte'
import { type Screens, goToCheckout } from './elsewhere'
import { type ScanOutcome, refusal } from './strip.svelte'

interface CheckoutScansParts extends Screens {
  checkout: Checkout
}

/** Scans of order numbers and badges, and of items whose order is looked for: what they do at the counter. */
export class CheckoutScans {
  readonly #parts: CheckoutScansParts

  constructor(parts: CheckoutScansParts) {
    this.#parts = parts
  }

  /**
   * Uses an order number if the tab has none yet: a scan never replaces the number of an order being filled. While voiding
   * it does, because the order is only looked at.
   */
  async order(orderId: string): Promise<ScanOutcome> {
    const { checkout } = this.#parts
    const what = { key: 'scan.used-as-order', values: { orderId } } as const
    if (!this.#isHere()) {
      const open = goToCheckout(this.#parts)
      return { tone: 'attention', what, detail: { key: 'scan.order-elsewhere' }, actions: [open] }
    }
    const { cart } = checkout
    if (!cart || this.#held(orderId)) return this.useOrder(orderId)
    const another = () => {
      const open = cart.orderText.trim()
      return open === orderId ? '' : open
    }
    // A scan after "complete" is meant for the next order, even while the last one is still being saved.
    if (another() !== '') await cart.finished()
    if (another() !== '') {
      return { tone: 'attention', what, detail: { key: 'scan.order-open', values: { orderId: another() } } }
    }
    return this.#numbered(orderId)
  }

  /** Resumes the order on hold that has this number; otherwise it is the number of the tab in front. */
  async useOrder(orderId: string): Promise<ScanOutcome> {
    const held = this.#held(orderId)
    return held ? this.#resume(held) : this.#numbered(orderId)
  }

  /** Looks up the order of an item, to void it. */
  async orderOf(tagId: TagId): Promise<ScanOutcome> {
    const found = await this.#parts.checkout.voiding.useItem(tagId)
    if (!found.ok) return refusal(found.error)
    const { orderId, items, canVoid } = found.value
    // A sale that was refused, withdrawn, returned or voided already.
    if (!canVoid) return { tone: 'attention', what: { key: 'scan.void.impossible', values: { orderId } } }
    return {
      tone: 'good',
      sound: 'back',
      what: { key: 'verdict.sold', values: { orderId } },
      detail: { key: 'scan.void.found.detail', values: { count: items.length } },
    }
  }

  /** Sets the budtender; main keeps it for the next orders. */
  async badge(id: string): Promise<ScanOutcome> {
    const { checkout } = this.#parts
    if (checkout.badgeField) return checkout.badgeField(id)
    if (!this.#isHere()) {
      const open = goToCheckout(this.#parts)
      return { tone: 'attention', what: { key: 'scan.badge' }, detail: { key: 'scan.badge.detail' }, actions: [open] }
    }
    const set = await checkout.setBudtender(id)
    if (!set.ok) return refusal(set.error)
    const name = (checkout.cart ?? checkout.sale).budtender?.name ?? id
    const what = { key: 'label.budtender.named', values: { name } } as const
    const { budtenders } = checkout.settings
    // A badge that is not on the list is used, and the strip says so: it may be the code of a receipt.
    const isListed = budtenders.length === 0 || this.#isListed(id)
    return isListed ? { tone: 'good', what } : { tone: 'attention', what, detail: { key: 'scan.badge.unlisted' } }
  }

  /** Whether a text is a badge although it has no prefix: here, one that is on the list needs none. */
  isBadge(text: string): boolean {
    return this.#isHere() && this.#isListed(text)
  }

  #isHere(): boolean {
    return this.#parts.screen() === 'checkout'
  }

  #isListed(id: string): boolean {
    return this.#parts.checkout.settings.budtenders.some((budtender) => budtender.id === id)
  }

  #held(orderId: string): HeldOrder | undefined {
    const { checkout } = this.#parts
    return checkout.tab === 'sale' ? checkout.held.find(orderId) : undefined
  }

  /** Sets the order number of the tab in front. */
  async #numbered(orderId: string): Promise<ScanOutcome> {
    const { checkout } = this.#parts
    const used = await (checkout.cart ?? checkout.voiding).useOrder(orderId)
    if (!used.ok) return refusal(used.error)
    return { tone: 'good', what: { key: 'scan.used-as-order', values: { orderId } } }
  }

  async #resume(held: HeldOrder): Promise<ScanOutcome> {
    const { checkout } = this.#parts
    const resumed = await checkout.resume(held)
    if (!resumed.ok) return refusal(resumed.error)
    return {
      tone: 'good',
      what: { key: 'scan.resumed', values: { orderId: held.orderId ?? '' } },
      detail: { key: 'checkout.scan.count', values: { count: checkout.sale.itemCount } },
    }
  }
}
