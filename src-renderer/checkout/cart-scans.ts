import type { ClaimedBy } from '../../src-shared/claim'
import type { AppError } from '../../src-shared/errors'
import { type CaseId, TagId } from '../../src-shared/ids'
import type { FlagChange, ScannedItem } from '../../src-shared/ipc/contract/checkout'
import type { Verdict } from '../../src-shared/verdict'
import type { Text } from '../text/text.svelte'
import { type ScanOutcome, type StripAction, refusal } from '../scan/strip.svelte'
import { claimText, itemName } from '../store/claim-text'
import type { Cart } from './cart.svelte'
import { isNoted, verdictSound, verdictText } from './verdict-text'

/** An item as a question names it. */
export type NamedItem = Pick<ScannedItem, 'tagId' | 'productName'>

interface CartScansParts {
  /** The next steps of a notice are offered only while its cart is shown. */
  isInFront: (cart: Cart) => boolean
  /** Opens a case in Receiving, to be imported. */
  openCase: (caseId: CaseId) => void
  /** Asks for the manager's approval to sell an item. */
  askApproval: (cart: Cart, item: NamedItem, verdict: Verdict) => void
  /** Asks for the approval to take an item from another station. */
  askTakeOver: (cart: Cart, item: NamedItem, by: ClaimedBy) => void
  /** The open order that an item is in and the way there; null if this page doesn't know it. */
  whereElse: (error: AppError & { code: 'checkout/in-open-order' }) => { what: Text; go: StripAction } | null
}

/** What a scanned item does to a cart, and how the notice says it. */
export class CartScans {
  readonly #parts: CartScansParts

  constructor(parts: CartScansParts) {
    this.#parts = parts
  }

  /** Adds a scanned item, or removes it in remove mode, and says the outcome. */
  scan(cart: Cart, tagId: TagId): Promise<ScanOutcome> {
    return cart.isRemoving ? this.#remove(cart, tagId) : this.#add(cart, tagId)
  }

  /** The notice of an item about which the service answered late. Good news makes no sound. */
  lateOutcome(cart: Cart, change: FlagChange): ScanOutcome {
    const outcome = this.#said(cart, change)
    const isSilent = outcome.tone === 'good'
    // A line says what another station has.
    const isBeside = change.claim !== null && this.#parts.isInFront(cart)
    return { ...outcome, isSilent, isBeside, isMinor: change.verdict.kind === 'unchecked' || isSilent }
  }

  async #add(cart: Cart, tagId: TagId): Promise<ScanOutcome> {
    const answer = await cart.add(tagId)
    if (answer.ok) return { ...this.#said(cart, answer.value), undo: () => takeBack(cart, answer.value) }
    const { error } = answer
    const elsewhere = error.code === 'checkout/in-open-order' ? this.#parts.whereElse(error) : null
    if (!elsewhere) return refusal(error, this.#permitting(cart, error))
    const { what, go } = elsewhere
    const name = 'productName' in error ? (error.productName ?? null) : null
    return {
      tone: 'bad',
      what: name === null ? what : { key: 'error.of-item', values: { name, what } },
      detail: { key: 'checkout.scan.one-order' },
      actions: [go],
    }
  }

  async #remove(cart: Cart, tagId: TagId): Promise<ScanOutcome> {
    const line = cart.lines.find(({ items }) => items.some((item) => item.tagId === tagId))
    if (!line)
      return { tone: 'bad', what: { key: 'checkout.scan.not-in-order' }, detail: { key: 'checkout.scan.remove-hint' } }
    const answer = await cart.remove(tagId)
    if (!answer.ok) return refusal(answer.error)
    return {
      tone: 'attention',
      what: { key: 'checkout.scan.removed', values: nameOf({ tagId, productName: line.productName }) },
      detail: { key: 'checkout.scan.count', values: { count: cart.itemCount } },
      undo: () => this.#add(cart, tagId),
    }
  }

  #said(cart: Cart, item: ScannedItem): ScanOutcome {
    const { tagId, verdict, permitted, claim } = item
    const tone = permitted === null ? verdictSound(verdict) : 'attention'
    const detail = isNoted(verdict) ? verdictText(verdict) : countText(item)
    // It is in the cart, but the order can't be completed with it: "added" would say the opposite.
    const isHeld = claim?.kind === 'held' && claim.isRefused
    const said = claim === null || tone === 'bad' ? tone : isHeld ? 'bad' : 'attention'
    return {
      about: tagId,
      tone: said,
      ...(said === 'good' && cart.mode === 'return' && { sound: 'back' }),
      what: isHeld
        ? { key: 'claim.scan.held', values: { ...nameOf(item), isSold: claim.by.isSold ? 'yes' : 'no' } }
        : { key: cart.mode === 'return' ? 'checkout.scan.added.return' : 'checkout.scan.added', values: nameOf(item) },
      detail: claim === null || tone === 'bad' ? detail : claimText(claim),
      actions: this.#nextSteps(cart, item),
    }
  }

  #nextSteps(cart: Cart, item: ScannedItem): StripAction[] {
    const { verdict, permitted, caseId, claim } = item
    const { openCase } = this.#parts
    const isOffered = verdict.level === 'pin' && permitted === null
    return [
      ...(claim?.kind === 'held' ? this.#takingOver(cart, item, claim.by) : []),
      ...(verdict.canImport && caseId !== null
        ? [this.#step(cart, { key: 'checkout.import-case' }, () => openCase(caseId))]
        : []),
      ...(isOffered ? [this.#approval(cart, item, verdict)] : []),
    ]
  }

  #approval(cart: Cart, item: NamedItem, verdict: Verdict): StripAction {
    return this.#step(cart, { key: `approval.open.${cart.mode}` }, () => this.#parts.askApproval(cart, item, verdict))
  }

  #takingOver(cart: Cart, item: NamedItem, by: ClaimedBy): StripAction[] {
    if (by.isSold) return []
    return [this.#step(cart, { key: 'claim.take-over' }, () => this.#parts.askTakeOver(cart, item, by))]
  }

  #step(cart: Cart, label: Text, run: () => void): StripAction {
    return { label, run, isOffered: () => this.#parts.isInFront(cart) }
  }

  /** A manager may approve what was not taken. */
  #permitting(cart: Cart, error: AppError): StripAction[] {
    if (error.code === 'checkout/claimed') {
      const claimed = TagId.safeParse(error.tagId).data
      if (claimed === undefined) return []
      return this.#takingOver(cart, { tagId: claimed, productName: error.productName }, error.by)
    }
    if (error.code !== 'checkout/not-sellable' || error.verdict.level !== 'pin') return []
    const tagId = TagId.safeParse(error.tagId).data
    const { productName = null, verdict } = error
    return tagId === undefined ? [] : [this.#approval(cart, { tagId, productName }, verdict)]
  }
}

async function takeBack(cart: Cart, item: ScannedItem): Promise<ScanOutcome> {
  const answer = await cart.remove(item.tagId)
  if (!answer.ok) return refusal(answer.error)
  return { tone: 'attention', what: { key: 'checkout.scan.undone', values: nameOf(item) } }
}

/** The count of the order, or of the line if a count is expected there. */
function countText({ expected, lineCount, itemCount }: ScannedItem): Text {
  if (expected === null) return { key: 'checkout.scan.count', values: { count: itemCount } }
  return { key: 'checkout.scan.count-of', values: { count: lineCount, expected } }
}

const nameOf = (item: NamedItem) => ({ name: itemName(item) })
