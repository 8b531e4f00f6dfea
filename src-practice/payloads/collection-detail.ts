import { type Holders, createHolders } from '../collections/holders'
import type { Parts } from '../http/context'
import { createCollections } from './collections'
import { type Member, memberPayload } from './members'
import { type CollectionRow, heldIn } from './summaries'

const tagIds = (members: readonly Member[]) => members.map(({ tag_id }) => tag_id)

/** A collection with its items as `/api/v1.2` shows it, to one company. Spec: Collection. */
export function createCollectionDetail(parts: Parts) {
  const { tagUrl } = parts.settings
  const { contents, fields } = createCollections(parts)
  const holdersOf = createHolders(parts)

  function read(row: CollectionRow, companyUuid: string) {
    const found = contents(row)
    const holders = holdersOf(tagIds(found.items), companyUuid)
    const item = (member: Member) => memberPayload(member, row, companyUuid, tagUrl)
    return { ...found, holders, item, common: fields(found, holders) }
  }

  return {
    collection(row: CollectionRow, companyUuid: string) {
      const { common, items, removedItems, item } = read(row, companyUuid)
      return { ...common, items: items.map(item), removed_items: removedItems.map(item) }
    },

    /** The answer to add-items and add-case: each item also names the collections that hold it. */
    changed(row: CollectionRow, companyUuid: string) {
      const { common, items, removedItems, holders, item } = read(row, companyUuid)
      const named = (of: Holders) => (member: Member) => ({
        ...item(member),
        collections: of.of(member.tag_id).map(heldIn),
      })
      const elsewhere = holdersOf(tagIds(removedItems), companyUuid)
      return { ...common, items: items.map(named(holders)), removed_items: removedItems.map(named(elsewhere)) }
    },
  }
}
