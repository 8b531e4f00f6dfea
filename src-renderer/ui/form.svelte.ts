import type { AppError } from '../../src-shared/errors'
import type { Result } from '../../src-shared/result'
import type { Text } from '../text/text.svelte'

export type Faults<Values> = Partial<Record<keyof Values, Text | undefined>>

interface FormParts<Values extends Record<string, string>> {
  empty: Values
  /** What can't be used, by field. */
  check: (values: Values) => Faults<Values>
  save: (values: Values) => Promise<AppError | null>
  /** Reads the stored values. Nothing is saved before they are known. */
  load?: () => Promise<Result<Values, AppError>>
}

/** A change on its way to be saved: under way, done or refused. */
export class Saving {
  error = $state.raw<AppError | null>(null)
  isSaving = $state(false)
  /** What is shown was saved here. */
  isSaved = $state(false)

  /** True if it was saved. */
  async run(save: () => Promise<AppError | null>): Promise<boolean> {
    this.isSaving = true
    this.isSaved = false
    this.error = await save()
    this.isSaving = false
    this.isSaved = this.error === null
    return this.isSaved
  }
}

/**
 * What a person types into the fields of one form, until it is saved. Bind fields to `values`, call `typed` on input.
 * Values are checked and saved without the spaces around them.
 */
export class Form<Values extends Record<string, string>> extends Saving {
  values: Values
  faults = $state.raw<Faults<Values>>({})
  /** The stored values are known. */
  isLoaded = $state(false)
  readonly #parts: FormParts<Values>
  #isTouched = false

  constructor(parts: FormParts<Values>) {
    super()
    this.#parts = parts
    this.values = $state({ ...parts.empty })
  }

  /** Reads the stored values and shows them. */
  async load(): Promise<void> {
    this.isSaved = false
    const answer = await this.#parts.load?.()
    if (!answer) return
    this.error = answer.ok ? null : answer.error
    if (answer.ok) this.show(answer.value)
  }

  /** Shows stored values. What a person typed and has not saved stays. */
  show(values: Values): void {
    this.isSaved = false
    this.isLoaded = true
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
    if (this.isSaving || (this.#parts.load && !this.isLoaded)) return false
    const typed = { ...this.values }
    const values = trimmed(typed)
    this.isSaved = false
    this.faults = this.#parts.check(values)
    if (Object.values(this.faults).some((fault) => fault !== undefined)) return false
    if (!(await this.run(() => this.#parts.save(values)))) return false
    this.isSaved = Object.keys(typed).every((name) => typed[name] === this.values[name])
    if (!this.isSaved) return false
    this.#isTouched = false
    Object.assign(this.values, values)
    return true
  }
}

const trimmed = <Values extends Record<string, string>>(values: Values): Values => {
  const copy: Record<string, string> = {}
  for (const [name, value] of Object.entries(values)) copy[name] = value.trim()
  return { ...values, ...copy }
}
