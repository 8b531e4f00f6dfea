import type { OperationView } from '../../../src-shared/ipc/contract/outbox'
import type { Intent } from '../ledger'
import { countedCases } from '../store'

interface ChangedItemsParts {
  changes: readonly OperationView[]
  intentOf: (operation: OperationView) => Intent | undefined
  /** The intents of calls that never returned. */
  unanswered: readonly Intent[]
}

/**
 * Finds the items that an operation adds, removes or restores, by the product name: each item of the counted cases has
 * its own product. A station that could never read an item (the service was broken) can't name it. Only such a nameless
 * operation is matched with the call that made it: it is about the call's items that the call's other operations don't
 * name.
 */
export function createChangedItems({ changes, intentOf, unanswered }: ChangedItemsParts) {
  function itemsOf(operation: OperationView): string[] {
    const named = namedBy(operation)
    if (operation.productName === null) return ofNameless(operation)
    if (operation.kind === 'add-items' || named.length < 2) return named
    // The inverse of adding several items names all of them, and its operations remove them one by one, in order.
    return nth(named, operation, (one) => one.productName === operation.productName)
  }
  return itemsOf

  function ofNameless(operation: OperationView): string[] {
    const told = intentOf(operation)
    if (told?.kind === 'undo') {
      const undone = changes.find(({ id }) => id === told.operationId)
      return undone ? nth(itemsOf(undone), operation, (one) => intentOf(one) === told) : []
    }
    const how = operation.kind === 'add-items' ? 'add' : 'remove'
    for (const meant of told ? [told] : unanswered) {
      if (meant.kind !== 'change' || meant.how !== how || meant.caseId !== operation.caseId) continue
      const siblings = changes.filter((one) => isLike(one, operation) && intentOf(one) === told)
      const others = new Set(siblings.flatMap(namedBy))
      const left = meant.tagIds.filter((tagId) => !others.has(tagId))
      return how === 'add' ? left : nth(left, operation, (one) => siblings.includes(one) && one.productName === null)
    }
    return []
  }

  /** One of several items: the n-th of the similar operations is about the n-th item. */
  function nth(tagIds: string[], operation: OperationView, isAlike: (one: OperationView) => boolean): string[] {
    const index = changes.filter((one) => isLike(one, operation) && isAlike(one)).indexOf(operation)
    return tagIds.slice(index % Math.max(tagIds.length, 1)).slice(0, 1)
  }
}

const isLike = (one: OperationView, { kind, caseId }: OperationView) => one.kind === kind && one.caseId === caseId

function namedBy({ caseId, productName }: OperationView): string[] {
  const ofCase = countedCases.find((one) => one.caseId === caseId)
  const items = [...(ofCase?.inside ?? []), ...(ofCase?.beside ?? [])]
  return (productName ?? '')
    .split(', ')
    .flatMap((name) => items.filter((one) => one.productName === name))
    .map(({ tagId }) => tagId)
}
