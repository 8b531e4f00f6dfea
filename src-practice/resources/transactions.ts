import type { Hono } from 'hono'
import { z } from 'zod'
import { ok } from '../../src-shared/result'
import type { CompleteRequest } from '../../src-shared/service/transactions'
import { endpoint, refuse, requireDispensary, requireToken, retail } from '../http/endpoint'
import { type FieldsOf, OptionalText, readFields, readJson, RequiredMoment, RequiredText } from '../http/body'
import type { Env, Parts } from '../http/context'
import {
  type ReceivedReport,
  type TransactionKind,
  type TransactionResult,
  createBook,
  createComplete,
  createReturn,
  createTagReader,
  createVoid,
} from '../transactions'

const TransactionFields = z.object({
  performed_at: RequiredMoment,
  order_id: RequiredText,
  customer_id: OptionalText,
  budtender_id: OptionalText,
  items: z.unknown().optional(),
} satisfies FieldsOf<CompleteRequest>)

/**
 * `POST /api/v1.2/transactions/complete|void|return/`. Fields are checked first, then `items`, then the rules.
 * Spec: Endpoints > Transactions; Errors > Transaction errors.
 */
export function transactionEndpoints(app: Hono<Env>, parts: Parts): void {
  const { store, now } = parts
  const book = createBook(store, now)
  const readTags = createTagReader(store)

  const serve = (kind: TransactionKind, rule: (report: ReceivedReport) => TransactionResult) => {
    const decide = store.transaction(rule)
    const path = `/api/v1.2/transactions/${kind}/`
    endpoint(app, 'POST', path, [requireToken(parts), requireDispensary], async (c) => {
      const json = await readJson(c)
      if (!json.ok) return json.error
      const fields = readFields(json.value, TransactionFields)
      if (!fields.ok) return refuse(c, fields.error)
      const { performed_at, order_id, customer_id, items } = fields.value
      const tags = kind === 'void' ? ok([]) : readTags(items)
      if (!tags.ok) return refuse(c, tags.error)
      const outcome = decide.immediate({
        kind,
        dispensaryUuid: retail(c).dispensaryUuid,
        orderId: order_id,
        items: tags.value,
        performedAt: performed_at,
        hasCustomer: customer_id !== null,
      })
      return outcome.ok ? c.json({ status: 'success', request_id: outcome.value }) : refuse(c, outcome.error)
    })
  }

  serve('complete', createComplete(store, book))
  serve('void', createVoid(book))
  serve('return', createReturn(book))
}
