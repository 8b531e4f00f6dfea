import type { CaseState, ImportState } from './ipc/contract/receiving'

type CaseKind = CaseState['kind']

const importedKinds = new Set<ImportState['kind']>(['imported-here', 'imported-by-company', 'imported-elsewhere'])

/** Whether a packaged product is in an inventory, whosever it is. */
export const isInInventory = (kind: ImportState['kind']): boolean => importedKinds.has(kind)

/**
 * Where a whole case stands by the states of its packaged products: what needs a person first. `partly`: some are in an
 * inventory, others may still be imported, and none is refused or on the way. Undefined if it holds none.
 */
export function caseKindOf(kinds: readonly ImportState['kind'][]): CaseKind | undefined {
  const isOf = (kind: ImportState['kind']) => kinds.includes(kind)
  for (const kind of ['refused', 'pending', 'importing-elsewhere'] as const) if (isOf(kind)) return kind
  const imported = kinds.filter(isInInventory).length
  if (imported > 0 && imported < kinds.length) return 'partly'
  return (['imported-here', 'to-import'] as const).find(isOf) ?? kinds[0]
}

/** How many cases of a delivery are imported, here or in part, how many imports are on the way, and refused. */
export function countCases(kinds: readonly (CaseKind | undefined)[]) {
  const of = (wanted: CaseKind) => kinds.filter((kind) => kind === wanted).length
  return { imported: of('imported-here'), partly: of('partly'), pending: of('pending'), refused: of('refused') }
}
