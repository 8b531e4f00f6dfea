import type { Database } from 'better-sqlite3'
import type { AppError } from '../../src-shared/errors'
import type { OrderId, TagId } from '../../src-shared/ids'
import type { CartMode, CartView, ItemAdded, ItemFlag, OrderView } from '../../src-shared/ipc/checkout-view'
import type { OperationView } from '../../src-shared/ipc/operation-view'
import { type Result, err, ok } from '../../src-shared/result'
import type { TagFacts } from '../../src-shared/service/facts'
import type { Clock } from '../clock'
import type { Lookup } from '../lookup/lookup'
import type { Operation } from '../outbox/operation'
import type { Outbox } from '../outbox/outbox'
import { caseKey } from '../outbox/payload'
import type { Reporting } from '../outbox/reporting'
import { saved } from '../store/saved'
import { createCarts } from './carts'
import { createHistory } from './history'

/** What happens at the counter: items into a cart, the sale or return reported, an order voided. */
export interface Checkout {
  cart(mode: CartMode): CartView
  setOrder(mode: CartMode, orderId: OrderId | null): Result<CartView, AppError>
  /**
   * Puts an item into the cart at once and waits a moment for what the service knows of it; what comes later arrives by
   * `onCart`. Errors: checkout/duplicate, -already-sold, -already-returned, -in-other-order, scan/wrong-place,
   * service/not-found, store/not-saved.
   */
  addItem(mode: CartMode, tagId: TagId): Promise<Result<ItemAdded, AppError>>
  removeItem(mode: CartMode, tagId: TagId): Result<CartView, AppError>
  clear(mode: CartMode): Result<CartView, AppError>
  /** Errors: checkout/empty-cart, -order-id-missing, -order-id-used, -order-voided, store/not-saved. */
  finish(mode: CartMode): Promise<Result<OperationView, AppError>>
  order(orderId: OrderId): OrderView
  /** Errors: checkout/order-voided, store/not-saved. */
  void(orderId: OrderId): Promise<Result<OperationView, AppError>>
}

export interface CheckoutParts {
  db: Database
  lookup: Lookup
  outbox: Outbox
  reporting: Reporting
  clock: Clock
  /** A cart changed without being asked to: a look-up came late. */
  onCart: (cart: CartView) => void
}

/** How long a scan waits for the service, in ms: a line of customers doesn't wait for a look-up. */
const lookupPatience = 800

