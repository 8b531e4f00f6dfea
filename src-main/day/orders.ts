import type { ResultOf } from '../../src-shared/errors'
import type { GateQuestion } from '../../src-shared/gates'
import type { OrderId, TagId } from '../../src-shared/ids'
import type { OrdersFilter, OrdersPage, OrderSummary, OrderView } from '../../src-shared/ipc/contract/checkout'
import type { OperationView } from '../../src-shared/ipc/contract/outbox'
import { type Result, err, ok } from '../../src-shared/result'
import type { NotSaved } from '../database/saved'
import type { NotActed } from '../outbox/actions'
import { type Operation, isFinished } from '../outbox/operation'
import type { Counter } from '../counter/counter'
import { needsAttention } from '../counter/rules'
import { Entries, type OrderReport } from './entries'
import { type OrderItem, itemsIn, itemsOf, ofOrder, remarksOf, saleIn } from './history'
import { OrderList } from './order-list'

const namedProducts = 3

/** The orders that some reports are of, each with its reports. */
function byOrder(reports: readonly OrderReport[]): OrderReport[][] {
  const orders = new Map<OrderId, OrderReport[]>()
  for (const report of reports) orders.set(report.orderId, [...(orders.get(report.orderId) ?? []), report])
  return [...orders.values()]
}

/** The products of some items, and how many are of each; null for items that aren't remembered. */
function productsOf(tagIds: readonly TagId[], names: ReadonlyMap<TagId, string | null>): OrderSummary['products'] {
  const products = new Map<string | null, number>()
  for (const tagId of tagIds) {
    const name = names.get(tagId) ?? null
    products.set(name, (products.get(name) ?? 0) + 1)
  }
  return [...products].slice(0, namedProducts).map(([name, count]) => ({ name, count }))
}

/** Orders that were reported: the list, one order, and voiding it. */
export class Orders {
  readonly #counter: Counter
  readonly #entries: Entries
  readonly #list: OrderList

  constructor(counter: Counter) {
    const { db, rules } = counter
    this.#counter = counter
    this.#entries = new Entries(db)
    this.#list = new OrderList(db, () => rules.view().budtenders)
  }

