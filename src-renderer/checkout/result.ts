import type { OperationKind, OperationView } from '../../src-shared/ipc/operation-view'
import { assertNever } from '../../src-shared/result'
import type { ChipTone } from '../design/tones'
import type { MessageKey } from '../messages/en'
import { explain } from '../messages/errors'
import type { Text } from '../messages/text.svelte'
import type { Sound } from '../scan/sounds'

/** How a report ended, in one look from two metres. A refused one stays until somebody has read it. */
export interface FinishResult {
  tone: ChipTone
  sound: Sound
  title: Text
  detail: Text | null
  staysOpen: boolean
}

/** What is said of a report when the service had its 2 seconds. */
export function resultOf(operation: OperationView): FinishResult {
  switch (operation.state) {
    case 'accepted':
      return done(doneTitle(operation))
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
      return { tone: 'bad', sound: 'bad', title, detail: reason?.means ?? null, staysOpen: true }
    }
    case 'cancelled':
      return done({ key: 'result.withdrawn', values: orderOf(operation) })
    default:
      return assertNever(operation.state)
  }
}

/** What is reported at the till and by the receiving desk's main button. Whatever else is says so where it is done. */
const words: Partial<Record<OperationKind, { saved: MessageKey; done?: MessageKey }>> = {
  complete: { saved: 'result.saved.complete', done: 'result.completed' },
  return: { saved: 'result.saved.return', done: 'result.returned' },
  void: { saved: 'result.saved.void', done: 'result.voided' },
  import: { saved: 'result.saved.import' },
  'blind-import': { saved: 'result.saved.blind-import' },
}

const done = (title: Text): FinishResult => ({ tone: 'good', sound: 'good', title, detail: null, staysOpen: false })

/** Not sent yet, and safe: nothing for the person to do. */
const saved = (operation: OperationView, title: Text): FinishResult => ({
  tone: 'waiting',
  sound: 'attention',
  title,
  detail: { key: words[operation.kind]?.saved ?? 'result.saved.other', values: orderOf(operation) },
  staysOpen: false,
})

const orderOf = ({ orderId, itemCount }: OperationView) => ({ orderId: orderId ?? '', count: itemCount })

function doneTitle(operation: OperationView): Text {
  const { done: key = 'result.reported' } = words[operation.kind] ?? {}
  return { key, values: orderOf(operation) }
}
