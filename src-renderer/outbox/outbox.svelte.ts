import { SvelteMap } from 'svelte/reactivity'
import type { AppError } from '../../src-shared/errors'
import type { OperationId } from '../../src-shared/ids'
import type { CartMode } from '../../src-shared/ipc/checkout-view'
import type { Client } from '../../src-shared/ipc/client'
import type { OperationView } from '../../src-shared/ipc/operation-view'
import type { Result } from '../../src-shared/result'

/** Changes that come in a row ask once. */
const calm = 100

const isSettled = ({ state }: OperationView) => state === 'accepted' || state === 'cancelled'

/** The outbox: what needs a person, what waits, and what was sent lately. */
export class Outbox {
  open = $state.raw<OperationView[]>([])
  recent = $state.raw<OperationView[]>([])
  isLoaded = $state(false)
  error = $state.raw<AppError | null>(null)
  /** The operation that is being dismissed, while its reason is asked for. */
  dismissing = $state.raw<OperationView | null>(null)
  /** The unsent operation that is being taken back, while that is asked about. */
  withdrawing = $state.raw<OperationView | null>(null)
  /** What the last action on an operation was refused with, beside that operation. */
  readonly errors = new SvelteMap<OperationId, AppError>()

  attention = $derived(this.open.filter(({ state }) => state === 'rejected'))
  waiting = $derived(this.open.filter(({ state }) => state !== 'rejected'))

  readonly #client: Client
  #timer: ReturnType<typeof setTimeout> | undefined

  readonly #onReopened: (mode: CartMode) => void

  /** `onReopened` is told which cart a refused order was put back into. */
  constructor(client: Client, onReopened: (mode: CartMode) => void) {
    this.#client = client
    this.#onReopened = onReopened
  }

  async load(): Promise<void> {
    const [open, recent] = await Promise.all([
      this.#client.call('outbox.list', { show: 'open' }),
      this.#client.call('outbox.list', { show: 'recent' }),
    ])
    if (open.ok) this.open = open.value
    if (recent.ok) this.recent = recent.value.filter(isSettled)
    this.isLoaded = open.ok && recent.ok
    this.error = open.ok ? (recent.ok ? null : recent.error) : open.error
  }

  operationChanged(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.load(), calm)
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
    this.#onReopened(answer.value.mode)
    await this.load()
  }

  async sendNow(): Promise<void> {
    const answer = await this.#client.call('outbox.sendNow', undefined)
    if (!answer.ok) this.error = answer.error
  }

  async #settle(id: OperationId, answer: Result<OperationView, AppError>): Promise<void> {
    if (answer.ok) this.errors.delete(id)
    else this.errors.set(id, answer.error)
    await this.load()
  }
}
