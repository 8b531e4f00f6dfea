import type { AppError } from '../../src-shared/errors'
import type { Budtender, CheckoutSettings } from '../../src-shared/ipc/checkout-view'
import type { Client } from '../../src-shared/ipc/client'
import type { Text } from '../messages/text.svelte'
import type { Outcome } from '../scan/strip.svelte'

type Name = keyof Budtender
type Faults = Record<Name, Text | null>

const none: Faults = { id: null, name: null }
const most = 200

/** The rules of the counter, and who serves at it. Each change is saved at once. */
export class CheckoutForm {
  settings = $state.raw<CheckoutSettings | null>(null)
  /** The badge and name that stand in the fields. */
  id = $state('')
  name = $state('')
  /** The badge of the one that is being changed; null while one is being added. */
  changing = $state<string | null>(null)
  faults = $state.raw<Faults>(none)
  error = $state.raw<AppError | null>(null)
  isSaving = $state(false)
  isSaved = $state(false)

  readonly #client: Client
  readonly #saved: (settings: CheckoutSettings) => void

  /** `saved`: whoever sells goes by these from now on. */
  constructor(client: Client, saved: (settings: CheckoutSettings) => void) {
    this.#client = client
    this.#saved = saved
  }

  async load(): Promise<void> {
    const answer = await this.#client.call('checkout.settings', undefined)
    this.error = answer.ok ? null : answer.error
    if (answer.ok) this.settings = answer.value
  }

  async setRule(rule: 'takesUnchecked' | 'requiresBudtender', is: boolean): Promise<void> {
    await this.#save((settings) => ({ ...settings, [rule]: is }))
  }

  typed(name: Name): void {
    this.isSaved = false
    this.faults = { ...this.faults, [name]: null }
  }

  /** A scanned badge goes into the field; one that is on the list is the one to be changed. */
  takeBadge(badge: string): Outcome {
    const known = this.settings?.budtenders.find(({ id }) => id === badge)
    if (known && this.changing !== badge) {
      this.change(known)
      return { tone: 'attention', what: { key: 'settings.checkout.badge.used', values: { name: known.name } } }
    }
    this.id = badge
    this.typed('id')
    return { tone: 'good', what: { key: 'scan.badge' }, detail: { key: 'settings.checkout.badge.taken' } }
  }

  change({ id, name }: Budtender): void {
    this.id = id
    this.name = name
    this.changing = id
    this.faults = none
    this.isSaved = false
  }

  stop(): void {
    this.id = ''
    this.name = ''
    this.changing = null
    this.faults = none
  }

  /** Adds who stands in the fields, or changes the one that was chosen. */
  async submit(): Promise<void> {
    const { settings, changing } = this
    const entered: Budtender = { id: this.id.trim(), name: this.name.trim() }
    if (!settings) return
    this.isSaved = false
    this.faults = this.#faultsOf(entered, settings.budtenders)
    if (this.faults.id || this.faults.name) return
    const saved = await this.#save(({ budtenders, ...rules }) => ({
      ...rules,
      budtenders:
        changing === null ? [...budtenders, entered] : budtenders.map((one) => (one.id === changing ? entered : one)),
    }))
    if (saved) this.stop()
  }

  async remove(id: string): Promise<void> {
    if (this.changing === id) this.stop()
    await this.#save(({ budtenders, ...rules }) => ({
      ...rules,
      budtenders: budtenders.filter((one) => one.id !== id),
    }))
  }

  #faultsOf({ id, name }: Budtender, budtenders: Budtender[]): Faults {
    const missing: Text = { key: 'settings.checkout.missing' }
    const other = budtenders.find((one) => one.id === id && one.id !== this.changing)
    const isFull = this.changing === null && budtenders.length >= most
    const used: Text | null = other ? { key: 'settings.checkout.badge.used', values: { name: other.name } } : null
    const full: Text | null = isFull ? { key: 'settings.checkout.full', values: { most } } : null
    return { id: id === '' ? missing : (used ?? full), name: name === '' ? missing : null }
  }

  async #save(change: (settings: CheckoutSettings) => CheckoutSettings): Promise<boolean> {
    if (!this.settings || this.isSaving) return false
    const next = change(this.settings)
    this.isSaving = true
    this.isSaved = false
    const answer = await this.#client.call('checkout.setSettings', next)
    this.isSaving = false
    this.error = answer.ok ? null : answer.error
    if (!answer.ok) return false
    this.settings = next
    this.isSaved = true
    this.#saved(next)
    return true
  }
}
