import type { Budtender, CheckoutSettings } from '../../src-shared/ipc/contract/checkout'
import type { Client } from '../../src-shared/ipc/client'
import type { AppError } from '../../src-shared/errors'
import { type VerdictLevel, type VerdictRule, usualLevels } from '../../src-shared/verdict'
import { type Faults, Form } from '../ui/form.svelte'
import { nameFault } from '../ui/name-fault'
import type { Text } from '../text/text.svelte'
import type { ScanOutcome } from '../scan/strip.svelte'

/** Main takes no more budtenders. */
const most = 200

/** A rule of the checkout that is on or off. */
export type Rule = Exclude<keyof CheckoutSettings, 'budtenders' | 'levels'>

/** The rules of checkout and the list of budtenders. Each change is saved at once. */
export class CheckoutForm {
  /** As main announced them last: a change is made to these, whichever page made them. Null until they are loaded. */
  settings = $state.raw<CheckoutSettings | null>(null)
  /** Badge of the budtender who is being changed; null while one is being added. */
  changing = $state<string | null>(null)
  /** Badge and name in the fields. Its `error`, `isSaving` and `isSaved` are those of every change. */
  readonly entry: Form<{ id: string; name: string }>

  readonly #client: Client

  constructor(client: Client) {
    this.#client = client
    this.entry = new Form({
      empty: { id: '', name: '' },
      check: (entered) => this.#faultsOf(entered),
      save: (entered) => this.#saveEntered(entered),
    })
  }

  /** Reads the settings, and follows them until the returned function is called. */
  start(): () => void {
    void this.load()
    return this.#client.on('checkout.settings', (settings) => (this.settings = settings))
  }

  async load(): Promise<void> {
    const answer = await this.#client.call('checkout.settings', undefined)
    this.entry.error = answer.ok ? null : answer.error
    if (answer.ok) this.settings = answer.value
  }

  async setRule(rule: Rule, is: boolean): Promise<void> {
    await this.#change((settings) => ({ ...settings, [rule]: is }))
  }

  /** What the counter does with an item of which a rule speaks. */
  levelOf(rule: VerdictRule): VerdictLevel {
    return this.settings?.levels?.[rule] ?? usualLevels[rule]
  }

  /** Answers whether it was saved. */
  async setLevel(rule: VerdictRule, level: VerdictLevel): Promise<boolean> {
    await this.#change((settings) => ({ ...settings, levels: { ...settings.levels, [rule]: level } }))
    return this.entry.isSaved
  }

  /** Puts a scanned badge into the field. A badge on the list opens its budtender to be changed. */
  takeBadge(badge: string): ScanOutcome {
    const known = this.settings?.budtenders.find(({ id }) => id === badge)
    if (known && this.changing !== badge) {
      this.change(known)
      return { tone: 'attention', what: { key: 'settings.checkout.badge.used', values: { name: known.name } } }
    }
    this.entry.values.id = badge
    this.entry.typed('id')
    return { tone: 'good', what: { key: 'scan.badge' }, detail: { key: 'settings.checkout.badge.taken' } }
  }

  change({ id, name }: Budtender): void {
    this.entry.clear()
    Object.assign(this.entry.values, { id, name })
    this.changing = id
  }

  stop(): void {
    this.entry.clear()
    this.changing = null
  }

  /** Adds the budtender in the fields, or changes the one that was chosen. */
  async submit(): Promise<void> {
    if (!this.settings || !(await this.entry.save())) return
    this.stop()
    this.entry.isSaved = true
  }

  async remove(id: string): Promise<void> {
    if (this.changing === id) this.stop()
    await this.#change(({ budtenders, ...rules }) => ({
      ...rules,
      budtenders: budtenders.filter((one) => one.id !== id),
    }))
  }

  #faultsOf({ id, name }: Budtender): Faults<Budtender> {
    const budtenders = this.settings?.budtenders ?? []
    const missing: Text = { key: 'label.required' }
    const other = budtenders.find((one) => one.id === id && one.id !== this.changing)
    const isFull = this.changing === null && budtenders.length >= most
    const used: Text | undefined = other && { key: 'settings.checkout.badge.used', values: { name: other.name } }
    const full: Text | undefined = isFull ? { key: 'settings.checkout.full', values: { most } } : undefined
    return { id: id === '' ? missing : (used ?? full), name: name === '' ? missing : nameFault(name, 100) }
  }

  #saveEntered(entered: Budtender): Promise<AppError | null> {
    const { changing } = this
    return this.#save(({ budtenders, ...rules }) => ({
      ...rules,
      // Another page may have removed the one that is being changed.
      budtenders: budtenders.some(({ id }) => id === changing)
        ? budtenders.map((one) => (one.id === changing ? entered : one))
        : [...budtenders, entered],
    }))
  }

  async #change(change: (settings: CheckoutSettings) => CheckoutSettings): Promise<void> {
    if (this.settings && !this.entry.isSaving) await this.entry.run(() => this.#save(change))
  }

  async #save(change: (settings: CheckoutSettings) => CheckoutSettings): Promise<AppError | null> {
    if (!this.settings) return null
    const answer = await this.#client.call('checkout.setSettings', change(this.settings))
    return answer.ok ? null : answer.error
  }
}
