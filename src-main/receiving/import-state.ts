import type { CaseId, ShortUuid } from '../../src-shared/ids'
import type { OperationView } from '../../src-shared/ipc/operation-view'
import type { ImportState } from '../../src-shared/ipc/receiving-view'
import { assertNever } from '../../src-shared/result'
import type { PackageCase } from '../../src-shared/service/package-uids'
import type { Operation } from '../outbox/operation'

/** What is known of one packaged product of a case. */
export interface ImportKnowledge {
  caseId: CaseId
  packagedProductId: ShortUuid
  /** All its items stand in somebody's inventory. */
  isImported: boolean
  /** Whether that is what the service says now, and not what it once said. */
  isFresh: boolean
  /** Of the package look-up: undefined when it does not list the case, null when nobody could be asked. */
  entry: PackageCase | undefined | null
  ownDispensaryId: string | null
  /** Our operations on the case, oldest first. */
  operations: Operation[]
}

/** Joins what the service says with what this station has done and not yet reported. Pure. */
export function importStateOf(known: ImportKnowledge, view: (operation: Operation) => OperationView): ImportState {
  const own = known.operations.findLast((operation) => concerns(operation, known) && operation.state !== 'cancelled')
  if (!own) return stateByService(known)
  switch (own.state) {
    case 'queued':
    case 'sending':
    case 'unknown':
      return { kind: 'pending', operation: view(own) }
    case 'rejected':
      return { kind: 'refused', operation: view(own) }
    case 'accepted': {
      // The service may have moved on since: what it says now wins over what we once reported.
      if (own.kind === 'import-removal' || (known.isFresh && !known.isImported)) return stateByService(known)
      const packageUid = own.payload?.kind === 'import' ? own.payload.packageUid : null
      return { kind: 'imported-here', at: own.performedAt, packageUid, operation: view(own) }
    }
    case 'cancelled':
      return stateByService(known)
    default:
      return assertNever(own.state)
  }
}

function concerns(operation: Operation, known: ImportKnowledge): boolean {
  const { payload } = operation
  return (
    (payload?.kind === 'import' || payload?.kind === 'import-removal') &&
    payload.caseId === known.caseId &&
    payload.packagedProductId === known.packagedProductId
  )
}

function stateByService({ isImported, isFresh, entry, ownDispensaryId, operations }: ImportKnowledge): ImportState {
  // Our own removal came after this was remembered.
  const wasRemovedSince =
    !isFresh && operations.some((one) => one.kind === 'import-removal' && one.state === 'accepted')
  // Of a case with several packaged products the look-up says "no" until all are in: its items know better, if fresh.
  const isDenied = !isFresh && entry?.is_imported === false
  if (!isImported || wasRemovedSince || isDenied) return { kind: 'to-import' }
  // Somebody has it, and who could not be asked.
  if (entry === null) return { kind: 'unknown' }
  const at = entry?.imported_on ?? null
  if (!entry?.dispensary) return { kind: 'imported-elsewhere', at }
  return entry.dispensary.uuid === ownDispensaryId
    ? { kind: 'imported-here', at, packageUid: entry.package_uid ?? null, operation: null }
    : { kind: 'imported-by-company', at, dispensary: entry.dispensary.name }
}
