import { z } from 'zod'
import { type OperationId, OrderId, type TagId } from '../../src-shared/ids'
import type { DifferenceKind } from '../../src-shared/ipc/contract/checkout'
import { assertNever } from '../../src-shared/result'
import type { Operation } from '../outbox/operation'
import { isSameSecond, matchOf } from '../outbox/shown-time'
import type { DayContext } from './day-context'
import { Entries } from './entries'
import { History, itemsIn, ofOrder, spanOf } from './history'

/** Where the reports of this station leave an item. Moments are ms since 1970, by the service's clock. */
export const Reported = z.object({
  /** The newest accepted report that changed the item. */
  seq: z.number().int(),
  by: z.enum(['complete', 'return', 'void']),
  orderId: OrderId,
  at: z.number(),
  /** When this station learned that the service has it. */
  settledAt: z.number(),
  /** The moments of this station's accepted sales of the item. */
  soldAt: z.array(z.number()),
  /** False for a sale that was "already processed": the service may show it with another moment. */
  isMomentCertain: z.boolean(),
  /** False while a newer report of the item is unsent, unclear or refused. */
  isSettled: z.boolean(),
})
export type Reported = z.infer<typeof Reported>

/** What the service shows of an item: no usable answer, not sold, or sold at a moment. */
export const Shown = z.union([z.literal('nothing'), z.literal('free'), z.number()])
export type Shown = z.infer<typeof Shown>

export type Comparison = 'as-reported' | 'own-time' | 'sold-since' | 'not-settled' | DifferenceKind

/**
 * Where an item should stand at the service. `operations`: this station's reports of the item and the voids of its
 * orders, oldest first. Undefined when the service took none of them.
 */
export function reportedOf(
  tagId: TagId,
  operations: readonly Operation[],
  settledAtOf: (operation: Operation) => number,
): Reported | undefined {
  let last: Operation | undefined
  let holder: string | null = null
  let isSettled = true
  const soldAt: number[] = []
  for (const operation of operations) {
    const payload = ofOrder(operation)
    if (!payload || operation.state === 'cancelled') continue
    const isNamed = payload.tagIds.includes(tagId)
    // A void ends the whole order, whether or not it names the item. An item that was sold in another order since stays sold.
    const changesIt = payload.kind === 'void' ? holder === payload.orderId || (isNamed && holder === null) : isNamed
    if (!changesIt) continue
    if (operation.state !== 'accepted') {
      isSettled = false
      continue
    }
    last = operation
    isSettled = true
    holder = payload.kind === 'complete' ? payload.orderId : null
    if (payload.kind === 'complete') soldAt.push(Date.parse(operation.performedAt))
  }
  const payload = last && ofOrder(last)
  if (!last || !payload) return undefined
  return {
    seq: last.seq,
    by: payload.kind,
    orderId: payload.orderId,
    at: Date.parse(last.performedAt),
    settledAt: settledAtOf(last),
    soldAt,
    isMomentCertain: last.note !== 'already-processed' && last.note !== 'confirmed',
    isSettled,
  }
}

/** Whether a moment is shown, to the second at least. */
const isMoment = (shown: number, moment: number) => isSameSecond(matchOf(shown, moment))

/** Longer than an answer takes, in ms: a service that writes its own times would not show a moment that long ago. */
const late = 5_000

/**
 * Whether an item proves that the service keeps the moments we report. To the millisecond is proof; to the second only
 * where the report came later, or the service may have written the time at which it came.
 */
export function isWitness({ by, at, settledAt, isMomentCertain, isSettled }: Reported, shown: Shown): boolean {
  if (by !== 'complete' || !isMomentCertain || !isSettled || typeof shown !== 'number') return false
  return isMoment(shown, at) && (shown % 1_000 !== 0 || settledAt - at > late)
}

/** Compares what the service shows of an item with what was reported. `keepsMoments`: an item proved that the service does. */
export function compare(reported: Reported, shown: Shown, keepsMoments: boolean): Comparison {
  if (!reported.isSettled) return 'not-settled'
  if (shown === 'nothing') return 'not-shown'
  switch (reported.by) {
    case 'complete':
      if (shown === 'free') return 'not-sold'
      if (isMoment(shown, reported.at)) return 'as-reported'
      // A time in minutes, hours or days may be ours: it is no other sale, and no proof of ours.
      if (matchOf(shown, reported.at) === 'possible') return 'own-time'
      return keepsMoments && reported.isMomentCertain ? 'other-time' : 'own-time'
    case 'return':
    case 'void':
      if (shown === 'free') return 'as-reported'
      return isSoldSince(reported, shown, keepsMoments) ? 'sold-since' : 'still-sold'
    default:
      return assertNever(reported.by)
  }
}

