import type { AppError } from '../../src-shared/errors'
import type { Client } from '../../src-shared/ipc/client'
import type { TillView } from '../../src-shared/ipc/till-view'

/** How this computer is used as a till. Each change is made at once. */
export class Till {
  /** Null until it is known, and in a browser, which has a window of its own. */
  view = $state.raw<TillView | null>(null)
  error = $state.raw<AppError | null>(null)
  isSaving = $state(false)
  isSaved = $state(false)

  readonly #client: Client

  constructor(client: Client) {
    this.#client = client
  }

  async load(): Promise<void> {
    const answer = await this.#client.call('till.view', undefined)
    this.error = answer.ok ? null : answer.error
    if (answer.ok) this.view = answer.value
  }

  async change(wanted: { isKiosk?: boolean; startsWithComputer?: boolean }): Promise<void> {
    this.isSaving = true
    this.isSaved = false
    const answer = await this.#client.call('till.change', wanted)
    this.isSaving = false
    // What was not changed is shown as it is.
    if (!answer.ok) await this.load()
    this.error = answer.ok ? null : answer.error
    if (!answer.ok) return
    this.view = answer.value
    this.isSaved = true
  }
}
