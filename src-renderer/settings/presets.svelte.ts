import type { Client } from '../../src-shared/ipc/client'
import { type CounterRules, type PresetName, differencesOf, presetOf, rulePresets } from '../../src-shared/rule-presets'
import { usualLevels } from '../../src-shared/verdict'
import { GateLevelsForm } from '../security/gate-levels.svelte'
import { Command } from '../ui/command.svelte'
import { CheckoutForm } from './checkout-form.svelte'

/** All rules of the counter at once: which preset they are, and the change to another. */
export class RulePresets {
  readonly #client: Client
  readonly #setting = new Command()
  readonly checkout: CheckoutForm
  readonly gates: GateLevelsForm
  /** Null until all rules are known. */
  rules = $derived.by((): CounterRules | null => {
    const { settings } = this.checkout
    if (!settings || !this.gates.view) return null
    const { takesUnchecked, requiresBudtender, levels } = settings
    return { takesUnchecked, requiresBudtender, levels: { ...usualLevels, ...levels }, gates: this.gates.view.levels }
  })
  fixed = $derived.by(() => this.gates.view?.fixed ?? [])
  chosen = $derived.by((): PresetName | 'custom' | null =>
    this.rules ? (this.#wanted ?? presetOf(this.rules, this.fixed) ?? 'custom') : null,
  )
  differences = $derived.by(() => (this.rules ? differencesOf(this.rules, rulePresets.usual, this.fixed) : 0))
  error = $derived.by(() => this.#setting.error ?? this.checkout.entry.error ?? this.gates.error)
  /** While it is being saved: what was saved is told rule by rule. */
  #wanted = $state<PresetName | null>(null)
  isSaving = $derived(this.#wanted !== null)
  isSaved = $state(false)

  constructor(client: Client) {
    this.#client = client
    this.checkout = new CheckoutForm(client)
    this.gates = new GateLevelsForm(client)
  }

  start(): () => void {
    const stops = [this.checkout.start(), this.gates.start()]
    return () => {
      for (const stop of stops) stop()
    }
  }

  load(): void {
    void this.checkout.load()
    void this.gates.load()
  }

  async use(name: PresetName): Promise<void> {
    if (this.isSaving) return
    this.#wanted = name
    this.isSaved = await this.#setting.does(() => this.#client.call('checkout.usePreset', { preset: name }))
    this.#wanted = null
  }
}
