import type { AppError } from '../../src-shared/errors'
import type { Client } from '../../src-shared/ipc/client'
import type { OperationView } from '../../src-shared/ipc/operation-view'
import type { PackagedProductView } from '../../src-shared/ipc/receiving-view'
import type { CaseRow } from './case-row.svelte'
import { operationOf } from './import-state'
import type { RowId } from './selection.svelte'

/** Takes single imports back. */
export class Undoing {
  /** What the last one was refused with, beside its row. */
  error = $state.raw<{ id: RowId; error: AppError } | null>(null)
  readonly #client: Client
  readonly #onChanged: (operation: OperationView) => void

  constructor(client: Client, onChanged: (operation: OperationView) => void) {
    this.#client = client
    this.#onChanged = onChanged
  }

  /** Unsent it is withdrawn, otherwise its removal is queued. */
  async product({ caseId }: CaseRow, { importState }: PackagedProductView): Promise<void> {
    const operation = operationOf(importState)
    if (operation) await this.operation(caseId, operation)
  }

  async operation(id: RowId, { id: operationId }: OperationView): Promise<void> {
    this.error = null
    const answer = await this.#client.call('receiving.undo', { operationId })
    if (answer.ok) this.#onChanged(answer.value)
    else this.error = { id, error: answer.error }
  }
}
