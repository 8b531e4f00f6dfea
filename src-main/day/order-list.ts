import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { type Budtender, OrderState, type OrdersFilter } from '../../src-shared/ipc/contract/checkout'
import { isStorable, searchable } from '../../src-shared/text'
import { likeOf } from '../database/schema'
import { spanOf } from './history'

const pageLength = 100

/** Orders by their newest entry. `byState` counts all that match, whatever state is asked for. */
interface FoundOrders {
  newest: number[]
  byState: Record<OrderState, number>
}

const CountRow = z.tuple([OrderState, z.number()])
const NewestRow = z.tuple([z.null(), z.number()])

const holds = (column: string) =>
  `(${column} LIKE @like ESCAPE '\\' OR (octet_length(${column}) <> length(${column}) AND is_found_in(${column}, @sought)))`
const isOfBudtender = (entry: string) => `${entry}.budtender_id = @budtenderId`
const saysText = (entry: string) =>
  `(${holds(`${entry}.words`)} OR ${entry}.budtender_id IN (SELECT value FROM json_each(@named))
    OR (${holds(`${entry}.budtender_id`)} AND ${entry}.budtender_id NOT IN (SELECT value FROM json_each(@known))))`

/** Each condition may be met by another entry of the order, also one of another day. */
const inOrder = (condition: (entry: string) => string) =>
  `(${condition('entry')} OR EXISTS (SELECT 1 FROM sale_entry AS other
    WHERE other.order_id = entry.order_id AND other.seq <> entry.seq AND ${condition('other')}))`

const page = (from: string) =>
  `SELECT NULL, last FROM (SELECT DISTINCT last FROM ${from}
    WHERE (@before IS NULL OR last < @before) AND (@state IS NULL OR state = @state) ORDER BY last DESC LIMIT ${pageLength})`
const allOrders = '(SELECT seq AS last, order_state AS state FROM sale_entry WHERE seq = order_last)'

/** The rows of the answer: a state and how many orders it has, or null and the newest entry of an order of the page. */
function queries({ days, budtenderId, text }: OrdersFilter): string[] {
  const conditions = [
    ...(budtenderId === null ? [] : [inOrder(isOfBudtender)]),
    ...(text === '' ? [] : [inOrder(saysText)]),
  ]
  if (days === null && conditions.length === 0) {
    return ['SELECT order_state, orders FROM sale_order_count', page(allOrders)]
  }
  const where = [...(days === null ? [] : ['at >= @from AND at < @to']), ...conditions].join(' AND ')
  const found = `(SELECT order_last AS last, order_state AS state FROM sale_entry AS entry WHERE ${where})`
  const count = (from: string) => `SELECT state, count(DISTINCT last) FROM ${from} GROUP BY state`
  // The index of the days answers twice sooner than its orders are set aside. Conditions are looked at once.
  return conditions.length === 0
    ? [count(found), page(found)]
    : [`WITH found AS MATERIALIZED ${found} ${count('found')} UNION ALL ${page('found')}`]
}

/** Which orders a filter finds. */
export class OrderList {
  readonly #db: Database
  readonly #budtenders: () => Budtender[]

  /** `budtenders`: those with a name. */
  constructor(db: Database, budtenders: () => Budtender[]) {
    this.#db = db
    this.#budtenders = budtenders
    // LIKE folds the letters of ASCII alone.
    db.function('is_found_in', { deterministic: true }, (text, sought) =>
      Number(searchable(String(text)).includes(String(sought))),
    )
  }

  /** A page of the orders that match, newest first: those before `before`. */
  find(filter: OrdersFilter, before: number | null): FoundOrders {
    const sought = searchable(filter.text)
    const [from, to] = filter.days === null ? [null, null] : spanOf(filter.days.from, filter.days.to)
    const named = this.#budtenders()
    const values = {
      ...{ from, to, before, sought },
      state: filter.state,
      budtenderId: filter.budtenderId,
      // To LIKE, a text ends at NUL. Nothing that is stored holds one.
      like: isStorable(sought) ? likeOf(sought) : '',
      named: JSON.stringify(named.flatMap(({ id, name }) => (searchable(name).includes(sought) ? [id] : []))),
      known: JSON.stringify(named.map(({ id }) => id)),
    }
    const rows = queries({ ...filter, text: sought }).flatMap((sql) => this.#db.prepare(sql).raw().all(values))
    const byState: FoundOrders['byState'] = { unsent: 0, attention: 0, reported: 0, voided: 0, withdrawn: 0 }
    for (const row of rows) {
      const [state, orders] = CountRow.safeParse(row).data ?? []
      if (state !== undefined && orders !== undefined) byState[state] = orders
    }
    return { newest: rows.flatMap((row) => NewestRow.safeParse(row).data?.[1] ?? []), byState }
  }
}
