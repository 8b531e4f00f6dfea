import type { OperationView } from '../../../src-shared/ipc/contract/outbox'
import type { Line, Sight } from '../ledger'
import { type Complain, nameOf } from './evidence'

/** Accepted and canceled are final: once shown to a person, they must stay true. */
const isFinal = ({ state }: OperationView) => state === 'accepted' || state === 'cancelled'

/** A blind import becomes an ordinary import once its case is known. */
const isSame = (before: OperationView, after: OperationView) =>
  before.kind === 'blind-import'
    ? (after.kind === 'blind-import' || after.kind === 'import') &&
      (before.caseId === null || after.caseId === before.caseId)
    : after.kind === before.kind && after.orderId === before.orderId && after.caseId === before.caseId

/** Everything shown or promised is there at every later look, and final states don't change. */
export function judgePromises(lines: readonly Line[], complain: Complain): number {
  const promised = new Map<string, OperationView>()
  let count = 0

  const compare = ({ operations }: Sight) => {
    const now = new Map<string, OperationView>(operations.map((one) => [one.id, one]))
    for (const [id, before] of promised) {
      const after = now.get(id)
      if (!after) complain('lost', `${nameOf(before)} was promised and is gone`)
      else if (!isSame(before, after)) {
        complain('untrue', `${nameOf(before)} became ${nameOf(after)}`)
      } else if (isFinal(before) && after.state !== before.state) {
        complain('untrue', `${nameOf(before)} was final and became ${after.state}`)
      }
    }
  }
  const promise = (view: OperationView) => {
    const before = promised.get(view.id)
    // Answers to simultaneous calls may be written down in a different order than they were given.
    if (!before || !isFinal(before)) promised.set(view.id, view)
  }

  for (const line of lines) {
    if ((line.line === 'told' || line.line === 'found') && line.view) {
      count++
      promise(line.view)
    }
    if (line.line === 'opened' || line.line === 'closed') {
      compare(line.sight)
      line.sight.operations.forEach(promise)
    }
  }
  return count
}
