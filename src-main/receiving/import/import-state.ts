import { caseKindOf, isInInventory } from '../../../src-shared/case-state'
import type { CaseId, ShortUuid } from '../../../src-shared/ids'
import type { OperationView } from '../../../src-shared/ipc/contract/outbox'
import type { CaseState, CaseView, ImportState } from '../../../src-shared/ipc/contract/receiving'
import { assertNever } from '../../../src-shared/result'
import type { PackageCase } from '../../../src-shared/service/imports'
import { iso } from '../../core/clock'
import type { Operation } from '../../outbox/operation'
import type { Outbox } from '../../outbox/outbox'

/** What a package look-up says of a case: undefined if the package does not list it, null if it could not be asked. */
export type PackageEntry = PackageCase | undefined | null

/** What another station of the store does, or did, with an import. `at`, `heardAt`: ms since 1970. */
export interface ImportElsewhere {
  station: string
  state: 'importing' | 'imported'
  at: number
  /** When this station heard of it. */
  heardAt: number
}

/** What is known of one packaged product of a case. */
export interface ImportKnowledge {
  caseId: CaseId
  packagedProductId: ShortUuid
  /** All its items are in an inventory. */
  isImported: boolean
  /** Whether `isImported` was just answered, and not remembered. */
  isFresh: boolean
  /** Whether `isImported` was asked for after the service accepted this report of ours. */
  isSince: (report: Operation) => boolean
  entry: PackageEntry
  ownDispensaryId: string | null
  /** Our operations on the case, oldest first. */
  operations: Operation[]
  elsewhere?: ImportElsewhere | undefined
  /** Whether `isImported` was asked for after this station heard of the import elsewhere. */
  isSinceHeard?: boolean
}

/** Joins what the service says with what this station and the others of the store have done. Pure. */
export const importStateOf = (known: ImportKnowledge, view: (operation: Operation) => OperationView): ImportState =>
  withStore(ownStateOf(known, view), known)

/** What another station imports can't be imported here; what it has imported is, until the service says otherwise. */
function withStore(state: ImportState, { elsewhere, isSinceHeard, isImported }: Partial<ImportKnowledge>): ImportState {
  if (!elsewhere) return state
  const { station } = elsewhere
  const at = iso(elsewhere.at)
  if (state.kind === 'imported-here')
    return state.operation || elsewhere.state === 'importing' ? state : { ...state, station }
  if (!canImport(state)) return state
  if (elsewhere.state === 'importing') return { kind: 'importing-elsewhere', station, at }
  // An own attempt that was refused says nothing of the service's newest answer.
  return isSinceHeard === true && isImported !== true
    ? state
    : { kind: 'imported-here', at, packageUid: null, operation: null, station }
}

function ownStateOf(known: ImportKnowledge, view: (operation: Operation) => OperationView): ImportState {
  const own = known.operations.findLast((operation) => concerns(operation, known) && operation.state !== 'cancelled')
  if (!own) return stateByService(known)
  switch (own.state) {
    case 'queued':
    case 'sending':
    case 'unknown':
      return { kind: 'pending', operation: view(own) }
    case 'rejected':
      // Another dispensary has the case: the reason for the refusal, or imported since.
      if (own.kind === 'import' && known.isFresh && known.isImported && known.entry?.dispensary) {
        return stateByService(known)
      }
      return { kind: 'refused', operation: view(own) }
    case 'accepted': {
      if (own.kind === 'import-removal') return known.isSince(own) ? stateByService(known) : { kind: 'to-import' }
      // An answer to a question asked after our report overrides the report.
      if (known.isSince(own) && (!known.isImported || isForeign(known))) return stateByService(known)
      const packageUid = own.payload?.kind === 'import' ? own.payload.packageUid : null
      return { kind: 'imported-here', at: own.performedAt, packageUid, operation: view(own) }
    }
    case 'cancelled':
      return stateByService(known)
    default:
      return assertNever(own.state)
  }
}

/** Whether a person took back the last import of this station. What the service says of it doesn't matter. */
export function isTakenBack(known: Pick<ImportKnowledge, 'caseId' | 'packagedProductId' | 'operations'>): boolean {
  const last = known.operations.findLast(
    (operation) =>
      concerns(operation, known) && !(operation.kind === 'import-removal' && operation.state === 'cancelled'),
  )
  return last?.kind === 'import-removal' ? last.state === 'accepted' : last?.state === 'cancelled'
}

