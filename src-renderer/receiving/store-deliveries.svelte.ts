import type { z } from 'zod'
import type { DeliveryId } from '../../src-shared/ids'
import type { Client } from '../../src-shared/ipc/client'
import type { StoreDelivery, deliveryEvents } from '../../src-shared/ipc/contract/delivery'
import { Ask } from '../ui/ask.svelte'

export type FinishedElsewhere = z.infer<(typeof deliveryEvents)['receiving.finishedElsewhere']>

/** The deliveries under way at other stations of the store, to receive along. */
export class StoreDeliveries {
  list = $state.raw<StoreDelivery[]>([])
  /** Those with a package or case of the delivery that is received here. */
  alsoHere = $derived(this.list.filter(({ alsoHere }) => alsoHere !== null))
  /** The delivery that was received here, if another station finished it, until a person has seen that. */
  finished = $state.raw<FinishedElsewhere | null>(null)
  /** A record has a new version with what arrived late, until a person has seen that. */
  isRecordAdded = $state(false)
  hasNotes = $derived(this.finished !== null || this.isRecordAdded)
  readonly #joining = new Ask<null>()
  error = $derived(this.#joining.error)
  isBusy = $derived(this.#joining.isBusy)
  readonly #client: Client

  constructor(client: Client) {
    this.#client = client
  }

  /** Reads what is under way; later changes come by event. */
  async load(): Promise<void> {
    const answer = await this.#client.call('receiving.storeDeliveries', undefined)
    if (answer.ok) this.list = answer.value
  }

  /** A person has seen what other stations did with deliveries that are over here. */
  seen(): void {
    this.finished = null
    this.isRecordAdded = false
  }

  /** Receives along with another station; the delivery arrives by event. */
  async join(deliveryId: DeliveryId): Promise<void> {
    if (this.isBusy) return
    await this.#joining.ask(() => this.#client.call('receiving.joinDelivery', { deliveryId }))
  }
}
