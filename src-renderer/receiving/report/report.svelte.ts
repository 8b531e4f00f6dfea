import type { AppError } from '../../../src-shared/errors'
import type { DeliveryId } from '../../../src-shared/ids'
import type { Client } from '../../../src-shared/ipc/client'
import type { DeliveryReport } from '../../../src-shared/ipc/delivery-view'
import { groupsOf } from './report-groups'

/** The report of a delivery: what came, what was counted, what was imported. */
export class Report {
  value = $state.raw<DeliveryReport | null>(null)
  error = $state.raw<AppError | null>(null)

  groups = $derived(groupsOf(this.value?.lines ?? []))
  missing = $derived((this.value?.lines ?? []).reduce((sum, line) => sum + line.missing.length, 0))
  items = $derived((this.value?.lines ?? []).reduce((sum, line) => sum + (line.tagCount ?? 0), 0))
  isCounted = $derived((this.value?.lines ?? []).some(({ counted }) => counted !== null))

  readonly #client: Client

  constructor(client: Client) {
    this.#client = client
  }

  async load(deliveryId: DeliveryId): Promise<void> {
    this.error = null
    const answer = await this.#client.call('receiving.report', { deliveryId })
    if (answer.ok) this.value = answer.value
    else this.error = answer.error
  }
}
