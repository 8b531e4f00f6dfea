import type { AppError } from '../../src-shared/errors'
import type { CaseId, PackageUid, ShortUuid } from '../../src-shared/ids'
import type { DeliveryCase } from '../../src-shared/ipc/delivery-view'
import type { OperationView } from '../../src-shared/ipc/operation-view'
import type { CaseView, ImportState, PackagedProductView } from '../../src-shared/ipc/receiving-view'
import { productOf, stateAfter } from './import-state'

/** A case of the delivery. Each field tells by itself when it changes: of 500 rows one event redraws one. */
export class CaseRow {
  readonly caseId: CaseId
  packageUid = $state<PackageUid | null>(null)
  importState = $state.raw<ImportState>({ kind: 'unknown' })
  view = $state.raw<CaseView | null>(null)
  error = $state.raw<AppError | null>(null)
  isReading = $state(false)
  #readings = 0

  constructor(found: DeliveryCase) {
    this.caseId = found.caseId
    this.take(found)
  }

  /** Takes over what main knows now. */
  take(found: DeliveryCase): void {
    this.packageUid = found.packageUid
    this.importState = found.importState
    this.view = found.case
    this.error = found.error
    this.isReading = found.isReading
  }

  /** Of several readings only the answer to the newest counts, whichever comes last. Gives its number. */
  beginReading(): number {
    return ++this.#readings
  }

  /** False when a newer one was begun since. */
  endReading(reading: number, view: CaseView): boolean {
    if (reading !== this.#readings) return false
    this.view = view
    return true
  }

  /**
   * An import of this case, or its removal, got further. Gives the product that it is of; null when that can't be told
   * from here, and the case has to be read.
   */
  changed(operation: OperationView): PackagedProductView | null {
    if (!this.view) {
      this.importState = stateAfter(operation, this.importState)
      return null
    }
    const product = productOf(operation, this.view)
    if (!product) return null
    this.#patch(product.packagedProductId, stateAfter(operation, product.importState))
    return product
  }

  #patch(packagedProductId: ShortUuid, importState: ImportState): void {
    if (!this.view) return
    const packagedProducts = this.view.packagedProducts.map((product) =>
      product.packagedProductId === packagedProductId ? { ...product, importState } : product,
    )
    this.view = { ...this.view, packagedProducts }
    this.importState = packagedProducts[0]?.importState ?? importState
  }
}
