import { SvelteMap } from 'svelte/reactivity'
import type { OperationId } from '../../src-shared/ids'
import type { Client } from '../../src-shared/ipc/client'
import type { JournalEntry } from '../../src-shared/ipc/contract/outbox'
import { Ask } from '../ui/ask.svelte'

/** What happened to one operation, as long as a person has it open. */
export class History {
  /** The operation has changed since the history was read. */
  isOutdated = false
  /** Every step is shown, including attempts that are otherwise summed up. */
  isWhole = $state(false)

  readonly #ask = new Ask<JournalEntry[]>()
  readonly #client: Client
  readonly #operationId: OperationId

  constructor(client: Client, operationId: OperationId) {
    this.#client = client
    this.#operationId = operationId
  }

  /** Oldest first; null until they are known. */
  get entries(): JournalEntry[] | null {
    return this.#ask.value
  }

  get error() {
    return this.#ask.error
  }

  async load(): Promise<void> {
    this.isOutdated = false
    await this.#ask.ask(() => this.#client.call('outbox.journal', { operationId: this.#operationId }))
  }
}

/** The histories that a person has open. */
export class Histories extends SvelteMap<OperationId, History> {
  readonly #client: Client

  constructor(client: Client) {
    super()
    this.#client = client
  }

  /** Opens or closes the history of an operation. */
  async toggle(id: OperationId): Promise<void> {
    if (this.delete(id)) return
    const history = new History(this.#client, id)
    this.set(id, history)
    await history.load()
  }

  /** The operation moved on: its history is read again with the next `reload`. */
  outdate(id: OperationId): void {
    const history = this.get(id)
    if (history) history.isOutdated = true
  }

  async reload(): Promise<void> {
    await Promise.all([...this.values()].filter(({ isOutdated }) => isOutdated).map((history) => history.load()))
  }
}
