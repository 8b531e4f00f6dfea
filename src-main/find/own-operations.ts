import type { Database } from 'better-sqlite3'
import type { ThingView } from '../../src-shared/ipc/find-view'
import { type Operation, operationOf } from '../outbox/operation'
import type { Outbox } from '../outbox/outbox'
import { collectionKey, regulatorKey, scannedKey, tagKey } from '../outbox/payload'

/** What this station reported of a thing, or will, newest first. */
export type OwnOperations = (view: ThingView) => Operation[]

/** As many as a view holds. */
const mostShown = 50

export function createOwnOperations(db: Database, read: Pick<Outbox['read'], 'byKey'>): OwnOperations {
  // By the index of what was received, newest first; what can't be read names no package.
  const ofPackage = db.prepare(`
    SELECT * FROM operation INDEXED BY operation_received
    WHERE kind IN ('import', 'blind-import', 'import-removal', 'add-items', 'remove-item', 'restore-item')
    AND CASE WHEN json_valid(payload) THEN payload ->> '$.packageUid' END = ?
    ORDER BY seq DESC LIMIT ${mostShown}`)
  const byKeys = (...keys: string[]) => newest(keys.flatMap((key) => read.byKey(key)))

  return (view) => {
    switch (view.kind) {
      case 'tag':
        return byKeys(tagKey(view.ref.id))
      case 'collection':
        return byKeys(
          ...[view.collectionId, view.identifier].map(scannedKey),
          collectionKey(view.collectionId),
          regulatorKey(view.identifier),
        )
      case 'package':
        // A case that is put into it names it as its regulator does.
        return newest([...ofPackage.all(view.ref.id).map(operationOf), ...read.byKey(regulatorKey(view.ref.id))])
      case 'product':
      case 'batch':
      case 'coa':
        return []
    }
  }
}

/** Each once. */
const newest = (operations: readonly Operation[]): Operation[] =>
  [...new Map(operations.map((operation) => [operation.seq, operation])).values()]
    .sort((a, b) => b.seq - a.seq)
    .slice(0, mostShown)
