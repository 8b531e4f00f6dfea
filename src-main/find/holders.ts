import type { Holder } from '../../src-shared/ipc/find-view'
import { instant } from '../../src-shared/service/facts'
import { collectionLink, filled } from './links'

/** A collection as any of the answers names it. */
export interface WireHolder {
  uuid: string
  identifier: string
  name?: string | null | undefined
  collection_type?: string | null | undefined
  sub_type?: string | null | undefined
  company_name?: string | null | undefined
  added_on?: string | null | undefined
  removed_on?: string | null | undefined
}

/** `type` where the answer has none of its own. */
const holder = (one: WireHolder, type = ''): Holder => ({
  link: collectionLink(one),
  type: filled(one.collection_type) ?? type,
  subType: filled(one.sub_type),
  company: filled(one.company_name),
  addedOn: filled(one.added_on),
  removedOn: filled(one.removed_on),
})

/** Several lists of the same collections, each collection once: what an earlier list left open, a later one fills in. */
export function joinHolders(...lists: (readonly WireHolder[] | null | undefined)[]): Holder[] {
  const joined = new Map<string, Holder>()
  for (const one of lists.flatMap((list) => list ?? [])) {
    const next = holder(one)
    const known = joined.get(one.uuid)
    joined.set(
      one.uuid,
      known
        ? {
            link: { ...known.link, name: known.link.name ?? next.link.name },
            type: filled(known.type) ?? next.type,
            subType: known.subType ?? next.subType,
            company: known.company ?? next.company,
            addedOn: known.addedOn ?? next.addedOn,
            removedOn: known.removedOn ?? next.removedOn,
          }
        : next,
    )
  }
  return [...joined.values()]
}

export const newestFirst = (holders: readonly Holder[]): Holder[] =>
  holders.toSorted((a, b) => instant(b.removedOn ?? b.addedOn) - instant(a.removedOn ?? a.addedOn))

export const inTimeOrder = (holders: readonly Holder[]): Holder[] =>
  holders.toSorted((a, b) => instant(a.addedOn) - instant(b.addedOn))
