import { toCsv } from '../../src-shared/csv/write'
import type { TagId } from '../../src-shared/ids'
import type { Operation } from '../outbox/operation'
import { ofOrder } from './history'

interface About {
  productOf: (tagId: TagId) => string | null
  budtenderOf: (id: string | null) => string | null
  /** Whose reports these are: files of several stations are put together in one sheet. */
  station: string
}

const header = [
  'time',
  'order',
  'report',
  'state',
  'budtender',
  'items',
  'tag_ids',
  'products',
  'reason',
  'note',
  'station',
]

/** Sales, returns and voids as CSV, one line each. Never the customer: their number goes to the service and to nobody else. */
export function dayCsv(operations: Operation[], { productOf, budtenderOf, station }: About): string {
  const rows = operations.map((operation) => {
    const { orderId = '', tagIds = [], budtenderId = null, note = null } = ofOrder(operation) ?? {}
    const products = [...new Set(tagIds.flatMap((tagId) => productOf(tagId) ?? []))]
    return [
      operation.performedAt,
      orderId,
      operation.kind,
      operation.state,
      budtenderOf(budtenderId),
      tagIds.length,
      tagIds.join(' '),
      products.join(', '),
      operation.reason?.code ?? null,
      note ?? operation.dismissedBecause,
      station,
    ]
  })
  return toCsv(header, rows)
}
