import type { AppError } from '../../src-shared/errors'
import type { Client } from '../../src-shared/ipc/client'
import { CustomerId } from '../../src-shared/ipc/contract/checkout'
import type { ExportFile } from '../../src-shared/ipc/contract/call'
import type { About } from '../../src-shared/ipc/contract/app'
import type { Text } from '../text/text.svelte'
import { Command } from '../ui/command.svelte'

/** About this Countertag, the file for support, and the data of a customer on this station. */
export class Support {
  about = $state.raw<About | null>(null)
  readonly steps = new Command()
  readonly customerSteps = new Command()
  #aboutError = $state.raw<AppError | null>(null)
  error = $derived(this.steps.error ?? this.#aboutError)

  customerId = $state('')
  fault = $state.raw<Text | null>(null)
  /** The result of the last action for a customer. */
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
    this.#aboutError = answer.ok ? null : answer.error
  }

  async saveDiagnostics(): Promise<void> {
    await this.steps.run(() => this.#client.call('support.diagnostics', undefined), this.#save)
  }

  async saveLicences(): Promise<void> {
    await this.steps.run(() => this.#client.call('support.licences', undefined), this.#save)
  }

  async exportCustomer(): Promise<void> {
    const customerId = this.#customer()
    if (customerId === undefined) return
    await this.customerSteps.run(() => this.#client.call('customer.export', { customerId }), this.#save)
  }

  /** Erasing can't be undone: the dialog asks first. */
  askToErase(): void {
    this.isAskingToErase = this.#customer() !== undefined
  }

  async erase(): Promise<void> {
    const customerId = this.#customer()
    this.isAskingToErase = false
    if (customerId === undefined) return
    await this.customerSteps.run(
      () => this.#client.call('customer.erase', { customerId }),
      ({ erased, kept }) => {
        this.outcome = { key: 'support.customer.erased', values: { erased, kept } }
        // The next person must not read it.
        this.customerId = ''
      },
    )
  }

  #customer(): string | undefined {
    const customerId = CustomerId.safeParse(this.customerId)
    this.outcome = null
    this.fault = customerId.success ? null : { key: 'support.customer.form' }
    return customerId.data
  }
}
