import type { AppError } from '../../src-shared/errors'
import type { Client } from '../../src-shared/ipc/client'
import { UnsentLimits } from '../../src-shared/ipc/operation-view'
import { type Result, err, ok } from '../../src-shared/result'
import type { Text } from '../messages/text.svelte'

type Name = keyof UnsentLimits
type Faults = Record<Name, Text | null>

const none: Faults = { count: null, hours: null }

/** The form for when unsent reports become a warning. */
export class LimitsForm {
  count = $state('')
  hours = $state('')
  isLoaded = $state(false)
  isSaving = $state(false)
  /** What stands in the form is what main keeps, since it was saved here. */
  isSaved = $state(false)
  /** What can't be used, beside its field; said when somebody wanted to save it. */
  faults = $state.raw<Faults>(none)
  error = $state.raw<AppError | null>(null)

  readonly #client: Client
  #isTouched = false

  constructor(client: Client) {
    this.#client = client
  }

  /** Fetches what is kept; what a person typed and did not save stays. */
  async load(): Promise<void> {
    this.isSaved = false
    const answer = await this.#client.call('outbox.limits', undefined)
    this.error = answer.ok ? null : answer.error
    if (!answer.ok || this.#isTouched) return
    this.count = String(answer.value.count)
    this.hours = String(answer.value.hours)
    this.isLoaded = true
  }

  typed(name: Name): void {
    this.#isTouched = true
    this.isSaved = false
    this.faults = { ...this.faults, [name]: null }
  }

  async save(): Promise<void> {
    if (this.isSaving || !this.isLoaded) return
    const typed = { count: this.count, hours: this.hours }
    const count = readNumber('count', typed.count)
    const hours = readNumber('hours', typed.hours)
    this.isSaved = false
    this.faults = { count: count.ok ? null : count.error, hours: hours.ok ? null : hours.error }
    if (!count.ok || !hours.ok) return
    this.isSaving = true
    const answer = await this.#client.call('outbox.setLimits', { count: count.value, hours: hours.value })
    this.isSaving = false
    this.error = answer.ok ? null : answer.error
    if (!answer.ok || typed.count !== this.count || typed.hours !== this.hours) return
    this.#isTouched = false
    this.isSaved = true
  }
}

/** The number that a person typed, or why it can't be used. */
function readNumber(name: Name, text: string): Result<number, Text> {
  const typed = text.trim()
  if (typed === '') return err({ key: 'settings.limits.missing' })
  if (!/^-?\d+$/.test(typed)) return err({ key: 'settings.limits.not-whole' })
  const field = UnsentLimits.shape[name]
  const number = field.safeParse(Number(typed))
  if (number.success) return ok(number.data)
  return err({ key: 'settings.limits.range', values: { least: field.minValue ?? 0, most: field.maxValue ?? 0 } })
}
