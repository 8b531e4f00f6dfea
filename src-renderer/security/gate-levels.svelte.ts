import type { AppError } from '../../src-shared/errors'
import type { Gate, GateLevel } from '../../src-shared/gates'
import type { Client } from '../../src-shared/ipc/client'
import type { GatesView } from '../../src-shared/ipc/contract/station'

/** What each gate of this station asks for. Each change is saved at once, with the PIN if one is set. */
export class GateLevelsForm {
  /** As main announced them last; null until they are loaded. */
  view = $state.raw<GatesView | null>(null)
  error = $state.raw<AppError | null>(null)
  isSaved = $state(false)
  readonly #client: Client

  constructor(client: Client) {
    this.#client = client
  }

  start(): () => void {
    void this.load()
    return this.#client.on('security.gates', (view) => (this.view = view))
  }

  async load(): Promise<void> {
    const answer = await this.#client.call('security.gates', undefined)
    this.error = answer.ok ? null : answer.error
    if (answer.ok) this.view = answer.value
  }

  /** True if it was set. */
  async set(gate: Gate, level: GateLevel): Promise<boolean> {
    this.isSaved = false
    const answer = await this.#client.call('security.setGate', { gate, level })
    this.error = answer.ok ? null : answer.error
    if (answer.ok) this.view = answer.value
    this.isSaved = answer.ok
    return answer.ok
  }
}
