import type { Client } from '../../src-shared/ipc/client'
import type { PackagedProductView } from '../../src-shared/ipc/receiving-view'
import type { CaseRow } from './case-row.svelte'
import { onlyPackageOf, packagesOf } from './case-packages'
import type { Delivery } from './delivery.svelte'
import { ImportFormState } from './import-form.svelte'
import { isImportable } from './import-state'
import { PosIds, PosIdsBook } from './pos-ids.svelte'

/** What is entered to import the cases of a delivery: a form per packaged product, which lives as long as its row. */
export class ImportForms {
  readonly #delivery: Delivery
  readonly #book: PosIdsBook
  #forms = new WeakMap<CaseRow, Map<string, ImportFormState>>()

  constructor(client: Client, delivery: Delivery) {
    this.#delivery = delivery
    this.#book = new PosIdsBook(client)
  }

  /** Made at the first look. */
  of(row: CaseRow, product: PackagedProductView): ImportFormState {
    const ofRow = this.#forms.get(row) ?? new Map<string, ImportFormState>()
    this.#forms.set(row, ofRow)
    const form = ofRow.get(product.packagedProductId) ?? this.#made(row, product)
    ofRow.set(product.packagedProductId, form)
    return form
  }

  #made(row: CaseRow, { productId }: PackagedProductView): ImportFormState {
    // Cases whose package is not chosen yet may be in different ones: each by itself.
    const unpacked = new PosIds()
    return new ImportFormState(
      () => onlyPackageOf(row, this.#isScanned),
      (packageUid) => (packageUid === '' ? unpacked : this.#book.of(productId, packageUid)),
    )
  }

  /** What a person chooses the package of a case from. */
  packagesOf(row: CaseRow): string[] {
    return packagesOf(row, this.#isScanned)
  }

  /** How many cases share what is entered in a form: those of its product in its package that are still to import. */
  sharers({ ids }: ImportFormState): number {
    return this.#delivery.rows.filter((row) =>
      row.view?.packagedProducts.some(
        (product) => isImportable(product.importState) && this.of(row, product).ids === ids,
      ),
    ).length
  }

  /** Asks what is remembered of the products of some cases. */
  async need(rows: CaseRow[]): Promise<void> {
    await this.#book.need(
      rows.flatMap((row) =>
        (row.view?.packagedProducts ?? []).map((product) => ({
          productId: product.productId,
          packageUid: this.of(row, product).packageUid,
        })),
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
    // Those too that nobody could be asked about before.
    await Promise.all([this.#book.again(), this.need(this.#delivery.rows)])
  }

  /** The delivery is over. What was entered and not imported is not meant for the next one. */
  forget(): void {
    this.#forms = new WeakMap()
    this.#book.forget()
  }

  readonly #isScanned = (packageUid: string) => this.#delivery.hasPackage(packageUid)
}
