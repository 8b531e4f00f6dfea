import type { CaseId, TagId } from '../../src-shared/ids'
import type { CartItem, CartLine, ItemFlag } from '../../src-shared/ipc/checkout-view'
import type { AppError } from '../../src-shared/errors'
import type { Text } from '../messages/text.svelte'
import { type Outcome, type StripAction, refusal } from '../scan/strip.svelte'
import type { Cart } from './cart.svelte'
import { flagSounds, flagText } from './flag-text'
import type { LateNews } from './late-news'

export interface CartScansParts {
  /** Whether the cart is in front: only then do the next steps make sense. */
  isInFront: (cart: Cart) => boolean
  /** Opens a case in Receiving, to be imported. */
  openCase: (caseId: CaseId) => void
  /** Which other open order an item is in, and the way there; null when that is not known here. */
  whereElse: (error: AppError & { code: 'checkout/in-open-order' }) => { what: Text; go: StripAction } | null
}

/** What a scanned item does to a cart, in words. */
export function createCartScans({ isInFront, openCase, whereElse }: CartScansParts) {
  /** Adds a scanned item, or takes it out in remove mode, and says what became of it. */
  const scan = (cart: Cart, tagId: TagId): Promise<Outcome> =>
    cart.isRemoving ? scanOut(cart, tagId) : add(cart, tagId)

  async function add(cart: Cart, tagId: TagId): Promise<Outcome> {
    const answer = await cart.add(tagId)
    if (!answer.ok) {
      const { error } = answer
      const elsewhere = error.code === 'checkout/in-open-order' ? whereElse(error) : null
      if (!elsewhere) return refusal(error)
      const { what, go } = elsewhere
      return { tone: 'bad', what, detail: { key: 'checkout.scan.one-order' }, actions: [go] }
    }
    const { line, flag, cart: view } = answer.value
    const item = line.items.find((one) => one.tagId === tagId)
    return {
      ...said(cart, { line, flag, caseId: item?.caseId ?? null, itemCount: view.itemCount }, tagId),
      undo: () => takeBack(cart, tagId, line),
    }
  }

  function said(
    cart: Cart,
    { line, flag, caseId, itemCount }: { line: CartLine; itemCount: number } & Pick<CartItem, 'flag' | 'caseId'>,
    tagId: TagId,
  ): Outcome {
    return {
      about: tagId,
      tone: flag === null ? 'good' : flagSounds[flag],
      what: { key: 'checkout.scan.added', values: nameOf(line, tagId) },
      detail: flag === null || flag === 'looking' ? countText(line, itemCount, flag) : flagText(flag),
      actions: flag === 'not-imported' && caseId !== null ? [importing(cart, caseId)] : [],
    }
  }

  const importing = (cart: Cart, caseId: CaseId): StripAction => ({
    label: { key: 'checkout.import-case' },
    run: () => openCase(caseId),
    isOffered: () => isInFront(cart),
  })

  async function takeBack(cart: Cart, tagId: TagId, line: CartLine): Promise<Outcome> {
    const answer = await cart.remove(tagId)
    if (!answer.ok) return refusal(answer.error)
    return { tone: 'attention', what: { key: 'checkout.scan.undone', values: nameOf(line, tagId) } }
  }

  async function scanOut(cart: Cart, tagId: TagId): Promise<Outcome> {
    const line = cart.lines.find(({ items }) => items.some((item) => item.tagId === tagId))
    if (!line)
      return { tone: 'bad', what: { key: 'checkout.scan.not-in-order' }, detail: { key: 'checkout.scan.remove-hint' } }
    const answer = await cart.remove(tagId)
    if (!answer.ok) return refusal(answer.error)
    return {
      tone: 'attention',
      what: { key: 'checkout.scan.removed', values: nameOf(line, tagId) },
      detail: { key: 'checkout.scan.count', values: { count: answer.value.itemCount } },
      undo: () => add(cart, tagId),
    }
  }

  return {
    scan,
    /** The notice of an item of which the service answered late. What is as it should be makes no sound. */
    lateOutcome(cart: Cart, { item, line, itemCount }: LateNews): Outcome {
      const { tagId, flag, caseId } = item
      const outcome = said(cart, { line, flag, caseId, itemCount }, tagId)
      return { ...outcome, isSilent: outcome.tone === 'good', isMinor: flag === 'unchecked' || outcome.tone === 'good' }
    },
  }
}

export type CartScans = ReturnType<typeof createCartScans>

/** Beside the count of the order that of the line, where somebody said how many there should be. */
function countText(line: CartLine, count: number, flag: ItemFlag | null): Text {
  if (flag !== null) return flagText(flag)
  if (line.expected === null) return { key: 'checkout.scan.count', values: { count } }
  return { key: 'checkout.scan.count-of', values: { count: line.items.length, expected: line.expected } }
}

/** What an item is called: by its product, and while that is not known by the end of its code. */
function nameOf(line: CartLine, tagId: TagId) {
  return { name: line.productName ?? `…${tagId.slice(-6)}` }
}
