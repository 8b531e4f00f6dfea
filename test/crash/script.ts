import type { FaultsInput } from '../../src-practice/admin'
import { type Chance, chanceOf } from './chance'
import { anyFault } from './faults'
import { stepOf } from './kills'
import { type DeliveryDeed, type ShelfDeed, shopDeeds } from './script-shop'
import type { TagId } from '../../src-shared/ids'
import { type Counted, type Lot, countedCases, lotsOf, unusedLabel } from './store'

/** What a person means to do. Refers to other deeds of the day by number. */
export type Deed =
  | { do: 'open the shop' }
  | { do: 'sell'; orderId: string; tagIds: string[] }
  | { do: 'return'; orderId: string; tagIds: string[] }
  | { do: 'void'; orderId: string }
  | { do: 'import'; lot: Lot; posInventoryId: string }
  /** An import of a case by its label alone; it holds the listed lots, or the label belongs to no case. */
  | { do: 'blind import'; label: string; lots: Lot[]; posInventoryId: string }
  | { do: 'undo import'; of: number }
  /** Counts a case that contains these items, and reports the differences. */
  | { do: 'count'; counted: Counted; present: TagId[] }
  | { do: 'undo change'; of: number; which: number }
  /** Deals with one of the operations that need attention. */
  | { do: 'attend'; which: number; how: 'retry' | 'dismiss' | 'reopen' | 'correct' }
  | { do: 'withdraw'; which: number }
  | { do: 'send now' }
  /** Another till of the store sells an item without this station's knowledge. */
  | { do: 'rival sale'; orderId: string; tagId: string }
  /** Reads from the service what should be on the shelf. */
  | { do: 'read the shelf' }
  | ShelfDeed
  | DeliveryDeed
  | { do: 'break'; faults: FaultsInput }
  | { do: 'heal' }
  | { do: 'expire tokens' }
  | { do: 'wait'; ms: number }

interface Step {
  n: number
  /** How long a person waits for the outcome before continuing, in ms: the app itself waits 2 s. */
  patience: number
  deed: Deed
}

export interface Day {
  steps: Step[]
  /** No person presses "send now" in the evening: the station has to recover by itself. */
  isPatient: boolean
}

const usual = {
  sell: 9,
  return: 4,
  void: 2.5,
  import: 4,
  'blind import': 2,
  'undo import': 2,
  count: 2.5,
  'undo change': 1,
  attend: 1.5,
  withdraw: 0.8,
  'send now': 0.6,
  break: 5,
  heal: 1.5,
  'expire tokens': 0.6,
  wait: 1,
  'rival sale': 0.3,
}

const readingShelf = 400
const firstShopDeed = 500

/** Most stations have seen their shop before; every fourth starts with no data. */
export const isFirstDay = (run: number) => run % 4 === 0

/** The day of the station that is prepared for the other runs: it only looks at the shop. */
export const firstLook: Day = {
  steps: [
    { n: 0, patience: 0, deed: { do: 'open the shop' } },
    { n: readingShelf, patience: 0, deed: { do: 'read the shelf' } },
  ],
  isPatient: false,
}

/** A day at the counter and at the receiving desk: fully determined by seed and run. */
export function dayOf(seed: number, run: number): Day {
  const chance = chanceOf('day', seed, run)
  const { plan, refuse, blind } = planner(chance, run)
  const deeds: Deed[] = [isFirstDay(run) ? { do: 'open the shop' } : { do: 'wait', ms: 0 }]
  // A sale that will be refused, and one that can't be sent: work for the outbox deeds.
  if (stepOf(run).startsWith('person')) deeds.push(...refuse())
  else deeds.push(...plan('break'))
  // Only for an existing case: otherwise there is nothing to find out.
  if (stepOf(run).startsWith('identify')) deeds.push(...blind())
  const count = 12 + chance.below(10)
  while (deeds.length < count) deeds.push(...plan(chance.weighed(usual)))
  const steps: Step[] = deeds.map((deed, n) => ({ n, patience: chance.pick([15, 15, 60, 200, 3_000]), deed }))
  const isPatient = chance.hits(1 / 16)
  // With numbers of their own: the other deeds name each other by theirs.
  const opening = isFirstDay(run) ? 2 : 1
  if (isFirstDay(run)) steps.splice(1, 0, { n: readingShelf, patience: 0, deed: { do: 'read the shelf' } })
  for (const [index, { at, deed }] of shopDeeds(seed, run).entries()) {
    const place = opening + Math.floor(at * (steps.length - opening))
    steps.splice(place, 0, { n: firstShopDeed + index, patience: 0, deed })
  }
  return {
    steps,
    isPatient,
  }
}

