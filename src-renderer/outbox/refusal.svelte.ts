import { SvelteSet } from 'svelte/reactivity'
import type { CaseId, TagId } from '../../src-shared/ids'
import type { OrderView } from '../../src-shared/ipc/contract/checkout'
import type { Client } from '../../src-shared/ipc/client'
import type { OperationView } from '../../src-shared/ipc/contract/outbox'
import { namedTags } from '../../src-shared/errors'
import { Ask } from '../ui/ask.svelte'
import type { MessageKey } from '../text/en'
import { type Text, more } from '../text/text.svelte'

/** The items of a refused sale or return: those that the service named, and which of them are to be taken out. */
export class Refusal {
  readonly #ask = new Ask<OrderView>()
  isBusy = $state(false)
  /** Refused items that a person leaves in. */
  readonly kept = new SvelteSet<TagId>()

  readonly operation: OperationView
  readonly #client: Client

  /** The items of the order that the service refused. */
  refused = $derived.by(() => {
    const named = namedTags(this.operation.reason)
    return (this.order?.items ?? []).filter(({ tagId }) => named.includes(tagId))
  })
  /** The other items of a refused sale. An order does not show what else a refused return held. */
  others = $derived.by(() => {
    if (this.operation.kind !== 'complete') return []
    return (this.order?.items ?? []).filter((item) => item.state === 'not-reported' && !this.refused.includes(item))
  })
  takenOut = $derived(this.refused.map(({ tagId }) => tagId).filter((tagId) => !this.kept.has(tagId)))
  /** The same by product, or by code where that isn't known. */
  takenOutNames = $derived(namesOf(this.refused.filter(({ tagId }) => !this.kept.has(tagId))))
  /** How many would be sent again. */
  left = $derived.by(() => this.operation.itemCount - this.takenOut.length)
  /** The cases that have to be imported before the items of a sale can be sold. */
  casesToImport = $derived.by((): CaseId[] => {
    if (!isOfUnimportedCase(this.operation)) return []
    return unique(this.refused.flatMap(({ caseId }) => caseId ?? []))
  })

  constructor(client: Client, operation: OperationView) {
    this.#client = client
    this.operation = operation
  }

  get order() {
    return this.#ask.value
  }

  get error() {
    return this.#ask.error
  }

  async load(): Promise<void> {
    const { orderId } = this.operation
    if (orderId !== null) await this.#ask.ask(() => this.#client.call('checkout.order', { orderId }))
  }

  toggle(tagId: TagId): void {
    if (!this.kept.delete(tagId)) this.kept.add(tagId)
  }
}

/** Items by product, or by code where that isn't known, each with how many there are. */
export const namesOf = (items: readonly { tagId: TagId; productName: string | null }[]) =>
  [...Map.groupBy(items, ({ tagId, productName }) => productName ?? tagId)].map(([name, { length }]) => ({
    name,
    count: length,
  }))

/** A sale of items of a case that isn't in the inventory: it can be sent once the case is imported. */
export const isOfUnimportedCase = ({ kind, reason }: Pick<OperationView, 'kind' | 'reason'>): boolean =>
  kind === 'complete' && reason?.code === 'service/not-imported'

const unique = <Value>(values: Value[]): Value[] => [...new Set(values)]

/** At most so many refused items are named in a sentence; the list below shows all of them. */
const mostSaid = 3

/** Reports that the service accepts or refuses as a whole; a report about one thing needs no names. */
const refusedKeys = new Map<OperationView['kind'], MessageKey>([
  ['complete', 'outbox.refused-for'],
  ['return', 'outbox.refused-for'],
  ['void', 'outbox.refused-for'],
  ['add-items', 'outbox.nothing-added-for'],
])

/** The items a report was refused for, in a sentence: by product if it is known, otherwise by code. */
export function refusedText(
  { kind, reason }: Pick<OperationView, 'kind' | 'reason'>,
  items: OrderView['items'] | undefined,
): Text | null {
  const key = refusedKeys.get(kind)
  const named = unique(
    namedTags(reason).map((tagId) => items?.find((item) => item.tagId === tagId)?.productName ?? tagId),
  )
  if (!key || named.length === 0) return null
  const said = named.slice(0, mostSaid)
  const others = named.length - said.length
  return { key, values: { kind, names: others > 0 ? [...said, more(others)] : said } }
}

/** What it means when the service says "already processed" without naming an item, and what to do. */
export function unnamedTexts({ kind, state, reason, itemCount }: OperationView): Text[] {
  if (state !== 'rejected' || reason?.code !== 'service/already-processed' || itemCount < 2) return []
  if (kind === 'complete') return [{ key: 'outbox.unnamed' }, { key: 'outbox.unnamed.find-out' }]
  return kind === 'return' || kind === 'void' ? [{ key: 'outbox.unnamed' }] : []
}
