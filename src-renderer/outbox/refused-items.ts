import type { OrderView } from '../../src-shared/ipc/checkout-view'
import type { OperationView } from '../../src-shared/ipc/operation-view'
import { namedTags } from '../../src-shared/named-tags'
import type { MessageKey } from '../messages/en'
import type { Text } from '../messages/text.svelte'

export const unique = <Value>(values: Value[]): Value[] => [...new Set(values)]

/** Whether it is a sale or return that was refused for some of its items: without them it may be taken. */
export const isForItems = ({ kind, state, reason }: OperationView): boolean =>
  (kind === 'complete' || kind === 'return') && state === 'rejected' && namedTags(reason).length > 0

/** Of a refusal that names items, so many are said in its sentence: the list below has them all. */
const mostSaid = 3

/** Of what the service takes all or nothing; what is about one thing needs no names. */
const refusedKeys = new Map<OperationView['kind'], MessageKey>([
  ['complete', 'outbox.refused-for'],
  ['return', 'outbox.refused-for'],
  ['void', 'outbox.refused-for'],
  ['add-items', 'outbox.nothing-added-for'],
])

/** For whose sake a report was refused, in a sentence: by product where that is known, by its code where it is not. */
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
  return {
    key,
    values: { names: said.join(', '), more: named.length - said.length },
  }
}

/** What to know, and to do, when the service says "already" of an order without naming an item. */
export function unnamedTexts({ kind, state, reason, itemCount }: OperationView): Text[] {
  if (state !== 'rejected' || reason?.code !== 'service/already-processed' || itemCount < 2) return []
  if (kind === 'complete') return [{ key: 'outbox.unnamed' }, { key: 'outbox.unnamed.find-out' }]
  return kind === 'return' || kind === 'void' ? [{ key: 'outbox.unnamed' }] : []
}
