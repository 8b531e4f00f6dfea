import { z } from 'zod'
import type { Parts } from '../http/context'
import { CollectionRow, collectionColumns, visibleTo } from '../payloads/summaries'
import { query } from '../store/query'

const Holder = z.object({ ...CollectionRow.shape, tag_uuids: z.string() })

/** The collections that hold some items now, the earliest first. */
export interface Holders {
  /** Those of one type. */
  ofType(type: string): CollectionRow[]
  /** Those that hold one of the items; of one type, if it is named. */
  of(tagId: string, type?: string): CollectionRow[]
}

/**
 * Finds the collections in which items are now, as one company sees them: one statement for any number of items. The
 * times of collections are compared as moments, so that the last regulator collection is the newest.
 */
export function createHolders({ store }: Parts) {
  const rows = query(
    store,
    // CROSS JOIN keeps the order of the tables: from the items to their collections, never through all collections.
    `SELECT ${collectionColumns}, group_concat(m.tag_uuid) AS tag_uuids
     FROM json_each(?) asked CROSS JOIN memberships m ON m.tag_uuid = asked.value AND m.removed_on IS NULL
       CROSS JOIN collections c ON c.uuid = m.collection_uuid AND c.removed_on IS NULL
       JOIN companies k ON k.uuid = c.company_uuid
     WHERE ${visibleTo} GROUP BY c.uuid ORDER BY julianday(c.added_on), c.rowid`,
    Holder,
  )

  return function holders(tagIds: readonly string[], companyUuid: string): Holders {
    const byType = new Map<string, CollectionRow[]>()
    const byTag = new Map<string, CollectionRow[]>()
    for (const { tag_uuids, ...row } of rows.all(JSON.stringify(tagIds), companyUuid)) {
      append(byType, row.collection_type, row)
      for (const tagId of tag_uuids.split(',')) append(byTag, tagId, row)
    }
    return {
      ofType: (type) => byType.get(type) ?? [],
      of(tagId, type) {
        const held = byTag.get(tagId) ?? []
        return type === undefined ? held : held.filter((row) => row.collection_type === type)
      },
    }
  }
}

function append<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}
