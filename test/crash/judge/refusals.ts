import type { OperationKind, OperationView } from '../../../src-shared/ipc/contract/outbox'
import { type Lot, lotOfTag, lots, lotsOf, unusedLabel } from '../store'
import { type Complain, type Findings, nameOf } from './evidence'
import { isChange } from './lots'
import { createCases } from './members'

/**
 * The service refused no report that it would have accepted if all had arrived in order. A report that overtakes
 * another is refused by the service, and would otherwise pass for the person's mistake.
 */
export function judgeRefusals(findings: Findings, complain: Complain): void {
  const shop = createShop(findings)
  const { operations } = findings.sight
  const refused = operations.filter(findings.wasRefused)
  for (const operation of operations) {
    const isExcused = refused.some((one) => one.id !== operation.id && shop.haveCommon(one, operation))
    if (findings.wasRefused(operation) && shop.wouldTake(operation) && !isExcused) {
      complain('out of order', `${nameOf(operation)} was refused without cause: ${JSON.stringify(operation.reason)}`)
    }
    if (operation.state === 'accepted') shop.take(operation)
  }
}

/** The service's rules, applied to the accepted reports in the order in which they were saved. */
function createShop({ tagsOf, lotOf, book, intents, intentOf, journal }: Findings) {
  const cases = createCases()
  /** The imported lots of a case, and the items that came in with each. */
  const inInventory = new Map<Lot, string[]>(lotsOf('shelf').map((lot) => [lot, lot.tagIds]))
  const present = (lot: Lot) => lot.tagIds.filter((tagId) => cases.isIn(lot.caseId, tagId) !== false)
  const sold = new Set<string>()
  const orders = new Map<string, { had: Set<string>; isVoid: boolean }>()
  const rivals = new Set(
    book.flatMap((one) => ('orderId' in one && one.orderId.startsWith('TILL2-') ? one.tagIds : [])),
  )

  const lotsOfTags = (tagIds: readonly string[]) => tagIds.flatMap((tagId) => lotOfTag(tagId) ?? [])
  const isHeld = (tagId: string) => [...inInventory.values()].some((tagIds) => tagIds.includes(tagId))

  /** As long as no product was chosen, the import could only be refused. */
  const wasOfSeveral = ({ id, caseId }: OperationView) =>
    lots.filter((one) => one.caseId === caseId).length > 1 &&
    (journal[id] ?? []).every((entry) => entry.what !== 'rejected' || entry.reason?.code === 'receiving/choose-product')

  /** Covers the kinds that the script uses; any other kind may be refused. */
  const rules: Partial<Record<OperationKind, (operation: OperationView, tagIds: string[]) => boolean>> = {
    complete: ({ orderId }, tagIds) =>
      !orders.has(orderId ?? '') && tagIds.every((tagId) => isHeld(tagId) && !sold.has(tagId) && !rivals.has(tagId)),
    void: ({ orderId }) => orders.get(orderId ?? '')?.isVoid === false,
    return({ orderId }, tagIds) {
      const order = orders.get(orderId ?? '')
      return order !== undefined && tagIds.every((tagId) => order.had.has(tagId) && sold.has(tagId))
    },
    import(operation) {
      const lot = lotOf(operation)
      const isFree = lot !== undefined && lot.place !== 'strange' && !inInventory.has(lot)
      return isFree && present(lot).length > 0 && !wasOfSeveral(operation)
    },
    'import-removal'(operation) {
      const lot = lotOf(operation)
      // A rival may have sold one of the items meanwhile.
      const isUnsold = lot !== undefined && !lot.tagIds.some((one) => sold.has(one) || rivals.has(one))
      return isUnsold && inInventory.has(lot)
    },
    'blind-import'(operation) {
      // The label belongs to no case, or to a case with several products.
      const intent = intentOf(operation)
      const hasUnusedLabel =
        operation.caseId === null &&
        (intent ? [intent] : intents).some((one) => one.kind === 'blind-import' && one.label === unusedLabel)
      return !hasUnusedLabel && !wasOfSeveral(operation)
    },
    'add-items': (operation, tagIds) => cases.mayChange(operation, tagIds),
    'remove-item': (operation, tagIds) => cases.mayChange(operation, tagIds),
    'restore-item': (operation, tagIds) => cases.mayChange(operation, tagIds),
  }

  return {
    haveCommon(a: OperationView, b: OperationView) {
      if (a.orderId !== null && a.orderId === b.orderId) return true
      const tagsOfA = tagsOf(a)
      if (tagsOf(b).some((tagId) => tagsOfA.includes(tagId))) return true
      const casesOfA = [a.caseId, ...lotsOfTags(tagsOfA).map((lot) => lot.caseId)].filter((one) => one !== null)
      return [b.caseId, ...lotsOfTags(tagsOf(b)).map((lot) => lot.caseId)].some((one) => one && casesOfA.includes(one))
    },
    wouldTake: (operation: OperationView): boolean => rules[operation.kind]?.(operation, tagsOf(operation)) ?? true,
    take(operation: OperationView): void {
      const lot = lotOf(operation)
      const order = orders.get(operation.orderId ?? '')
      if (isChange(operation)) cases.change(operation, tagsOf(operation))
      if (operation.kind === 'import' && lot) inInventory.set(lot, present(lot))
      if (operation.kind === 'import-removal' && lot) inInventory.delete(lot)
      if (operation.kind === 'complete') {
        const tagIds = tagsOf(operation)
        orders.set(operation.orderId ?? '', { had: new Set(tagIds), isVoid: false })
        tagIds.forEach((tagId) => sold.add(tagId))
      }
      if (operation.kind === 'return') tagsOf(operation).forEach((tagId) => sold.delete(tagId))
      if (operation.kind === 'void' && order) {
        order.isVoid = true
        order.had.forEach((tagId) => sold.delete(tagId))
      }
    },
  }
}
