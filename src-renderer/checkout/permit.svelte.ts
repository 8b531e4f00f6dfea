import type { AppError } from '../../src-shared/errors'
import type { TagId } from '../../src-shared/ids'
import type { Client } from '../../src-shared/ipc/client'
import type { Verdict } from '../../src-shared/verdict'
import type { Text } from '../text/text.svelte'
import type { Cart } from './cart.svelte'

interface Asked {
  cart: Cart
  tagId: TagId
  verdict: Verdict
  /** A PIN is set, and must be entered. */
  needsPin: boolean
}

/** A manager permits an item that the counter sells with PIN and reason only. */
export class Permitting {
  asked = $state.raw<Asked | null>(null)
  reason = $state('')
  pin = $state('')
  error = $state.raw<AppError | null>(null)
  reasonFault = $state.raw<Text | null>(null)
  pinFault = $state.raw<Text | null>(null)
  isBusy = $state(false)
  readonly #client: Client

  constructor(client: Client) {
    this.#client = client
  }

  /** Opens the question. */
  async ask(cart: Cart, tagId: TagId, verdict: Verdict): Promise<void> {
    const view = await this.#client.call('security.view', undefined)
    this.close()
    // Without an answer the PIN is asked for: main ignores it if none is set.
    this.asked = { cart, tagId, verdict, needsPin: !view.ok || view.value.hasPin }
  }

  close(): void {
    this.asked = null
    this.reason = this.pin = ''
    this.error = this.reasonFault = this.pinFault = null
  }

  /** Adds the item with reason and PIN; closes the question if main takes them. */
  async submit(): Promise<void> {
    const { asked } = this
    if (!asked || this.isBusy) return
    const reason = this.reason.trim()
    const pin = this.pin.trim()
    this.error = null
    this.reasonFault = reason === '' ? { key: 'permit.reason.missing' } : null
    this.pinFault = asked.needsPin && pin === '' ? { key: 'permit.pin.missing' } : null
    if (this.reasonFault || this.pinFault) return
    this.isBusy = true
    const answer = await asked.cart.add(asked.tagId, { reason, ...(pin === '' ? {} : { pin }) })
    this.isBusy = false
    if (this.asked !== asked) return
    if (answer.ok) this.close()
    else {
      this.pin = ''
      this.error = answer.error
    }
  }
}
