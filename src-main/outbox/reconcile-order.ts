import type { TagId } from '../../src-shared/ids'
import type { CollectionItem } from '../../src-shared/service/collections'
import { type Finding, type ReconcileParts, found, notTaken, stillUnknown, unclear } from './finding'
import type { Operation } from './operation'
import { readItems } from './read-items'
import type { Sales } from './sales'

/** When the service shows an item as sold, ms since 1970; null when it is not sold, undefined when nothing is shown. */
const soldAt = (item: CollectionItem | undefined) =>
  item === undefined ? undefined : item.sold_at_dispensary_on == null ? null : Date.parse(item.sold_at_dispensary_on)

const isWholeSecondOf = (shown: number, moment: number) => shown === moment - (moment % 1_000)

/**
 * A sale is known by its moment, and is of all its items or of none. All sold at it: taken. Some of them: taken, and the
 * rest has come back since or is hidden, so the service is asked again. None: not taken, whoever sold them since.
 * Spec: Collection, `sold_at_dispensary_on`.
 */
export async function reconcileSale(tagIds: TagId[], performedAt: string, parts: ReconcileParts): Promise<Finding> {
  const items = await readItems(tagIds, parts)
  if (!items.ok) return stillUnknown(items.error)
  const moments = tagIds.map((tagId) => soldAt(items.value.get(tagId)))
  const moment = Date.parse(performedAt)
  if (moments.length > 0 && moments.every((one) => one === moment)) return found
  // A service that keeps whole seconds shows ours without its fraction: enough not to say that it was not taken.
  if (moments.some((one) => one != null && (one === moment || isWholeSecondOf(one, moment)))) return unclear
  // Where nothing can be read at all, only the service's own word is left.
  return moments.every((moment) => moment === undefined) ? unclear : notTaken
}

/** An order that is void is void: "already processed" can speak of nothing else, so whatever is unproven is sent again. */
export async function reconcileVoid(operation: Operation, parts: ReconcileParts): Promise<Finding> {
  const sale = parts.sales.heldBefore(operation)
  // What came back before would look the same whether or not the void was taken.
  const items = await readItems([...sale.keys()], parts)
  if (!items.ok) return stillUnknown(items.error)
  return areBack(sale, items.value, parts.sales) ? found : unclear
}

/**
 * A return is of all its items or of none, but "already processed" may be said of one that another till returned. Only
 * where all of them look alike can it speak of ours.
 */
export async function reconcileReturn(operation: Operation, tagIds: TagId[], parts: ReconcileParts): Promise<Finding> {
  const items = await readItems(tagIds, parts)
  if (!items.ok) return stillUnknown(items.error)
  const held = parts.sales.heldBefore(operation)
  const sale = new Map([...held].filter(([tagId]) => tagIds.includes(tagId)))
  if (tagIds.every((tagId) => sale.has(tagId)) && areBack(sale, items.value, parts.sales)) return found
  const moments = new Set(tagIds.map((tagId) => soldAt(items.value.get(tagId))))
  // Of an item that was taken out of its case nobody can read anything: that speaks neither for nor against it.
  moments.delete(undefined)
  return moments.size > 1 ? notTaken : unclear
}

/**
 * Whether all items of a sale of ours are free, or sold again since. A void or return leaves no mark of its own, so this
 * counts only where the same answer shows another sale of ours, no older than it, at its very moment. Without that
 * witness the service may keep times of its own, or the answer may be older than the sale.
 */
function areBack(sale: Map<TagId, number>, items: Map<TagId, CollectionItem>, sales: Sales): boolean {
  if (sale.size === 0) return false
  const latest = Math.max(...sale.values())
  for (const tagId of sale.keys()) {
    const moment = soldAt(items.get(tagId))
    if (moment === undefined || (moment !== null && moment <= latest)) return false
  }
  return hasWitness(items, latest, sales)
}

/** Whether the answer shows a sale of ours, made at `since` or later, at the moment that we gave it. */
function hasWitness(items: Map<TagId, CollectionItem>, since: number, sales: Sales): boolean {
  for (const [tagId, item] of items) {
    const moment = soldAt(item)
    if (moment != null && moment >= since && sales.momentsOf(tagId).includes(moment)) return true
  }
  return false
}