export function createCheckout({ db, lookup, outbox, reporting, clock, onCart }: CheckoutParts): Checkout {
  const carts = createCarts(db, (tagId) => lookup.remembered(tagId))
  const history = createHistory(outbox)
  const { view, report } = reporting

  const change = (mode: CartMode, step: () => void): Result<CartView, AppError> =>
    saved(() => {
      db.transaction(step).immediate()
      return ok(carts.view(mode))
    })

  /** Why an item can't go into this cart, as far as this station knows. */
  const objection = (mode: CartMode, tagId: TagId): AppError | undefined => {
    if (carts.has(mode, tagId)) return { code: 'checkout/duplicate', tagId }
    const past = history.item(tagId)
    if (mode === 'sale') {
      return past.kind === 'sold'
        ? { code: 'checkout/already-sold', tagId, orderId: past.orderId, soldAt: past.at }
        : undefined
    }
    if (past.kind === 'returned' || past.kind === 'voided') {
      return { code: 'checkout/already-returned', tagId, orderId: past.orderId }
    }
    const orderId = carts.orderOf(mode)
    return past.kind === 'sold' && orderId !== null && orderId !== past.orderId
      ? { code: 'checkout/in-other-order', tagId, orderId: past.orderId }
      : undefined
  }

  /** What is to be said of an item once the service told of it. */
  const flagOf = (mode: CartMode, facts: TagFacts): ItemFlag | null =>
    mode === 'sale' && facts.isImported === false && !hasOwnImport(facts) ? 'not-imported' : null

  /** Our own import of its case may be on its way, or newer than what is remembered. */
  const hasOwnImport = ({ caseId }: TagFacts) => {
    if (caseId === null) return false
    const imports = outbox.read
      .byKey(caseKey(caseId))
      .filter((one) => one.kind === 'import' || one.kind === 'import-removal')
    const last = imports.findLast((one) => one.state !== 'cancelled' && one.state !== 'rejected')
    return last?.kind === 'import'
  }

  const flagByAnswer = (mode: CartMode, answer: Result<TagFacts, AppError>): ItemFlag | null => {
    if (answer.ok) return flagOf(mode, answer.value)
    return answer.error.code === 'service/not-found' || answer.error.code === 'scan/wrong-place'
      ? 'unknown-to-service'
      : 'unchecked'
  }

  const lateAnswer = (mode: CartMode, tagId: TagId, answer: Result<TagFacts, AppError>) => {
    const cart = change(mode, () => {
      carts.setFlag(mode, tagId, flagByAnswer(mode, answer))
    })
    if (cart.ok) onCart(cart.value)
  }

  const added = (mode: CartMode, tagId: TagId): Result<ItemAdded, AppError> => {
    const cart = carts.view(mode)
    const line = cart.lines.find((one) => one.items.some((item) => item.tagId === tagId))
    // Removed by another scan while the service was asked: then there is nothing left to say.
    if (!line) return err({ code: 'outbox/not-found' })
    return ok({ cart, line, flag: line.items.find((item) => item.tagId === tagId)?.flag ?? null })
  }

  return {
    cart: (mode) => carts.view(mode),
    setOrder: (mode, orderId) =>
      change(mode, () => {
        carts.setOrder(mode, orderId)
      }),
    async addItem(mode, tagId) {
      const no = objection(mode, tagId)
      if (no) return err(no)
      const remembered = lookup.remembered(tagId)
      const put = change(mode, () => {
        carts.add(mode, tagId, remembered ? flagOf(mode, remembered) : 'looking', clock.now())
        const past = history.item(tagId)
        // A return against the order it was sold in: nobody need type what this station knows.
        if (mode === 'return' && past.kind === 'sold' && carts.orderOf(mode) === null) {
          carts.setOrder(mode, past.orderId)
        }
      })
      if (!put.ok) return put
      const asked = lookup.tag(tagId)
      const answer = await withinPatience(asked)
      if (answer === undefined) {
        void asked.then((late) => {
          lateAnswer(mode, tagId, late)
        })
        return added(mode, tagId)
      }
      if (!answer.ok && (answer.error.code === 'service/not-found' || answer.error.code === 'scan/wrong-place')) {
        const taken = change(mode, () => {
          carts.remove(mode, tagId)
        })
        return taken.ok ? answer : taken
      }
      const isKnown = !answer.ok && remembered !== undefined
      const flagged = change(mode, () => {
        carts.setFlag(mode, tagId, isKnown ? flagOf(mode, remembered) : flagByAnswer(mode, answer))
      })
      return flagged.ok ? added(mode, tagId) : flagged
    },
    removeItem: (mode, tagId) =>
      change(mode, () => {
        carts.remove(mode, tagId)
      }),
    clear: (mode) =>
      change(mode, () => {
        carts.clear(mode)
      }),
    finish(mode) {
      const orderId = carts.orderOf(mode)
      const tagIds = carts.tagIds(mode)
      const no = objectionToFinish(mode, orderId, tagIds)
      if (no || orderId === null) return Promise.resolve(err(no ?? { code: 'checkout/order-id-missing' }))
      return report(
        outbox.enqueue(
          { kind: mode === 'sale' ? 'complete' : 'return', orderId, tagIds },
          {
            alongside: () => {
              carts.clear(mode)
            },
          },
        ),
      )
    },
    order(orderId) {
      const operations = history.order(orderId)
      return {
        orderId,
        operations: operations.map(view),
        items: history
          .itemsOf(orderId)
          .map((item) => ({ ...item, productName: lookup.remembered(item.tagId)?.productName ?? null })),
        canVoid: !isVoided(operations),
      }
    },
    void(orderId) {
      const operations = history.order(orderId)
      if (isVoided(operations)) return Promise.resolve(err({ code: 'checkout/order-voided', orderId }))
      const complete = operations.findLast((one) => one.kind === 'complete' && one.state !== 'cancelled')
      if (complete && outbox.undoOf(complete) === 'withdraw') {
        const withdrawn = outbox.withdraw(complete.id)
        // Claimed in this very moment: then a void behind it is what undoes it.
        if (withdrawn.ok) return Promise.resolve(ok(view(withdrawn.value)))
      }
      const tagIds = history.itemsOf(orderId).flatMap((item) => (item.state === 'sold' ? [item.tagId] : []))
      return report(outbox.enqueue({ kind: 'void', orderId, tagIds }))
    },
  }

  function objectionToFinish(mode: CartMode, orderId: OrderId | null, tagIds: TagId[]): AppError | undefined {
    if (tagIds.length === 0) return { code: 'checkout/empty-cart' }
    if (orderId === null) return { code: 'checkout/order-id-missing' }
    const operations = history.order(orderId)
    if (mode === 'sale' && operations.some((one) => one.kind === 'complete' && one.state !== 'cancelled')) {
      return { code: 'checkout/order-id-used', orderId }
    }
    return mode === 'return' && isVoided(operations) ? { code: 'checkout/order-voided', orderId } : undefined
  }
}

const isVoided = (operations: Operation[]) =>
  operations.some((one) => one.kind === 'void' && one.state !== 'cancelled' && one.state !== 'rejected')

/** The answer, or undefined when it takes longer than a scan may wait. */
async function withinPatience<T>(asked: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      resolve(undefined)
    }, lookupPatience)
  })
  const answer = await Promise.race([asked, patience])
  clearTimeout(timer)
  return answer
}
