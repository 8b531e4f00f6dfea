import { z } from 'zod'
import type { ResultOf } from '../../src-shared/errors'
import type { ExportFile } from '../../src-shared/ipc/contract/call'
import { ok } from '../../src-shared/result'
import { iso } from '../core/clock'
import type { RoomContext } from '../core/context'
import type { KeychainCode } from '../credentials/keychain'
import { type Operation, isFinished, isTakenBack, operationOf } from '../outbox/operation'
import { type NotSaved, saved } from '../database/saved'
import type { Seal } from './seal'

/**
 * An unreadable payload has no customer. CASE, because SQLite may evaluate conditions in any order. The index
 * `operation_customer` is of this expression.
 */
export const customerOf = `CAST(CASE WHEN json_valid(payload) THEN payload ->> '$.customerId' END AS TEXT)`

const CustomerOrderRow = z.object({
  mode: z.string(),
  order_id: z.string().nullable(),
  held_at: z.number().nullable(),
  items: z.string().nullable(),
})

/** Exports or erases a customer's data in the profile in use. */
export function createCustomers(
  { db, clock }: Pick<RoomContext, 'db' | 'clock'>,
  seal: Pick<Seal, 'forms' | 'allKeys'>,
) {
  const select = db.prepare(`
    SELECT operation.* FROM operation JOIN sale_entry USING (seq) WHERE ${customerOf} = ? ORDER BY seq`)
  const selectOpen = db.prepare(`
    SELECT mode, order_id, held_at, (SELECT group_concat(tag_id) FROM open_order_item WHERE open_order = id) AS items
    FROM open_order WHERE customer_id = ? ORDER BY id`)
  const strip = db.prepare(`UPDATE operation SET payload = json_remove(payload, '$.customerId') WHERE seq = ?`)
  const remember = db.prepare('INSERT OR IGNORE INTO customer_erasure (customer_id, asked_at) VALUES (?, ?)')

  const operationsOf = (forms: string[]): Operation[] =>
    forms.flatMap((form) => select.all(form).map(operationOf)).sort((one, other) => one.seq - other.seq)
  const openOf = (forms: string[]) =>
    forms.flatMap((form) => selectOpen.all(form).map((row) => CustomerOrderRow.parse(row)))

  const eraseAll = db.transaction((forms: string[]) => {
    const operations = operationsOf(forms)
    const finished = operations.filter((one) => isFinished(one.state) && !isTakenBack(one))
    for (const { seq } of finished) strip.run(seq)
    const kept = operations.length - finished.length + openOf(forms).length
    // In the form found in the database: never as plain text if it is sealed there.
    for (const form of forms) {
      const isNamed = openOf([form]).length > 0 || operationsOf([form]).length > 0
      if (isNamed) remember.run(form, clock.now())
    }
    return { erased: finished.length, kept }
  })

  return {
    /** Fails while a key is unavailable: data sealed with it can't be found. */
    async export(customerId: string): Promise<ResultOf<ExportFile, KeychainCode>> {
      const keys = await seal.allKeys()
      if (!keys.ok) return keys
      const forms = seal.forms(customerId)
      const reports = operationsOf(forms).map(({ kind, state, performedAt, payload }) => ({
        kind,
        state,
        performedAt,
        orderId: payload && 'orderId' in payload ? payload.orderId : null,
        tagIds: payload && 'tagIds' in payload ? payload.tagIds : [],
      }))
      const openOrders = openOf(forms).map(({ mode, order_id: orderId, held_at: heldAt, items }) => ({
        mode,
        orderId,
        heldSince: heldAt === null ? null : iso(heldAt),
        tagIds: items?.split(',') ?? [],
      }))
      const text = JSON.stringify({ customerId, madeAt: iso(clock.now()), reports, openOrders }, null, 2)
      return ok({ fileName: 'customer.json', text: `${text}\n` })
    },
    /** Removes the customer from settled reports at once, and from pending reports after they are sent. */
    async erase(customerId: string): Promise<ResultOf<{ erased: number; kept: number }, NotSaved | KeychainCode>> {
      const keys = await seal.allKeys()
      if (!keys.ok) return keys
      return saved(() => ok(eraseAll.immediate(seal.forms(customerId))))
    },
  }
}
