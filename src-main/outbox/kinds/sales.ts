import type { AppError } from '../../../src-shared/errors'
import type { TagId } from '../../../src-shared/ids'
import type { Shown } from '../../../src-shared/ipc/operation-view'
import { type Result, assertNever, ok } from '../../../src-shared/result'
import type { CollectionItem } from '../../../src-shared/service/collections'
import { endpointsV12 } from '../../../src-shared/service/endpoints-v12'
import { completeRequest, returnRequest, voidRequest } from '../../../src-shared/service/requests'
import { requestTo } from '../../service-client/report'
import { type Finding, type OwnReports, type ReconcileParts } from '../evidence'
import { found, notTaken, readItems, stillUnknown, unclear, undecided } from '../evidence'
import type { Operation } from '../operation'
import { caseKey, orderKey, tagKey, tagsOf } from '../payload'
import { type RulesOf, type SendableRules, transactionAnswers } from './rules'

const { transactions } = endpointsV12

/**
 * A sale, return or void takes its order and its items alone and shares the cases of its items, so that it waits for
 * their import but not for another sale from them.
 */
const ofOrder: Omit<SendableRules<'complete' | 'void' | 'return'>, 'request' | 'reconcile'> = {
  keys(payload, caseOf) {
    const cases = new Set(payload.tagIds.map(caseOf).filter((caseId) => caseId !== undefined))
    return [
      { key: orderKey(payload.orderId), isExclusive: true },
      ...tagsOf(payload).map((tagId) => ({ key: tagKey(tagId), isExclusive: true })),
      ...[...cases].map((caseId) => ({ key: caseKey(caseId), isExclusive: false })),
    ]
  },
  sharesOnceRefused: false,
  answers: transactionAnswers,
  account: 'retail',
  inverses: null,
  about: ({ orderId, tagIds }) => ({ shows: { order_id: orderId }, tagIds }),
  name: () => null,
}

const completing: SendableRules<'complete'> = {
  ...ofOrder,
  request: (payload, performedAt) => requestTo(transactions.complete, [], completeRequest({ ...payload, performedAt })),
  reconcile: (operation, { tagIds }, parts) => reconcileSale(operation, tagIds, parts),
}

const voiding: SendableRules<'void'> = {
  ...ofOrder,
  request: (payload, performedAt) => requestTo(transactions.void, [], voidRequest({ ...payload, performedAt })),
  reconcile: (operation, _, parts) => reconcileVoid(operation, parts),
}

const returning: SendableRules<'return'> = {
  ...ofOrder,
  request: (payload, performedAt) => requestTo(transactions.return, [], returnRequest({ ...payload, performedAt })),
  reconcile: (operation, { tagIds }, parts) => reconcileReturn(operation, tagIds, parts),
}

export const saleKinds: RulesOf<'complete' | 'void' | 'return'> = {
  complete: completing,
  void: voiding,
  return: returning,
}

/** When the service shows an item as sold, ms since 1970; null when it is not sold, undefined when nothing is shown. */
const soldAt = (item: CollectionItem | undefined) =>
  item === undefined ? undefined : item.sold_at_dispensary_on == null ? null : Date.parse(item.sold_at_dispensary_on)

const isWholeSecondOf = (shown: number, moment: number) => shown === moment - (moment % 1_000)
const isAt = (shown: number | null | undefined, moment: number) =>
  shown != null && (shown === moment || isWholeSecondOf(shown, moment))

/**
 * A sale is known by its moment, and is of all its items or of none. All sold at it: taken. Some of them: taken, and the
 * rest has come back since or is hidden, so the service is asked again. None: only a service that is known to show a sale
 * at the moment we gave says by that that it was not taken. Spec: Collection, `sold_at_dispensary_on`.
 */
async function reconcileSale(
  operation: Pick<Operation, 'performedAt'>,
  tagIds: TagId[],
  parts: ReconcileParts,
): Promise<Finding> {
  const items = await readItems(tagIds, parts)
  if (!items.ok) return stillUnknown(items.error)
  const moments = tagIds.map((tagId) => soldAt(items.value.get(tagId)))
  const moment = Date.parse(operation.performedAt)
  if (moments.length > 0 && moments.every((one) => one === moment)) return found
  // A service that keeps whole seconds shows ours without its fraction: enough not to say that it was not taken.
  if (moments.some((one) => isAt(one, moment))) return unclear('part')
  // Where nothing can be read at all, only the service's own word is left.
  const shown = moments.filter((one) => one !== undefined)
  if (shown.length === 0) return unclear('nothing')
  const custom = await customOf(items.value, parts)
  return custom.ok ? findingOf(shown, moment, custom.value) : stillUnknown(custom.error)
}

/** What no item at our moment means, by what the service is known to show as the moment of a sale. */
function findingOf(shown: (number | null)[], moment: number, custom: Custom): Finding {
  const isFree = shown.every((one) => one === null)
  const [first] = shown
  // One sale has one moment, or one an item in quick succession, and not before ours was made: else another station sold
  // them, at least some.
  const isOfOne = first != null && shown.every((one) => one !== null && Math.abs(one - first) <= tolerance)
  const mayBeOurs = isOfOne && first >= moment - tolerance
  const what: Shown = isFree ? 'free' : 'other-time'
  switch (custom) {
    case 'our-moments':
      return notTaken(what)
    case 'its-own-moments':
      return mayBeOurs ? unclear(what) : notTaken(what)
    case 'no-moments':
      return isFree ? unclear(what) : notTaken(what)
    case 'untold':
      return isFree || mayBeOurs ? undecided(what) : notTaken(what)
    default:
      return assertNever(custom)
  }
}

