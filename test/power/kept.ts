import type { Database } from 'better-sqlite3'
import { z } from 'zod'

/** The part of a database that a station can promise. */
export interface Kept {
  operations: ReadonlyMap<string, KeptOperation>
  carts: Record<'sale' | 'return', { orderId: string | null; tagIds: string[] }>
  held: { id: number; orderId: string | null; itemCount: number }[]
  settings: ReadonlyMap<string, unknown>
}

export interface KeptOperation {
  id: string
  seq: number
  kind: string
  state: string
  attempts: number
  orderId: string | null
  caseId: string | null
  itemCount: number | null
  /** The operation's history, oldest first: `claimed>sending`. */
  steps: string[]
}

const Row = z.object({
  id: z.string(),
  seq: z.number(),
  kind: z.string(),
  state: z.string(),
  attempts: z.number(),
  order_id: z.string().nullable(),
  case_id: z.string().nullable(),
  items: z.number().nullable(),
})
const Step = z.object({ operation_seq: z.number(), step: z.string() })
const Order = z.object({
  id: z.number(),
  mode: z.enum(['sale', 'return']),
  order_id: z.string().nullable(),
  held_at: z.number().nullable(),
})
const Item = z.object({ open_order: z.number(), tag_id: z.string() })
const Setting = z.object({ name: z.string(), value: z.string() })

const all = <T>(db: Database, schema: z.ZodType<T>, sql: string): T[] =>
  db
    .prepare(sql)
    .all()
    .map((row) => schema.parse(row))

/** Reads an open database with the newest schema. */
export function readKept(db: Database): Kept {
  const steps = Map.groupBy(
    all(
      db,
      Step,
      `SELECT operation_seq, what || '>' || to_state AS step FROM journal WHERE operation_seq IS NOT NULL ORDER BY entry`,
    ),
    (one) => one.operation_seq,
  )
  const operations = all(
    db,
    Row,
    `SELECT id, seq, kind, state, attempts, payload ->> '$.orderId' AS order_id, payload ->> '$.caseId' AS case_id,
       json_array_length(payload, '$.tagIds') AS items FROM operation ORDER BY seq`,
  ).map(({ order_id, case_id, items, ...row }): KeptOperation => ({
    ...row,
    orderId: order_id,
    caseId: case_id,
    itemCount: items,
    steps: (steps.get(row.seq) ?? []).map((one) => one.step),
  }))
  const items = all(db, Item, 'SELECT open_order, tag_id FROM open_order_item')
  const orders = all(db, Order, 'SELECT id, mode, order_id, held_at FROM open_order ORDER BY held_at, id')
  const tagIdsOf = (id: number) => items.flatMap((one) => (one.open_order === id ? [one.tag_id] : [])).sort()
  const cart = (mode: 'sale' | 'return') => {
    const front = orders.find((one) => one.mode === mode && one.held_at === null)
    return { orderId: front?.order_id ?? null, tagIds: front ? tagIdsOf(front.id) : [] }
  }
  const settings = all(db, Setting, 'SELECT name, value FROM setting')
  return {
    operations: new Map(operations.map((one) => [one.id, one])),
    carts: { sale: cart('sale'), return: cart('return') },
    held: orders
      .filter((one) => one.held_at !== null)
      .map(({ id, order_id }) => ({ id, orderId: order_id, itemCount: tagIdsOf(id).length })),
    settings: new Map(settings.map(({ name, value }): [string, unknown] => [name, JSON.parse(value)])),
  }
}
