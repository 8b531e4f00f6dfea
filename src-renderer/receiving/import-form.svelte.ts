import type { AppError } from '../../src-shared/errors'
import type { CallInput } from '../../src-shared/ipc/contract'
import type { Text } from '../messages/text.svelte'
import { type ImportField, type PlacedError, nothingWrong, placeError } from './place-error'
import type { PosIds } from './pos-ids.svelte'

/** What an import needs: entered once per product and package, and the package once per case. Nothing typed is lost. */
export class ImportFormState {
  placed = $state.raw<PlacedError>(nothingWrong)
  isBusy = $state(false)
  /** An import that was just asked for is refused: the first wrong field takes the focus as soon as it is there. */
  wantsFocus = $state(false)
  /** As a person typed it; it counts once the field is left. Null while nobody did. */
  #typed = $state<string | null>(null)
  #used = $state<string | null>(null)
  readonly #suggested: () => string
  readonly #idsOf: (packageUid: string) => PosIds

  /** `suggested`: the package that is meant while nobody typed one, '' when that is not certain; asked for at each look. */
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

  /** Whether the package stands there without a person having typed or chosen it. */
  get isPackageSuggested(): boolean {
    return this.#typed === null && this.#suggested() !== ''
  }

  /** Shared by all cases of this product in this package. */
  get ids(): PosIds {
    return this.#idsOf((this.#used ?? this.#suggested()).trim())
  }

  /** The package is as it is meant: from here on its own ids are shown. */
  usePackage(packageUid = this.#typed): void {
    if (packageUid === null) return
    const before = this.ids
    this.#typed = packageUid
    this.#used = packageUid
    if (this.ids !== before) this.ids.inherit(before)
  }

  valueOf(field: ImportField): string {
    return field === 'packageUid' ? this.packageUid : this.ids[field]
  }

  get isComplete(): boolean {
    return this.packageUid.trim() !== '' && this.ids.isComplete
  }

  /** What is sent; an empty SKU is none. */
  get values(): Omit<CallInput<'receiving.importBlind'>, 'scanned'> {
    const { posProductId, posInventoryId, sku } = this.ids
    return { packageUid: this.packageUid, posProductId, posInventoryId, ...(sku.trim() === '' ? {} : { sku }) }
  }

  refuse(error: AppError): void {
    this.placed = placeError(error)
  }

  /** Marks what must be entered and isn't; true when nothing is missing. */
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

  /** Whoever corrects a field is not told any more what was wrong with it. */
  corrected(field: ImportField): void {
    const { [field]: _corrected, ...fields } = this.placed.fields
    this.placed = { ...this.placed, fields }
  }

  /** What is wrong with a field; one that was missing and is filled in by now is not wrong any more. */
  wrongOf(field: ImportField): Text | undefined {
    const wrong = this.placed.fields[field]
    const isFilledIn = wrong?.key === 'receiving.field.missing' && this.valueOf(field).trim() !== ''
    return isFilledIn ? undefined : wrong
  }
}
