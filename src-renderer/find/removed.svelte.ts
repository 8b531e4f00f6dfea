import type { AppError } from '../../src-shared/errors'
import type { Client } from '../../src-shared/ipc/client'
import type { RemovedCollectionLine } from '../../src-shared/ipc/find-view'
import type { OperationView } from '../../src-shared/ipc/operation-view'
import { Reports, collectionOf } from './reports.svelte'

/** Collections of the company that were removed, of one type or of all, and putting them back. */
export class Removed {
  /** Null: all types. */
  type = $state.raw<string | null>(null)
  lines = $state.raw<RemovedCollectionLine[] | null>(null)
  /** The types that were met so far: the service has no list of them. */
  types = $state.raw<readonly string[]>([])
  error = $state.raw<AppError | null>(null)
  /** When `lines` were answered, ms since 1970. */
  askedAt = $state<number | null>(null)
  readonly reports: Reports
  readonly #client: Client
  #loads = 0

  constructor(client: Client) {
    this.#client = client
    // What was put back stays in the list until it is looked at anew, for its undo stands there.
    this.reports = new Reports({ client, placeOf: collectionOf })
  }

  async load(): Promise<void> {
    const load = ++this.#loads
    const { settled } = this.reports
    const answer = await this.#client.call('find.removed', { type: this.type })
    if (load !== this.#loads) return
    this.error = answer.ok ? null : answer.error
    if (!answer.ok) return
    this.lines = answer.value
    // What is on the list is removed, again if it had been put back.
    this.reports.forget(settled)
    this.askedAt = Date.now()
    const types = [...this.types, ...answer.value.map(({ type }) => type)]
    this.types = types.filter((type, place) => types.indexOf(type) === place).sort()
  }

  async show(type: string | null): Promise<void> {
    if (type !== this.type) {
      // What was listed is of another type.
      this.lines = null
      this.askedAt = null
      this.error = null
    }
    this.type = type
    await this.load()
  }

  async restore({ collectionId }: RemovedCollectionLine): Promise<void> {
    await this.reports.run(collectionId, () => this.#client.call('collection.restore', { collectionId }))
  }

  /** Not where its restoring is under way or done; taken back or refused, it may be tried again. */
  canRestore({ collectionId }: RemovedCollectionLine): boolean {
    const operation = this.reports.of(collectionId)?.operation
    if (operation?.kind !== 'restore-collection') return true
    return operation.state === 'cancelled' || operation.state === 'rejected'
  }

  operationChanged(operation: OperationView): void {
    this.reports.operationChanged(operation)
  }
}
