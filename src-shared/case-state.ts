import type { CaseState, ImportState } from './ipc/contract/receiving'

type CaseKind = CaseState['kind']

/**
 * Where a whole case stands by the states of its packaged products: what needs a person first. `partly`: some are imported
 * here, and no others are refused or on the way. Undefined if it holds none.
 */
export function caseKindOf(kinds: readonly ImportState['kind'][]): CaseKind | undefined {
  const isOf = (kind: ImportState['kind']) => kinds.includes(kind)
  for (const kind of ['refused', 'pending', 'importing-elsewhere'] as const) if (isOf(kind)) return kind
  const imported = kinds.filter((kind) => kind === 'imported-here').length
  if (imported > 0 && imported < kinds.length) return 'partly'
  return isOf('to-import') ? 'to-import' : kinds[0]
}

/** How many cases of a delivery are imported here, whole or in part, how many imports are on the way, and refused. */
export function countCases(kinds: readonly (CaseKind | undefined)[]) {
  const of = (wanted: CaseKind) => kinds.filter((kind) => kind === wanted).length
  return { imported: of('imported-here'), partly: of('partly'), pending: of('pending'), refused: of('refused') }
}
