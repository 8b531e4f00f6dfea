import type { AppError } from '../../src-shared/errors'
import type { Text } from '../messages/text.svelte'

export type Faults<Values> = Partial<Record<keyof Values, Text>>

export interface FormParts<Values extends Record<string, string>> {
  empty: Values
  /** What can't be used, by field. */
  check: (values: Values) => Faults<Values>
  save: (values: Values) => Promise<AppError | null>
}

/** What a person types into the fields of one form, until it is saved. Bind fields to `values`, call `typed` on input. */
export class Form<Values extends Record<string, string>> {
  values: Values
  faults = $state.raw<Faults<Values>>({})
  error = $state.raw<AppError | null>(null)
  isSaving = $state(false)
  /** What the fields show was saved here. */
  isSaved = $state(false)
  readonly #parts: FormParts<Values>
  #isTouched = false

  constructor(parts: FormParts<Values>) {
    this.#parts = parts
    this.values = $state({ ...parts.empty })
  }

  /** Shows stored values. What a person typed and has not saved stays. */
  show(values: Values): void {
    this.isSaved = false
    if (!this.#isTouched) Object.assign(this.values, values)
  }

  typed(name: keyof Values): void {
    this.#isTouched = true
    this.isSaved = false
    this.faults = { ...this.faults, [name]: undefined }
  }

  /** Back to empty fields without faults. */
  clear(): void {
    Object.assign(this.values, this.#parts.empty)
    this.#isTouched = false
    this.isSaved = false
    this.faults = {}
    this.error = null
  }

  /** True if the values were saved and nothing was typed meanwhile. */
  async save(): Promise<boolean> {
    if (this.isSaving) return false
    const values = { ...this.values }
    this.isSaved = false
    this.faults = this.#parts.check(values)
    if (Object.values(this.faults).some((fault) => fault !== undefined)) return false
    this.isSaving = true
    this.error = await this.#parts.save(values)
    this.isSaving = false
    if (this.error || Object.keys(values).some((name) => values[name] !== this.values[name])) return false
    this.#isTouched = false
    this.isSaved = true
    return true
  }
}
