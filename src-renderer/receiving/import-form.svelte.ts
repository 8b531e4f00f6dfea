import type { AppError } from '../../src-shared/errors'
import type { CallInput } from '../../src-shared/ipc/contract'
import { packageUidOf } from '../../src-shared/scan/packages'
import { explain } from '../text/errors'
import type { Text } from '../text/text.svelte'
import type { PosIds } from './pos-ids.svelte'

export type ImportField = 'packageUid' | 'posProductId' | 'posInventoryId' | 'sku'

/** What an import needs and a person has not entered: `ids` are both POS ids. */
export type Missing = 'package' | 'ids' | 'product' | 'inventory'

/** The names under which the service and the contract know what the form asks for. Spec: Import request. */
const fieldOf: Record<string, ImportField> = {
  package_uid: 'packageUid',
  pos_product_id: 'posProductId',
  pos_inventory_id: 'posInventoryId',
  sku: 'sku',
  packageUid: 'packageUid',
  posProductId: 'posProductId',
  posInventoryId: 'posInventoryId',
}

const productNames = new Set(['packaged_product_uuid', 'packagedProductId'])

/** A failure of an import, at the things it concerns. */
interface PlacedError {
  fields: Partial<Record<ImportField, Text>>
  /** About the choice of the packaged product. */
  product: Text | null
  /** About the case as a whole. */
  rest: AppError | null
}

const nothingWrong: PlacedError = { fields: {}, product: null, rest: null }

/** What is entered for an import: the ids once per product and package, the package once per case. Nothing typed is lost. */
export class ImportFormState {
  placed = $state.raw<PlacedError>(nothingWrong)
  isBusy = $state(false)
  /** An import was just refused: the first wrong field takes the focus as soon as it is drawn. */
  wantsFocus = $state(false)
  /** A person changed something here since its last import. */
  isChanged = $state(false)
  /** The package as a person typed it; null if nothing was typed. */
  #typed = $state<string | null>(null)
  /** The typed package once the field was left: the ids shown are those of this package. */
  #used = $state<string | null>(null)
  /** The package for whose cases other ids were typed than for this one: here, its own are shown. */
  #apartIn = $state<string | null>(null)
  readonly #suggested: () => string
  readonly #idsOf: (packageUid: string) => PosIds

  /** `suggested`: the package to use if none is typed, '' if it is not certain; read each time. */
  constructor(suggested: () => string, idsOf: (packageUid: string) => PosIds) {
    this.#suggested = suggested
    this.#idsOf = idsOf
  }

  get packageUid(): string {
    return this.#typed ?? this.#suggested()
  }
  set packageUid(value: string) {
    this.#typed = value
  }

  /** Whether the package was neither typed nor chosen by a person. */
  get isPackageSuggested(): boolean {
    return this.#typed === null && this.#suggested() !== ''
  }

  /** Shared by the cases of this product in this package, unless something else was typed for this one. */
  get ids(): PosIds {
    const packageUid = packageUidOf(this.#used ?? this.#suggested())
    return this.#idsOf(packageUid === this.#apartIn ? '' : packageUid)
  }

  /** The package is entered: from now on its own ids are shown. */
  usePackage(packageUid = this.#typed): void {
    if (packageUid === null) return
    const before = this.ids
    this.#used = packageUidOf(packageUid)
    this.#typed = this.#used
    if (this.ids !== before) this.ids.inherit(before)
  }

  /**
   * The package may be known now: what was typed while it was not is for it. It stays with this case if something else was
   * typed for another case of the package.
   */
  settle(): void {
    const packageUid = packageUidOf(this.#suggested())
    if (this.#used !== null || packageUid === '' || packageUid === this.#apartIn) return
    const typed = this.#idsOf('')
    if (this.ids.adopt(typed)) return
    typed.stayBeside(this.ids)
    this.#apartIn = packageUid
  }

  valueOf(field: ImportField): string {
    return field === 'packageUid' ? this.packageUid : this.ids[field]
  }

  get isComplete(): boolean {
    return this.packageUid.trim() !== '' && this.ids.isComplete
  }

  /** What an import still needs; null if nothing. */
  get missing(): Missing | null {
    if (this.packageUid.trim() === '') return 'package'
    const [product, inventory] = [this.ids.posProductId.trim() === '', this.ids.posInventoryId.trim() === '']
    if (product) return inventory ? 'ids' : 'product'
    return inventory ? 'inventory' : null
  }

  /** What is sent; an empty SKU is none. */
  get values(): Omit<CallInput<'receiving.importBlind'>, 'scanned'> {
    const { posProductId, posInventoryId, sku } = this.ids
    const packageUid = packageUidOf(this.packageUid)
    return { packageUid, posProductId, posInventoryId, ...(sku.trim() === '' ? {} : { sku }) }
  }

  refuse(error: AppError): void {
    this.placed = placeError(error)
  }

  /** Marks required fields that are empty. Returns true if nothing is missing. */
  check(): boolean {
    const fields: PlacedError['fields'] = {}
    for (const field of ['packageUid', 'posProductId', 'posInventoryId'] as const) {
      if (this.valueOf(field).trim() === '') fields[field] = { key: 'receiving.field.missing' }
    }
    this.placed = { ...nothingWrong, fields }
    const isComplete = Object.keys(fields).length === 0
    if (!isComplete) this.wantsFocus = true
    return isComplete
  }

  /** A field that is being corrected no longer shows what was wrong with it. */
  corrected(field: ImportField): void {
    this.isChanged = true
    const { [field]: _corrected, ...fields } = this.placed.fields
    this.placed = { ...this.placed, fields }
  }

  /** The error of a field. A missing field that has been filled in since is no longer an error. */
  wrongOf(field: ImportField): Text | undefined {
    const wrong = this.placed.fields[field]
    const isFilledIn = wrong?.key === 'receiving.field.missing' && this.valueOf(field).trim() !== ''
    return isFilledIn ? undefined : wrong
  }
}

/** Puts a failure beside what it concerns: a field, the choice of the product, or the case. */
export function placeError(error: AppError): PlacedError {
  if (error.code === 'service/package-unknown') {
    return { ...nothingWrong, fields: { packageUid: explain(error).what } }
  }
  if (error.code === 'service/invalid-fields') {
    const named = Object.entries(error.fields).map(([name, words]): NamedField => [name, serviceSays(words.join(' '))])
    return place(named, error)
  }
  if (error.code === 'ipc/invalid-input') {
    return place(
      error.issues.map(({ path }): NamedField => [path, { key: 'receiving.field.invalid' }]),
      error,
    )
  }
  return { ...nothingWrong, rest: error }
}

type NamedField = [name: string, text: Text]

const serviceSays = (words: string): Text => ({ key: 'receiving.field.service-says', values: { words } })

function place(named: NamedField[], error: AppError): PlacedError {
  const placed: PlacedError = { fields: {}, product: null, rest: null }
  for (const [name, text] of named) {
    const field = fieldOf[name]
    if (field) placed.fields[field] = text
    else if (productNames.has(name)) placed.product = text
    else placed.rest = error
  }
  return placed
}
