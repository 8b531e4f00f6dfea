import type { AppError } from '../../src-shared/errors'
import type { GateQuestion } from '../../src-shared/gates'
import type { OrderId, TagId } from '../../src-shared/ids'
import type { OrdersFilter, OrdersPage, OrderSummary, OrderView } from '../../src-shared/ipc/contract/checkout'
import type { OperationView } from '../../src-shared/ipc/contract/outbox'
import { type Result, err, ok } from '../../src-shared/result'
import { type Operation, isFinished } from '../outbox/operation'
import type { Counter } from '../counter/counter'
import { needsAttention } from '../counter/rules'
import { type OrderReport, createEntries } from './entries'
import { itemsIn, itemsOf, ofOrder, remarksOf, saleIn } from './history'
import { createOrderList } from './order-list'

const namedProducts = 3

/** Orders that were reported: the list, one order, and voiding it. */
export function createOrders({
  db,
  orders,
  history,
  objections,
  rules,
  lookup,
  outbox,
  reporting,
  events,
  verdicts,
}: Counter) {
  const entries = createEntries(db)
  const list = createOrderList(db, () => rules.view().budtenders)

  /** The orders whose newest entries these are, in their order. */
  const summaries = (newest: number[]): OrderSummary[] => {
    const byOrder = new Map<OrderId, OrderReport[]>()
    for (const report of entries.ofOrders(newest)) {
      byOrder.set(report.orderId, [...(byOrder.get(report.orderId) ?? []), report])
    }
    const names = entries.names([...byOrder.values()].flat().flatMap(({ tagIds }) => tagIds))
    return [...byOrder.values()].flatMap((reports) => summary(reports, names)).sort((a, b) => b.seq - a.seq)
  }

  /** `reports`: all of one order, oldest first. */
  const summary = (reports: OrderReport[], names: ReadonlyMap<TagId, string | null>): OrderSummary[] => {
    const [first, last] = [reports[0], reports.at(-1)]
    if (!first || !last) return []
    const items = itemsOf(reports)
    const products = new Map<string | null, number>()
    for (const { tagId } of items) {
      const name = names.get(tagId) ?? null
      products.set(name, (products.get(name) ?? 0) + 1)
    }
    return [
      {
        orderId: last.orderId,
        seq: last.seq,
        firstAt: first.performedAt,
        lastAt: last.performedAt,
        state: last.orderState,
        itemCount: items.length,
        returnedCount: items.filter(({ state }) => state === 'returned').length,
        budtender: rules.budtender((saleIn(reports) ?? first).budtenderId),
        products: [...products].slice(0, namedProducts).map(([name, count]) => ({ name, count })),
      },
    ]
  }

  const voidWill = (operations: Operation[]): OrderView['voidWill'] => {
    const sale = saleIn(operations)
    if (sale && outbox.undoOf(sale) === 'withdraw') return 'withdraw'
    return operations.every(({ state }) => isFinished(state)) ? 'report' : 'wait'
  }

  const notesOf = (operation: Operation): OrderView['notes'] => {
    const payload = ofOrder(operation)
    const texts = [...(payload ? remarksOf(payload) : []), operation.dismissedBecause, withdrawnBecause(operation)]
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
    const items = itemsIn(operations)
    const unclaimed = (sale && ofOrder(sale)?.unclaimed) ?? []
    // Items of a refused sale that was put back and not sent again.
    const missing = new Set(operations.flatMap((one) => (one.kind === 'complete' ? outbox.missingOf(one) : [])))
    return {
      orderId,
      operations: operations.map(reporting.view),
      items: items.map((item) => {
        const { productName = null, caseId = null } = lookup.cached(item.tagId) ?? {}
        const isFree = item.state === 'returned' || item.state === 'voided'
        const standing = isFree ? verdicts.before('sale', item.tagId, null) : null
        const isRefused =
          item.state === 'withdrawn' ? missing.has(item.tagId) : item.state === 'sold' && sale?.state === 'rejected'
        const isUnclaimed = unclaimed.includes(item.tagId)
        return { ...item, state: isRefused ? 'not-reported' : item.state, productName, caseId, standing, isUnclaimed }
      }),
      canReturn: items.some(({ state }) => state === 'sold') && !needsAttention(operations),
      canVoid: objections.toVoid(orderId, operations) === undefined,
      voidWill: voidWill(operations),
      budtender: rules.budtender((sale && ofOrder(sale)?.budtenderId) ?? null),
      notes: operations.flatMap(notesOf),
    }
  }

  const finished = (saved: Result<Operation, AppError>): Result<OperationView, AppError> => {
    if (!saved.ok) return saved
    events.emit('order.reported', saved.value)
    return ok(reporting.send(saved.value))
  }

  return {
    /** Newest first, at most 100, those before `before` (a `seq`). */
    orders(filter: OrdersFilter, before: number | null): OrdersPage {
      const { newest, byState } = list.find(filter, before)
      const total =
        filter.state === null ? Object.values(byState).reduce((sum, count) => sum + count, 0) : byState[filter.state]
      return { orders: summaries(newest), total, byState }
    },
    /** What this station knows of an order. */
    order,
    /** The order in which this station last sold an item. Errors: checkout/never-sold-here. */
    orderOfItem(tagId: TagId): Result<OrderView, AppError> {
      const sale = saleIn(history.reportsOf(tagId))
      const payload = sale && ofOrder(sale)
      return payload ? ok(order(payload.orderId)) : err({ code: 'checkout/never-sold-here', tagId })
    },
    /** The gate that voiding passes; null if nothing of it was sent, or if it can't be voided. */
    gateOfVoid(orderId: OrderId): GateQuestion | null {
      const operations = history.order(orderId)
      if (objections.toVoid(orderId, operations) || voidWill(operations) === 'withdraw') return null
      const count = itemsIn(operations).filter(({ state }) => state === 'sold').length
      return { gate: 'void', count, name: orderId }
    },
    /**
     * Withdraws an unsent sale, or reports a void, behind unsent operations if there are any.
     * `because`: the reason with which the gate let it pass; `note`: one that wasn't asked for.
     * Errors: checkout/order-voided, -order-unknown, -order-needs-attention, store/not-saved.
     */
    void(orderId: OrderId, because?: string, note = because): Result<OperationView, AppError> {
      const operations = history.order(orderId)
      const no = objections.toVoid(orderId, operations)
      if (no) return err(no)
      const sale = saleIn(operations)
      if (sale && outbox.undoOf(sale) === 'withdraw') {
        const withdrawn = outbox.withdraw(sale.id, note)
        return finished(withdrawn)
      }
      const tagIds = itemsIn(operations).flatMap((item) => (item.state === 'sold' ? [item.tagId] : []))
      // The current budtender voids it.
      const { budtenderId } = orders.front('sale')
      // If the sale is given up or put back into the cart, so is the void.
      const unsettled = history.unsettledSale(orderId)
      return finished(
        outbox.enqueue(
          {
            kind: 'void',
            orderId,
            tagIds,
            ...(budtenderId === null ? {} : { budtenderId }),
            ...(note ? { note } : {}),
          },
          unsettled ? { undoes: unsettled.id, because } : { because },
        ),
      )
    },
  }
}
