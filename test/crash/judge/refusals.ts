import type { OperationView } from '../../../src-shared/ipc/operation-view'
import { type Lot, lotOfTag, lotsOf } from '../store'
import { type Complain, type Findings, nameOf } from './evidence'

/**
 * Nothing was refused that the service would have taken, had all been sent in its order: a report that overtakes another
 * is refused by the service, and would otherwise pass for the person's mistake.
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

/** The service's rules on what was accepted, in the order in which it was saved. */
function createShop({ tagsOf, lotOf, book }: Findings) {
  const inInventory = new Set<Lot>(lotsOf('shelf'))
  const sold = new Set<string>()
  const orders = new Map<string, { had: Set<string>; isVoid: boolean }>()
  const rivals = new Set(
    book.flatMap((one) => ('orderId' in one && one.orderId.startsWith('TILL2-') ? one.tagIds : [])),
  )

  const lotsOfTags = (tagIds: readonly string[]) => tagIds.flatMap((tagId) => lotOfTag(tagId) ?? [])
  const isHeld = (tagId: string) => [...inInventory].some((lot) => lot.tagIds.some((one) => one === tagId))

  return {
    haveCommon(a: OperationView, b: OperationView) {
      if (a.orderId !== null && a.orderId === b.orderId) return true
      const tagsOfA = tagsOf(a)
      if (tagsOf(b).some((tagId) => tagsOfA.includes(tagId))) return true
      const casesOfA = [a.caseId, ...lotsOfTags(tagsOfA).map((lot) => lot.caseId)].filter((one) => one !== null)
      return [b.caseId, ...lotsOfTags(tagsOf(b)).map((lot) => lot.caseId)].some((one) => one && casesOfA.includes(one))
    },
    wouldTake(operation: OperationView): boolean {
      const tagIds = tagsOf(operation)
      const order = orders.get(operation.orderId ?? '')
      const lot = lotOf(operation)
      switch (operation.kind) {
        case 'complete':
          return !order && tagIds.every((tagId) => isHeld(tagId) && !sold.has(tagId) && !rivals.has(tagId))
        case 'void':
          return order !== undefined && !order.isVoid
        case 'return':
          return order !== undefined && tagIds.every((tagId) => order.had.has(tagId) && sold.has(tagId))
        case 'import':
          return lot !== undefined && lot.place !== 'strange' && !inInventory.has(lot)
        case 'import-removal':
          // A rival may have sold one of its items meanwhile.
          return (
            lot !== undefined && inInventory.has(lot) && !lot.tagIds.some((one) => sold.has(one) || rivals.has(one))
          )
        case 'unreadable':
          return true
      }
    },
    take(operation: OperationView): void {
      const lot = lotOf(operation)
      const order = orders.get(operation.orderId ?? '')
      if (operation.kind === 'import' && lot) inInventory.add(lot)
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