  /** Newest first, at most 100, those before `before` (a `seq`). */
  page(filter: OrdersFilter, before: number | null): OrdersPage {
    const { newest, byState } = this.#list.find(filter, before)
    const total =
      filter.state === null ? Object.values(byState).reduce((sum, count) => sum + count, 0) : byState[filter.state]
    return { orders: this.#summaries(newest), total, byState }
  }

  /** What this station knows of an order. */
  order(orderId: OrderId): OrderView {
    const { history, outbox, reporting, rules, objections } = this.#counter
    const operations = history.order(orderId)
    const sale = saleIn(operations) ?? operations.findLast(({ kind }) => kind === 'complete')
    const items = itemsIn(operations)
    // Items of a refused sale that was put back and not sent again.
    const missing = new Set(operations.flatMap((one) => (one.kind === 'complete' ? outbox.missingOf(one) : [])))
    return {
      orderId,
      operations: operations.map(reporting.view),
      items: items.map((item) => this.#item(item, sale, missing)),
      canReturn: items.some(({ state }) => state === 'sold') && !needsAttention(operations),
      canVoid: objections.toVoid(orderId, operations) === undefined,
      voidWill: this.#voidWill(operations),
      budtender: rules.budtender((sale && ofOrder(sale)?.budtenderId) ?? null),
      notes: operations.flatMap((one) => this.#notesOf(one)),
    }
  }

  /** The order in which this station last sold an item. */
  orderOfItem(tagId: TagId): ResultOf<OrderView, 'checkout/never-sold-here'> {
    const sale = saleIn(this.#counter.history.reportsOf(tagId))
    const payload = sale && ofOrder(sale)
    return payload ? ok(this.order(payload.orderId)) : err({ code: 'checkout/never-sold-here', tagId })
  }

  /** The gate that voiding passes; null if nothing of it was sent, or if it can't be voided. */
  gateOfVoid(orderId: OrderId): GateQuestion | null {
    const { history, objections } = this.#counter
    const operations = history.order(orderId)
    if (objections.toVoid(orderId, operations) || this.#voidWill(operations) === 'withdraw') return null
    const count = itemsIn(operations).filter(({ state }) => state === 'sold').length
    return { gate: 'void', count, name: orderId }
  }

  /**
   * Withdraws an unsent sale, or reports a void, behind unsent operations if there are any. `because`: the reason with
   * which the gate let it pass; `note`: one that wasn't asked for.
   */
  void(
    orderId: OrderId,
    because?: string,
    note = because,
  ): ResultOf<
    OperationView,
    NotActed | 'checkout/order-needs-attention' | 'checkout/order-unknown' | 'checkout/order-voided'
  > {
    const { history, objections, outbox } = this.#counter
    const operations = history.order(orderId)
    const no = objections.toVoid(orderId, operations)
    if (no) return err(no)
    const sale = saleIn(operations)
    return this.#finished(
      sale && outbox.undoOf(sale) === 'withdraw'
        ? outbox.withdraw(sale.id, note)
        : this.#reportVoid(orderId, operations, because, note),
    )
  }

  #reportVoid(
    orderId: OrderId,
    operations: Operation[],
    because: string | undefined,
    note: string | undefined,
  ): ResultOf<Operation, NotSaved> {
    const { history, outbox, orders } = this.#counter
    const tagIds = itemsIn(operations).flatMap((item) => (item.state === 'sold' ? [item.tagId] : []))
    // The current budtender voids it.
    const { budtenderId } = orders.front('sale')
    // If the sale is given up or put back into the cart, so is the void.
    const unsettled = history.unsettledSale(orderId)
    return outbox.enqueue(
      {
        ...{ kind: 'void', orderId, tagIds },
        ...(budtenderId === null ? {} : { budtenderId }),
        ...(note ? { note } : {}),
      },
      unsettled ? { undoes: unsettled.id, because } : { because },
    )
  }

  #finished<E>(saved: Result<Operation, E>): Result<OperationView, E> {
    if (!saved.ok) return saved
    this.#counter.events.emit('order.reported', saved.value)
    return ok(this.#counter.reporting.send(saved.value))
  }

  /** The orders whose newest entries these are, in their order. */
  #summaries(newest: number[]): OrderSummary[] {
    const orders = byOrder(this.#entries.ofOrders(newest))
    const names = this.#entries.names(orders.flat().flatMap(({ tagIds }) => tagIds))
    return orders.flatMap((reports) => this.#summary(reports, names)).sort((a, b) => b.seq - a.seq)
  }

  /** `reports`: all of one order, oldest first. */
  #summary(reports: OrderReport[], names: ReadonlyMap<TagId, string | null>): OrderSummary[] {
    const [first, last] = [reports[0], reports.at(-1)]
    if (!first || !last) return []
    const items = itemsOf(reports)
    const tagIds = items.map(({ tagId }) => tagId)
    return [
      {
        orderId: last.orderId,
        seq: last.seq,
        firstAt: first.performedAt,
        lastAt: last.performedAt,
        state: last.orderState,
        itemCount: items.length,
        returnedCount: items.filter(({ state }) => state === 'returned').length,
        budtender: this.#counter.rules.budtender((saleIn(reports) ?? first).budtenderId),
        products: productsOf(tagIds, names),
      },
    ]
  }

  #item(item: OrderItem, sale: Operation | undefined, missing: ReadonlySet<TagId>): OrderView['items'][number] {
    const { lookup, verdicts } = this.#counter
    const { productName = null, caseId = null } = lookup.cached(item.tagId) ?? {}
    const isFree = item.state === 'returned' || item.state === 'voided'
    const standing = isFree ? verdicts.before('sale', item.tagId, null) : null
    const isRefused =
      item.state === 'withdrawn' ? missing.has(item.tagId) : item.state === 'sold' && sale?.state === 'rejected'
    const isUnclaimed = (sale && ofOrder(sale)?.unclaimed)?.includes(item.tagId) === true
    return { ...item, state: isRefused ? 'not-reported' : item.state, productName, caseId, standing, isUnclaimed }
  }

  #voidWill(operations: Operation[]): OrderView['voidWill'] {
    const sale = saleIn(operations)
    if (sale && this.#counter.outbox.undoOf(sale) === 'withdraw') return 'withdraw'
    return operations.every(({ state }) => isFinished(state)) ? 'report' : 'wait'
  }

  #notesOf(operation: Operation): OrderView['notes'] {
    const payload = ofOrder(operation)
    const remarks = payload ? remarksOf(payload) : []
    const texts = [...remarks, operation.dismissedBecause, this.#withdrawnBecause(operation)]
    return texts.flatMap((text) => (text ? { operationId: operation.id, text } : []))
  }

  #withdrawnBecause({ id, state }: Operation): string | null | undefined {
    if (state !== 'cancelled') return undefined
    const journal = this.#counter.outbox.journalOf(id)
    return journal.ok ? journal.value.find(({ what }) => what === 'withdrawn')?.because : undefined
  }
}
