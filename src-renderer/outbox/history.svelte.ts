import type { AppError } from '../../src-shared/errors'
import type { OperationId } from '../../src-shared/ids'
import type { Client } from '../../src-shared/ipc/client'
import type { JournalEntry } from '../../src-shared/ipc/operation-view'

/** What happened to one operation, as long as a person has it open. */
export class History {
  /** Oldest first; null until they are known. */
  entries = $state.raw<JournalEntry[] | null>(null)
  error = $state.raw<AppError | null>(null)
  /** The operation moved on since. */
  isOutdated = false
  /** Each step by itself, also those attempts that are else told in one sentence. */
  isWhole = $state(false)

  readonly #client: Client
  readonly #operationId: OperationId

  constructor(client: Client, operationId: OperationId) {
    this.#client = client
    this.#operationId = operationId
  }

  async load(): Promise<void> {
    this.isOutdated = false
    const answer = await this.#client.call('outbox.journal', { operationId: this.#operationId })
    this.error = answer.ok ? null : answer.error
    // A history only grows: a shorter one is an answer that was overtaken.
    if (answer.ok && answer.value.length >= (this.entries?.length ?? 0)) this.entries = answer.value
  }
}
