import type { AppError } from '../../src-shared/errors'
import type { Client } from '../../src-shared/ipc/client'

/** The list of warnings beside the work, and the one thing a person can do in it: take note of a salvage. */
export class Warnings {
  isOpen = $state(false)
  isNoting = $state(false)
  error = $state.raw<AppError | null>(null)

  readonly #client: Client

  constructor(client: Client) {
    this.#client = client
  }

  /** A person has read what became of the damaged database. The warning goes when main says so. */
  async acknowledgeSalvage(): Promise<void> {
    if (this.isNoting) return
    this.isNoting = true
    const answer = await this.#client.call('store.acknowledgeSalvage', undefined)
    this.error = answer.ok ? null : answer.error
    this.isNoting = false
  }
}
