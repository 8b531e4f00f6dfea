import type { Database } from 'better-sqlite3'
import type { AppError } from '../../src-shared/errors'
import type { OperationId, OrderId, TagId } from '../../src-shared/ids'
import type { CartMode, CartView, ItemAdded, OrderView } from '../../src-shared/ipc/checkout-view'
import type { OperationView } from '../../src-shared/ipc/operation-view'
import { type Result, err, ok } from '../../src-shared/result'
import type { TagFacts } from '../../src-shared/service/facts'
import type { Clock } from '../clock'
import type { Log } from '../log'
import type { Lookup } from '../lookup/lookup'
import type { Outbox } from '../outbox/outbox'
import type { Reporting } from '../outbox/reporting'
import { saved } from '../store/saved'
import { createCarts } from './carts'
import { createFlags, isNoItem } from './flags'
import { createHistory } from './history'
import { createObjections } from './objections'

/** What happens at the counter: items into a cart, the sale or return reported, an order voided. */
export interface Checkout {
  cart(mode: CartMode): CartView
  setOrder(mode: CartMode, orderId: OrderId | null): Result<CartView, AppError>
  /**
   * Puts an item into the cart at once and waits a moment for what the service knows of it; what comes later arrives by
   * `onCart`. Errors: checkout/duplicate, -already-sold, -in-refused-order, -already-returned, -in-other-order,
   * -cart-changed, scan/wrong-place, service/not-found, store/not-saved.
   */
  addItem(mode: CartMode, tagId: TagId): Promise<Result<ItemAdded, AppError>>
  removeItem(mode: CartMode, tagId: TagId): Result<CartView, AppError>
  clear(mode: CartMode): Result<CartView, AppError>
  /**
   * Errors: checkout/cart-changed, -empty-cart, -order-id-missing, -order-id-used, -order-voided, -in-other-order,
   * -order-needs-attention, store/not-saved.
   */
  finish(mode: CartMode, seen: SeenCart): Promise<Result<OperationView, AppError>>
  /** Errors: outbox/not-found, outbox/wrong-state, checkout/cart-not-empty, store/not-saved. */
  reopen(operationId: OperationId): Result<CartView, AppError>
  order(orderId: OrderId): OrderView
  /** Errors: checkout/order-voided, -order-unknown, -order-needs-attention, store/not-saved. */
  void(orderId: OrderId): Promise<Result<OperationView, AppError>>
}

/** The cart as the person saw it. */
export interface SeenCart {
  orderId: OrderId | null
  itemCount: number
}

export interface CheckoutParts {
  db: Database
  lookup: Lookup
  outbox: Outbox
  reporting: Reporting
  clock: Clock
  log: Log
  /** A cart changed without being asked to: a look-up came late. */
  onCart: (cart: CartView) => void
}

/** How long a scan waits for the service, in ms: a line of customers doesn't wait for a look-up. */
const lookupPatience = 800

export function createCheckout({ db, lookup, outbox, reporting, clock, log, onCart }: CheckoutParts): Checkout {
  const carts = createCarts(db, (tagId) => lookup.remembered(tagId))
  const history = createHistory(outbox)
  const objections = createObjections(carts, history)
  const flags = createFlags(lookup, outbox)
  const { view, report } = reporting

  const change = (mode: CartMode, step: () => void): Result<CartView, AppError> =>
    saved(() => {
      db.transaction(step).immediate()
      return ok(carts.view(mode))
    })

  const lateAnswer = (mode: CartMode, tagId: TagId, answer: Result<TagFacts, AppError>) => {
    const cart = change(mode, () => {
      carts.setFlag(mode, tagId, flags.byAnswer(mode, tagId, answer))
    })
    if (cart.ok) onCart(cart.value)
  }

  const added = (mode: CartMode, tagId: TagId): Result<ItemAdded, AppError> => {
    const cart = carts.view(mode)
    const line = cart.lines.find((one) => one.items.some((item) => item.tagId === tagId))
    // Taken out by another scan while the service was asked.
    if (!line) return err({ code: 'checkout/cart-changed' })
    return ok({ cart, line, flag: line.items.find((item) => item.tagId === tagId)?.flag ?? null })
  }

  return {
    cart: (mode) => carts.view(mode),
    setOrder: (mode, orderId) =>
      change(mode, () => {
        carts.setOrder(mode, orderId)
      }),
    async addItem(mode, tagId) {
      const no = objections.toAdd(mode, tagId)
      if (no) return err(no)
      const remembered = lookup.remembered(tagId)
      const put = change(mode, () => {
        carts.add(mode, tagId, remembered ? flags.of(mode, remembered) : 'looking', clock.now())
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
        asked
          .then((late) => {
            lateAnswer(mode, tagId, late)
          })
          .catch((cause: unknown) => {
            log.error('a late look-up failed', { cause })
          })
        return added(mode, tagId)
      }
      if (!answer.ok && isNoItem(answer.error)) {
        const taken = change(mode, () => {
          carts.remove(mode, tagId)
        })
        return taken.ok ? answer : taken
      }
      const flagged = change(mode, () => {
        carts.setFlag(mode, tagId, flags.byAnswer(mode, tagId, answer))
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
    finish(mode, seen) {
      const tagIds = carts.tagIds(mode)
      if (tagIds.length !== seen.itemCount) return Promise.resolve(err({ code: 'checkout/cart-changed' }))
      const { orderId } = seen
      const no = objections.toFinish(mode, orderId, tagIds)
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
    reopen(operationId) {
      const payload = outbox.read.byId(operationId)?.payload
      if (payload?.kind !== 'complete' && payload?.kind !== 'return') return err({ code: 'outbox/not-found' })
      const mode: CartMode = payload.kind === 'complete' ? 'sale' : 'return'
      if (carts.tagIds(mode).length > 0) return err({ code: 'checkout/cart-not-empty' })
      const reopened = outbox.reopen(operationId, () => {
        carts.setOrder(mode, payload.orderId)
        for (const tagId of payload.tagIds) {
          carts.add(mode, tagId, flags.byMemory(mode, tagId), clock.now())
        }
      })
      return reopened.ok ? ok(carts.view(mode)) : reopened
    },
    order(orderId) {
      const operations = history.order(orderId)
      return {
        orderId,
        operations: operations.map(view),
        items: history
          .itemsOf(orderId)
          .map((item) => ({ ...item, productName: lookup.remembered(item.tagId)?.productName ?? null })),
        canVoid: objections.toVoid(orderId, operations) === undefined,
      }
    },
    void(orderId) {
      const operations = history.order(orderId)
      const no = objections.toVoid(orderId, operations)
      if (no) return Promise.resolve(err(no))
      const complete = operations.findLast((one) => one.kind === 'complete' && one.state !== 'cancelled')
      if (complete && outbox.undoOf(complete) === 'withdraw') {
        const withdrawn = outbox.withdraw(complete.id)
        return Promise.resolve(withdrawn.ok ? ok(view(withdrawn.value)) : withdrawn)
      }
      const tagIds = history.itemsOf(orderId).flatMap((item) => (item.state === 'sold' ? [item.tagId] : []))
      return report(outbox.enqueue({ kind: 'void', orderId, tagIds }))
    },
  }
}

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
