import { SvelteSet } from 'svelte/reactivity'
import type { AppError } from '../../src-shared/errors'
import type { CaseId, TagId } from '../../src-shared/ids'
import type { OrderView } from '../../src-shared/ipc/checkout-view'
import type { Client } from '../../src-shared/ipc/client'
import type { OperationView } from '../../src-shared/ipc/operation-view'
import { namedTags } from '../../src-shared/named-tags'
import { unique } from './refused-items'

/** The items of a refused sale or return: those that the service named, and which of them are to be taken out. */
export class Refusal {
  order = $state.raw<OrderView | null>(null)
  error = $state.raw<AppError | null>(null)
  isBusy = $state(false)
  /** Named items that a person leaves in. */
  readonly kept = new SvelteSet<TagId>()

  readonly operation: OperationView
  readonly #client: Client

  /** Of the order, the items that the service refused. */
  refused = $derived.by(() => {
    const named = namedTags(this.operation.reason)
    return (this.order?.items ?? []).filter(({ tagId }) => named.includes(tagId))
  })
  /** The others of a refused sale; what else a refused return held is not known by its order. */
  others = $derived.by(() => {
    if (this.operation.kind !== 'complete') return []
    return (this.order?.items ?? []).filter((item) => item.state === 'sold' && !this.refused.includes(item))
  })
  takenOut = $derived(this.refused.map(({ tagId }) => tagId).filter((tagId) => !this.kept.has(tagId)))
  /** How many would be sent again. */
  left = $derived.by(() => this.operation.itemCount - this.takenOut.length)
  /** The cases that have to be imported before their items can be sold. */
  casesToImport = $derived.by((): CaseId[] => {
    if (this.operation.reason?.code !== 'service/not-imported') return []
    return unique(this.refused.flatMap(({ caseId }) => caseId ?? []))
  })

  constructor(client: Client, operation: OperationView) {
    this.#client = client
    this.operation = operation
  }

  async load(): Promise<void> {
    const { orderId } = this.operation
    if (orderId === null) return
    const answer = await this.#client.call('checkout.order', { orderId })
    this.error = answer.ok ? null : answer.error
    if (answer.ok) this.order = answer.value
  }

  toggle(tagId: TagId): void {
    if (!this.kept.delete(tagId)) this.kept.add(tagId)
  }
}
