import type { PackagedProductView } from '../../src-shared/ipc/receiving-view'
import { ImportFormState } from './import-form.svelte'
import type { CaseRow } from './receiving.svelte'

/** The forms of all cases that were looked at, one per packaged product, for as long as the app runs. */
export class ImportForms {
  readonly #forms = new Map<string, ImportFormState>()

  /** Made at the first look, with the package that was scanned, or else the only one that the case is in. */
  of(row: CaseRow, product: PackagedProductView, scannedPackage: string | null): ImportFormState {
    const key = `${row.caseId}/${product.packagedProductId}`
    const known = this.#forms.get(key)
    if (known) return known
    const packages = row.view?.packageUids ?? []
    const only = packages.length === 1 ? packages[0] : undefined
    const form = new ImportFormState(scannedPackage ?? only ?? '')
    this.#forms.set(key, form)
    return form
  }
}
