import { z } from 'zod'
import { type Result, err, ok } from '../../src-shared/result'
import type { Refusal } from '../http/answers'
import { type Store, query } from '../store/query'
import { type Book, type Report, alreadyProcessed } from './book'
import { unusable } from './tags'

/** The id of the accepted report, or the body that refuses it. Nothing is written before the last check. */
export type Outcome = Result<string, Refusal>

const Tag = z.object({ uuid: z.string() })

/**
 * A sale. Refused in this order: the order id was completed before (voided since or not), items that are not in this
 * dispensary's inventory, items that are sold.
 */
export function createComplete(store: Store, book: Book) {
  const imported = query(
    store,
    `SELECT ii.tag_uuid AS uuid FROM import_items ii JOIN imports i ON i.id = ii.import_id
     WHERE i.dispensary_uuid = ? AND ii.tag_uuid IN (SELECT value FROM json_each(?))`,
    Tag,
  )
  const sold = query(
    store,
    `SELECT tag_uuid AS uuid FROM order_items
     WHERE freed_at IS NULL AND tag_uuid IN (SELECT value FROM json_each(?)) LIMIT 1`,
    Tag,
  )

  return function complete(report: Report): Outcome {
    const { items, dispensaryUuid } = report
    if (book.order(report)) return err(alreadyProcessed)
    const inInventory = new Set(imported.all(dispensaryUuid, JSON.stringify(items)).map(({ uuid }) => uuid))
    const missing = items.filter((tagId) => !inInventory.has(tagId))
    if (missing.length > 0) {
      const message = 'This transaction contains non-imported TagIDs.'
      return err({ body: { message, non_imported_tagids: missing, valid_transaction: false } })
    }
    if (sold.get(JSON.stringify(items))) return err(alreadyProcessed)
    book.open(report)
    return ok(book.accept(report, items))
  }
}

const unknownOrder = ({ orderId }: Report): Refusal => ({
  body: { order_id: [`Order ${orderId} was not completed at this dispensary.`] },
})

/** A void. Refused in this order: an order that was never completed here, one that is void. */
export function createVoid(book: Book) {
  return function voidOrder(report: Report): Outcome {
    const order = book.order(report)
    if (order === undefined) return err(unknownOrder(report))
    if (order.voided_at !== null) return err(alreadyProcessed)
    const held = book.items(report).filter((item) => item.freed_at === null)
    const tagIds = held.map(({ tag_uuid }) => tag_uuid)
    book.free(report, tagIds)
    book.markVoid(report)
    return ok(book.accept(report, tagIds))
  }
}

/**
 * A return, of some or all items of an order. Refused in this order: an order that was never completed here, items that
 * were not sold in it, items that came back before (by a return or by a void).
 */
export function createReturn(book: Book) {
  return function giveBack(report: Report): Outcome {
    if (book.order(report) === undefined) return err(unknownOrder(report))
    const held = new Map(book.items(report).map((item) => [item.tag_uuid, item.freed_at]))
    const invalid = report.items.filter((tagId) => !held.has(tagId))
    if (invalid.length > 0) {
      return err(unusable({ invalid, unknown: [], valid: report.items.filter((tagId) => held.has(tagId)) }))
    }
    if (report.items.some((tagId) => held.get(tagId) !== null)) return err(alreadyProcessed)
    book.free(report, report.items)
    return ok(book.accept(report, report.items))
  }
}
