import type { ConnectionView } from '../../src-shared/ipc/contract/app'
import type { OperationName, OperationState, OperationView, OutboxGroup } from '../../src-shared/ipc/contract/outbox'
import type { RecordedChange } from '../../src-shared/ipc/contract/record'
import { assertNever } from '../../src-shared/result'
import type { ChipTone } from '../ui/tones'
import { explain } from '../text/errors'
import type { MessageKey } from '../text/en'
import { type Text, more, say, t } from '../text/text.svelte'

type OperationSubject = Pick<OperationView, 'orderId' | 'productName' | 'caseId' | 'collectionId'>
type Titled = OperationSubject & Pick<OperationView, 'kind' | 'itemCount'>

/** What an operation reports, with its order or product. */
export const operationTitle = (operation: Titled): Text => ({
  key: `operation.${operation.kind}`,
  values: { ...namesIn(operation), count: operation.itemCount },
})

/** What the reports of a group are, and about what: "15 items to remove from a case: Blue Dune". */
export function groupTitle({ operations: [first], count, isOneSubject }: OutboxGroup): Text {
  if (!first) return { key: 'status.attention', values: { count } }
  const about = isOneSubject ? 'one' : 'many'
  return {
    key: `outbox.group.${first.kind}`,
    values: { ...namesIn(first), package: first.packageUid ?? '', count, about },
  }
}

/** Why the reports of a group need a person, and what to do. */
export interface GroupWhy {
  what: Text
  means: Text | null
  next: Text | null
}

/** What the reports of a group were refused for, in as much detail as is the same of all. Those in doubt have no advice. */
export function groupWhy({ reason, isSameReason, operations: [first] }: OutboxGroup): GroupWhy {
  if (reason === null) return { what: { key: 'outbox.group.each' }, means: null, next: null }
  const { what, means, next } = explain(reason, first?.kind)
  const isPlain = first?.state === 'rejected' && first.unsettled === null
  return { what, means: isSameReason ? means : null, next: isPlain ? next : null }
}

/** An operation in the middle of a sentence: "the sale of order 17". */
export const theOperation = (operation: OperationName): Text => ({
  key: `operation.the.${operation.kind}`,
  values: namesIn(operation),
})

const namesIn = ({ orderId, productName, caseId, collectionId }: OperationSubject) => ({
  orderId: orderId ?? '',
  name: productName ?? caseId ?? collectionId ?? '',
})

/** Waits to be sent, is being sent, or was sent without an answer. */
export const isOnItsWay = ({ state }: OperationView): boolean =>
  state === 'queued' || state === 'sending' || state === 'unknown'

/** Why an operation was refused; null if it was not. */
export const refusalOf = ({ state, reason }: OperationView) =>
  state === 'rejected' && reason !== null ? explain(reason) : null

/**
 * Countertag itself keeps it back, for its time or customer, or for what looking up its case showed: the service didn't refuse
 * the report.
 */
export const isKeptBack = (reason: OperationView['reason'] | undefined): boolean =>
  reason != null && !reason.code.startsWith('service/')

/** A saved delivery record has no reasons of refusals. */
type OperationStatus = Pick<OperationView, 'state' | 'unsettled' | 'note' | 'dismissedBecause'> &
  Partial<Pick<OperationView, 'reason'>>

/** The state of an operation: color, icon and words. */
export function operationChip(operation: OperationStatus): { tone: ChipTone; text: Text } {
  if (operation.unsettled) return { tone: 'attention', text: { key: 'operation.state.unsettled' } }
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
      return {
        tone: 'bad',
        text: { key: `operation.state.${isKeptBack(operation.reason) ? 'kept-back' : 'rejected'}` },
      }
    case 'cancelled': {
      const { note, dismissedBecause: reason } = operation
      if (reason) return { tone: 'plain', text: { key: 'operation.state.dismissed', values: { reason } } }
      const tone = note === 'taken-back' ? 'attention' : 'plain'
      return { tone, text: { key: note ? `operation.note.${note}` : 'operation.state.cancelled' } }
    }
    default:
      return assertNever(operation.state)
  }
}

