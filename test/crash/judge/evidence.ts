import type { CurrentImport } from '../../../src-practice/imports'
import type { AcceptedTransaction } from '../../../src-practice/transactions'
import type { JournalEntry, OperationView } from '../../../src-shared/ipc/contract/outbox'
import type { Intent, Line, Sight } from '../ledger'
import type { Entry } from '../service'
import type { Lot } from '../store'
import { createChangedItems } from './changed-items'
import { createLots, isChange } from './lots'

/** The knowledge after a run: what the person was told, what the station shows, what the service holds. */
export interface Evidence {
  lines: readonly Line[]
  /** The service's accepted reports in order, and its own lists. */
  book: readonly Entry[]
  transactions: readonly Pick<AcceptedTransaction, 'kind' | 'order_id' | 'items' | 'performed_at'>[]
  imports: readonly Pick<CurrentImport, 'case_uuid' | 'packaged_product_uuid'>[]
}

/** A fault that the judge found. */
export interface Complaint {
  kind: 'lost' | 'doubled' | 'out of order' | 'untrue'
  text: string
}
export type Complain = (kind: Complaint['kind'], text: string) => void

/** The ledger's end, and the links between the ledger and the rest. */
export interface Findings extends Evidence {
  sight: Sight
  journal: Record<string, JournalEntry[]>
  intents: Intent[]
  /** The intents, with the number of the deed that each belongs to. */
  deeds: { n: number; intent: Intent }[]
  /** The intent behind an operation, if a call's answer reported the operation. */
  intentOf: (operation: OperationView) => Intent | undefined
  /** The items that an operation reports, as the person had them in the cart. */
  tagsOf: (operation: OperationView) => string[]
  /** The lot of an import or removal. */
  lotOf: (operation: OperationView) => Lot | undefined
  wasRefused: (operation: OperationView) => boolean
}

/** Undefined when the run did not finish. */
export function findingsOf(evidence: Evidence): Findings | undefined {
  const end = evidence.lines.findLast((line) => line.line === 'closed')
  if (end?.line !== 'closed') return undefined
  const deeds: Findings['deeds'] = []
  const intentOf = new Map<string, Intent>()
  const calls = new Map<number, Intent>()
  const unanswered = new Set<Intent>()
  for (const line of evidence.lines) {
    if (line.line === 'opened') calls.clear()
    if (line.line === 'intends') {
      calls.set(line.call, line.intent)
      deeds.push({ n: line.n, intent: line.intent })
      unanswered.add(line.intent)
    }
    const intent = line.line === 'told' ? calls.get(line.call) : undefined
    if (intent) unanswered.delete(intent)
    if (line.line !== 'told' || !line.view || !intent) continue
    // If the first answer about an operation came from a call on it (a retry after a crash, say), the call that made it
    // got no answer.
    const isOfItself = 'operationId' in intent && intent.operationId === line.view.id
    if (!isOfItself && !intentOf.has(line.view.id)) intentOf.set(line.view.id, intent)
  }
  const intents = deeds.map(({ intent }) => intent)
  const intentOfOne = ({ id }: OperationView) => intentOf.get(id)
  const changedItems = createChangedItems({
    changes: end.sight.operations.filter(isChange),
    intentOf: intentOfOne,
    unanswered: [...unanswered],
  })
  const tagsOf = (operation: OperationView) => {
    if (isChange(operation)) return changedItems(operation)
    const told = intentOfOne(operation)
    if (told && 'tagIds' in told) return told.tagIds
    // No answer reported this operation: one of the intended item lists, preferably the one that the service took.
    const meant = intents.flatMap((one) =>
      'tagIds' in one && one.kind === operation.kind && one.orderId === operation.orderId ? [one.tagIds] : [],
    )
    const taken = evidence.book.find((entry) => isReportOf(operation, entry))
    const isTaken = (tagIds: string[]) => taken !== undefined && 'tagIds' in taken && sameItems(taken.tagIds, tagIds)
    return meant.find(isTaken) ?? meant.findLast((tagIds) => tagIds.length === operation.itemCount) ?? []
  }
  return {
    ...evidence,
    deeds,
    intentOf: intentOfOne,
    sight: end.sight,
    journal: end.journal,
    intents,
    tagsOf,
    lotOf: createLots({
      operations: end.sight.operations,
      book: evidence.book,
      intentOf: intentOfOne,
      unanswered: [...unanswered],
      tagsOf,
    }),
    wasRefused: ({ id }) => (end.journal[id] ?? []).some((entry) => entry.what === 'rejected'),
  }
}

/** Whether this entry is the service's record of that operation: no other has the same kind, order and time. */
export const isReportOf = (operation: OperationView, entry: Entry) =>
  'orderId' in entry &&
  operation.kind === entry.kind &&
  operation.orderId === entry.orderId &&
  operation.performedAt === entry.performedAt

/** Items have no order: a cart shows them by product. */
export const sameItems = (a: readonly string[], b: readonly string[]) => [...a].sort().join() === [...b].sort().join()

export const nameOf = ({ seq, kind, state, orderId, caseId }: OperationView) =>
  `operation ${seq} (${kind} of ${orderId ?? caseId ?? 'nothing'}, ${state})`
