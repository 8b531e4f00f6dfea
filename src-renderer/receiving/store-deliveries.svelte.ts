import type { DeliveryId } from '../../src-shared/ids'
import type { Client } from '../../src-shared/ipc/client'
import type { DeliveryNotice, StoreDelivery } from '../../src-shared/ipc/contract/delivery'
import { Ask } from '../ui/ask.svelte'

/** The deliveries under way at other stations of the store, to receive along. */
export class StoreDeliveries {
  list = $state.raw<StoreDelivery[]>([])
  /** Those with a package or case of the delivery that is received here. */
  alsoHere = $derived(this.list.filter(({ alsoHere }) => alsoHere !== null))
  /** What others did with deliveries that are over here, newest first, until a person has seen it. */
  notices = $state.raw<DeliveryNotice[]>([])
  readonly #joining = new Ask<null>()
  readonly #seeing = new Ask<null>()
  error = $derived(this.#joining.error)
  seeError = $derived(this.#seeing.error)
  isBusy = $derived(this.#joining.isBusy)
  readonly #client: Client

  constructor(client: Client) {
    this.#client = client
  }

  /** Reads what is under way; later changes come by event. */
  async load(): Promise<void> {
    const [list, notices] = await Promise.all([
      this.#client.call('receiving.storeDeliveries', undefined),
      this.#client.call('receiving.deliveryNotices', undefined),
    ])
    if (list.ok) this.list = list.value
    if (notices.ok) this.notices = notices.value
  }

  /** A person has seen a notice; it goes by event. */
  async see(id: number): Promise<void> {
    await this.#seeing.ask(() => this.#client.call('receiving.seeDeliveryNotice', { id }))
  }

  /** Receives along with another station; the delivery arrives by event. */
  async join(deliveryId: DeliveryId): Promise<void> {
    if (this.isBusy) return
    await this.#joining.ask(() => this.#client.call('receiving.joinDelivery', { deliveryId }))
  }
}
