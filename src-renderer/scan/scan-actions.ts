import type { Action } from '../../src-shared/scan/meaning'
import { assertNever } from '../../src-shared/result'
import type { Cart } from '../checkout/cart.svelte'
import type { Checkout } from '../checkout/checkout.svelte'
import type { OperationView } from '../../src-shared/ipc/contract/outbox'
import type { VoidOrder } from '../checkout/void-order.svelte'
import { reportOutcome, savedOutcome } from '../checkout/report-text'
import { outcomeOf } from '../receiving/primary-text'
import type { Text } from '../text/text.svelte'
import type { Receiving } from '../receiving/receiving.svelte'
import type { ScreenName } from '../shell/screens'
import { type ScanOutcome, refusal } from './strip.svelte'

interface ScanActionsParts {
  checkout: Checkout
  receiving: Receiving
  screen: () => ScreenName
}

/** What an action code does: the same as the button of that name. */
export class ScanActions {
  readonly #parts: ScanActionsParts

  constructor(parts: ScanActionsParts) {
    this.#parts = parts
  }

  /** `undoLast` undoes the scan before this one; null if it can't be undone. */
  async act(action: Action, undoLast: (() => Promise<ScanOutcome>) | null): Promise<ScanOutcome> {
    const { checkout, receiving, screen } = this.#parts
    const isHere = screen() === 'checkout'
    const cart = isHere ? checkout.cart : null
    const voiding = isHere && !cart ? checkout.voiding : null
    switch (action) {
      case 'undo':
        return undoLast ? undoLast() : attention({ key: 'scan.action.nothing-to-undo' })
      case 'complete':
        if (screen() === 'receiving') return outcomeOf(await receiving.primary())
        if (voiding) return this.#completeVoid(voiding)
        return cart ? this.#complete(cart) : notHere()
      case 'cancel':
        if (voiding) return cancelVoid(voiding)
        return cart ? this.#cancel(cart) : notHere()
      case 'remove':
        return cart ? switchRemoving(cart) : notHere()
      case 'hold':
        return cart?.mode === 'sale' ? this.#hold() : notHere()
      default:
        return assertNever(action)
    }
  }

  /** The first scan asks if quantities don't match, as the button does; the second confirms. */
  async #complete(cart: Cart): Promise<ScanOutcome> {
    const { checkout } = this.#parts
    cart.isAskingToClear = false
    const operation = await checkout.finish(cart.isAskingToFinish)
    if (operation) return this.#reported(operation)
    if (cart.error) return refusal(cart.error)
    if (cart.expected.fault) return attention(cart.expected.fault)
    if (!cart.isAskingToFinish) return attention({ key: 'action.saving' })
    const what: Text =
      cart.differences.length > 0
        ? { key: 'checkout.scan.differs' }
        : { key: 'checkout.scan.doubts', values: { count: cart.doubts.length } }
    return attention(what, { key: 'scan.action.complete.detail' })
  }

  async #completeVoid(voiding: VoidOrder): Promise<ScanOutcome> {
    const { checkout } = this.#parts
    const isAsking = () => voiding.isAsking
    if (isAsking()) {
      const answer = await checkout.confirmVoid()
      if (!answer) return attention({ key: 'action.saving' })
      return answer.ok ? this.#reported(answer.value) : refusal(answer.error)
    }
    await checkout.primary()
    if (voiding.error) return refusal(voiding.error)
    const orderId = voiding.view?.orderId ?? voiding.orderText
    // Main's question is open: the reason is typed.
    if (voiding.isBusy)
      return attention({ key: 'void.confirm', values: { orderId } }, { key: 'scan.void.asked.reason' })
    if (!isAsking())
      return attention({ key: voiding.view?.canVoid ? 'scan.void.shown' : 'scan.void.impossible', values: { orderId } })
    return attention({ key: 'void.confirm', values: { orderId } }, { key: 'scan.void.asked.detail' })
  }

  #reported(operation: OperationView): ScanOutcome {
    const report = this.#parts.checkout.reports.of(operation.id)
    return report ? reportOutcome(report) : savedOutcome(operation)
  }

  async #hold(): Promise<ScanOutcome> {
    const held = await this.#parts.checkout.hold()
    if (held.ok) return held.value
    return held.error.code === 'checkout/nothing-to-hold' ? empty() : refusal(held.error)
  }

  /** The first scan asks, as the button does; the second confirms. */
  async #cancel(cart: Cart): Promise<ScanOutcome> {
    if (cart.isAskingToFinish) {
      cart.isAskingToFinish = false
      return attention({ key: 'scan.action.not-completed' })
    }
    if (cart.isEmpty) return empty()
    if (!cart.isAskingToClear) {
      cart.isAskingToClear = true
      return attention({ key: 'checkout.clear.title' }, { key: 'scan.action.clear.detail' })
    }
    cart.isAskingToClear = false
    await cart.clear()
    return cart.error ? refusal(cart.error) : { tone: 'good', what: { key: 'scan.action.cleared' } }
  }
}

/** Closes the question; without one, clears the order that was looked up. */
function cancelVoid(voiding: VoidOrder): ScanOutcome {
  if (voiding.isAsking) {
    voiding.isAsking = false
    return attention({ key: 'scan.void.kept', values: { orderId: voiding.orderText } })
  }
  if (voiding.isEmpty) return attention({ key: 'scan.void.nothing' })
  voiding.clear()
  return { tone: 'good', what: { key: 'scan.void.cleared' } }
}

function switchRemoving(cart: Cart): ScanOutcome {
  if (cart.itemCount === 0 && !cart.isRemoving) return empty()
  cart.isRemoving = !cart.isRemoving
  return attention({ key: cart.isRemoving ? 'checkout.remove-mode.on' : 'scan.action.remove.off' })
}

const attention = (what: Text, detail?: Text): ScanOutcome => ({ tone: 'attention', what, ...(detail && { detail }) })
const empty = () => attention({ key: 'checkout.scan.count', values: { count: 0 } })
const notHere = () => attention({ key: 'scan.action' }, { key: 'scan.action.not-here' })
