import type { Database } from 'better-sqlite3'
import type { EntityView } from '../../../src-shared/ipc/contract/find'
import { type Operation, operationOf } from '../../outbox/operation'
import type { Outbox } from '../../outbox/outbox'
import { rulesOf } from './entities'

/** The number of operations in a view. */
const mostShown = 50

/** What this station reported of a thing, or will report. */
export class OwnOperations {
  readonly #read: Pick<Outbox['read'], 'byKey'>
  readonly #ofPackage

  constructor(db: Database, read: Pick<Outbox['read'], 'byKey'>) {
    this.#read = read
    // By the index of received operations, newest first. A payload that is not JSON names no package.
    this.#ofPackage = db.prepare(`
    SELECT * FROM operation INDEXED BY operation_received
    WHERE kind IN ('import', 'blind-import', 'import-removal', 'add-items', 'remove-item', 'restore-item')
    AND CASE WHEN json_valid(payload) THEN payload ->> '$.packageUid' END = ?
    ORDER BY seq DESC LIMIT ${mostShown}`)
  }

  /** Each once, newest first. */
  of(view: EntityView): Operation[] {
    const received = view.kind === 'package' ? this.#ofPackage.all(view.ref.id).map(operationOf) : []
    const reported = rulesOf(view.kind).reportKeys?.(view) ?? []
    const all = [...received, ...reported.flatMap((key) => this.#read.byKey(key))]
    return [...new Map(all.map((operation) => [operation.seq, operation])).values()]
      .sort((a, b) => b.seq - a.seq)
      .slice(0, mostShown)
  }
}
