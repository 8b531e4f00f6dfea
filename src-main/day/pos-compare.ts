import type { PosDifferenceKind } from '../../src-shared/ipc/contract/pos-day'

/**
 * What one side has of an order on a day: items sold less items returned, in thousandths, by the group of their products.
 * A sale that was voided the same day leaves nothing.
 */
export interface OrderSide {
  isVoided: boolean
  counts: ReadonlyMap<string, number>
}

export interface OrderDifference {
  kind: PosDifferenceKind
  /** The products that differ, the largest difference first. */
  lines: { group: string; pos: number; here: number }[]
}

const nothing: ReadonlyMap<string, number> = new Map()

/** Compares what the POS and this station have of an order; undefined: nothing at all. Null if it is the same. Pure. */
export function compareOrder(pos: OrderSide | undefined, here: OrderSide | undefined): OrderDifference | null {
  const [posCounts, hereCounts] = [pos && !pos.isVoided ? pos.counts : nothing, here?.counts ?? nothing]
  const lines = [...new Set([...posCounts.keys(), ...hereCounts.keys()])]
    .map((group) => ({ group, pos: posCounts.get(group) ?? 0, here: hereCounts.get(group) ?? 0 }))
    .filter((line) => line.pos !== line.here)
    .sort((one, other) => Math.abs(other.pos - other.here) - Math.abs(one.pos - one.here))
  if (lines.length === 0) return null
  const kind = kindOf(pos, here)
  return kind && { kind, lines }
}

function kindOf(pos: OrderSide | undefined, here: OrderSide | undefined): PosDifferenceKind | null {
  // The POS keeps the lines of what was voided, this station what came back from a sale of an earlier day.
  if (pos?.isVoided === true) return here?.isVoided === true ? null : 'voided-pos'
  if (here?.isVoided === true) return 'voided-here'
  if (pos === undefined) return 'only-here'
  return here === undefined ? 'only-pos' : 'count'
}

/** An item of an order after a report of this station. */
export interface OrderReport {
  kind: 'complete' | 'return' | 'void'
  /** Whether the report belongs to the day that is compared. */
  isOfDay: boolean
  /** The items that it names, with the group of their product. */
  items: { tagId: string; group: string }[]
}

const item = 1_000

/**
 * What this station reported of an order on the day. `reports`: oldest first, of any day, without those that were
 * withdrawn or refused. Undefined if none is of the day.
 */
export function sideHere(reports: readonly OrderReport[]): OrderSide | undefined {
  const held = new Map<string, string>()
  const counts = new Map<string, number>()
  const add = (group: string, count: number) => counts.set(group, (counts.get(group) ?? 0) + count)
  let isVoided = false
  for (const { kind, isOfDay, items } of reports) {
    // A void ends the whole order, whether or not it names the items.
    const isWhole = kind === 'void' && held.size > 0
    const out = isWhole ? new Map(held) : new Map(items.map(({ tagId, group }) => [tagId, group]))
    for (const [tagId, group] of out) {
      if (kind === 'complete') held.set(tagId, group)
      else held.delete(tagId)
      if (isOfDay) add(group, kind === 'complete' ? item : -item)
    }
    if (isOfDay && kind === 'void') isVoided = true
  }
  if (!reports.some(({ isOfDay }) => isOfDay)) return undefined
  for (const [group, count] of counts) if (count === 0) counts.delete(group)
  return { isVoided, counts }
}

/**
 * The reports of an order whose sale counts for another day: what came back of an earlier sale, or a void of it, still counts.
 */
export function withoutSalesOfDay(reports: readonly OrderReport[]): OrderReport[] {
  const sold = new Set(
    reports.flatMap(({ kind, isOfDay, items }) =>
      isOfDay && kind === 'complete' ? items.map(({ tagId }) => tagId) : [],
    ),
  )
  const isOfSale = ({ kind, items }: OrderReport) =>
    kind === 'complete' || (sold.size > 0 && (kind === 'void' || items.some(({ tagId }) => sold.has(tagId))))
  return reports.map((report) => (isOfSale(report) ? { ...report, isOfDay: false } : report))
}

/** A line of the POS: of a voided sale, or, with a negative count, one that takes a sale back. */
interface VoidableLine {
  count: number
  isVoided: boolean
}
const isReversal = ({ count, isVoided }: VoidableLine) => isVoided && count < 0

/** The lines that count: none of an order that is voided as a whole. What was voided has no items, but a reversal takes them away. */
export function countedLines<T extends VoidableLine>(lines: readonly T[]): T[] {
  if (lines.every(({ isVoided }) => isVoided)) return []
  return lines.filter((line) => !line.isVoided || isReversal(line))
}

/** What the POS has of an order. `lines`: of the products that are compared, with their groups. */
export function sidePos(lines: readonly (VoidableLine & { group: string })[]): OrderSide | undefined {
  if (lines.length === 0) return undefined
  const isWhole = lines.every(({ isVoided }) => isVoided)
  const counts = new Map<string, number>()
  for (const { group, count } of isWhole ? lines : countedLines(lines)) {
    counts.set(group, (counts.get(group) ?? 0) + count)
  }
  for (const [group, count] of counts) if (count === 0) counts.delete(group)
  return { isVoided: isWhole || (counts.size === 0 && lines.some(isReversal)), counts }
}
