import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import type { OrderId, TagId } from '../../src-shared/ids'
import type { OrderState, OrderView } from '../../src-shared/ipc/contract/checkout'
import { OperationState } from '../../src-shared/ipc/contract/outbox'
import { type Operation, isFinished, operationOf } from '../outbox/operation'
import type { Outbox } from '../outbox/outbox'
import { type Payload, orderKey, tagKey } from '../outbox/payload'

/** What this station last did with an item. */
export type ItemHistory =
  | { kind: 'sold'; orderId: OrderId; at: string }
  /** In a sale that the service refused: neither sold nor free until a person resolves the sale. */
  | { kind: 'refused'; orderId: OrderId }
  | { kind: 'returned'; orderId: OrderId }
  | { kind: 'voided'; orderId: OrderId }
  | { kind: 'untouched' }

export interface OrderItem {
  tagId: TagId
  state: Exclude<OrderView['items'][number]['state'], 'not-reported'>
}

type OfOrder = Extract<Payload, { orderId: OrderId }>

/** The payload of a sale, return or void; undefined for other operations. */
export const ofOrder = ({ payload }: Operation): OfOrder | undefined =>
  payload && 'orderId' in payload ? payload : undefined

/** What people wrote about a sale, return or void: its note, and what was permitted of the items still in it. */
export function remarksOf({ note, permits = [], tagIds }: OfOrder): string[] {
  const permitted = permits.flatMap(({ tagId, text }) => (tagIds.includes(tagId) ? text : []))
  return [...new Set([...(note === undefined ? [] : [note]), ...permitted])]
}

/** True if reported or to be reported. A refused sale keeps its items until a person resolves it. */
const counts = ({ kind, state }: Operation) => state !== 'cancelled' && !(state === 'rejected' && kind !== 'complete')

export type History = ReturnType<typeof createHistory>

/** What this station did to items and orders. Read from its operations, so that no second record can disagree with them. */
export function createHistory(outbox: Pick<Outbox, 'read'>) {
  /** Sales, returns and voids of an item, oldest first, withdrawn and dismissed ones included. */
  const reportsOf = (tagId: TagId): Operation[] =>
    // Changes of a case's contents have the item's key, too.
    outbox.read.byKey(tagKey(tagId)).filter((one) => ofOrder(one)?.tagIds.includes(tagId))
  /** Sales, returns and voids of an order, likewise. */
  const order = (orderId: OrderId): Operation[] => outbox.read.byKey(orderKey(orderId))
  return {
    item(tagId: TagId): ItemHistory {
      const last = reportsOf(tagId).findLast(counts)
      const payload = last && ofOrder(last)
      if (!payload) return { kind: 'untouched' }
      const { orderId } = payload
      if (last.state === 'rejected') return { kind: 'refused', orderId }
      if (payload.kind === 'complete') {
        // A void ends the whole order, whether or not it names the item.
        const isVoided = order(orderId).some((one) => one.kind === 'void' && one.seq > last.seq && counts(one))
        return isVoided ? { kind: 'voided', orderId } : { kind: 'sold', orderId, at: last.performedAt }
      }
      return { kind: payload.kind === 'return' ? 'returned' : 'voided', orderId }
    },
    reportsOf,
    order,
    /** The sale of an order while it is not known whether the service accepts it; undefined if it was withdrawn. */
    unsettledSale(orderId: OrderId): Operation | undefined {
      const sale = saleIn(order(orderId))
      return sale && !isFinished(sale.state) ? sale : undefined
    },
  }
}

/** The last sale of an order that was not withdrawn, from the order's operations. */
export const saleIn = (operations: Operation[]) =>
  operations.findLast((one) => one.kind === 'complete' && one.state !== 'cancelled')

