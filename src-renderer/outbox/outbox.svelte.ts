import { SvelteMap } from 'svelte/reactivity'
import type { AppError } from '../../src-shared/errors'
import type { OperationId } from '../../src-shared/ids'
import type { CartMode } from '../../src-shared/ipc/checkout-view'
import type { Client } from '../../src-shared/ipc/client'
import type { OperationView } from '../../src-shared/ipc/operation-view'
import type { Result } from '../../src-shared/result'
import { History } from './history.svelte'
import { type Listing, emptyListing, renewed } from './listing'
import { createPace } from './pace'

export interface OutboxParts {
  client: Client
  /** Told which cart a refused order was put back into. */
  onReopened: (mode: CartMode) => void
  /** Whether a person sees the lists: nobody else needs them. */
  isInFront: () => boolean
  /** ms, for the pace. */
  now?: () => number
}

/** The outbox: what needs a person, what waits, and what was sent lately. */
export class Outbox {
  waiting = $state.raw<Listing>(emptyListing)
  attention = $state.raw<Listing>(emptyListing)
  recent = $state.raw<Listing>(emptyListing)
  /** The lists are what main last said; false after a change that nobody looked at. */
  isLoaded = $state(false)
  error = $state.raw<AppError | null>(null)
  /** The operation that is being dismissed, while its reason is asked for. */
  dismissing = $state.raw<OperationView | null>(null)
  /** The unsent operation that is being taken back, while that is asked about. */
  withdrawing = $state.raw<OperationView | null>(null)
  /** What the last action on an operation was refused with, beside that operation. */
  readonly errors = new SvelteMap<OperationId, AppError>()
  /** The histories that are open, wherever their operation goes. */
  readonly histories = new SvelteMap<OperationId, History>()

  readonly #client: Client
  readonly #parts: OutboxParts
  readonly #pace: ReturnType<typeof createPace>
  #asked = 0
  #answered = 0

  constructor(parts: OutboxParts) {
    this.#parts = parts
    this.#client = parts.client
    this.#pace = createPace(() => void this.load(), parts.now ?? (() => performance.now()))
  }

  async load(): Promise<void> {
    const turn = ++this.#asked
    this.#pace.done()
    const histories = this.#loadHistories()
    const [waiting, attention, recent] = await Promise.all([
      this.#client.call('outbox.list', { show: 'waiting' }),
      this.#client.call('outbox.list', { show: 'attention' }),
      this.#client.call('outbox.list', { show: 'recent' }),
    ])
    // An answer that was overtaken by a later one tells of the past.
    if (turn > this.#answered) {
      this.#answered = turn
      if (waiting.ok) this.waiting = renewed(this.waiting, waiting.value)
      if (attention.ok) this.attention = renewed(this.attention, attention.value)
      if (recent.ok) this.recent = renewed(this.recent, recent.value)
      const failed = [waiting, attention, recent].find((answer) => !answer.ok)
      this.error = failed ? failed.error : null
      this.isLoaded = !failed
    }
    await histories
  }

  operationChanged({ id }: OperationView): void {
    this.#outdate(id)
    if (this.#parts.isInFront()) this.#pace.changed()
    else this.isLoaded = false
  }

  /** Whether an operation stands in one of the lists. */
  shows(id: OperationId): boolean {
    return [this.attention, this.waiting, this.recent].some(({ operations }) => operations.some((one) => one.id === id))
  }

  /** Opens or closes the history of an operation. */
  async toggleHistory({ id }: OperationView): Promise<void> {
    if (this.histories.delete(id)) return
    const history = new History(this.#client, id)
    this.histories.set(id, history)
    await history.load()
  }

  async retry({ id }: OperationView): Promise<void> {
    await this.#settle(id, await this.#client.call('outbox.retry', { operationId: id }))
  }

  async dismiss(reason: string): Promise<void> {
    const operation = this.dismissing
    if (!operation) return
    this.dismissing = null
    await this.#settle(operation.id, await this.#client.call('outbox.dismiss', { operationId: operation.id, reason }))
  }

  /** Takes an import back. A sale, return or void is asked about first: it may have happened at the counter. */
  async undo(operation: OperationView): Promise<void> {
    if (operation.kind !== 'import') {
      this.withdrawing = operation
      return
    }
    const { id } = operation
    await this.#settle(id, await this.#client.call('receiving.undo', { operationId: id }))
  }

  /** Withdraws the unsent operation that was asked about. */
  async withdraw(): Promise<void> {
    const operation = this.withdrawing
    if (!operation) return
    this.withdrawing = null
    const { id } = operation
    await this.#settle(id, await this.#client.call('outbox.withdraw', { operationId: id }))
  }

  /** Puts a refused sale or return back into its cart, where it can be changed. */
  async change({ id }: OperationView): Promise<void> {
    const answer = await this.#client.call('checkout.reopen', { operationId: id })
    if (!answer.ok) {
      this.errors.set(id, answer.error)
      return
    }
    this.errors.delete(id)
    this.#parts.onReopened(answer.value.mode)
    await this.load()
  }

  async sendNow(): Promise<void> {
    const answer = await this.#client.call('outbox.sendNow', undefined)
    if (!answer.ok) this.error = answer.error
  }

  async #settle(id: OperationId, answer: Result<OperationView, AppError>): Promise<void> {
    if (answer.ok) this.errors.delete(id)
    else this.errors.set(id, answer.error)
    this.#outdate(id)
    await this.load()
  }

  #outdate(id: OperationId): void {
    const history = this.histories.get(id)
    if (history) history.isOutdated = true
  }

  async #loadHistories(): Promise<void> {
    const outdated = [...this.histories.values()].filter((history) => history.isOutdated)
    await Promise.all(outdated.map((history) => history.load()))
  }
}
