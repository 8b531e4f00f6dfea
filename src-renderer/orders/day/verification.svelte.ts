import type { AppError } from '../../../src-shared/errors'
import type { Client } from '../../../src-shared/ipc/client'
import type { DayVerification } from '../../../src-shared/ipc/verification-view'

/** Reading the day in front back from the service: main says how far it is, a person starts and pauses it. */
export class Verification {
  /** Of the report that is shown; null while there is none. */
  view = $state.raw<DayVerification | null>(null)
  error = $state.raw<AppError | null>(null)
  isBusy = $state(false)

  readonly #client: Client

  constructor(client: Client) {
    this.#client = client
  }

  /** The report of a day came. */
  show(view: DayVerification | null): void {
    if (view?.day !== this.view?.day) this.error = null
    this.view = view
  }

  /** Main says that a day got further; of another day it means nothing here. */
  changed(view: DayVerification): void {
    if (view.day === this.view?.day) this.view = view
  }

  /** Starts, resumes, or begins anew what was finished. */
  async start(): Promise<void> {
    const day = this.view?.day
    if (day === undefined || this.isBusy) return
    this.isBusy = true
    const answer = await this.#client.call('checkout.verifyDay', { day })
    this.isBusy = false
    this.error = answer.ok ? null : answer.error
    if (answer.ok) this.changed(answer.value)
  }

  async pause(): Promise<void> {
    if (this.isBusy) return
    this.isBusy = true
    const answer = await this.#client.call('checkout.stopVerifying', undefined)
    this.isBusy = false
    this.error = answer.ok ? null : answer.error
  }
}
