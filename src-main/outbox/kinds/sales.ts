import type { TagId } from '../../../src-shared/ids'
import type { Shown } from '../../../src-shared/ipc/contract/outbox'
import { type Result, assertNever, ok } from '../../../src-shared/result'
import type { CollectionItem } from '../../../src-shared/service/collections'
import { endpointsV12 } from '../../../src-shared/service/endpoints'
import { completeRequest, returnRequest, voidRequest } from '../../../src-shared/service/transactions'
import type { ServiceError } from '../../service/reply'
import { requestTo } from '../../service/requests'
import {
  type Evidence,
  type OwnReports,
  type ReconcileParts,
  found,
  notTaken,
  readItems,
  stillUnknown,
  unclear,
  undecided,
} from '../evidence'
import type { Operation } from '../operation'
import { type Payload, caseKey, orderKey, tagKey, tagsOf } from '../payload'
import { coarsestUnitOf, isSameSecond, matchOf } from '../shown-time'
import { type RulesOf, type SendableRules, transactionAnswers } from './rules'

const { transactions } = endpointsV12

type OrderPayload = Extract<Payload, { orderId: string }>

/**
 * A sale, return or void takes its order and its items exclusively and shares the cases of its items: it waits for their
 * import, but not for another sale from them.
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

export const saleKinds: RulesOf<'complete' | 'void' | 'return'> = {
  complete: {
    ...ofOrder,
    request: (payload, performedAt) =>
      requestTo(transactions.complete, [], completeRequest({ ...payload, performedAt })),
    reconcile: reconcileSale,
  },

  void: {
    ...ofOrder,
    request: (payload, performedAt) => requestTo(transactions.void, [], voidRequest({ ...payload, performedAt })),
    reconcile: reconcileVoid,
  },

  return: {
    ...ofOrder,
    request: (payload, performedAt) => requestTo(transactions.return, [], returnRequest({ ...payload, performedAt })),
    reconcile: reconcileReturn,
  },
}

/** When an item was sold as the service shows it, ms since 1970; null if it isn't sold, undefined if nothing is shown. */
const soldAt = (item: CollectionItem | undefined) =>
  item === undefined ? undefined : item.sold_at_dispensary_on == null ? null : Date.parse(item.sold_at_dispensary_on)

/**
 * A sale is recognized by its time, and sells all its items or none. All sold at that time: taken. Some, or all to the
 * second: taken, but the rest came back since or is hidden, so it is sent again. None: proves that it was not taken only
 * if the service is known to show the times we send, or later ones of its own, and the time is neither in any unit.
 * Spec: Collection, `sold_at_dispensary_on`.
 */
async function reconcileSale(operation: Operation, { tagIds }: OrderPayload, parts: ReconcileParts): Promise<Evidence> {
  const items = await readItems(tagIds, parts)
  if (!items.ok) return stillUnknown(items.error)
  const moments = tagIds.map((tagId) => soldAt(items.value.get(tagId)))
  const moment = Date.parse(operation.performedAt)
  if (moments.length > 0 && moments.every((one) => one === moment)) return found
  // If nothing can be read, only the service's answer to the report can decide.
  const shown = moments.filter((one) => one !== undefined)
  if (shown.length === 0) return unclear('nothing')
  const matches = shown.map((one) => (one === null ? 'other' : matchOf(one, moment)))
  if (matches.some(isSameSecond)) return unclear('part')
  const custom = await customOf(items.value, parts)
  return custom.ok ? evidenceOf(shown, moment, custom.value) : stillUnknown(custom.error)
}

/** What it means that no item was sold at our time, depending on the times the service is known to show. */
function evidenceOf(shown: (number | null)[], moment: number, custom: Custom): Evidence {
  const isFree = shown.every((one) => one === null)
  const [first] = shown
  // The items of one sale have one time, or times in quick succession, not before ours was made. Otherwise another station
  // sold at least some of them.
  const isOfOne = first != null && shown.every((one) => one !== null && Math.abs(one - first) <= tolerance)
  const mayBeOurs = isOfOne && first >= moment - tolerance
  const what: Shown = isFree ? 'free' : 'other-time'
  const { coarsest } = custom
  // Ours or another station's of the same minute or day: the time can't tell.
  const isPossible = shown.some((one) => one !== null && matchOf(one, moment, coarsest) === 'possible')
  const otherwise = isPossible ? undecided(what) : notTaken(what)
  switch (custom.shows) {
    case 'our-moments':
      return otherwise
    case 'its-own-moments':
      return mayBeOurs ? unclear(what) : otherwise
    case 'no-moments':
      return isFree ? unclear(what) : undecided(what)
    // The first sales of a station: even a time hours before ours may be ours, at a service that takes it for local time.
    case 'untold':
      return undecided(what)
    default:
      return assertNever(custom.shows)
  }
}

/** What the service is known to do with moments. */
interface Custom {
  /** What it shows as the time of our sales: the one we sent, one of its own, none; `untold`: not known. */
  shows: 'our-moments' | 'its-own-moments' | 'no-moments' | 'untold'
  /** In ms: it writes them in no coarser unit. */
  coarsest: number
}

