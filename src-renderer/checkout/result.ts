import type { OperationKind, OperationView } from '../../src-shared/ipc/contract/outbox'
import { assertNever } from '../../src-shared/result'
import type { ChipTone } from '../ui/tones'
import type { MessageKey } from '../text/en'
import { explain } from '../text/errors'
import type { Text } from '../text/text.svelte'
import type { OutcomeTone } from '../scan/sounds'

/** The result of a report as the notice of its scan says it. */
interface FinishResult {
  tone: ChipTone
  sound: OutcomeTone
  title: Text
  detail: Text | null
}

/** The words for an import after waiting 2 seconds for the service. What becomes of an order is in `report-text.ts`. */
export function resultOf(operation: OperationView): FinishResult {
  switch (operation.state) {
    case 'accepted':
      return done({ key: 'operation.state.accepted' })
    case 'sending':
    case 'unknown':
      return saved(operation, { key: 'result.no-answer-yet' })
    case 'queued':
      return saved(
        operation,
        operation.waitsFor > 0
          ? { key: 'result.waits-for', values: { count: operation.waitsFor } }
          : { key: 'result.when-connected' },
      )
    case 'rejected': {
      const reason = operation.reason ? explain(operation.reason) : null
      const title: Text = reason?.what ?? { key: 'result.refused' }
      return { tone: 'bad', sound: 'bad', title, detail: reason?.means ?? null }
    }
    case 'cancelled':
      return done({ key: 'result.withdrawn', values: orderOf(operation) })
    default:
      return assertNever(operation.state)
  }
}

/** Reports of the main button in Receiving. All others show their result where they are made. */
const words: Partial<Record<OperationKind, MessageKey>> = {
  import: 'operation.kind.import',
  'blind-import': 'result.saved.blind-import',
}

const done = (title: Text): FinishResult => ({ tone: 'good', sound: 'good', title, detail: null })

/** Saved and not sent yet: nothing for the person to do. */
const saved = (operation: OperationView, title: Text): FinishResult => ({
  tone: 'waiting',
  sound: 'attention',
  title,
  detail: { key: words[operation.kind] ?? 'result.saved.other', values: orderOf(operation) },
})

const orderOf = ({ orderId, itemCount }: OperationView) => ({ orderId: orderId ?? '', count: itemCount })
