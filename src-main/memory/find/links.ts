import type { EntityKind, EntityLink, HoldingCollection } from '../../../src-shared/ipc/contract/find'
import { instant } from '../../../src-shared/service/facts'

/** A thing by its kind and id, with the words by which a person chooses it. */
export const link = (kind: EntityKind, id: string, name?: string | null, detail?: string | null): EntityLink => ({
  kind,
  id,
  name: filled(name),
  detail: filled(detail),
})

/** Null for an empty text. */
export const filled = (text: string | null | undefined): string | null => (text == null || text === '' ? null : text)

/** A collection by its id; its identifier beside it if a brand chose one. */
export const collectionLink = (one: { uuid: string; identifier: string; name?: string | null | undefined }) =>
  link('collection', one.uuid, one.name, one.identifier === one.uuid ? null : one.identifier)

/** A collection in any of the service's answers. */
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

const holder = (one: WireHolder): HoldingCollection => ({
  link: collectionLink(one),
  type: filled(one.collection_type) ?? '',
  subType: filled(one.sub_type),
  company: filled(one.company_name),
  addedOn: filled(one.added_on),
  removedOn: filled(one.removed_on),
})

/** Joins lists of the same collections, each collection once: later lists fill in what earlier ones left empty. */
export function joinHolders(...lists: (readonly WireHolder[] | null | undefined)[]): HoldingCollection[] {
  const joined = new Map<string, HoldingCollection>()
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

export const newestFirst = (holders: readonly HoldingCollection[]): HoldingCollection[] =>
  holders.toSorted((a, b) => instant(b.removedOn ?? b.addedOn) - instant(a.removedOn ?? a.addedOn))
