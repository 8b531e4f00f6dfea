import type { AppError } from '../../../src-shared/errors'
import type { OrderId } from '../../../src-shared/ids'
import type { PosDifference } from '../../../src-shared/ipc/contract/pos-day'
import type { Checkout } from '../../checkout/checkout.svelte'

interface PosScanParts {
  checkout: Checkout
  /** The number under which missing items can be sold; null if it could not be told. */
  saleNumber: (difference: PosDifference) => Promise<OrderId | null>
  /** Shows Checkout. */
  go: () => void
}

/** From a difference to Checkout, where its items are scanned. An order that is being filled there is never replaced unasked. */
export class PosScan {
  /** Its items can't be scanned yet: Checkout has another order. */
  taken = $state.raw<PosDifference | null>(null)
  /** Why that order could not be put on hold. */
  refused = $state.raw<AppError | null>(null)

  readonly #parts: PosScanParts

  constructor(parts: PosScanParts) {
    this.#parts = parts
  }

  /** Opens Checkout with the order's number. */
  async scan(difference: PosDifference): Promise<void> {
    const { checkout, saleNumber, go } = this.#parts
    this.taken = null
    this.refused = null
    const mode = difference.scan
    if (mode === null) return
    const cart = checkout[mode]
    const orderId = mode === 'sale' ? await saleNumber(difference) : (difference.hereId ?? difference.orderId)
    if (orderId === null) return
    const isOfThis = cart.orderText.trim() === orderId
    if (!isOfThis && (cart.orderText.trim() !== '' || cart.itemCount > 0)) {
      this.taken = difference
      return
    }
    checkout.openTab(mode)
    go()
    void cart.useOrder(orderId)
  }

  /** Puts the sale in Checkout on hold first. */
  async holdAndScan(difference: PosDifference): Promise<void> {
    this.refused = null
    const held = await this.#parts.checkout.sale.hold()
    if (held.ok) await this.scan(difference)
    else this.refused = held.error
  }
}
