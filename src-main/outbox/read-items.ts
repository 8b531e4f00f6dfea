import type { AppError } from '../../src-shared/errors'
import { isSilence } from '../../src-shared/silence'
import type { CaseId, TagId } from '../../src-shared/ids'
import { type Result, err, ok } from '../../src-shared/result'
import type { CollectionItem } from '../../src-shared/service/collections'
import { caseOfItem } from '../memory/lookup'
import type { V12Client } from '../service-client/v12'

export interface ItemSource {
  client: { collections: Pick<V12Client['collections'], 'get'>; items: Pick<V12Client['items'], 'get'> }
  /** The case that an item was last seen in. */
  caseOf: (tagId: TagId) => CaseId | undefined
}

/**
 * What the service shows of items and of all that lie in a case with them. An item is looked for in the case that it was
 * last seen in, then in the one that the service names. What can't be found is left out. Errors: those of a reading that
 * may succeed later. Spec: Collection, "v1.2 collection item fields".
 */
export async function readItems(
  tagIds: readonly TagId[],
  { client, caseOf }: ItemSource,
): Promise<Result<Map<TagId, CollectionItem>, AppError>> {
  const shown = new Map<TagId, CollectionItem>()
  const read = new Set<CaseId>()

  const readCase = async (caseId: CaseId | undefined): Promise<Result<null, AppError>> => {
    if (caseId === undefined || read.has(caseId)) return ok(null)
    read.add(caseId)
    const collection = await client.collections.get(caseId)
    if (!collection.ok) return isPassing(collection.error) ? collection : ok(null)
    // Taken out of its case, an item goes on showing what became of it.
    for (const item of [...(collection.value.removed_items ?? []), ...collection.value.items]) {
      shown.set(item.tag_id, item)
    }
    return ok(null)
  }

  for (const tagId of tagIds) {
    const known = shown.has(tagId) ? ok(null) : await readCase(caseOf(tagId))
    if (!known.ok) return known
    if (shown.has(tagId)) continue
    const item = await client.items.get(tagId)
    if (!item.ok && isPassing(item.error)) return err(item.error)
    const named = item.ok ? await readCase(caseOfItem(item.value)) : ok(null)
    if (!named.ok) return named
  }
  return ok(shown)
}

const passing = new Set<AppError['code']>(['service/busy', 'service/failing'])

/** Whether the same reading may succeed later: a page or nothing at all passes, JSON of another shape stays. */
export const isPassing = (error: AppError) =>
  error.code === 'service/unreadable' ? error.path === null : passing.has(error.code) || isSilence(error)
