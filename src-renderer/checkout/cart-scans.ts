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
export function createCartScans({ isInFront, openCase, askApproval, askTakeOver, whereElse }: CartScansParts) {
  async function add(cart: Cart, tagId: TagId): Promise<ScanOutcome> {
    const answer = await cart.add(tagId)
    if (answer.ok) return { ...said(cart, answer.value), undo: () => takeBack(cart, answer.value) }
    const { error } = answer
    const elsewhere = error.code === 'checkout/in-open-order' ? whereElse(error) : null
    if (!elsewhere) return refusal(error, permitting(cart, error))
    const { what, go } = elsewhere
    const name = 'productName' in error ? (error.productName ?? null) : null
    return {
      tone: 'bad',
      what: name === null ? what : { key: 'error.of-item', values: { name, what } },
      detail: { key: 'checkout.scan.one-order' },
      actions: [go],
    }
  }

  function said(cart: Cart, item: ScannedItem): ScanOutcome {
    const { tagId, verdict, permitted, caseId, claim } = item
    const tone = permitted === null ? verdictSound(verdict) : 'attention'
    const detail = isNoted(verdict) ? verdictText(verdict) : countText(item)
    const isOffered = verdict.level === 'pin' && permitted === null
    // It is in the cart, but the order can't be completed with it: "added" would say the opposite.
    const isHeld = claim?.kind === 'held' && claim.isRefused
    return {
      about: tagId,
      tone: claim === null || tone === 'bad' ? tone : isHeld ? 'bad' : 'attention',
      what: isHeld
        ? { key: 'claim.scan.held', values: { ...nameOf(item), isSold: claim.by.isSold ? 'yes' : 'no' } }
        : { key: 'checkout.scan.added', values: nameOf(item) },
      detail: claim === null || tone === 'bad' ? detail : claimText(claim),
      actions: [
        ...(claim?.kind === 'held' ? takingOver(cart, item, claim.by) : []),
        ...(verdict.canImport && caseId !== null ? [importing(cart, caseId)] : []),
        ...(isOffered ? [approval(cart, item, verdict)] : []),
      ],
    }
  }

  const importing = (cart: Cart, caseId: CaseId): StripAction => ({
    label: { key: 'checkout.import-case' },
    run: () => openCase(caseId),
    isOffered: () => isInFront(cart),
  })

  const approval = (cart: Cart, item: NamedItem, verdict: Verdict): StripAction => ({
    label: { key: `approval.open.${cart.mode}` },
    run: () => askApproval(cart, item, verdict),
    isOffered: () => isInFront(cart),
  })

  const takingOver = (cart: Cart, item: NamedItem, by: ClaimedBy): StripAction[] =>
    by.isSold
      ? []
      : [
          {
            label: { key: 'claim.take-over' },
            run: () => askTakeOver(cart, item, by),
            isOffered: () => isInFront(cart),
          },
        ]

  /** A manager may approve what was not taken. */
  const permitting = (cart: Cart, error: AppError): StripAction[] => {
    if (error.code === 'checkout/claimed') {
      const claimed = TagId.safeParse(error.tagId).data
      if (claimed === undefined) return []
      return takingOver(cart, { tagId: claimed, productName: error.productName }, error.by)
    }
    if (error.code !== 'checkout/not-sellable' || error.verdict.level !== 'pin') return []
    const tagId = TagId.safeParse(error.tagId).data
    const { productName = null, verdict } = error
    return tagId === undefined ? [] : [approval(cart, { tagId, productName }, verdict)]
  }

  async function takeBack(cart: Cart, item: ScannedItem): Promise<ScanOutcome> {
    const answer = await cart.remove(item.tagId)
    if (!answer.ok) return refusal(answer.error)
    return { tone: 'attention', what: { key: 'checkout.scan.undone', values: nameOf(item) } }
  }

  async function remove(cart: Cart, tagId: TagId): Promise<ScanOutcome> {
    const line = cart.lines.find(({ items }) => items.some((item) => item.tagId === tagId))
    if (!line)
      return { tone: 'bad', what: { key: 'checkout.scan.not-in-order' }, detail: { key: 'checkout.scan.remove-hint' } }
    const answer = await cart.remove(tagId)
    if (!answer.ok) return refusal(answer.error)
    return {
      tone: 'attention',
      what: { key: 'checkout.scan.removed', values: nameOf({ tagId, productName: line.productName }) },
      detail: { key: 'checkout.scan.count', values: { count: cart.itemCount } },
      undo: () => add(cart, tagId),
    }
  }

  return {
    /** Adds a scanned item, or removes it in remove mode, and says the outcome. */
    scan: (cart: Cart, tagId: TagId): Promise<ScanOutcome> =>
      cart.isRemoving ? remove(cart, tagId) : add(cart, tagId),
    /** The notice of an item about which the service answered late. Good news makes no sound. */
    lateOutcome(cart: Cart, change: FlagChange): ScanOutcome {
      const outcome = said(cart, change)
      const isSilent = outcome.tone === 'good'
      return { ...outcome, isSilent, isMinor: change.verdict.kind === 'unchecked' || isSilent }
    },
  }
}

export type CartScans = ReturnType<typeof createCartScans>

/** The count of the order, or of the line if a count is expected there. */
function countText({ expected, lineCount, itemCount }: ScannedItem): Text {
  if (expected === null) return { key: 'checkout.scan.count', values: { count: itemCount } }
  return { key: 'checkout.scan.count-of', values: { count: lineCount, expected } }
}

const nameOf = (item: NamedItem) => ({ name: itemName(item) })
