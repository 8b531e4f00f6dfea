import type { TagId } from '../../../src-shared/ids'
import type { ClaimKind, ClaimWish, OwnBefore, Release } from '../port'

/** The open sale that an item is in. `heldAt`: null unless it is on hold. */
export interface OpenSale {
  orderId: string | null
  heldAt: number | null
}

/** A sale, return or void that this station made and didn't withdraw. `at`: ms since 1970, by the service's clock. */
export interface SaleReport {
  kind: string
  state: string
  at: number
  orderId: string | null
}

/** What this station has saved of an item. `reports`: newest first. `own`: what the hub may still hold of it. */
interface SavedItem {
  tagId: TagId
  sale: OpenSale | undefined
  reports: readonly SaleReport[]
  own: OwnBefore
}

/** What the hub should hold of a key, by what this station has saved. */
export type Truth =
  // `before`: it came back before it was sold or scanned again.
  | { of: 'claim'; wish: ClaimWish; before: Release | null }
  | { of: 'release'; release: Release; own: OwnBefore }
  | { of: 'free'; tagId: TagId; own: OwnBefore }
  // An order that was voided.
  | { of: 'order'; orderId: string; at: number }
  | { of: 'nothing' }

/** What the hub calls the claim of an item in an open sale. */
export const openKind = ({ heldAt }: Pick<OpenSale, 'heldAt'>): ClaimKind => (heldAt === null ? 'cart' : 'held')

export function truthOfItem({ tagId, sale, reports, own }: SavedItem): Truth {
  // A void says nothing of sales in other orders: its order is pushed by itself.
  const back = reports.find(({ kind, state }) => kind === 'return' && state === 'accepted')
  const before = back ? { tagId, at: back.at } : null
  if (sale) return { of: 'claim', wish: { tagId, kind: openKind(sale), orderId: sale.orderId, at: 0, own }, before }
  for (const { kind, state, at, orderId } of reports) {
    if (kind === 'complete') return { of: 'claim', wish: { tagId, kind: 'sale', orderId, at, own }, before }
    // Until the service has it, the item is not for sale elsewhere.
    if (state === 'accepted') break
  }
  return before ? { of: 'release', release: before, own } : { of: 'free', tagId, own }
}

/** `reports`: those of the order, newest first. */
export function truthOfOrder(reports: readonly SaleReport[]): Truth {
  const done = reports.find(({ kind, state }) => kind === 'void' && state === 'accepted')
  return done?.orderId == null ? { of: 'nothing' } : { of: 'order', orderId: done.orderId, at: done.at }
}
