import type { AppError } from '../../src-shared/errors'
import type { Client } from '../../src-shared/ipc/client'
import { CustomerId } from '../../src-shared/ipc/checkout-view'
import type { ExportFile } from '../../src-shared/ipc/receiving-history-view'
import type { About } from '../../src-shared/ipc/support-view'
import type { Text } from '../messages/text.svelte'

/** About this Countertag, the file for whoever helps, and what is here of a customer. */
export class Support {
  about = $state.raw<About | null>(null)
  error = $state.raw<AppError | null>(null)
  isBusy = $state(false)

  customerId = $state('')
  fault = $state.raw<Text | null>(null)
  /** What became of the last thing that was done for a customer. */
  outcome = $state.raw<Text | null>(null)
  isAskingToErase = $state(false)

  readonly #client: Client
  readonly #save: (file: ExportFile) => void

  constructor(client: Client, save: (file: ExportFile) => void) {
    this.#client = client
    this.#save = save
  }

  async load(): Promise<void> {
    const answer = await this.#client.call('support.about', undefined)
    if (answer.ok) this.about = answer.value
    this.error = answer.ok ? null : answer.error
  }

  async saveDiagnostics(): Promise<void> {
    await this.#doing(async () => {
      const answer = await this.#client.call('support.diagnostics', undefined)
      if (answer.ok) this.#save(answer.value)
      return answer
    })
  }

  async saveLicences(): Promise<void> {
    await this.#doing(async () => {
      const answer = await this.#client.call('support.licences', undefined)
      if (answer.ok) this.#save(answer.value)
      return answer
    })
  }

  async exportCustomer(): Promise<void> {
    const customerId = this.#customer()
    if (customerId === undefined) return
    await this.#doing(async () => {
      const answer = await this.#client.call('customer.export', { customerId })
      if (answer.ok) this.#save(answer.value)
      return answer
    })
  }

  /** Only asks: erasing can't be undone. */
  askToErase(): void {
    this.isAskingToErase = this.#customer() !== undefined
  }

  async erase(): Promise<void> {
    const customerId = this.#customer()
    this.isAskingToErase = false
    if (customerId === undefined) return
    await this.#doing(async () => {
      const answer = await this.#client.call('customer.erase', { customerId })
      if (answer.ok) {
        const { erased, kept } = answer.value
        this.outcome = { key: 'support.customer.erased', values: { erased, kept } }
        // Not left standing where the next person reads it.
        this.customerId = ''
      }
      return answer
    })
  }

  #customer(): string | undefined {
    const customerId = CustomerId.safeParse(this.customerId)
    this.outcome = null
    this.fault = customerId.success ? null : { key: 'support.customer.form' }
    return customerId.data
  }

  async #doing(what: () => Promise<{ ok: true } | { ok: false; error: AppError }>): Promise<void> {
    if (this.isBusy) return
    this.isBusy = true
    const answer = await what()
    this.isBusy = false
    this.error = answer.ok ? null : answer.error
  }
}