/**
 * Whether a sale that is shown was made after our return or void. A service with times of its own may show our own sale as
 * later than it was, but never later than the moment we learned that it took the return.
 */
function isSoldSince({ at, settledAt, soldAt }: Reported, shown: number, keepsMoments: boolean): boolean {
  if (soldAt.some((moment) => isMoment(shown, moment))) return false
  return shown > (keepsMoments ? at : settledAt)
}

const differences: Record<Comparison, boolean> = {
  'as-reported': false,
  'own-time': false,
  'sold-since': false,
  'not-settled': false,
  'not-sold': true,
  'still-sold': true,
  'other-time': true,
  'not-shown': true,
}

const isDifference = (comparison: Comparison): comparison is DifferenceKind => differences[comparison]

/** An item of a day that is read back. Both are null until it is read. */
export interface ReadBackItem {
  reported: Reported | null
  shown: Shown | null
}

/** Counts each comparison of the items read so far, and lists those that differ. */
export function tallyOf<Item extends ReadBackItem>(items: Iterable<Item>) {
  const read = [...items].flatMap((item) => {
    const { reported, shown } = item
    return reported !== null && shown !== null ? [{ item, reported, shown }] : []
  })
  const keepsMoments = read.some(({ reported, shown }) => isWitness(reported, shown))
  const counts: Record<Comparison, number> = {
    'as-reported': 0,
    'own-time': 0,
    'sold-since': 0,
    'not-settled': 0,
    'not-sold': 0,
    'still-sold': 0,
    'other-time': 0,
    'not-shown': 0,
  }
  const differing: { item: Item; kind: DifferenceKind; reported: Reported; shown: Shown }[] = []
  for (const { item, reported, shown } of read) {
    const kind = compare(reported, shown, keepsMoments)
    counts[kind]++
    if (isDifference(kind)) differing.push({ item, kind, reported, shown })
  }
  return { done: read.length, counts, differing }
}

const mostRemembered = 10_000

/** What is to be read back, from this station's own operations. */
export class ReadBackPlan {
  readonly #context: DayContext
  readonly #entries: Entries
  readonly #history: History
  /** An accepted operation stays accepted, and its journal entry stays as it is. */
  readonly #settled = new Map<OperationId, number>()

  constructor(context: DayContext) {
    this.#context = context
    this.#entries = new Entries(context.db)
    this.#history = new History(context.outbox)
  }

  /** Items that the accepted sales, returns and voids of a day changed, each once. */
  itemsOf(day: string): TagId[] {
    const tagIds = new Set<TagId>()
    for (const operation of this.#entries.operations(spanOf(day))) {
      const payload = operation.state === 'accepted' ? ofOrder(operation) : undefined
      if (!payload) continue
      for (const tagId of payload.tagIds) tagIds.add(tagId)
      if (payload.kind !== 'void') continue
      for (const { tagId, state } of itemsIn(this.#history.order(payload.orderId))) {
        if (state === 'voided') tagIds.add(tagId)
      }
    }
    return [...tagIds]
  }

  /** Where all reports of this station, of any day, leave an item; undefined if the service accepted none. */
  reported(tagId: TagId): Reported | undefined {
    return reportedOf(tagId, this.#operationsOf(tagId), (operation) => this.#settledAtOf(operation))
  }

  #settledAtOf({ id, performedAt }: Operation): number {
    const { outbox, serviceClock } = this.#context
    const known = this.#settled.get(id)
    if (known !== undefined) return known
    const journal = outbox.journalOf(id)
    const step = journal.ok ? journal.value.findLast(({ to }) => to === 'accepted') : undefined
    const at = step ? Date.parse(step.at) + serviceClock.offset() : Date.parse(performedAt)
    if (this.#settled.size >= mostRemembered) this.#settled.clear()
    this.#settled.set(id, at)
    return at
  }

  /** Reports that name an item, and voids of its orders: a void need not name it. Oldest first. */
  #operationsOf(tagId: TagId): Operation[] {
    const own = this.#history.reportsOf(tagId)
    const orders = new Set(own.flatMap((one) => ofOrder(one)?.orderId ?? []))
    const voids = [...orders].flatMap((orderId) => this.#history.order(orderId)).filter(({ kind }) => kind === 'void')
    const bySeq = new Map([...own, ...voids].map((one) => [one.seq, one]))
    return [...bySeq.values()].sort((a, b) => a.seq - b.seq)
  }
}
