import type { AppError } from '../../src-shared/errors'
import type { Client } from '../../src-shared/ipc/client'
import type { RecordedScan } from '../../src-shared/ipc/recorded-scan'

/** What was scanned lately, as long as a person has it open. */
export class RecentScans {
  /** Newest first; null until they are known. */
  scans = $state.raw<RecordedScan[] | null>(null)
  /** Where older ones begin; null when there are none. */
  older = $state.raw<number | null>(null)
  error = $state.raw<AppError | null>(null)

  readonly #client: Client
  /** A person reads further down: nothing may push the list on. */
  #isReading = false
  #asked = 0

  constructor(client: Client) {
    this.#client = client
  }

  /** The newest ones; again after each scan, unless a person has gone on to older ones. */
  async load(): Promise<void> {
    if (this.#isReading) return
    const turn = ++this.#asked
    const answer = await this.#client.call('scanner.recent', {})
    // An answer that was overtaken tells of the past.
    if (turn !== this.#asked) return
    this.error = answer.ok ? null : answer.error
    if (!answer.ok) return
    this.scans = answer.value.scans
    this.older = answer.value.older
  }

  async loadOlder(): Promise<void> {
    const { scans, older } = this
    if (scans === null || older === null) return
    this.#isReading = true
    const turn = ++this.#asked
    const answer = await this.#client.call('scanner.recent', { before: older })
    if (turn !== this.#asked) return
    this.error = answer.ok ? null : answer.error
    if (answer.ok) {
      this.scans = [...scans, ...answer.value.scans]
      this.older = answer.value.older
    } else this.#isReading = false
  }
}
