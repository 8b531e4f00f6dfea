import type { Parts } from '../http/context'
import { query } from '../store/query'
import { CollectionRow, collectionColumns, collectionTables, visibleTo } from './summaries'

/**
 * Finds collections that a company may see. An identifier need not be unique (a regulator package and our inventory of
 * it share one): the printed kinds come first, and of several the newest.
 */
export function createFinder({ store }: Parts) {
  const from = `SELECT ${collectionColumns} FROM ${collectionTables}`
  const byUuid = query(store, `${from} WHERE c.uuid = ? AND ${visibleTo}`, CollectionRow)
  const byIdentifier = query(
    store,
    `${from} WHERE c.identifier = ? AND ${visibleTo}
     ORDER BY CASE c.collection_type WHEN 'case' THEN 0 WHEN 'regulator' THEN 1 WHEN 'inventory' THEN 3 ELSE 2 END,
       julianday(c.added_on) DESC, c.rowid DESC LIMIT 1`,
    CollectionRow,
  )
  const caseByIdentifier = query(
    store,
    `${from} WHERE c.identifier = ? AND c.collection_type = 'case'
     ORDER BY julianday(c.added_on) DESC, c.rowid DESC LIMIT 1`,
    CollectionRow,
  )
  return {
    byUuid: (uuid: string, companyUuid: string) => byUuid.get(uuid, companyUuid),
    byIdentifier: (identifier: string, companyUuid: string) => byIdentifier.get(identifier, companyUuid),
    caseByIdentifier: (identifier: string) => caseByIdentifier.get(identifier),
  }
}
