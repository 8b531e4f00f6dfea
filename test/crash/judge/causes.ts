import type { OperationView } from '../../../src-shared/ipc/operation-view'
import type { Intent } from '../ledger'
import { type Complain, type Findings, nameOf } from './evidence'

/** Refusals of the station itself that a person at work may meet; any other is a bug. */
const mayBeMet =
  /^(checkout|receiving|outbox)\/|^service\/(unreachable|failing|busy|unreadable|credentials-refused|not-found)$/

/** Everything is settled, everything that was not accepted says why, and nothing is there that nobody meant. */
export function judgeCauses(findings: Findings, complain: Complain): void {
  const { sight, intents, lines } = findings
  for (const operation of sight.operations) {
    const { state, reason } = operation
    if (!isMeant(operation, intents)) complain('untrue', `nobody meant ${nameOf(operation)}`)
    if (state === 'rejected' && reason === null) complain('untrue', `${nameOf(operation)} does not say why`)
    if (state === 'cancelled' && !isCancelledFor(operation, intents)) {
      complain('lost', `${nameOf(operation)}, and nobody said so`)
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

function isMeant(operation: OperationView, intents: readonly Intent[]): boolean {
  const { kind, orderId, caseId, productName } = operation
  return intents.some((intent) => {
    if (intent.kind === 'import') {
      return kind === 'import' && intent.caseId === caseId && intent.productName === productName
    }
    // The removal of an import that somebody undid.
    if (intent.kind === 'undo') return kind === 'import-removal'
    return 'orderId' in intent && intent.kind === kind && intent.orderId === orderId
  })
}

function isCancelledFor(operation: OperationView, intents: readonly Intent[]): boolean {
  const { id, orderId } = operation
  return intents.some((intent) => {
    switch (intent.kind) {
      case 'dismiss':
        return intent.operationId === id && intent.because === operation.dismissedBecause
      case 'reopen':
        return intent.operationId === id && operation.note === 'reopened'
      case 'withdraw':
      case 'undo':
        return intent.operationId === id
      case 'void':
        return operation.kind === 'complete' && intent.orderId === orderId
      case 'complete':
      case 'return':
      case 'import':
      case 'retry':
        return false
    }
  })
}