/** The possible error in the offset between our clock and the service's, in ms. */
const tolerance = 2_000
/** In ms. A sale shown longer after ours than this is another one: the item came back in between. */
const longestDelay = 3_600_000
/** How many of our latest sales are read to find out. */
const mostAsked = 3

/** The specification doesn't say what `sold_at_dispensary_on` holds: our own accepted sales show it. */
async function customOf(
  read: Map<TagId, CollectionItem>,
  parts: ReconcileParts,
): Promise<Result<Custom, ServiceError>> {
  /** The coarsest unit in which our moments can be written as they are shown. */
  let coarsest = Infinity
  const isOurs = () => coarsest < Infinity
  for (const [tagId, item] of read) {
    const moment = soldAt(item)
    if (moment != null && parts.own.momentsOf(tagId).includes(moment)) {
      coarsest = Math.min(coarsest, coarsestUnitOf(moment))
    }
  }
  const seen: { at: number; shown: number | null | undefined }[] = []
  for (const { tagId, at } of coarsest === 1 ? [] : parts.own.latestSales(mostAsked)) {
    const items = await readItems([tagId], parts)
    // What is known already is enough.
    if (!items.ok && isOurs()) break
    if (!items.ok) return items
    const shown = soldAt(items.value.get(tagId))
    const match = shown == null ? 'other' : matchOf(shown, at)
    if (match === 'same') coarsest = Math.min(coarsest, coarsestUnitOf(at))
    if (coarsest === 1) break
    // A time in whole seconds, minutes or days may be ours or the service's own: it shows nothing.
    if (match === 'other') seen.push({ at, shown })
  }
  if (isOurs()) return ok({ shows: 'our-moments', coarsest })
  const isOwn = ({ at, shown }: (typeof seen)[number]) =>
    shown != null && shown >= at - tolerance && shown <= at + longestDelay
  // A single one says nothing: its item may have come back and been sold again, both at another till.
  const comparable = seen.filter(({ shown }) => shown !== undefined)
  if (comparable.length > 1 && comparable.every(isOwn)) return ok({ shows: 'its-own-moments', coarsest })
  const isNone = seen.length > 1 && seen.every(({ shown }) => shown === null)
  return ok({ shows: isNone ? 'no-moments' : 'untold', coarsest })
}

/** An order can be voided once: "already processed" can only mean that, so an unproven void is sent again. */
async function reconcileVoid(operation: Operation, _: OrderPayload, parts: ReconcileParts): Promise<Evidence> {
  const sale = parts.own.heldBefore(operation)
  // Items that were returned before look the same either way.
  const items = await readItems([...sale.keys()], parts)
  if (!items.ok) return stillUnknown(items.error)
  return areBack(sale, items.value, parts.own) ? found : unclear(shownOf([...sale.keys()], items.value))
}

/**
 * A return returns all its items or none, but "already processed" may be about an item that another till returned. An item
 * that still shows our own sale, while others don't, proves that ours was not taken. If they differ otherwise, an item may
 * have been sold again since.
 */
async function reconcileReturn(
  operation: Operation,
  { tagIds }: OrderPayload,
  parts: ReconcileParts,
): Promise<Evidence> {
  const items = await readItems(tagIds, parts)
  if (!items.ok) return stillUnknown(items.error)
  const held = parts.own.heldBefore(operation)
  const sale = new Map([...held].filter(([tagId]) => tagIds.includes(tagId)))
  if (tagIds.every((tagId) => sale.has(tagId)) && areBack(sale, items.value, parts.own)) return found
  const moments = new Set(tagIds.map((tagId) => soldAt(items.value.get(tagId))))
  // An item that can't be read says neither yes nor no.
  moments.delete(undefined)
  const shown = shownOf(tagIds, items.value)
  if (moments.size <= 1) return unclear(shown)
  const isStillSold = [...sale].some(([tagId, at]) => soldAt(items.value.get(tagId)) === at)
  return isStillSold ? notTaken(shown) : undecided(shown)
}

/** Where the items of a void or return are, as a person is told. */
function shownOf(tagIds: TagId[], items: Map<TagId, CollectionItem>): Shown {
  const moments = tagIds.map((tagId) => soldAt(items.get(tagId))).filter((one) => one !== undefined)
  if (moments.length === 0) return 'nothing'
  return moments.every((one) => one === null) ? 'free' : moments.includes(null) ? 'part' : 'sold'
}

/**
 * Whether all items of a sale of ours are free, or sold again since. A void or return leaves no trace of its own, so this
 * counts only if the same answer shows another sale of ours, not older, at exactly the time we sent. Without that witness
 * the service may show times of its own, or the answer may be older than the sale.
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

/** Whether the answer shows a sale that we made at `since` or later, at the time we sent. */
function hasWitness(items: Map<TagId, CollectionItem>, since: number, own: OwnReports): boolean {
  for (const [tagId, item] of items) {
    const moment = soldAt(item)
    if (moment != null && moment >= since && own.momentsOf(tagId).includes(moment)) return true
  }
  return false
}
