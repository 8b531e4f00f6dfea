import type { OperationView } from '../../../src-shared/ipc/contract/outbox'
import type { Intent } from '../ledger'
import { countedCases } from '../store'

interface ChangedItemsParts {
  changes: readonly OperationView[]
  intentOf: (operation: OperationView) => Intent | undefined
  /** What was meant by calls that never returned. */
  unanswered: readonly Intent[]
}

/**
 * Finds the items whose place an operation changes: by its name, for each item of the counted cases is of a product of its
 * own. A station that never got to read an item (the service was broken) can't name it: nameless, and no other way, it is
 * what was meant by the call that made it, less what that call's other operations name.
 */
export function createChangedItems({ changes, intentOf, unanswered }: ChangedItemsParts) {
  function itemsOf(operation: OperationView): string[] {
    const named = namedBy(operation)
    if (operation.productName === null) return ofNameless(operation)
    if (operation.kind === 'add-items' || named.length < 2) return named
    // What undoes the putting in of several names all of them, and takes them out one by one, in their order.
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

  /** One of several items: each of the operations that are alike is about the next. */
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
