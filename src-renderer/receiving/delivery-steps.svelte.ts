import type { AppError } from '../../src-shared/errors'
import type { CaseId, PackageUid } from '../../src-shared/ids'
import type { Client } from '../../src-shared/ipc/client'
import type { OperationView } from '../../src-shared/ipc/contract/outbox'
import { Ask } from '../ui/ask.svelte'
import type { Delivery, RowId } from './delivery.svelte'

/** Taking things off the list, taking imports back, finishing the delivery. What changes arrives by event. */
export class DeliverySteps {
  /** What became of undoing everything; stays until it is closed. */
  undone = $state.raw<{ saved: number; refused: number } | null>(null)
  /** Why the last undo of a single import was refused, and in which row. */
  undoError = $state.raw<{ id: RowId; error: AppError } | null>(null)
  /** Main has counted what can be taken back since the dialog was opened. */
  isCounted = $state(false)
  readonly #step = new Ask<unknown>()
  #isWatched = false
  #isCounting = false
  #isWantedAgain = false
  readonly #client: Client
  readonly #delivery: Delivery

  constructor(client: Client, delivery: Delivery) {
    this.#client = client
    this.#delivery = delivery
  }

  /** Why the last step was refused. */
  get error(): AppError | null {
    return this.#step.error
  }
  get isBusy(): boolean {
    return this.#step.isBusy
  }

  async dropPackage(packageUid: PackageUid): Promise<void> {
    await this.#step.ask(() => this.#client.call('receiving.dropPackage', { packageUid }))
  }

  async dropCase(caseId: CaseId): Promise<void> {
    await this.#step.ask(() => this.#client.call('receiving.dropCase', { caseId }))
  }

  /** Takes a single import back: withdrawn if it is unsent, otherwise its removal is queued. */
  async undo(id: RowId, operation: OperationView): Promise<void> {
    this.undoError = null
    const answer = await this.#client.call('receiving.undo', { operationId: operation.id })
    if (!answer.ok) this.undoError = { id, error: answer.error }
  }

  /** Takes back every import of the delivery. */
  async undoAll(): Promise<void> {
    const { head } = this.#delivery
    if (!head || this.isBusy) return
    await this.#step.ask(async () => {
      const answer = await this.#client.call('receiving.undoDelivery', { deliveryId: head.id })
      if (answer.ok) this.undone = { saved: answer.value.saved.length, refused: answer.value.refused.length }
      return answer
    })
    void this.#countUndoable()
  }

  /** Closes the delivery: the next scan begins another one. Returns true if it was closed. */
  async finish(): Promise<boolean> {
    const { head } = this.#delivery
    if (!head || this.isBusy) return false
    const answer = await this.#step.ask(() => this.#client.call('receiving.finishDelivery', { deliveryId: head.id }))
    if (answer.ok) this.undone = null
    return answer.ok
  }

  /** Asks main how many imports can be taken back, and again at each change, until the returned function is called. */
  watchUndoable(): () => void {
    this.#isWatched = true
    this.isCounted = false
    void this.#countUndoable()
    return () => (this.#isWatched = false)
  }

  /** The delivery changed. */
  note(): void {
    if (this.#isWatched) void this.#countUndoable()
  }

  /** One question at a time: if it is wanted again meanwhile, main is asked once more. */
  async #countUndoable(): Promise<void> {
    this.#isWantedAgain = this.#isCounting
    if (this.#isCounting) return
    this.#isCounting = true
    const answer = await this.#client.call('receiving.delivery', undefined)
    this.#isCounting = false
    if (answer.ok && answer.value?.id === this.#delivery.head?.id) {
      this.#delivery.undoable = answer.value?.undoable ?? 0
      this.isCounted = true
    }
    if (this.#isWantedAgain) await this.#countUndoable()
  }
}
