import type { AppError } from '../../src-shared/errors'
import type { CaseId, PackageUid } from '../../src-shared/ids'
import type { Client } from '../../src-shared/ipc/client'
import type { OperationView } from '../../src-shared/ipc/contract/outbox'
import type { RecordAbout } from '../../src-shared/ipc/contract/record'
import type { Result } from '../../src-shared/result'
import { isLeft } from '../ui/gate.svelte'
import type { Delivery, RowId } from './delivery.svelte'

/** Taking things off the list, taking imports back, finishing the delivery. What changes arrives by event. */
export class DeliverySteps {
  /** What became of undoing everything; stays until it is closed. */
  undone = $state.raw<{ saved: number; refused: number } | null>(null)
  /** Why the last undo of a single import was refused, and in which row. */
  undoError = $state.raw<{ id: RowId; error: AppError } | null>(null)
  /** Why a step was refused; stays until the next step. */
  error = $state.raw<AppError | null>(null)
  /** The delivery is being finished, or all of it undone. */
  isBusy = $state(false)
  readonly #client: Client
  readonly #delivery: Delivery

  constructor(client: Client, delivery: Delivery) {
    this.#client = client
    this.#delivery = delivery
  }

  /** Returns why it was refused, or null. */
  async dropPackage(packageUid: PackageUid): Promise<AppError | null> {
    return this.#step(() => this.#client.call('receiving.dropPackage', { packageUid }))
  }

  /** Returns why it was refused, or null. */
  async dropCase(caseId: CaseId): Promise<AppError | null> {
    return this.#step(() => this.#client.call('receiving.dropCase', { caseId }))
  }

  /** A success doesn't clear another step's error. */
  async #step<Value>(
    command: () => Promise<Result<Value, AppError>>,
    done?: (value: Value) => void,
  ): Promise<AppError | null> {
    this.error = null
    const answer = await command()
    if (answer.ok) {
      done?.(answer.value)
      return null
    }
    this.error = isLeft(answer.error) ? null : answer.error
    return answer.error
  }

  /** Takes a single import back: withdrawn if it is unsent, otherwise its removal is queued. */
  async undo(id: RowId, operation: OperationView): Promise<void> {
    this.undoError = null
    const answer = await this.#client.call('receiving.undo', { operationId: operation.id })
    if (!answer.ok && !isLeft(answer.error)) this.undoError = { id, error: answer.error }
  }

  /** Takes back every import of the delivery. */
  async undoAll(): Promise<void> {
    const { head } = this.#delivery
    if (!head || this.isBusy) return
    this.isBusy = true
    await this.#step(
      () => this.#client.call('receiving.undoDelivery', { deliveryId: head.id }),
      ({ saved, refused }) => (this.undone = { saved: saved.length, refused: refused.length }),
    )
    this.isBusy = false
  }

  /** Closes the delivery: the next scan begins another one. Returns why it was refused, or null. */
  async finish(about: RecordAbout): Promise<AppError | null> {
    const { head } = this.#delivery
    if (!head || this.isBusy) return { code: 'receiving/no-delivery' }
    this.isBusy = true
    const { id: deliveryId } = head
    const answer = await this.#client.call('receiving.finishDelivery', { deliveryId, about })
    this.isBusy = false
    return answer.ok ? null : answer.error
  }

  /** The delivery is over: what became of its steps is no longer shown. */
  forget(): void {
    this.undone = null
    this.undoError = null
    this.error = null
  }
}
