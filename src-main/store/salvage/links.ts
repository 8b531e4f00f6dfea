import type { OperationState } from '../../../src-shared/ipc/operation-view'
import type { Key } from '../../outbox/payload'

/** An operation that is not finished, and the keys it holds. */
export interface Holder {
  seq: number
  state: OperationState
  keys: Iterable<Key>
}

export interface Link {
  waiter: number
  blocker: number
}

/**
 * Who waits for whom, as if all were saved once more, one after the other: the rule is that of `outbox/locks.ts`, in
 * memory, for there it takes a minute and a half for 100,000 operations. A test holds the two together.
 */
export function linksOf(oldestFirst: Iterable<Holder>): Link[] {
  const links: Link[] = []
  const held = new Map<string, { exclusive: number | undefined; shared: number[] }>()
  for (const { seq, state, keys } of oldestFirst) {
    const blockers = new Set<number>()
    for (const { key, isExclusive } of keys) {
      const before = held.get(key) ?? { exclusive: undefined, shared: [] }
      if (isExclusive && before.shared.length > 0) for (const holder of before.shared) blockers.add(holder)
      else if (before.exclusive !== undefined) blockers.add(before.exclusive)
      if (isExclusive) held.set(key, { exclusive: seq, shared: [] })
      else if (state !== 'rejected') {
        before.shared.push(seq)
        held.set(key, before)
      }
    }
    // A refused one waits for nobody, and lets go of its shared keys.
    if (state !== 'rejected') for (const blocker of blockers) links.push({ waiter: seq, blocker })
  }
  return links
}
