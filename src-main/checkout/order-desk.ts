import type { AppError } from '../../src-shared/errors'
import type { OrderId, TagId } from '../../src-shared/ids'
import type { OrderView } from '../../src-shared/ipc/checkout-view'
import type { OperationView } from '../../src-shared/ipc/operation-view'
import { type Result, err, ok } from '../../src-shared/result'
import { type Operation, isFinished } from '../outbox/operation'
import type { Counter } from './counter'
import { itemsIn, ofOrder, saleIn } from './history'

/** Orders that were reported: what is known of one, and taking it back as a whole. */
export interface OrderDesk {
  order(orderId: OrderId): OrderView
  /** The order in which this station last sold an item. Errors: checkout/never-sold-here. */
  orderOfItem(tagId: TagId): Result<OrderView, AppError>
  /**
   * Takes an unsent sale back, or reports a void, if need be behind what is unsent.
   * Errors: checkout/order-voided, -order-unknown, -order-needs-attention, store/not-saved.
   */
  void(orderId: OrderId, note?: string): Promise<Result<OperationView, AppError>>
}

export function createOrderDesk(counter: Counter): OrderDesk {
  const { orders, history, objections, rules, lookup, outbox, reporting } = counter

  const voidWill = (operations: Operation[]): OrderView['voidWill'] => {
    const sale = saleIn(operations)
    if (sale && outbox.undoOf(sale) === 'withdraw') return 'withdraw'
    return operations.every(({ state }) => isFinished(state)) ? 'report' : 'wait'
  }

  const notesOf = (operation: Operation): OrderView['notes'] => {
    const texts = [ofOrder(operation)?.note, operation.dismissedBecause, withdrawnBecause(operation)]
    return texts.flatMap((text) => (text ? { operationId: operation.id, text } : []))
  }
  const withdrawnBecause = ({ id, state }: Operation) => {
    if (state !== 'cancelled') return undefined
    const journal = outbox.journalOf(id)
    return journal.ok ? journal.value.find(({ what }) => what === 'withdrawn')?.because : undefined
  }

  const order = (orderId: OrderId): OrderView => {
    const operations = history.order(orderId)
    const sale = saleIn(operations) ?? operations.findLast(({ kind }) => kind === 'complete')
    return {
      orderId,
      operations: operations.map(reporting.view),
      items: itemsIn(operations).map((item) => {
        const { productName = null, caseId = null } = lookup.remembered(item.tagId) ?? {}
        return { ...item, productName, caseId }
      }),
      canVoid: objections.toVoid(orderId, operations) === undefined,
      voidWill: voidWill(operations),
      budtender: rules.budtender((sale && ofOrder(sale)?.budtenderId) ?? null),
      notes: operations.flatMap(notesOf),
    }
  }

  return {
    order,
    orderOfItem(tagId) {
      const sale = saleIn(history.reportsOf(tagId))
      const payload = sale && ofOrder(sale)
      return payload ? ok(order(payload.orderId)) : err({ code: 'checkout/never-sold-here', tagId })
    },
    void(orderId, note) {
      const operations = history.order(orderId)
      const no = objections.toVoid(orderId, operations)
      if (no) return Promise.resolve(err(no))
      const sale = saleIn(operations)
      if (sale && outbox.undoOf(sale) === 'withdraw') {
        const withdrawn = outbox.withdraw(sale.id, note)
        return Promise.resolve(withdrawn.ok ? ok(reporting.view(withdrawn.value)) : withdrawn)
      }
      const tagIds = itemsIn(operations).flatMap((item) => (item.state === 'sold' ? [item.tagId] : []))
      // Whoever serves at the counter voids it.
      const { budtenderId } = orders.front('sale')
      // Of a sale that is not settled: given up or put back into the cart, it takes the void along.
      const unsettled = history.unsettledSale(orderId)
      return reporting.report(
        outbox.enqueue(
          {
            kind: 'void',
            orderId,
            tagIds,
            ...(budtenderId === null ? {} : { budtenderId }),
            ...(note ? { note } : {}),
          },
          unsettled ? { undoes: unsettled.id } : {},
        ),
      )
    },
  }
}
