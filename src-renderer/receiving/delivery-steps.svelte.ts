import type { AppError } from '../../src-shared/errors'
import type { CaseId, PackageUid } from '../../src-shared/ids'
import type { Client } from '../../src-shared/ipc/client'
import type { OperationView } from '../../src-shared/ipc/operation-view'
import type { Delivery } from './delivery.svelte'

export interface DeliveryStepsParts {
  client: Client
  delivery: Delivery
  /** Shows what main keeps now. */
  reload: () => Promise<void>
  onChanged: (operation: OperationView) => void
}

/** Steps over the whole delivery: taking things off the list, taking all imports back, finishing it. */
export class DeliverySteps {
  error = $state.raw<AppError | null>(null)
  isBusy = $state(false)
  /** What became of undoing everything; stays until it is put away. */
  undone = $state.raw<{ saved: number; refused: number } | null>(null)
  /** Main has said how many imports can be taken back since somebody wanted to know. */
  isCounted = $state(false)
  #isWatched = false
  #isAsking = false
  #isWantedAgain = false
  readonly #parts: DeliveryStepsParts

  constructor(parts: DeliveryStepsParts) {
    this.#parts = parts
  }

  async dropPackage(packageUid: PackageUid): Promise<void> {
    await this.#drop(this.#parts.client.call('receiving.dropPackage', { packageUid }))
  }

  async dropCase(caseId: CaseId): Promise<void> {
    await this.#drop(this.#parts.client.call('receiving.dropCase', { caseId }))
  }

  async #drop(asking: ReturnType<Client['call']>): Promise<void> {
    const answer = await asking
    this.error = answer.ok ? null : answer.error
    if (answer.ok) await this.#parts.reload()
  }

  /** Asks main how many imports can be taken back, and again at each change, until the returned function is called. */
  watchUndoable(): () => void {
    this.#isWatched = true
    this.isCounted = false
    void this.#countUndoable()
    return () => (this.#isWatched = false)
  }

  /** An operation got further. */
  note(): void {
    if (this.#isWatched) void this.#countUndoable()
  }

  /** Never beside itself: wanted while it runs, it asks once more after. */
  async #countUndoable(): Promise<void> {
    this.#isWantedAgain = this.#isAsking
    if (this.#isAsking) return
    this.#isAsking = true
    const { client, delivery } = this.#parts
    const answer = await client.call('receiving.delivery', undefined)
    this.#isAsking = false
    if (answer.ok && answer.value?.id === delivery.head?.id) {
      delivery.undoable = answer.value?.undoable ?? 0
      this.isCounted = true
    }
    if (this.#isWantedAgain) await this.#countUndoable()
  }

  /** Takes back every import of the delivery. */
  async undoAll(): Promise<void> {
    const { client, delivery, onChanged } = this.#parts
    if (!delivery.head || this.isBusy) return
    this.isBusy = true
    const answer = await client.call('receiving.undoDelivery', { deliveryId: delivery.head.id })
    this.isBusy = false
    this.error = answer.ok ? null : answer.error
    if (!answer.ok) return
    const { saved, refused } = answer.value
    for (const operation of saved) onChanged(operation)
    this.undone = { saved: saved.length, refused: refused.length }
    void this.#countUndoable()
  }

  /** Closes the delivery: the next scan begins another one. True when it is closed. */
  async finish(): Promise<boolean> {
    const { client, delivery, reload } = this.#parts
    if (!delivery.head || this.isBusy) return false
    this.isBusy = true
    const answer = await client.call('receiving.finishDelivery', { deliveryId: delivery.head.id })
    this.isBusy = false
    this.error = answer.ok ? null : answer.error
    if (!answer.ok) return false
    this.undone = null
    await reload()
    return true
  }
}
