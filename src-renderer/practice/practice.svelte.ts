import type { AppError } from '../../src-shared/errors'
import type { PracticeCode, PracticeFault } from '../../src-shared/ipc/contract/app'
import type { Client } from '../../src-shared/ipc/client'

/** The training drawer: codes to scan with a click, and the switch that makes the practice service misbehave. */
export class Practice {
  isOpen = $state(false)
  /** The sheet to print; Settings opens it as well. */
  isSheetOpen = $state(false)
  codes = $state.raw<PracticeCode[]>([])
  /** The position of the switch; `faultInForce` follows when the service has changed. */
  fault = $state<PracticeFault>('none')
  faultInForce = $state<PracticeFault>('none')
  error = $state.raw<AppError | null>(null)

  packages = $derived(this.codes.filter(({ kind }) => kind === 'package'))
  cases = $derived(this.codes.filter(({ kind }) => kind === 'case'))
  tags = $derived(this.codes.filter(({ kind }) => kind === 'tag'))

  readonly #client: Client

  constructor(client: Client) {
    this.#client = client
  }

  async toggle(): Promise<void> {
    this.isOpen = !this.isOpen
    if (this.isOpen) await this.load()
  }

  /** Closes drawer and sheet: they are for the practice profile only. */
  close(): void {
    this.isOpen = false
    this.isSheetOpen = false
  }

  async load(): Promise<void> {
    const [codes, fault] = await Promise.all([
      this.#client.call('practice.codes', undefined),
      this.#client.call('practice.fault', undefined),
    ])
    if (codes.ok) this.codes = codes.value
    if (fault.ok) this.faultInForce = this.fault = fault.value.fault
    this.error = codes.ok ? (fault.ok ? null : fault.error) : codes.error
  }

  async setFault(fault: PracticeFault): Promise<void> {
    const before = this.fault
    this.fault = fault
    const answer = await this.#client.call('practice.setFault', { fault })
    if (answer.ok) {
      this.faultInForce = fault
      return
    }
    this.fault = before
    this.error = answer.error
  }
}
