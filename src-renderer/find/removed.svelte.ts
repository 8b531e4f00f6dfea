import type { Client } from '../../src-shared/ipc/client'
import type { RemovedCollectionLine } from '../../src-shared/ipc/contract/find'
import type { OperationView } from '../../src-shared/ipc/contract/outbox'
import { Ask } from '../ui/ask.svelte'
import { Reports, collectionOf } from './reports.svelte'

/** Removed collections of the company, of one type or of all, and restoring them. */
export class Removed {
  /** Null: all types. */
  type = $state.raw<string | null>(null)
  /** The types that have been seen so far: the service has no list of them. */
  types = $state.raw<readonly string[]>([])
  /** When `lines` were read, in ms since 1970. */
  askedAt = $state<number | null>(null)
  readonly reports: Reports
  readonly #ask = new Ask<RemovedCollectionLine[]>()
  readonly #client: Client

  constructor(client: Client) {
    this.#client = client
    // A restored collection stays in the list until that is read again: its undo is shown there.
    this.reports = new Reports({ client, placeOf: collectionOf })
  }

  get lines() {
    return this.#ask.value
  }

  get error() {
    return this.#ask.error
  }

  async load(): Promise<void> {
    const { settled } = this.reports
    await this.#ask.ask(
      () => this.#client.call('find.removed', { type: this.type }),
      (lines) => {
        // What is on the list is removed; if it had been restored, it was removed again.
        this.reports.forget(settled)
        this.askedAt = Date.now()
        const types = [...this.types, ...lines.map(({ type }) => type)]
        this.types = types.filter((type, place) => types.indexOf(type) === place).sort()
      },
    )
  }

  async show(type: string | null): Promise<void> {
    if (type !== this.type) {
      // The list is of another type.
      this.#ask.clear()
      this.askedAt = null
    }
    this.type = type
    await this.load()
  }

  async restore({ collectionId }: RemovedCollectionLine): Promise<void> {
    await this.reports.run(collectionId, () => this.#client.call('collection.restore', { collectionId }))
  }

  /** False while its restoring is under way or done; true again once that was taken back or refused. */
  canRestore({ collectionId }: RemovedCollectionLine): boolean {
    const operation = this.reports.of(collectionId)?.operation
    if (operation?.kind !== 'restore-collection') return true
    return operation.state === 'cancelled' || operation.state === 'rejected'
  }

  operationChanged(operation: OperationView): void {
    this.reports.operationChanged(operation)
  }
}
