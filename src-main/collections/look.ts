import type { AppError } from '../../src-shared/errors'
import type { ShortUuid, TagId } from '../../src-shared/ids'
import { type Result, ok } from '../../src-shared/result'
import type { Collection } from '../../src-shared/service/collections'
import { isRemovedOf } from '../../src-shared/service/facts'
import type { SeenStore } from '../lookup/seen'
import { isPassing } from '../outbox/evidence'
import type { V12Client } from '../service-client/v12'

/** A collection as it is before a change of it is saved. */
export interface Looked {
  collectionType: string | null
  collectionName: string | null
  identifier: string | null
  itemCount: number
  /** What the service shows of it now; undefined when nobody could be asked. */
  shown: { isRemoved: boolean; inside: ReadonlySet<TagId>; ever: ReadonlySet<TagId>; products: Products } | undefined
}

/** The packaged products of what it holds; `isWhole` is false where the service does not name that of each item. */
interface Products {
  ids: ReadonlySet<ShortUuid>
  isWhole: boolean
}

/**
 * Reads a collection, by its id or identifier. Where nobody answers, what is remembered of the case with that id has to
 * do. Errors: service/not-found and whatever else is said for good.
 */
export type Look = (id: string) => Promise<Result<Looked, AppError>>

export interface LookParts {
  client: { collections: Pick<V12Client['collections'], 'get'> }
  seen: Pick<SeenStore, 'case'>
}

export const createLook =
  ({ client, seen }: LookParts): Look =>
  async (id) => {
    const collection = await client.collections.get(id)
    if (collection.ok) return ok(lookedAt(collection.value))
    const { error } = collection
    // What can't be read, or may not be, says nothing of what may be changed: that is the service's to say.
    const isWord = error.code === 'service/not-found' || error.code === 'service/invalid-fields'
    if (isWord && !isPassing(error)) return collection
    const known = seen.case(id)?.value
    return ok({
      collectionType: known ? 'case' : null,
      collectionName: known?.name ?? null,
      identifier: known?.identifier ?? null,
      itemCount: known?.tags.length ?? 0,
      shown: undefined,
    })
  }

function lookedAt(collection: Collection): Looked {
  const { items, removed_items, collection_type, name, identifier } = collection
  const ids = items.map((item) => item.packaged_product_uuid).filter((one) => one != null)
  return {
    collectionType: collection_type,
    collectionName: name ?? null,
    identifier,
    itemCount: items.length,
    shown: {
      isRemoved: isRemovedOf(collection) === true,
      inside: new Set(items.map((item) => item.tag_id)),
      ever: new Set([...items, ...(removed_items ?? [])].map((item) => item.tag_id)),
      products: { ids: new Set(ids), isWhole: ids.length === items.length },
    },
  }
}

/** Why a case can't be put into a regulator collection as it was asked for; null when the service has to say. */
export function objectionToProduct(
  { shown }: Looked,
  identifier: string,
  packagedProductId: ShortUuid | null,
): AppError | null {
  if (!shown || !shown.products.isWhole) return null
  const { ids } = shown.products
  if (packagedProductId === null) return ids.size > 1 ? { code: 'collection/choose-product', identifier } : null
  return ids.has(packagedProductId) ? null : { code: 'collection/product-not-in-case', identifier }
}