/** Every item that this station knows of an order and its state, from the order's operations, oldest first. */
export function itemsIn(operations: Operation[]): OrderItem[] {
  const items = new Map<TagId, OrderItem['state']>()
  for (const operation of operations) {
    const payload = ofOrder(operation)
    if (!payload) continue
    if (payload.kind === 'void' && counts(operation)) {
      // A void applies to all items that the order still holds, also those unknown when it was saved.
      for (const [tagId, state] of items) if (state === 'sold') items.set(tagId, 'voided')
    }
    for (const tagId of payload.tagIds) {
      if (counts(operation)) items.set(tagId, stateAfter[payload.kind])
      else if (payload.kind === 'complete') items.set(tagId, 'withdrawn')
    }
  }
  return [...items].map(([tagId, state]) => ({ tagId, state }))
}

const stateAfter = { complete: 'sold', return: 'returned', void: 'voided' } as const

/** The part of a sale, return or void that a list of ten thousand needs. */
export interface Entry {
  seq: number
  orderId: string
  kind: string
  state: OperationState
  budtenderId: string | null
  isUnsettled: boolean
  /** Order number, items and products, to be searched; empty unless asked for. */
  words: string
}

/** Ms since 1970: start, and end (exclusive). */
export type Span = [from: number, to: number]

const Row = z
  .tuple([z.number(), z.string(), z.string(), OperationState, z.number(), z.string().nullable(), z.string()])
  .transform(([seq, orderId, kind, state, unsettled, budtenderId, words]): Entry => {
    return { seq, orderId, kind, state, isUnsettled: unsettled === 1, budtenderId, words }
  })

export type Entries = ReturnType<typeof createEntries>

/** The table `sale_entry`, which the database keeps beside the operations. */
export function createEntries(db: Database) {
  const select = (words: string, where: string) =>
    db
      .prepare(
        `SELECT seq, order_id, kind, state, unsettled, budtender_id, ${words} FROM sale_entry JOIN operation USING (seq) ${where} ORDER BY seq`,
      )
      .raw()
  const inSpan = 'WHERE order_id IN (SELECT order_id FROM sale_entry WHERE at >= ? AND at < ?)'
  const all = { plain: select(`''`, ''), withWords: select('words', '') }
  const some = { plain: select(`''`, inSpan), withWords: select('words', inSpan) }
  const operations = db.prepare(
    'SELECT operation.* FROM sale_entry JOIN operation USING (seq) WHERE at >= ? AND at < ? ORDER BY seq',
  )
  return {
    /** All entries of the orders that have one in the span (null: ever), oldest first. */
    ofOrders(span: Span | null, withWords: boolean): Entry[] {
      const columns = withWords ? 'withWords' : 'plain'
      const rows = span === null ? all[columns].all() : some[columns].all(...span)
      return rows.flatMap((row) => Row.safeParse(row).data ?? [])
    },
    /** The operations performed in the span, oldest first. */
    operations: (span: Span): Operation[] => operations.all(...span).map(operationOf),
  }
}

/** The state of a whole order, from its operations, oldest first. */
export function orderState(reports: { kind: string; state: OperationState; isUnsettled: boolean }[]): OrderState {
  if (reports.some(({ state, isUnsettled }) => state === 'rejected' || isUnsettled)) return 'attention'
  const standing = reports.filter(({ state }) => state !== 'cancelled')
  if (standing.some(({ state }) => state !== 'accepted')) return 'unsent'
  if (standing.some(({ kind }) => kind === 'void')) return 'voided'
  return standing.length === 0 ? 'withdrawn' : 'reported'
}

/** A local day; `day` is YYYY-MM-DD. */
export function spanOf(day: string): Span {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return [new Date(year, month - 1, date).getTime(), new Date(year, month - 1, date + 1).getTime()]
}

/** The local day of a moment, YYYY-MM-DD. */
export function dayOf(moment: number): string {
  const date = new Date(moment)
  const [month, day] = [date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0'))
  return `${date.getFullYear()}-${month}-${day}`
}
