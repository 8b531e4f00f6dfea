import type { CollectionItem } from '../../src-shared/service/collections'
import { isRemovedOf } from '../../src-shared/service/facts'
import { type Finding, type ReconcileParts, found, notTaken, stillUnknown, unclear } from './finding'
import type { Payload, WholePayload } from './payload'
import { isPassing } from './read-items'

/**
 * A collection that was removed or restored, by whether it is removed now. Like a change of what it holds, whatever is
 * not proven is sent again: done already, it is done again without a word, and our own opposite waits behind.
 * Spec: Collection, `is_removed`; States and transitions > Collection.
 */
export async function reconcileWhole(payload: WholePayload, { client }: ReconcileParts): Promise<Finding> {
  // By v1.2 and the retail account, as what a collection holds: it needs no other account to be well.
  const collection = await client.collections.get(payload.collectionId)
  // Gone may be removed, or never there: the service's own word decides.
  if (!collection.ok) return isPassing(collection.error) ? stillUnknown(collection.error) : unclear('nothing')
  const isRemoved = isRemovedOf(collection.value)
  if (isRemoved === undefined) return unclear('nothing')
  return isRemoved === (payload.kind === 'remove-collection') ? found : notTaken('as-before')
}

/**
 * A case that was put into a regulator collection, by two readings: whatever the case holds (of the packaged product)
 * stands in the collection. Spec: Endpoints > Collections (v1.5), add-case.
 */
export async function reconcileAddedCase(
  payload: Extract<Payload, { kind: 'add-case' }>,
  { client }: ReconcileParts,
): Promise<Finding> {
  const [target, source] = await Promise.all([
    client.collections.get(payload.regulatorIdentifier),
    client.collections.get(payload.caseId),
  ])
  if (!target.ok && isPassing(target.error)) return stillUnknown(target.error)
  if (!source.ok && isPassing(source.error)) return stillUnknown(source.error)
  // An identifier need not be unique: what else bears it tells nothing.
  if (!target.ok || !source.ok || target.value.collection_type !== 'regulator') return unclear('nothing')
  const wanted = source.value.items.filter((item) => isOf(item, payload.packagedProductId))
  if (wanted.length === 0) return unclear('nothing')
  const held = new Set(target.value.items.map((item) => item.tag_id))
  return wanted.every((item) => held.has(item.tag_id)) ? found : notTaken('as-before')
}

const isOf = (item: CollectionItem, packagedProductId: string | null) =>
  packagedProductId === null || item.packaged_product_uuid === packagedProductId
