import { SvelteMap } from 'svelte/reactivity'
import type { CaseId, ShortUuid } from '../../src-shared/ids'
import type { PackagedProductView } from '../../src-shared/ipc/contract/receiving'
import type { CaseRow, RowId } from './delivery.svelte'

/** Which row is selected and which are ticked. */
export class Selection {
  id = $state<RowId | null>(null)
  /** Grows each time a scan selects a row that the list has to bring into sight. */
  calls = $state(0)
  /** What a person ticked or unticked. Every other case is ticked as long as it is ready to go. */
  readonly #ticks = new SvelteMap<CaseId, boolean>()
  readonly #order: () => RowId[]

  /** `order`: the rows in the order of the screen. */
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

  /** The next row down that passes the test, then from the top; undefined if none does. */
  next(test: (id: RowId) => boolean): RowId | undefined {
    const order = this.#order()
    const after = order.findIndex((id) => id === this.id) + 1
    return [...order.slice(after), ...order.slice(0, after)].find(test)
  }

  /** What a person decided about a case; undefined if nothing. */
  tickOf(id: CaseId): boolean | undefined {
    return this.#ticks.get(id)
  }

  tick(id: CaseId, isTicked: boolean): void {
    this.#ticks.set(id, isTicked)
  }

  /** Forgets what a person decided about a case: it was imported, or is to be ticked by itself again. */
  untouch(id: CaseId): void {
    this.#ticks.delete(id)
  }

  /** Deselects rows that are gone and forgets their ticks. If nothing is selected, selects the first row. */
  settle(): void {
    const order = this.#order()
    for (const id of [...this.#ticks.keys()]) if (!order.includes(id)) this.#ticks.delete(id)
    if (this.id === null || !order.includes(this.id)) this.id = order[0] ?? null
  }
}

/** Which of several products of a case is shown: the one a person chose, otherwise the first that can be imported. */
export class ChosenProducts {
  readonly #chosen = new SvelteMap<CaseId, ShortUuid>()

  choose({ caseId }: CaseRow, packagedProductId: ShortUuid): void {
    this.#chosen.set(caseId, packagedProductId)
  }

  of({ caseId, view }: CaseRow): PackagedProductView | null {
    const chosen = this.#chosen.get(caseId)
    const products = view?.packagedProducts ?? []
    const first = products.find(({ canImport }) => canImport) ?? products[0]
    return products.find((one) => one.packagedProductId === chosen) ?? first ?? null
  }

  forget(): void {
    this.#chosen.clear()
  }
}
