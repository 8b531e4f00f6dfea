import type { OperationView } from '../../src-shared/ipc/operation-view'
import { assertNever } from '../../src-shared/result'
import type { ChipTone } from '../design/tones'
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

const done = (title: Text): FinishResult => ({ tone: 'good', sound: 'good', title, detail: null, staysOpen: false })

/** Not sent yet, and safe: nothing for the person to do. */
const saved = (operation: OperationView, title: Text): FinishResult => ({
  tone: 'waiting',
  sound: 'attention',
  title,
  detail: { key: `result.saved.${operation.kind}`, values: orderOf(operation) },
  staysOpen: false,
})

const orderOf = ({ orderId, itemCount }: OperationView) => ({ orderId: orderId ?? '', count: itemCount })

function doneTitle(operation: OperationView): Text {
  const values = orderOf(operation)
  switch (operation.kind) {
    case 'complete':
      return { key: 'result.completed', values }
    case 'return':
      return { key: 'result.returned', values }
    case 'void':
      return { key: 'result.voided', values }
    case 'import':
    case 'import-removal':
    case 'unreadable':
      return { key: 'result.reported' }
    default:
      return assertNever(operation.kind)
  }
}
