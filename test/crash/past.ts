import type { CountId, DeliveryId } from '../../src-shared/ids'
import type { Line } from './ledger'

/** The memory of the person at the station over all its lives: the ledger, read as it grows. */
export function pastOf(lines: readonly Line[]) {
  const begun = new Set<number>()
  const done = new Set<number>()
  const imports = new Map<number, string>()
  const changes = new Map<number, string[]>()
  const counts = new Map<number, string>()
  const shelf = new Map<number, CountId>()
  const deliveries = new Map<number, DeliveryId>()

  const note = (line: Line) => {
    if (line.line === 'begins') begun.add(line.n)
    if (line.line === 'done') done.add(line.n)
    if (line.line === 'acted' && line.isDone) {
      if (line.act.kind === 'start' && line.act.countId !== null) shelf.set(line.n, line.act.countId)
      if (line.act.kind === 'receive' && line.act.deliveryId !== null) deliveries.set(line.n, line.act.deliveryId)
    }
    if (line.line === 'counts') counts.set(line.n, line.countId)
    if ((line.line === 'told' || line.line === 'found') && line.view) {
      const { kind, id } = line.view
      if ((kind === 'import' || kind === 'blind-import') && !imports.has(line.n)) imports.set(line.n, id)
      if (kind === 'add-items' || kind === 'remove-item' || kind === 'restore-item') {
        changes.set(line.n, [...(changes.get(line.n) ?? []), id])
      }
    }
  }
  for (const line of lines) note(line)

  return {
    note,
    isDone: (n: number) => done.has(n),
    /** Whether the station died during the deed. */
    wasBegun: (n: number) => begun.has(n),
    /** The operation that the import with that number became. */
    importOf: (n: number) => imports.get(n),
    /** The changes to a case made by the deed with that number, or by the change that it undid. */
    changesOf: (n: number) => changes.get(n) ?? [],
    countOf: (n: number) => counts.get(n),
    /** The shelf count of the deed with that number, and whether a count is one of an earlier deed. */
    shelfCountOf: (n: number) => shelf.get(n),
    isShelfCount: (id: CountId) => [...shelf.values()].includes(id),
    deliveryOf: (n: number) => deliveries.get(n),
  }
}
