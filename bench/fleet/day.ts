import { CaseId, OperationId, OrderId, TagId, toShortUuid } from '../../src-shared/ids'
import { type Operation, untouched } from '../../src-main/outbox/operation'

/**
 * The sales of a day, the same at every station: each station is its own store to the service. 120 orders are a till's
 * busy day: one every five minutes, for ten hours.
 */
export const salesOfDay = 120
const itemsOfSale = 3
const itemsOfCase = 24
const betweenSales = 300_000
const salesOfCase = itemsOfCase / itemsOfSale
const cases = salesOfDay / salesOfCase

const id = (kind: number, n: number) => `00000000-0000-4000-8${kind}00-${n.toString(16).padStart(12, '0')}`
const short = (kind: number, n: number) => toShortUuid(id(kind, n)) ?? ''

const caseIds = Array.from({ length: cases }, (_, n) => CaseId.parse(short(1, n)))

/** Of a sale, by its number. Several cases are open at once, so that sales of one case follow each other by and by. */
export interface Sale {
  orderId: OrderId
  tagIds: TagId[]
  caseId: CaseId | undefined
}

export const sales: Sale[] = Array.from({ length: salesOfDay }, (_, n) => ({
  orderId: OrderId.parse(`sale-${n}`),
  tagIds: Array.from({ length: itemsOfSale }, (__, k) => TagId.parse(short(2, itemsOfSale * n + k))),
  caseId: caseIds[n % cases],
}))

export const saleOfOrder = new Map<string, number>(sales.map(({ orderId }, n) => [orderId, n]))
export const saleOfTag = new Map(sales.flatMap(({ tagIds }, n) => tagIds.map((tagId) => [tagId, n])))
/** The items of a case, each with the number of its sale. */
export const itemsOf = Map.groupBy(
  sales.flatMap(({ tagIds, caseId }, n) => tagIds.map((tagId) => ({ tagId, caseId: caseId ?? '', n }))),
  ({ caseId }): string => caseId,
)

/** The operation of sale `n` as it was saved, on a day that ends at `end`. */
export function operationsOfDay(end: number): Operation[] {
  return sales.map(({ orderId, tagIds }, n) => ({
    ...untouched,
    seq: n + 1,
    id: OperationId.parse(id(3, n)),
    kind: 'complete',
    payload: { kind: 'complete', orderId, tagIds },
    // No sale is completed on a whole second, which would leave open whether the service writes milliseconds.
    performedAt: new Date(end - (salesOfDay - n) * betweenSales + 137 * n + 7).toISOString(),
  }))
}
