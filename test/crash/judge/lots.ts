import type { OperationView } from '../../../src-shared/ipc/contract/outbox'
import type { Intent } from '../ledger'
import type { Entry } from '../service'
import { type Lot, lots } from '../store'

export const isChange = ({ kind }: OperationView): boolean =>
  kind === 'add-items' || kind === 'remove-item' || kind === 'restore-item'

interface LotParts {
  operations: readonly OperationView[]
  book: readonly Entry[]
  /** What was meant by an operation that somebody was told of. */
  intentOf: (operation: OperationView) => Intent | undefined
  /** What was meant by calls that never returned. */
  unanswered: readonly Intent[]
  tagsOf: (operation: OperationView) => string[]
}

/**
 * Finds the lot that an import or removal is about: by its name. A station that was started after the items of a lot were
 * taken out, and has read the case since, was never told what it is called, though a person may still import it: the
 * service refuses it, or takes it where the items are back. Nameless like this, and no other way, it is what was meant.
 */
export function createLots({ operations, book, intentOf, unanswered, tagsOf }: LotParts) {
  const wasEmptied = ({ caseId, tagIds }: Lot, { seq }: OperationView) =>
    tagIds.every((tagId) =>
      operations.some(
        (one) =>
          isChange(one) &&
          one.kind === 'remove-item' &&
          one.state === 'accepted' &&
          one.seq < seq &&
          one.caseId === caseId &&
          tagsOf(one).includes(tagId),
      ),
    )

  const ofNameless = (operation: OperationView): Lot | undefined => {
    const told = intentOf(operation)
    const meant = (told ? [told] : unanswered).flatMap((one) => (one.kind === 'import' ? [one] : []))
    const fitting = lots.filter(
      (lot) =>
        lot.caseId === operation.caseId &&
        meant.some((one) => one.caseId === lot.caseId && one.productName === lot.productName) &&
        wasEmptied(lot, operation),
    )
    // Of several that nobody heard of, the one that the service took.
    const isTaken = (lot: Lot) =>
      book.some(
        (entry) =>
          'posInventoryId' in entry &&
          entry.packagedProductId === lot.packagedProductId &&
          meant.some((one) => one.productName === lot.productName && one.posInventoryId === entry.posInventoryId),
      )
    return fitting.find(isTaken) ?? fitting[0]
  }

  return function lotOf(operation: OperationView): Lot | undefined {
    const { kind, caseId, productName, seq } = operation
    if (kind !== 'import' && kind !== 'import-removal') return undefined
    if (productName !== null) return lots.find((one) => one.caseId === caseId && one.productName === productName)
    if (kind === 'import') return ofNameless(operation)
    // A removal is called what the import is called that it undoes.
    const undo = intentOf(operation)
    const undone = operations.findLast(
      (one) =>
        one.kind === 'import' &&
        one.productName === null &&
        one.caseId === caseId &&
        one.seq < seq &&
        (undo?.kind !== 'undo' || undo.operationId === one.id),
    )
    return undone && ofNameless(undone)
  }
}
