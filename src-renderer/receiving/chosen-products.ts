import { SvelteMap } from 'svelte/reactivity'
import type { CaseId, ShortUuid } from '../../src-shared/ids'
import type { PackagedProductView } from '../../src-shared/ipc/receiving-view'
import type { CaseRow } from './case-row.svelte'
import { firstProduct } from './import-state'

/** Which of several products of a case is looked at: the one a person chose, otherwise the first to be imported. */
export class ChosenProducts {
  readonly #chosen = new SvelteMap<CaseId, ShortUuid>()

  choose({ caseId }: CaseRow, packagedProductId: ShortUuid): void {
    this.#chosen.set(caseId, packagedProductId)
  }

  of({ caseId, view }: CaseRow): PackagedProductView | null {
    const chosen = this.#chosen.get(caseId)
    const products = view?.packagedProducts ?? []
    return products.find((one) => one.packagedProductId === chosen) ?? (view && firstProduct(view)) ?? null
  }

  forget(): void {
    this.#chosen.clear()
  }
}
