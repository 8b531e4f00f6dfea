import type { OperationView } from '../../src-shared/ipc/operation-view'
import { assertNever } from '../../src-shared/result'
import type { ChipTone } from '../design/tones'
import { explain } from '../messages/errors'
import type { Text } from '../messages/text.svelte'

/** What an operation reports, by order or by case. */
export function operationTitle(operation: OperationView): Text {
  const { kind, orderId, productName, caseId } = operation
  const values = { orderId: orderId ?? '', name: productName ?? caseId ?? '' }
  return { key: `operation.${kind}`, values }
}

/** Where an operation is on its way, in colour, icon and words. */
export function operationChip(operation: OperationView): { tone: ChipTone; text: Text } {
  switch (operation.state) {
    case 'queued':
      return { tone: 'waiting', text: { key: 'operation.state.queued' } }
    case 'sending':
      return { tone: 'working', text: { key: 'operation.state.sending' } }
    case 'unknown':
      return { tone: 'attention', text: { key: 'operation.state.unknown' } }
    case 'accepted':
      return {
        tone: 'good',
        text: { key: operation.note ? `operation.note.${operation.note}` : 'operation.state.accepted' },
      }
    case 'rejected':
      return { tone: 'bad', text: { key: 'operation.state.rejected' } }
    case 'cancelled': {
      const reason = operation.dismissedBecause
      if (operation.note) return { tone: 'plain', text: { key: `operation.note.${operation.note}` } }
      return {
        tone: 'plain',
        text: reason ? { key: 'operation.state.dismissed', values: { reason } } : { key: 'operation.state.cancelled' },
      }
    }
    default:
      return assertNever(operation.state)
  }
}

/** Why an operation waits, and for what: each sentence is one reason. */
export function waitingReasons({ waitsFor, reason, nextAttemptAt, state }: OperationView): Text[] {
  const reasons: Text[] = []
  if (waitsFor > 0) reasons.push({ key: 'outbox.why.waits-for', values: { count: waitsFor } })
  if (reason) reasons.push(explain(reason).what)
  if (state === 'unknown') reasons.push({ key: 'outbox.why.unknown' })
  if (nextAttemptAt !== null) reasons.push({ key: 'outbox.why.next-attempt', values: { at: new Date(nextAttemptAt) } })
  return reasons
}
