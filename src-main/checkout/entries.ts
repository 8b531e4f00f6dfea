import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import type { OrderState } from '../../src-shared/ipc/checkout-view'
import { OperationState } from '../../src-shared/ipc/operation-view'
import { type Operation, operationOf } from '../outbox/operation'

/** A sale, return or void, as much of it as a list of ten thousand needs. */
export interface Entry {
  seq: number
  orderId: string
  kind: string
  state: OperationState
  budtenderId: string | null
  isUnsettled: boolean
  /** The order, its items and products; empty unless asked for. */
  words: string
}

/** Ms since 1970: from, and up to but not with. */
export type Span = [from: number, to: number]

/** The table `sale_entry`, which the database keeps beside the operations. */
export interface Entries {
  /** All entries of the orders that had one in the span (null: ever), oldest first. */
  ofOrders(span: Span | null, withWords: boolean): Entry[]
  /** The operations themselves that were done in the span, oldest first. */
  operations(span: Span): Operation[]
}

const Row = z
  .tuple([z.number(), z.string(), z.string(), OperationState, z.number(), z.string().nullable(), z.string()])
  .transform(([seq, orderId, kind, state, unsettled, budtenderId, words]): Entry => {
    return { seq, orderId, kind, state, isUnsettled: unsettled === 1, budtenderId, words }
  })

export function createEntries(db: Database): Entries {
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
    ofOrders(span, withWords) {
      const columns = withWords ? 'withWords' : 'plain'
      const rows = span === null ? all[columns].all() : some[columns].all(...span)
      return rows.flatMap((row) => Row.safeParse(row).data ?? [])
    },
    operations: (span) => operations.all(...span).map(operationOf),
  }
}

/** Where an order stands as a whole, from what was reported of it, oldest first. */
export function orderState(reports: { kind: string; state: OperationState; isUnsettled: boolean }[]): OrderState {
  if (reports.some(({ state, isUnsettled }) => state === 'rejected' || isUnsettled)) return 'attention'
  const standing = reports.filter(({ state }) => state !== 'cancelled')
  if (standing.some(({ state }) => state !== 'accepted')) return 'unsent'
  if (standing.some(({ kind }) => kind === 'void')) return 'voided'
  return standing.length === 0 ? 'withdrawn' : 'reported'
}

/** A day of this computer's time zone; `day` is YYYY-MM-DD. */
export function spanOf(day: string): Span {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return [new Date(year, month - 1, date).getTime(), new Date(year, month - 1, date + 1).getTime()]
}

/** The day of this computer's time zone that a moment lies on, YYYY-MM-DD. */
export function dayOf(moment: number): string {
  const date = new Date(moment)
  const [month, day] = [date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0'))
  return `${date.getFullYear()}-${month}-${day}`
}
