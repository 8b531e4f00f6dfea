import { parseId } from '../../src-shared/ids'
import type { Parts } from '../http/context'
import { query } from '../store/query'
import { CollectionRow, collectionColumns, collectionTables, visibleTo } from './summaries'

/**
 * Finds collections that a company may see, by uuid (either form) or by identifier. An identifier need not be unique (a
 * regulator package and our inventory of it share one): what is not removed comes first, then the printed kinds, and of
 * several the newest.
 */
export function createFinder({ store }: Parts) {
  const from = `SELECT ${collectionColumns} FROM ${collectionTables}`
  const printedFirst = `CASE c.collection_type
    WHEN 'case' THEN 0 WHEN 'regulator' THEN 1 WHEN 'inventory' THEN 3 ELSE 2 END`
  const newestFirst = 'julianday(c.added_on) DESC, c.rowid DESC LIMIT 1'
  const byUuid = query(store, `${from} WHERE c.uuid = ? AND ${visibleTo}`, CollectionRow)
  const byIdentifier = query(
    store,
    `${from} WHERE c.identifier = ? AND ${visibleTo}
     ORDER BY c.removed_on IS NOT NULL, ${printedFirst}, ${newestFirst}`,
    CollectionRow,
  )
  const typedByIdentifier = query(
    store,
    `${from} WHERE c.identifier = ? AND c.collection_type = ? ORDER BY c.removed_on IS NOT NULL, ${newestFirst}`,
    CollectionRow,
  )
  const changeable = query(
    store,
    `${from} WHERE c.identifier = ? AND ${visibleTo}
     ORDER BY c.company_uuid <> ?, (c.removed_on IS NOT NULL) <> ?, ${printedFirst}, ${newestFirst}`,
    CollectionRow,
  )
  const withUuid = (id: string, companyUuid: string) => byUuid.get(parseId(id) ?? '', companyUuid)

  return {
    any: (id: string, companyUuid: string) => withUuid(id, companyUuid) ?? byIdentifier.get(id, companyUuid),
    /** A case or a regulator collection: kinds that every company sees. */
    ofType(type: 'case' | 'regulator', id: string, companyUuid: string): CollectionRow | undefined {
      const found = withUuid(id, companyUuid)
      return found?.collection_type === type ? found : typedByIdentifier.get(id, type)
    },
    /** What a change means: of several with one identifier the company's own, and one that the change has yet to reach. */
    toChange: (id: string, companyUuid: string, now: 'active' | 'removed') =>
      withUuid(id, companyUuid) ?? changeable.get(id, companyUuid, companyUuid, now === 'removed' ? 1 : 0),
  }
}