/** The reasons that are given most for giving up a report, or items of it. */
export function usualReasons(kind: OperationView['kind'] | undefined, isOfItems = false): string[] {
  const isOrder = kind === 'complete' || kind === 'return' || kind === 'void'
  const reasons = isOfItems
    ? ([kind === 'return' ? 'not-back' : 'stayed', 'mistake', 'manager'] as const)
    : ([isOrder ? 'pos' : 'elsewhere', 'mistake', isOrder ? 'elsewhere' : 'brand'] as const)
  return reasons.map((reason) => t(`outbox.reason.${reason}`))
}

/** At most so many products or items are named in a sentence. */
const mostNamed = 3

/**
 * Which items of a refused report that was taken back were not sent again, by product where it is known, and what to do; null
 * of any other.
 */
export function takenBackText({ kind, note, missing, itemCount }: OperationView): Text | null {
  if (note !== 'taken-back') return null
  if (missing.length === itemCount) return { key: 'outbox.taken-back.all', values: { kind } }
  const named = [...new Set(missing.map(({ tagId, productName }) => productName ?? tagId))]
  const said: (string | Text)[] = named.slice(0, mostNamed)
  if (named.length > mostNamed) said.push(more(named.length - mostNamed))
  return { key: 'outbox.taken-back.some', values: { kind, missing: missing.length, count: itemCount, names: said } }
}

/** The state of an operation where it is not simply reported. */
export const statusTexts = (operation: OperationStatus): Text[] =>
  operation.state === 'accepted' ? [] : [operationChip(operation).text]

/** A change that was made with a reason, on paper. */
export const permittedText = ({ at, operation, reason }: RecordedChange): string =>
  [
    t('time.full', { at: new Date(at) }),
    say(operationTitle(operation)),
    reason,
    ...statusTexts(operation).map(say),
  ].join(' · ')

/** The last answer of the service to an operation that a person has to settle. */
export function answerText(reason: OperationView['reason']): Text {
  if (reason?.code === 'outbox/unsettled') {
    const { status, said } = reason
    if (status === null) return { key: 'outbox.unsettled.answer.none' }
    return said === ''
      ? { key: 'outbox.unsettled.answer.status', values: { status: String(status) } }
      : { key: 'outbox.unsettled.answer.said', values: { status: String(status), said } }
  }
  return reason && 'detail' in reason
    ? { key: 'outbox.unsettled.answer.words', values: { said: reason.detail } }
    : { key: 'outbox.unsettled.answer.none' }
}

/** The state of the operation that holds another one up. A finished one no longer does: the next answer shows it. */
const heldUpKeys = {
  queued: 'outbox.why.held-up.queued',
  sending: 'outbox.why.held-up.sending',
  unknown: 'outbox.why.held-up.unknown',
  rejected: 'outbox.why.held-up.rejected',
  accepted: 'outbox.why.connection.online',
  cancelled: 'outbox.why.connection.online',
} as const satisfies Record<OperationState, MessageKey>

/** Why an operation waits and until when, one sentence for each reason. */
export function waitingReasons(operation: OperationView, connection: ConnectionView['state']): Text[] {
  const { state, waitsFor, heldUpBy, reason, nextAttemptAt } = operation
  const reasons: Text[] = []
  if (heldUpBy) reasons.push({ key: heldUpKeys[heldUpBy.state], values: { what: theOperation(heldUpBy) } })
  if (waitsFor > 1 || (waitsFor > 0 && !heldUpBy))
    reasons.push({ key: 'outbox.why.waits-for', values: { count: waitsFor } })
  if (reason) reasons.push(explain(reason).what)
  if (state === 'unknown') reasons.push({ key: 'outbox.why.unknown' })
  if (nextAttemptAt !== null) reasons.push({ key: 'outbox.why.next-attempt', values: { at: new Date(nextAttemptAt) } })
  else if (state === 'queued' && waitsFor === 0) reasons.push({ key: `outbox.why.connection.${connection}` })
  return reasons
}
