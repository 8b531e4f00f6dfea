import type { TagId } from '../../../src-shared/ids'
import type { ShelfCountRow } from './count-rows'
import type { DifferenceRows, ItemPosition } from './difference-rows'

/**
 * The items of which a count may say something, in parts, the next of which is read when it is asked for: those that differ already,
 * those that are missing now, those that were scanned, and those that have changed since the count began. A part may be empty.
 * `atOnce`: items of a part. `isKnown`: whether an item was looked at already.
 */
export function* candidatesOf(
  rows: DifferenceRows,
  count: ShelfCountRow,
  atOnce: number,
  isKnown: (tagId: TagId) => boolean,
): Generator<TagId[]> {
  function* paged(read: (after: ItemPosition) => ItemPosition[]): Generator<TagId[]> {
    for (let after: ItemPosition = [0, '']; ;) {
      const some = read(after)
      yield some.flatMap(([, tagId]) => (tagId === '' || isKnown(tagId) ? [] : tagId))
      const last = some.at(-1)
      if (!last || some.length < atOnce) return
      after = last
    }
  }
  yield* paged((after) => rows.shown(count, after, atOnce))
  yield* missingOf(rows, count, atOnce, isKnown)
  yield* paged((after) => rows.scans(count, after, atOnce))
  yield* paged((after) => rows.moved(count, after, atOnce))
}

/** By product, then by case: so they get their places in the list. */
function* missingOf(
  rows: DifferenceRows,
  count: ShelfCountRow,
  atOnce: number,
  isKnown: (tagId: TagId) => boolean,
): Generator<TagId[]> {
  const groups = new Map<string | null, TagId[]>()
  let read = 0
  for (const caseId of rows.cases(count)) {
    for (const [name, tagId] of rows.missingOf(count, caseId)) {
      read += 1
      if (isKnown(tagId)) continue
      const group = groups.get(name) ?? []
      group.push(tagId)
      groups.set(name, group)
    }
    if (read < atOnce) continue
    yield []
    read = 0
  }
  const inOrder = [...groups].sort(([one], [other]) => compare(one, other))
  for (const [, tagIds] of inOrder) {
    for (let from = 0; from < tagIds.length; from += atOnce) yield tagIds.slice(from, from + atOnce)
  }
}

const compare = (one: string | null, other: string | null) => {
  if (one === other) return 0
  return one === null || (other !== null && one < other) ? -1 : 1
}
