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
  /** Whether it was asked for after the service took this report of ours. */
  isSince: (report: Operation) => boolean
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
      // Our own removal came after this was seen.
      if (own.kind === 'import-removal') return known.isSince(own) ? stateByService(known) : { kind: 'to-import' }
      // The service may have moved on since: what it said after our report wins over what we reported.
      if (known.isSince(own) && (!known.isImported || isSomebodyElses(known))) return stateByService(known)
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
  // Of what a blind import will be is found out before it is sent: until then it may be of any of them.
  if (payload?.kind === 'blind-import') return payload.caseId === known.caseId
  return (
    (payload?.kind === 'import' || payload?.kind === 'import-removal') &&
    payload.caseId === known.caseId &&
    payload.packagedProductId === known.packagedProductId
  )
}

/** The same of a case that was never read, so that its packaged products are not known. Pure. */
export function stateOfUnread(
  known: Pick<ImportKnowledge, 'entry' | 'ownDispensaryId' | 'operations'>,
  view: (operation: Operation) => OperationView,
): ImportState {
  const kinds: Operation['kind'][] = ['import', 'blind-import', 'import-removal']
  const own = known.operations.findLast(({ kind, state }) => kinds.includes(kind) && state !== 'cancelled')
  if (own?.state === 'rejected') return { kind: 'refused', operation: view(own) }
  if (own && own.state !== 'accepted') return { kind: 'pending', operation: view(own) }
  if (own?.payload?.kind === 'import') {
    return { kind: 'imported-here', at: own.performedAt, packageUid: own.payload.packageUid, operation: view(own) }
  }
  if (known.entry === null) return { kind: 'unknown' }
  if (own) return { kind: 'to-import' }
  return stateByService({ ...known, isImported: known.entry?.is_imported === true, isFresh: false })
}

const isSomebodyElses = ({ entry, ownDispensaryId }: Pick<ImportKnowledge, 'entry' | 'ownDispensaryId'>) =>
  ownDispensaryId !== null && entry?.dispensary != null && entry.dispensary.uuid !== ownDispensaryId

function stateByService({
  isImported,
  isFresh,
  entry,
  ownDispensaryId,
}: Pick<ImportKnowledge, 'isImported' | 'isFresh' | 'entry' | 'ownDispensaryId'>): ImportState {
  // Of a case with several packaged products the look-up says "no" until all are in: its items know better, if fresh.
  const isDenied = !isFresh && entry?.is_imported === false
  if (!isImported || isDenied) return { kind: 'to-import' }
  // Somebody has it, and who could not be asked.
  if (entry === null) return { kind: 'unknown' }
  const at = entry?.imported_on ?? null
  if (!entry?.dispensary) return { kind: 'imported-elsewhere', at }
  return entry.dispensary.uuid === ownDispensaryId
    ? { kind: 'imported-here', at, packageUid: entry.package_uid ?? null, operation: null }
    : { kind: 'imported-by-company', at, dispensary: entry.dispensary.name }
}
