import type { DeliveryPackage } from '../../src-shared/ipc/contract/delivery'
import type { OperationView } from '../../src-shared/ipc/contract/outbox'
import type { CaseRow, Delivery, RowId } from './delivery.svelte'

/** One line of the list: the head of a group, a case, or the import of a case that was never read. */
export type ListItem =
  | { kind: 'package'; key: string; package: DeliveryPackage; rows: CaseRow[] }
  | { kind: 'singles'; key: string; count: number }
  | { kind: 'unseen'; key: string; count: number }
  | { kind: 'case'; key: string; row: CaseRow }
  | { kind: 'blind'; key: string; operation: OperationView }

/** The delivery from top to bottom: packages in the order of their scans, then what came by itself. */
export function listOf({ packages, rows, blind }: Pick<Delivery, 'packages' | 'rows' | 'blind'>): ListItem[] {
  const groups = new Map<string, CaseRow[]>(packages.map(({ packageUid }) => [packageUid, []]))
  const singles: CaseRow[] = []
  for (const row of rows) (groups.get(row.packageUid ?? '') ?? singles).push(row)
  const items: ListItem[] = packages.flatMap((one) => {
    const listed = groups.get(one.packageUid) ?? []
    return [{ kind: 'package', key: `package ${one.packageUid}`, package: one, rows: listed }, ...listed.map(caseItem)]
  })
  if (singles.length > 0)
    items.push({ kind: 'singles', key: 'singles', count: singles.length }, ...singles.map(caseItem))
  if (blind.length > 0) items.push({ kind: 'unseen', key: 'unseen', count: blind.length })
  return [...items, ...blind.map((operation): ListItem => ({ kind: 'blind', key: operation.id, operation }))]
}

const caseItem = (row: CaseRow): ListItem => ({ kind: 'case', key: row.caseId, row })

/** The id of a line that can be selected; null for others. */
export function rowIdOf(item: ListItem | undefined): RowId | null {
  if (item?.kind === 'case') return item.row.caseId
  return item?.kind === 'blind' ? item.operation.id : null
}

/** How many of some cases are still to be imported, whole or in part. */
export const toImport = (rows: CaseRow[]): number =>
  rows.filter(({ view }) => view?.packagedProducts.some(({ canImport }) => canImport)).length