function concerns(operation: Operation, known: Pick<ImportKnowledge, 'caseId' | 'packagedProductId'>): boolean {
  const { payload } = operation
  // Until the service identifies a blind import, it may be an import of any product of the case.
  if (payload?.kind === 'blind-import') return payload.caseId === known.caseId
  return (
    (payload?.kind === 'import' || payload?.kind === 'import-removal') &&
    payload.caseId === known.caseId &&
    payload.packagedProductId === known.packagedProductId
  )
}

/** The state of a case that was never read, so that its packaged products are unknown. Pure. */
export const stateOfUnread = (
  known: Pick<ImportKnowledge, 'entry' | 'ownDispensaryId' | 'operations' | 'elsewhere'>,
  view: (operation: Operation) => OperationView,
): ImportState => withStore(ownStateOfUnread(known, view), known)

function ownStateOfUnread(
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

const isForeign = ({ entry, ownDispensaryId }: Pick<ImportKnowledge, 'entry' | 'ownDispensaryId'>) =>
  ownDispensaryId !== null && entry?.dispensary != null && entry.dispensary.uuid !== ownDispensaryId

function stateByService({
  isImported,
  isFresh,
  entry,
  ownDispensaryId,
}: Pick<ImportKnowledge, 'isImported' | 'isFresh' | 'entry' | 'ownDispensaryId'>): ImportState {
  // The package look-up says "not imported" until all products of a case are; the items are more exact, if just read.
  const isDenied = !isFresh && entry?.is_imported === false
  if (!isImported || isDenied) return { kind: 'to-import' }
  // Imported, but whose inventory it is in could not be asked.
  if (entry === null) return { kind: 'unknown' }
  const at = entry?.imported_on ?? null
  if (!entry?.dispensary) return { kind: 'imported-elsewhere', at }
  const { uuid, name } = entry.dispensary
  if (uuid === ownDispensaryId)
    return { kind: 'imported-here', at, packageUid: entry.package_uid ?? null, operation: null }
  return { kind: 'imported-by-company', at, dispensary: name, ...(ownDispensaryId === null && { mayBeOwn: true }) }
}

/** Whether a packaged product may be imported now. The outbox keeps an import of one that could not be asked about. */
export function canImport(state: ImportState): boolean {
  if (state.kind === 'refused') return state.operation.kind === 'import'
  return state.kind === 'to-import' || state.kind === 'unknown'
}

/**
 * How an import of this station stands, as the other stations should know it; for no product (null), of a blind import. `at`: ms
 * since 1970. Pure.
 */
export function statusInStore(
  operations: Operation[],
  packagedProductId: ShortUuid | null,
): { state: 'importing' | 'imported' | 'over'; at: number } {
  const concerned = operations.filter(({ payload, state }) => {
    if (state === 'cancelled') return false
    if (packagedProductId === null) return payload?.kind === 'blind-import'
    const isOfProduct = payload?.kind === 'import' || payload?.kind === 'import-removal'
    return isOfProduct && payload.packagedProductId === packagedProductId
  })
  const last = concerned.at(-1)
  if (last?.kind === 'import-removal' && last.state === 'accepted')
    return { state: 'over', at: Date.parse(last.performedAt) }
  // Until its removal is accepted, the import stands as it did.
  const own = concerned.findLast(({ kind }) => kind !== 'import-removal')
  const at = own ? Date.parse(own.performedAt) : 0
  if (!own || own.state === 'rejected') return { state: 'over', at }
  return { state: own.state === 'accepted' ? 'imported' : 'importing', at }
}

/** One state for a whole case: what needs a person first; undefined if it holds no packaged products. */
export function caseStateOf({ packagedProducts }: CaseView): CaseState | undefined {
  const states = packagedProducts.map(({ importState }) => importState)
  const kind = caseKindOf(states.map((one) => one.kind))
  if (kind !== 'partly') return states.find((one) => one.kind === kind)
  return { kind, imported: states.filter((one) => isInInventory(one.kind)).length, total: states.length }
}

/**
 * Whether a question asked at `askedAt` (ms since 1970) came after the service accepted a report: then its answer overrides
 * the report, also when it is only remembered. True if it is unknown when the report was accepted.
 */
export function isSeenSince(report: Operation, askedAt: number, outbox: Pick<Outbox, 'journalOf'>): boolean {
  const journal = outbox.journalOf(report.id)
  const accepted = journal.ok ? journal.value.findLast((entry) => entry.to === 'accepted') : undefined
  return accepted === undefined || askedAt > Date.parse(accepted.at)
}
