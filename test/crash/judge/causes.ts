import type { OperationView } from '../../../src-shared/ipc/contract/outbox'
import type { Intent } from '../ledger'
import { lots } from '../store'
import { type Complain, type Findings, nameOf } from './evidence'
import { isChange } from './lots'

/** Refusals by the station itself that a person at work may meet; any other is a bug. */
const mayBeMet =
  /^(checkout|receiving|outbox|stock)\/|^service\/(unreachable|failing|busy|unreadable|credentials-refused|not-found)$/

/** Everything is settled, everything that was not accepted has a reason, and every operation was intended. */
export function judgeCauses(findings: Findings, complain: Complain): void {
  const { sight, intents, lines } = findings
  for (const operation of sight.operations) {
    const { state, reason } = operation
    if (!isMeant(operation, findings)) complain('untrue', `${nameOf(operation)} was not intended`)
    if (state === 'rejected' && reason === null) complain('untrue', `${nameOf(operation)} does not say why`)
    if (state === 'cancelled' && !isCancelledFor(operation, intents) && !wentAlong(operation, findings)) {
      complain('lost', `${nameOf(operation)}, and no message said so`)
    }
    if (state === 'queued' || state === 'sending' || state === 'unknown') {
      complain('lost', `${nameOf(operation)} was never sent to its end`)
    }
  }
  for (const line of lines) {
    if (line.line === 'refused' && !mayBeMet.test(line.code)) {
      complain('untrue', `deed ${line.n}: ${line.name} was answered ${line.code}`)
    }
  }
}

function isMeant(operation: OperationView, { intents, lotOf }: Findings): boolean {
  const { kind, orderId, caseId } = operation
  const labels = lots.filter((one) => one.caseId === caseId).map((one) => one.label)
  return intents.some((intent) => {
    if (intent.kind === 'import') {
      return kind === 'import' && intent.caseId === caseId && intent.productName === lotOf(operation)?.productName
    }
    if (intent.kind === 'blind-import') {
      return kind === 'blind-import'
        ? caseId === null || labels.includes(intent.label)
        : kind === 'import' && labels.includes(intent.label)
    }
    if (intent.kind === 'change') {
      return intent.caseId === caseId && kind === (intent.how === 'add' ? 'add-items' : 'remove-item')
    }
    // The removal of an undone import, or the inverse of a change.
    if (intent.kind === 'undo') return kind === 'import-removal' || (isChange(operation) && kind !== 'add-items')
    return 'orderId' in intent && intent.kind === kind && intent.orderId === orderId
  })
}

/** The inverse of a report is withdrawn with it when the report was dismissed or became another one. */
function wentAlong({ id, kind, caseId, orderId }: OperationView, { intents, journal, sight }: Findings): boolean {
  const last = journal[id]?.at(-1)
  if (last?.actor !== 'station' || last.what !== 'withdrawn') return false
  const hasStep = (one: OperationView, steps: string[]) =>
    (journal[one.id] ?? []).some(({ what }) => steps.includes(what))
  // The return or void of a sale that was dismissed, or sent again without some items.
  if (kind === 'return' || kind === 'void') {
    const isOfOrder = (one: OperationView) => one.kind === 'complete' && one.orderId === orderId
    return sight.operations.some((one) => isOfOrder(one) && hasStep(one, ['dismissed', 'reopened', 'corrected']))
  }
  if (kind !== 'import-removal' && kind !== 'remove-item' && kind !== 'restore-item') return false
  return sight.operations.some(
    (one) =>
      one.caseId === caseId &&
      intents.some((intent) => intent.kind === 'undo' && intent.operationId === one.id) &&
      hasStep(one, ['dismissed', 'corrected']),
  )
}

/** Put back into the cart; sent again since, or not. */
export const isReopened = ({ note }: Pick<OperationView, 'note'>) => note === 'reopened' || note === 'taken-back'

function isCancelledFor(operation: OperationView, intents: readonly Intent[]): boolean {
  const { id, orderId } = operation
  return intents.some((intent) => {
    switch (intent.kind) {
      case 'dismiss':
        return intent.operationId === id && intent.because === operation.dismissedBecause
      case 'reopen':
        return intent.operationId === id && isReopened(operation)
      case 'withdraw':
      case 'undo':
        return intent.operationId === id
      case 'void':
        return operation.kind === 'complete' && intent.orderId === orderId
      case 'complete':
      case 'return':
      case 'import':
      case 'blind-import':
      case 'change':
      case 'retry':
        return false
    }
  })
}
