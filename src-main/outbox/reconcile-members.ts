import type { TagId } from '../../src-shared/ids'
import type { Collection } from '../../src-shared/service/collections'
import { assertNever } from '../../src-shared/result'
import { type Finding, type ReconcileParts, found, notTaken, stillUnknown, unclear } from './finding'
import { type MembersPayload, collectionOf, tagsOf } from './payload'
import { isPassing } from './read-items'

/**
 * A change of what a collection holds, by what it holds now and what was taken out of it. Whatever is not proven is sent again,
 * which does no harm: a change that is made already changes nothing, and our own later changes of an item wait behind
 * this one. Spec: Collection, `items` and `removed_items`; States and transitions > Collection item.
 */
export async function reconcileMembers(payload: MembersPayload, { client }: ReconcileParts): Promise<Finding> {
  // By v1.2 and the retail account: it shows the same, and needs no other account to be well.
  const collection = await client.collections.get(collectionOf(payload))
  if (!collection.ok) return isPassing(collection.error) ? stillUnknown(collection.error) : unclear('nothing')
  const places = tagsOf(payload).map((tagId) => placeOf(tagId, collection.value))
  switch (payload.kind) {
    case 'add-items':
    case 'restore-item':
      return places.every((place) => place === 'in') ? found : notTaken('as-before')
    case 'remove-item':
      if (places.every((place) => place === 'out')) return found
      // In neither list: it may never have been in the case, or the service does not show what was taken out.
      return places.includes('in') ? notTaken('as-before') : unclear('nothing')
    default:
      return assertNever(payload)
  }
}

function placeOf(tagId: TagId, { items, removed_items }: Collection): 'in' | 'out' | 'nowhere' {
  if (items.some((item) => item.tag_id === tagId)) return 'in'
  return removed_items?.some((item) => item.tag_id === tagId) === true ? 'out' : 'nowhere'
}
