import type { Action } from '../../src-shared/scan/actions'
import { assertNever } from '../../src-shared/result'
import type { Cart } from '../checkout/cart.svelte'
import type { Checkout } from '../checkout/checkout.svelte'
import { resultOf } from '../checkout/result'
import type { Text } from '../messages/text.svelte'
import type { ScreenName } from './scan-reader'
import { type Outcome, refusal } from './strip.svelte'

export interface ScanActionsParts {
  checkout: Checkout
  screen: () => ScreenName
}

/** What a scanned action does: the same as the button of that name, where there is one. */
export function createScanActions({ checkout, screen }: ScanActionsParts) {
  /** `undoLast` takes the scan before this one back, if that can be. */
  return async function act(action: Action, undoLast: (() => Promise<Outcome>) | null): Promise<Outcome> {
    const cart = screen() === 'checkout' ? checkout.cart : null
    switch (action) {
      case 'undo':
        return undoLast ? undoLast() : attention({ key: 'scan.action.nothing-to-undo' })
      case 'complete':
        return cart ? complete(cart) : notHere()
      case 'cancel':
        return cart ? clear(cart) : notHere()
      case 'remove':
        return cart ? switchRemoving(cart) : notHere()
      case 'hold':
        return attention({ key: 'scan.action.hold' }, { key: 'scan.action.hold.detail' })
      default:
        return assertNever(action)
    }
  }

  async function complete(cart: Cart): Promise<Outcome> {
    const operation = await checkout.finish()
    if (!operation) return cart.error ? refusal(cart.error) : attention({ key: 'checkout.saving' })
    const { sound, title, detail } = resultOf(operation)
    // The result over the order has made its sound.
    return { tone: sound, what: title, isSilent: true, ...(detail && { detail }) }
  }

  /** The first asks, as the button does; the second is the answer. */
  async function clear(cart: Cart): Promise<Outcome> {
    if (cart.itemCount === 0 && cart.orderText === '')
      return attention({ key: 'checkout.scan.count', values: { count: 0 } })
    if (!cart.isAskingToClear) {
      cart.isAskingToClear = true
      return attention({ key: 'checkout.clear.title' }, { key: 'scan.action.clear.detail' })
    }
    cart.isAskingToClear = false
    await cart.clear()
    return cart.error ? refusal(cart.error) : { tone: 'good', what: { key: 'scan.action.cleared' } }
  }
}

function switchRemoving(cart: Cart): Outcome {
  if (cart.itemCount === 0 && !cart.isRemoving) return attention({ key: 'checkout.scan.count', values: { count: 0 } })
  cart.isRemoving = !cart.isRemoving
  return attention({ key: cart.isRemoving ? 'checkout.remove-mode.on' : 'scan.action.remove.off' })
}

const attention = (what: Text, detail?: Text): Outcome => ({ tone: 'attention', what, ...(detail && { detail }) })
const notHere = () => attention({ key: 'scan.action' }, { key: 'scan.action.not-here' })
