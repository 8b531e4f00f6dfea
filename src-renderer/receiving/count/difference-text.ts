import type { CountView, Difference } from '../../../src-shared/ipc/count-view'
import type { OperationView } from '../../../src-shared/ipc/operation-view'
import { explain } from '../../messages/errors'
import type { Text } from '../../messages/text.svelte'
import { operationChip } from '../../outbox/operation-text'
import type { StateChip } from '../import-state'
import { nameOrItem, strangerText } from './finding-text'

/** What differs, in a sentence. */
export function differenceText(difference: Difference, count: CountView): Text {
  const { kind, productName, identifier, resolution } = difference
  const values = { name: nameOrItem(productName), identifier: identifier ?? '' }
  if (kind === 'missing') return { key: 'difference.missing', values }
  // One that was put into a case belongs there now.
  return resolution === 'added' ? { key: 'difference.added-to', values } : strangerText(difference, count)
}

/** Where it stands: what a person made of it, and how far the report is. */
export function resolutionChip(difference: Difference, inverse: OperationView | null): StateChip {
  switch (difference.resolution) {
    case 'open':
      return difference.kind === 'missing'
        ? { tone: 'bad', text: { key: 'difference.chip.missing' } }
        : { tone: 'bad', text: { key: 'difference.chip.stranger' } }
    case 'ignored':
      return { tone: 'plain', text: { key: 'difference.chip.ignored' } }
    case 'removed':
    case 'added':
      return inverse
        ? { tone: 'working', text: { key: 'difference.chip.undoing' } }
        : { tone: 'good', text: { key: `difference.chip.${difference.resolution}` } }
  }
}

/** The state of its report. */
export function reportChip(operation: OperationView): StateChip {
  const { tone, text } = operationChip(operation)
  return { tone, text: { key: 'difference.report', values: { state: text } } }
}

/** Why the service said no, for whoever has to do something about it. */
export function refusalTexts({ reason }: OperationView): Text[] {
  if (!reason) return []
  const { what, means } = explain(reason)
  return [what, means]
}
