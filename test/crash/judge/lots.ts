import type { OperationView } from '../../../src-shared/ipc/contract/outbox'
import type { Intent } from '../ledger'
import type { Entry } from '../service'
import { type Lot, lots } from '../store'

export const isChange = ({ kind }: OperationView): boolean =>
  kind === 'add-items' || kind === 'remove-item' || kind === 'restore-item'

interface LotParts {
  operations: readonly OperationView[]
  book: readonly Entry[]
  /** The intent of the call whose answer reported the operation. */
  intentOf: (operation: OperationView) => Intent | undefined
  /** The intents of calls that never returned. */
  unanswered: readonly Intent[]
  tagsOf: (operation: OperationView) => string[]
}

/**
 * Finds the lot of an import or removal by its product name. A station that started after a lot's items were taken out,
 * and has read the case since, never learned the product name. A person may still import the lot: the service refuses
 * the import, or accepts it if the items are back. Only in this situation is a nameless operation matched by its
 * intent.
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
    // If several lots fit and no answer tells them apart, the lot that the service took.
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
    // A removal has the same product name as the import that it undoes.
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
