import { hash as digest } from 'node:crypto'

/** What the hash of a line covers, in this order: the columns of `journal` but the number and the hash. Never changed once released. */
export const covered = [
  ...['operation_seq', 'at', 'actor', 'what', 'from_state', 'to_state', 'detail'],
  ...['subject', 'person', 'name', 'approver', 'approver_name'],
] as const

/** The hash of a line: over the hash of the line before ('' at the first) and the values of the `covered` columns. */
export const hashAfter = (before: string, values: readonly unknown[]): string =>
  digest('sha256', JSON.stringify([before, ...values]), 'base64url')

export interface ChainLine {
  entry: number
  hash: string
  values: readonly unknown[]
}

/** Lines that were removed for their age, with the hash of the last of them. */
export interface Gap {
  first: number
  last: number
  hash: string
}

/** `cut`: what had been noted outside of the journal wasn't in it when this line was written. */
export type ChainFault = { kind: 'changed' | 'cut'; entry: number } | { kind: 'missing'; first: number; last: number }

/** The gaps by their first number, and the last number that was given when the chain began: earlier ones may be missing. */
export interface Removed {
  gaps: ReadonlyMap<number, Gap>
  before: number
}

/** How far the chain is checked. `hashes`: of the line before, as it says and as it is; none if that is missing. */
export interface ChainPlace {
  next: number
  hashes: readonly string[]
}

export const chainStart: ChainPlace = { next: 1, hashes: [''] }

/**
 * Checks lines against those before them, in the order of their numbers. Names each line that was changed, and those that are missing
 * and weren't removed for their age; the line after missing ones can't be checked.
 */
export function verifyChain(
  lines: Iterable<ChainLine>,
  removed: Removed,
  from: ChainPlace = chainStart,
): { faults: ChainFault[]; place: ChainPlace } {
  const faults: ChainFault[] = []
  let place = from
  for (const { entry, hash, values } of lines) {
    const reached = passGaps(place, entry, removed)
    const { hashes } = reached.place
    const isIntact = hashes.length === 0 || hashes.some((before) => hashAfter(before, values) === hash)
    faults.push(...reached.faults, ...(isIntact ? [] : [{ kind: 'changed' as const, entry }]))
    // What follows a changed line is not blamed for it: its hash was made before the change.
    const own = isIntact ? [] : hashes.slice(0, 1).map((before) => hashAfter(before, values))
    place = { next: entry + 1, hashes: [hash, ...own] }
  }
  return { faults, place }
}

/** Goes on to a number that has a line, or to the one after the last that was given. */
export function passGaps(
  { next, hashes }: ChainPlace,
  upTo: number,
  { gaps, before }: Removed,
): { faults: ChainFault[]; place: ChainPlace } {
  const faults: { kind: 'missing'; first: number; last: number }[] = []
  while (next < upTo) {
    const gap = gaps.get(next)
    const last = faults.at(-1)
    if (gap) hashes = gap.last < upTo ? [gap.hash] : []
    else if (next > before) {
      hashes = []
      if (last?.last === next - 1) last.last = next
      else faults.push({ kind: 'missing', first: next, last: next })
    }
    next = gap ? Math.min(gap.last + 1, upTo) : next + 1
  }
  return { faults, place: { next, hashes } }
}
