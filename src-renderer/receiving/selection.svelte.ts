import { SvelteSet } from 'svelte/reactivity'
import type { CaseId, OperationId } from '../../src-shared/ids'

/** What can be selected: a case, or the import of a case that nobody has seen yet. */
export type RowId = CaseId | OperationId

/** Which row is selected and which are ticked. */
export class Selection {
  id = $state<RowId | null>(null)
  /** Grows when a scan or a step selects a row, and the list has to bring it into sight. */
  calls = $state(0)
  readonly ticked = new SvelteSet<CaseId>()
  readonly #order: () => RowId[]

  /** `order`: the rows as they stand on the screen. */
  constructor(order: () => RowId[]) {
    this.#order = order
  }

  select(id: RowId | null): void {
    this.id = id
  }

  /** Selects a row and brings it into sight. */
  show(id: RowId): void {
    this.id = id
    this.calls++
  }

  /** Selects the row that many further down; the ends hold. */
  move(by: number): void {
    const order = this.#order()
    const at = order.findIndex((id) => id === this.id)
    const next = order[Math.min(Math.max(at + by, 0), order.length - 1)]
    if (next !== undefined) this.show(next)
  }

  toEnd(end: 'first' | 'last'): void {
    const next = this.#order().at(end === 'first' ? 0 : -1)
    if (next !== undefined) this.show(next)
  }

  tick(id: CaseId): void {
    if (!this.ticked.delete(id)) this.ticked.add(id)
  }

  /** Rows that are gone are neither selected nor ticked; where nothing is selected, the first row is. */
  settle(): void {
    const order = this.#order()
    for (const id of [...this.ticked]) if (!order.includes(id)) this.ticked.delete(id)
    if (this.id === null || !order.includes(this.id)) this.id = order[0] ?? null
  }
}