/** Chooses deeds that make sense after the earlier ones: items on the shelf, orders that were sold. */
function planner(chance: Chance, run: number) {
  const sellable: string[] = lotsOf('shelf').flatMap((lot) => lot.tagIds)
  const delivered: string[] = []
  const closed = lotsOf('closed').flatMap((lot) => lot.tagIds)
  const orders = new Map<string, string[]>()
  const imports = new Map<number, Lot>()
  const toImport = [...lotsOf('delivery')]
  const blindly = new Map<number, Lot[]>()
  const unseen = [...Map.groupBy(lotsOf('unseen'), (lot) => lot.caseId).values()]
  const counts: number[] = []
  let orderCount = 0
  let n = 1

  const take = <T>(from: T[], count: number): T[] =>
    Array.from({ length: Math.min(count, from.length) }, () => from.splice(chance.below(from.length), 1)).flat()
  const sell = (tagIds: string[]): Deed => {
    const orderId = `R${run}-${++orderCount}`
    orders.set(orderId, [...tagIds])
    return { do: 'sell', orderId, tagIds }
  }

  const blind = (): Deed[] =>
    take([...unseen.keys()], 1).flatMap((at) => {
      const [ofCase] = unseen.splice(at, 1)
      const [lot, another] = ofCase ?? []
      if (!ofCase || !lot) return []
      blindly.set(n, ofCase)
      // Sold before its case was ever opened.
      if (!another) delivered.push(...lot.tagIds)
      return [{ do: 'blind import', label: lot.label, lots: ofCase, posInventoryId: `INV-${run}-${n}` }]
    })

  const deeds: Record<keyof typeof usual, () => Deed[]> = {
    sell() {
      const count = 1 + chance.below(3)
      const tagIds = chance.hits(0.6) ? take(delivered, count) : []
      tagIds.push(...take(sellable, Math.max(1, count - tagIds.length)))
      if (chance.hits(0.1)) tagIds.push(chance.pick(closed))
      return tagIds.length > 0 ? [sell(tagIds)] : []
    },
    return() {
      const open = [...orders].filter(([, tagIds]) => tagIds.length > 0)
      if (open.length === 0) return []
      const [orderId, tagIds] = chance.pick(open)
      const back = take(tagIds, 1 + chance.below(2))
      // Sold again later, in another order.
      sellable.push(...back.filter((tagId) => !closed.some((one) => one === tagId)))
      return [{ do: 'return', orderId, tagIds: back }]
    },
    void() {
      if (orders.size === 0) return []
      const orderId = chance.pick([...orders.keys()])
      sellable.push(...(orders.get(orderId) ?? []).filter((tagId) => !closed.some((one) => one === tagId)))
      orders.delete(orderId)
      return [{ do: 'void', orderId }]
    },
    import() {
      if (chance.hits(0.08)) {
        return lotsOf('strange').map((lot) => ({ do: 'import', lot, posInventoryId: `INV-${run}-${n}` }))
      }
      // Two imports at once, as when a whole delivery is received.
      return take(toImport, 1 + chance.below(2)).map((lot, index) => {
        imports.set(n + index, lot)
        delivered.push(...lot.tagIds)
        return { do: 'import', lot, posInventoryId: `INV-${run}-${n + index}` }
      })
    },
    'blind import': () =>
      chance.hits(0.1)
        ? [{ do: 'blind import', label: unusedLabel, lots: [], posInventoryId: `INV-${run}-${n}` }]
        : blind(),
    'undo import'() {
      if (imports.size + blindly.size === 0) return []
      const of = chance.pick([...imports.keys(), ...blindly.keys()])
      const [lot, ofCase] = [imports.get(of), blindly.get(of)]
      imports.delete(of)
      blindly.delete(of)
      if (lot) toImport.push(lot)
      if (ofCase) unseen.push(ofCase)
      // Its remaining items leave with the case; if some were sold, the service refuses.
      for (const tagId of [lot ?? [], ofCase ?? []].flat().flatMap((one) => one.tagIds)) {
        if (delivered.includes(tagId)) delivered.splice(delivered.indexOf(tagId), 1)
      }
      return [{ do: 'undo import', of }]
    },
    count() {
      const counted = chance.pick(chance.hits(0.15) ? countedCases : countedCases.filter((one) => !one.isForeign))
      const isThere = { inside: 0.75, beside: 0.4 }
      const present = [
        ...counted.inside.filter(() => chance.hits(isThere.inside)),
        ...counted.beside.filter(() => chance.hits(isThere.beside)),
      ].map(({ tagId }) => tagId)
      counts.push(n)
      return [{ do: 'count', counted, present }]
    },
    'undo change': () =>
      counts.length === 0 ? [] : [{ do: 'undo change', of: chance.pick(counts), which: chance.below(8) }],
    attend: () => [
      { do: 'attend', which: chance.below(8), how: chance.pick(['retry', 'dismiss', 'reopen', 'correct'] as const) },
    ],
    withdraw: () => [{ do: 'withdraw', which: chance.below(8) }],
    'send now': () => [{ do: 'send now' }],
    break: () => [{ do: 'break', faults: anyFault(chance) }],
    heal: () => [{ do: 'heal' }],
    'expire tokens': () => [{ do: 'expire tokens' }],
    wait: () => [{ do: 'wait', ms: chance.below(200) }],
    'rival sale': () =>
      take(sellable, 1).map((tagId) => {
        // The station still believes that it can sell the item.
        sellable.push(tagId)
        return { do: 'rival sale', orderId: `TILL2-${run}-${n}`, tagId }
      }),
  }

  const numbered = (made: Deed[]) => {
    n += made.length
    return made
  }
  return {
    plan: (kind: keyof typeof usual) => numbered(deeds[kind]()),
    blind: () => numbered(blind()),
    refuse: () =>
      numbered([
        sell([chance.pick(closed), ...take(sellable, 1)]),
        { do: 'wait', ms: 60 },
        { do: 'attend', which: 0, how: chance.pick(['retry', 'dismiss', 'reopen'] as const) },
        { do: 'break', faults: { offline: true } },
        sell(take(sellable, 1)),
        { do: 'wait', ms: 60 },
        { do: 'withdraw', which: 0 },
      ]),
  }
}
