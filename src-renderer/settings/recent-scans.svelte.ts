import type { Client } from '../../src-shared/ipc/client'
import type { CallOutput } from '../../src-shared/ipc/contract'
import { Ask } from '../ui/ask.svelte'

/** Recent scans, as long as a person has them open. */
export class RecentScans {
  readonly #ask = new Ask<CallOutput<'scanner.recent'>>()
  readonly #client: Client
  /** A person reads older scans: new ones must not move the list. */
  #isReading = false

  constructor(client: Client) {
    this.#client = client
  }

  /** Newest first; null until they are known. */
  get scans() {
    return this.#ask.value?.scans ?? null
  }

  /** Where older ones begin; null if there are none. */
  get older() {
    return this.#ask.value?.older ?? null
  }

  get error() {
    return this.#ask.error
  }

  /** Shows the newest scans; again after each scan, unless a person has gone on to older ones. */
  async load(): Promise<void> {
    if (!this.#isReading) await this.#ask.ask(() => this.#client.call('scanner.recent', {}))
  }

  async loadOlder(): Promise<void> {
    const { scans, older } = this
    if (scans === null || older === null) return
    this.#isReading = true
    await this.#ask.ask(async () => {
      const answer = await this.#client.call('scanner.recent', { before: older })
      if (!answer.ok) this.#isReading = false
      return answer.ok ? { ...answer, value: { ...answer.value, scans: [...scans, ...answer.value.scans] } } : answer
    })
  }
}
