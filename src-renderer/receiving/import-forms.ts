import type { Client } from '../../src-shared/ipc/client'
import type { PackagedProductView } from '../../src-shared/ipc/contract/receiving'
import { packageUidOf } from '../../src-shared/scan/packages'
import type { CaseRow, Delivery } from './delivery.svelte'
import { ImportFormState } from './import-form.svelte'
import { PosIdsBook } from './pos-ids-book'
import { PosIds } from './pos-ids.svelte'

/** What is entered to import the cases of a delivery: a form per packaged product, which lives as long as its row. */
export class ImportForms {
  readonly #delivery: Delivery
  readonly #book: PosIdsBook
  #forms = new WeakMap<CaseRow, Map<string, ImportFormState>>()

  constructor(client: Client, delivery: Delivery) {
    this.#delivery = delivery
    this.#book = new PosIdsBook(client)
  }

  /** The form of a product; made when it is first asked for. */
  of(row: CaseRow, product: PackagedProductView): ImportFormState {
    const ofRow = this.#forms.get(row) ?? new Map<string, ImportFormState>()
    this.#forms.set(row, ofRow)
    const form = ofRow.get(product.packagedProductId) ?? this.#made(row, product)
    ofRow.set(product.packagedProductId, form)
    return form
  }

  #made(row: CaseRow, { productId }: PackagedProductView): ImportFormState {
    // Cases whose package is not chosen yet may be in different packages, so they share no ids.
    const unpacked = new PosIds()
    return new ImportFormState(
      () => {
        const [only = '', ...others] = this.packagesOf(row)
        return others.length === 0 ? only : ''
      },
      (packageUid) => (packageUid === '' ? unpacked : this.#book.of(productId, packageUid)),
    )
  }

  /**
   * The packages that a case may be imported into: those its items are in now, and the scanned package that lists it. A
   * person chooses if there are several.
   */
  packagesOf({ packageUid, view }: CaseRow): string[] {
    const current = view?.packageUids ?? []
    if (packageUid === null || current.includes(packageUid)) return current
    return current.length === 0 || this.#delivery.hasPackage(packageUid) ? [packageUid, ...current] : current
  }

  /** The packages of a case, if another one is entered for it; empty otherwise. */
  otherPackages(row: CaseRow, form: ImportFormState): string[] {
    const packageUid = packageUidOf(form.packageUid)
    const own = this.packagesOf(row)
    return packageUid === '' || own.some((one) => packageUidOf(one) === packageUid) ? [] : own
  }

  /** How many cases share what is entered in a form: the cases of its product in its package that can be imported. */
  sharers({ ids }: ImportFormState): number {
    return this.#delivery.rows.filter((row) =>
      row.view?.packagedProducts.some((product) => product.canImport && this.of(row, product).ids === ids),
    ).length
  }

  /** Makes the forms of some cases, before they are drawn, and asks what is remembered of their products. */
  async need(rows: CaseRow[]): Promise<void> {
    await this.#book.need(
      rows.flatMap((row) =>
        (row.view?.packagedProducts ?? []).map((product) => {
          const form = this.of(row, product)
          form.settle()
          return { productId: product.productId, packageUid: form.packageUid }
        }),
      ),
    )
  }

  /** A person has left the field of the package, or chosen one. */
  async usePackage(form: ImportFormState, { productId }: PackagedProductView, packageUid?: string): Promise<void> {
    form.usePackage(packageUid)
    await this.#book.need([{ productId, packageUid: form.packageUid }])
  }

  /** What is remembered of the POS's ids may have changed: a catalogue was loaded, or forgotten. */
  async askAgain(): Promise<void> {
    // Those that could not be asked about before are asked about again.
    await Promise.all([this.#book.again(), this.need(this.#delivery.rows)])
  }

  /** The delivery is over: what was entered and not imported is not used for the next one. */
  forget(): void {
    this.#forms = new WeakMap()
    this.#book.forget()
  }
}