/** What a service shows as the moment of a sale of ours: the one we gave, one of its own, none; `untold`: not known. */
type Custom = 'our-moments' | 'its-own-moments' | 'no-moments' | 'untold'

/** Our clock is known to agree with the service's to so much, in ms. */
const tolerance = 2_000
/** A sale that the service shows later than this after ours, in ms, is another one: the item came back in between. */
const longestDelay = 3_600_000
/** So many of our latest sales are read to find out. */
const mostAsked = 3

/** The specification doesn't say what `sold_at_dispensary_on` holds: sales of ours that were plainly taken show it. */
async function customOf(read: Map<TagId, CollectionItem>, parts: ReconcileParts): Promise<Result<Custom, AppError>> {
  for (const [tagId, item] of read) {
    const moment = soldAt(item)
    if (moment != null && parts.own.momentsOf(tagId).includes(moment)) return ok('our-moments')
  }
  const latest = parts.own.latestSales(mostAsked)
  const items = await readItems(
    latest.map(({ tagId }) => tagId),
    parts,
  )
  if (!items.ok) return items
  const seen = latest
    .map(({ tagId, at }) => ({ at, shown: soldAt(items.value.get(tagId)) }))
    // The whole second of ours may be that of a service that keeps seconds of its own.
    .filter(({ at, shown }) => shown === at || !isAt(shown, at))
  if (seen.some(({ at, shown }) => shown === at)) return ok('our-moments')
  const isOwn = ({ at, shown }: (typeof seen)[number]) =>
    shown != null && shown >= at - tolerance && shown <= at + longestDelay
  if (seen.some(isOwn)) return ok('its-own-moments')
  return ok(seen.length > 1 && seen.every(({ shown }) => shown === null) ? 'no-moments' : 'untold')
}

/** An order that is void is void: "already processed" can speak of nothing else, so whatever is unproven is sent again. */
async function reconcileVoid(operation: Operation, parts: ReconcileParts): Promise<Finding> {
  const sale = parts.own.heldBefore(operation)
  // What came back before would look the same whether or not the void was taken.
  const items = await readItems([...sale.keys()], parts)
  if (!items.ok) return stillUnknown(items.error)
  return areBack(sale, items.value, parts.own) ? found : unclear(shownOf([...sale.keys()], items.value))
}

/**
 * A return is of all its items or of none, but "already processed" may be said of one that another till returned. Only
 * where all of them look alike can it speak of ours.
 */
async function reconcileReturn(operation: Operation, tagIds: TagId[], parts: ReconcileParts): Promise<Finding> {
  const items = await readItems(tagIds, parts)
  if (!items.ok) return stillUnknown(items.error)
  const held = parts.own.heldBefore(operation)
  const sale = new Map([...held].filter(([tagId]) => tagIds.includes(tagId)))
  if (tagIds.every((tagId) => sale.has(tagId)) && areBack(sale, items.value, parts.own)) return found
  const moments = new Set(tagIds.map((tagId) => soldAt(items.value.get(tagId))))
  // Of an item that was taken out of its case nobody can read anything: that speaks neither for nor against it.
  moments.delete(undefined)
  const shown = shownOf(tagIds, items.value)
  return moments.size > 1 ? notTaken(shown) : unclear(shown)
}

/** In the words of a person: where the items of a void or return stand. */
function shownOf(tagIds: TagId[], items: Map<TagId, CollectionItem>): Shown {
  const moments = tagIds.map((tagId) => soldAt(items.get(tagId))).filter((one) => one !== undefined)
  if (moments.length === 0) return 'nothing'
  return moments.every((one) => one === null) ? 'free' : moments.includes(null) ? 'part' : 'sold'
}

/**
 * Whether all items of a sale of ours are free, or sold again since. A void or return leaves no mark of its own, so this
 * counts only where the same answer shows another sale of ours, no older than it, at its very moment. Without that
 * witness the service may keep times of its own, or the answer may be older than the sale.
 */
function areBack(sale: Map<TagId, number>, items: Map<TagId, CollectionItem>, own: OwnReports): boolean {
  if (sale.size === 0) return false
  const latest = Math.max(...sale.values())
  for (const tagId of sale.keys()) {
    const moment = soldAt(items.get(tagId))
    if (moment === undefined || (moment !== null && moment <= latest)) return false
  }
  return hasWitness(items, latest, own)
}

/** Whether the answer shows a sale of ours, made at `since` or later, at the moment that we gave it. */
function hasWitness(items: Map<TagId, CollectionItem>, since: number, own: OwnReports): boolean {
  for (const [tagId, item] of items) {
    const moment = soldAt(item)
    if (moment != null && moment >= since && own.momentsOf(tagId).includes(moment)) return true
  }
  return false
}
