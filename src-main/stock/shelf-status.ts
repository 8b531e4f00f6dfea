import { z } from 'zod'
import type { OperationState } from '../../src-shared/ipc/contract/outbox'
import type { UnexpectedWhy } from '../../src-shared/ipc/contract/stock'
import type { TagFacts } from '../../src-shared/service/facts'

/** Whether an item should be on this store's shelf, and why not. */
export const ShelfStatus = z.enum(['here', 'sold', 'not-imported', 'elsewhere', 'taken-out'])
export type ShelfStatus = z.infer<typeof ShelfStatus>

/** How an item stood when it was scanned; `unknown`: it was not in the ledger. */
export const ScannedAs = z.enum([...ShelfStatus.options, 'unknown'])
export type ScannedAs = z.infer<typeof ScannedAs>

/** Where the service shows an item, whether or not it is sold. */
export const SaidPlace = ShelfStatus.exclude(['sold'])
export type SaidPlace = z.infer<typeof SaidPlace>

/** What the service said of an item when its case was read. `isSold`: null if that was not read. */
export interface ReadStatus {
  place: SaidPlace
  isSold: boolean | null
}

const orders = ['complete', 'return', 'void'] as const
const imports = ['import', 'import-removal'] as const
const moves = ['add-items', 'remove-item', 'restore-item', 'remove-collection', 'restore-collection'] as const
export const StockKind = z.enum([...orders, ...imports, ...moves])
export type StockKind = z.infer<typeof StockKind>

/**
 * A report of this station about an item, its case or, of imports, its product in the case. `isKnown`: the service had accepted
 * it before it was asked about the case, so that the answer holds it.
 */
export interface StockReport {
  kind: StockKind
  state: OperationState
  isKnown: boolean
}

/**
 * How an item stands, by what the service said and this station's reports, oldest first. A report counts from the moment it is
 * saved until it is refused or taken back; where the service was asked after it had accepted the report, its answer counts.
 * Pure.
 */
export function shelfStatusOf(said: ReadStatus, reports: readonly StockReport[]): ShelfStatus {
  if (isSold(said, reports)) return 'sold'
  const place = placeOf(said, reports)
  const move = newest(reports, moves)
  if (!move || move.isKnown) return place
  if (move.kind === 'remove-item' || move.kind === 'remove-collection') return 'taken-out'
  // What is put into a case after its import is in no inventory.
  if (move.kind === 'add-items') return 'not-imported'
  return place === 'taken-out' ? 'here' : place
}

function isSold(said: ReadStatus, reports: readonly StockReport[]): boolean {
  const last = newest(reports, orders)
  if (!last || (last.isKnown && said.isSold !== null)) return said.isSold === true
  return last.kind === 'complete'
}

function placeOf(said: ReadStatus, reports: readonly StockReport[]): SaidPlace {
  const last = newest(reports, imports)
  // An import of its case doesn't bring back an item that was taken out of it.
  if (!last || last.isKnown || said.place === 'taken-out') return said.place
  return last.kind === 'import' ? 'here' : 'not-imported'
}

/** The newest report of some kinds that was neither refused nor taken back. */
const newest = (reports: readonly StockReport[], kinds: readonly StockKind[]): StockReport | undefined =>
  reports.findLast(({ kind, state }) => kinds.includes(kind) && state !== 'rejected' && state !== 'cancelled')

/** Why an item is not expected that no case of this store holds, by what is remembered of it. */
export function whyOf(facts: TagFacts | undefined): UnexpectedWhy {
  if (facts === undefined) return 'unknown'
  if (facts.isRemovedFromCase) return 'taken-out'
  if (facts.isImportedElsewhere) return 'elsewhere'
  if (facts.soldOn !== null) return 'sold'
  return facts.isImported === false ? 'not-imported' : 'unknown'
}
