import { z } from 'zod'
import type { Parts } from '../http/context'
import { query } from '../store/query'
import {
  CollectionRow,
  collectionColumns,
  collectionEntry,
  collectionTables,
  collectionUrl,
  visibleTo,
} from './summaries'
import { entryV15 } from './collections-v15'
import type { LongForm } from './long-form'

const Found = z.object({ ...CollectionRow.shape, left_on: z.string().nullable() })

/** A collection of an item, and when the item left it, by itself or because the collection was removed. */
export type ItemCollectionRow = z.infer<typeof Found>

/** The collections of a TagID that a company may see, the earliest first: those that hold it and those that it left. */
export function createItemCollections({ store }: Parts) {
  const rows = query(
    store,
    `SELECT ${collectionColumns}, coalesce(m.removed_on, c.removed_on) AS left_on
     FROM ${collectionTables} JOIN memberships m ON m.collection_uuid = c.uuid
     WHERE m.tag_uuid = ? AND ${visibleTo} ORDER BY julianday(c.added_on), c.rowid`,
    Found,
  )
  return (tagUuid: string, companyUuid: string) => {
    const found = rows.all(tagUuid, companyUuid)
    return {
      holding: found.filter(({ left_on }) => left_on === null),
      left: found.filter(({ left_on }) => left_on !== null),
    }
  }
}

/** Spec: TagID (item) > v1.2. */
export const itemCollection = (row: ItemCollectionRow, tagUrl: string) => ({
  ...collectionEntry(row),
  uuid_legacy: null,
  is_public: row.body.is_public,
  removed_on: row.left_on,
  activated_on: row.body.activated_on ?? row.added_on,
  company_name: row.company_name,
  collection_url: collectionUrl(tagUrl, row),
})

/** Spec: TagID (item) > v1.5. */
export const itemCollectionV15 = (row: ItemCollectionRow, ids: LongForm) => ({
  ...entryV15(row, ids),
  is_public: row.body.is_public,
  removed_on: row.left_on,
})
